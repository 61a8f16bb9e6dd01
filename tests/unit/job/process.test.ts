import { expect, test } from '@jest/globals';
import { client, server, TOKEN } from '../../helpers/job-store.ts';
import { runChild } from '../../helpers/child.ts';
import { until } from '../../helpers/until.ts';

const connect = (port: number): string => `
  import { Store } from '@/src/job/store.ts';
  const store = await Store.connect({ port: ${port}, token: '${TOKEN}', rank: 1 });
`;

test.each<[string, string, number | null, string]>([
  ['ends by itself', "await store.set('k', '1'); await store.subscribe('x', () => undefined);", 0, 'exit code 0'],
  ['throws', "throw new Error('on purpose');", 1, 'exit code 1'],
  ['calls process.exit', 'process.exit(7);', 7, 'exit code 7'],
  ['closes its store', 'await store.close();', 0, 'closed'],
  ['is killed', "process.kill(process.pid, 'SIGKILL'); await store.get('never');", null, 'connection lost'],
])('a program that %s has no more to wait for, and the others hear how it left', async (_, text, code, reason) => {
  const host = await server();
  const store = await client(host, 0);
  const left: unknown[] = [];
  await store.onLeave((rank, how) => left.push([rank, how]));
  const ended = await runChild(connect(host.port) + text);
  if (process.platform !== 'win32' || code !== null) expect(ended.code).toBe(code);
  await until('the store has told', () => left.length > 0);
  expect(left).toEqual([[1, reason]]);
});

test('a request without an answer keeps the program', async () => {
  const host = await server();
  const store = await client(host);
  const child = runChild(`${connect(host.port)} console.log(Buffer.from(await store.get('late')).toString());`);
  await until('the program is there', () => host.clients === 2);
  await store.set('late', 'now');
  expect(await child).toMatchObject({ code: 0, stdout: 'now\n' });
});

test('a server alone keeps no program', async () => {
  const text = `
    import { StoreServer } from '@/src/job/store-server.ts';
    const host = await StoreServer.listen();
    console.log(host.port > 0);
  `;
  expect(await runChild(text)).toMatchObject({ code: 0, stdout: 'true\n' });
});
