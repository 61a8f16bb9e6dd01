import { describe, expect } from '@jest/globals';
import { launched, programOf } from '../../helpers/launched.ts';
import { needs } from '../../helpers/require.ts';

const { test } = needs.build();

const MS = 120_000;

/** Three ranks, whose time limit is far away; the last one is wrong. */
function job(run: string, before = ''): ReturnType<typeof launched> {
  const program = programOf(`
    import { setTimeout as sleep } from 'node:timers/promises';
    import { Context, memAlloc } from '@src/cuda/index';
    import { Communicator } from '@src/nccl/index';
    const isWrong = process.env.RANK === '2';
    ${before}
    const communicator = await Communicator.fromEnvironment();
    const { rank } = communicator;
    const x = memAlloc(64);
    const sum = () => communicator.allReduce(x, { dtype: 'f32' });
    await sum();
    await communicator.done();
    ${run}
    process.on('exit', (code) => console.log('ended with', code));
  `);
  return launched(['-n', '3', '--time-out', '100', program], { RAWKERNEL_DEVICE: 'cpu' });
}

const WAIT = 'await sum(); await communicator.done();';
const WAITED = 'rank 2 ended with exit code 0 while allReduce #2 waited for it';

describe('a rank that ends with exit code 0', () => {
  test.each([
    ['by process.exit()', `if (isWrong) process.exit(0); ${WAIT}`, [0, 1], WAITED],
    ['at the end of its program', `if (!isWrong) { ${WAIT} }`, [0, 1], WAITED],
    ['after it has closed the communicator', `if (isWrong) communicator.close(); else { ${WAIT} }`, [0, 1], WAITED],
    [
      'without a send that another waits for',
      `if (rank === 0) { await communicator.recv(x, 2, { dtype: 'f32' }); await communicator.done(); } else if (!isWrong) await sleep(60_000);`,
      [0],
      'rank 2 ended with exit code 0 while recv #1 waited for it',
    ],
  ])(
    'too early, %s, is named at once',
    async (_, run, waiting, line) => {
      const { code, stderr } = await job(run);
      expect(code).toBe(1);
      for (const rank of waiting) expect(stderr).toContain(`[${rank}] ${line}\n`);
    },
    MS,
  );

  test(
    'before it has come to init is named at once',
    async () => {
      const { code, stderr } = await job('', 'if (isWrong) process.exit(0);');
      expect(code).toBe(1);
      for (const rank of [0, 1]) expect(stderr).toContain(`[${rank}] rank 2 ended with exit code 0\n`);
    },
    MS,
  );

  test.each([
    ['has closed the communicator', 'communicator.close();'],
    ['has waited for its calls', ''],
    ['calls process.exit()', 'communicator.close(); process.exit(0);'],
  ])(
    'in time is not: it %s, and the others go on',
    async (_, end) => {
      const { code, stdout, stderr } = await job(`
        if (isWrong) {
          await communicator.send(x, 0, { dtype: 'f32' });
          await communicator.done();
          ${end}
        } else {
          if (rank === 0) await communicator.recv(x, 2, { dtype: 'f32' });
          await communicator.done();
          // Longer than the others take to notice that a rank has gone, with a call that waits.
          if (rank === 0) await sleep(3000);
          await (rank === 0 ? communicator.send(x, 1, { dtype: 'f32' }) : communicator.recv(x, 0, { dtype: 'f32' }));
          await communicator.done();
        }
      `);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      for (const rank of [0, 1]) expect(stdout).toContain(`[${rank}] ended with 0`);
    },
    MS,
  );
});
