import { expect, test } from '@jest/globals';
import { StoreServer } from '../../../src/job/store-server.ts';
import { isAlive, Launched, programOf } from '../../helpers/launched.ts';
import { until } from '../../helpers/until.ts';

const TOKEN = { RAWKERNEL_JOB_TOKEN: 'the token of two nodes' };

/** Two launchers on one machine, as on two. */
async function twoNodes(program: string, counts: readonly [number, number], ...more: string[]): Promise<Launched[]> {
  const server = await StoreServer.listen();
  const { port } = server;
  await server.close();
  return counts.map((count, node) => {
    const where = ['--nnodes', '2', '--node-rank', String(node), '--rdzv', `localhost:${port}`];
    return new Launched(['-n', String(count), ...where, ...more, program], TOKEN);
  });
}

const codes = (nodes: readonly Launched[]): Promise<number[]> => Promise.all(nodes.map(({ ended }) => ended));

test('ranks of both nodes are one job, and meet', async () => {
  const program = programOf(`
    import { readLauncher } from '@job/environment';
    import { meet } from '@job/meet';
    const launcher = readLauncher();
    const store = await meet(launcher);
    await store.set('rank/' + launcher.rank, process.env.GROUP_RANK + '/' + launcher.localRank);
    await store.barrier('all', launcher.size);
    const values = await Promise.all([0, 1, 2].map((rank) => store.get('rank/' + rank)));
    console.log(launcher.size + ': ' + values.map(String).join(' '), values.map((value) => Buffer.from(value).toString()).join());
    await store.close();
  `);
  const nodes = await twoNodes(program, [1, 2]);
  expect(await codes(nodes)).toEqual([0, 0]);
  expect(nodes.map(({ stdout }) => stdout.match(/0\/0,1\/0,1\/1/g)?.length)).toEqual([1, 2]);
  expect(nodes[1]?.linesOf(2)).toHaveLength(1);
});

test('a failure on one node ends both, with its exit code and its last lines on both', async () => {
  const program = programOf(`
    console.log('pid ' + process.pid);
    if (process.env.RANK === '2') { console.log('the reason'); setTimeout(() => process.exit(9), 300); }
    else setInterval(() => undefined, 1000);
  `);
  const nodes = await twoNodes(program, [2, 1]);
  expect(await codes(nodes)).toEqual([9, 9]);
  for (const { stderr } of nodes) {
    expect(stderr).toMatch(
      /^error: rank 2 of 3 failed first: exit code 9 after .* s\nIts last lines:\n[^]* {2}the reason\n$/,
    );
  }
  await until('all have ended', () => !nodes.flatMap((node) => node.numbers('pid')).some(isAlive));
});

test('both start again', async () => {
  const program = programOf(`
    import { readLauncher } from '@job/environment';
    import { meet } from '@job/meet';
    const { RANK, RAWKERNEL_RESTART: restart } = process.env;
    console.log('attempt ' + restart);
    // A rank that is ended at once would have printed nothing.
    const store = await meet(readLauncher());
    await store.barrier('printed', 2);
    await store.close();
    if (restart === '0' && RANK === '1') process.exit(2);
    if (restart === '0') setInterval(() => undefined, 1000);
  `);
  const nodes = await twoNodes(program, [1, 1], '--restarts', '1');
  expect(await codes(nodes)).toEqual([0, 0]);
  expect(nodes.map((node) => node.numbers('attempt'))).toEqual([
    [0, 1],
    [0, 1],
  ]);
});

test.each([0, 1])('when the launcher of node %i is killed, the other one ends and says so', async (killed) => {
  const nodes = await twoNodes(
    programOf("console.log('pid ' + process.pid); setInterval(() => undefined, 1000);"),
    [1, 1],
  );
  await Promise.all(nodes.map((node) => node.said('pid')));
  const pids = nodes.flatMap((node) => node.numbers('pid'));
  nodes[killed]?.child.kill('SIGKILL');
  expect((await codes(nodes))[1 - killed]).toBe(1);
  expect(nodes[1 - killed]?.stderr).toMatch(new RegExp(`^error: node ${killed} is lost: `));
  await until('all ranks have ended', () => !pids.some(isAlive));
});
