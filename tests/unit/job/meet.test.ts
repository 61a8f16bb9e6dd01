import { expect, test } from '@jest/globals';
import { readLauncher } from '../../../src/job/environment.ts';
import type { Launcher } from '../../../src/job/launcher.ts';
import { meet } from '../../../src/job/meet.ts';
import { freePort } from '../../helpers/free-port.ts';
import { server, TOKEN } from '../../helpers/job-store.ts';

function ranks(size: number, port: number, more: Readonly<Record<string, string>> = {}): Launcher[] {
  return Array.from({ length: size }, (_, rank) =>
    readLauncher({
      RANK: String(rank),
      WORLD_SIZE: String(size),
      LOCAL_RANK: String(rank),
      MASTER_ADDR: '127.0.0.1',
      MASTER_PORT: String(port),
      ...more,
    }),
  );
}

test('rank 0 hosts the store; it may come last, and ends last', async () => {
  const all = ranks(4, await freePort());
  const [first, ...others] = all;
  const late = others.map((each) => meet(each));
  const stores = await Promise.all([...late, meet(first as Launcher)]);
  await Promise.all(stores.map((store) => store.barrier('start', 4)));
  const [, , , host] = stores;
  const closed = host?.close();
  // Still served, while rank 0 waits for the others.
  await stores[0].set('k', '1');
  await Promise.all(stores.slice(0, -1).map((store) => store.close()));
  await closed;
});

test('a store of the launcher is not hosted again', async () => {
  const host = await server();
  const all = ranks(2, host.port, { RAWKERNEL_JOB_STORE: 'launcher' });
  const stores = await Promise.all(all.map((each) => meet(each, { token: TOKEN })));
  expect(host.clients).toBe(2);
  await Promise.all(stores.map((store) => store.close()));
});

test('ranks on one machine meet on the loopback, whatever its name is', async () => {
  const port = await freePort();
  const all = ranks(2, port, { LOCAL_WORLD_SIZE: '2', MASTER_ADDR: 'a-name-that-does-not-exist.invalid' });
  const stores = await Promise.all(all.map((each) => meet(each)));
  await Promise.all(stores.map((store) => store.close()));
});

test('ranks on several machines need a token', async () => {
  const [first] = ranks(2, await freePort(), { MASTER_ADDR: '192.0.2.7' });
  await expect(meet(first as Launcher)).rejects.toMatchObject({ code: 'ERR_RAWKERNEL_STORE_ADDRESS' });
});

test('a rank that finds no store says where it looked', async () => {
  const port = await freePort();
  const second = ranks(2, port)[1] as Launcher;
  await expect(meet(second, { timeoutMs: 100 })).rejects.toMatchObject({
    code: 'ERR_RAWKERNEL_STORE_TIMEOUT',
    message: expect.stringMatching(
      new RegExp(`^No store at 127\\.0\\.0\\.1:${port} within 100 ms: .*ECONNREFUSED[^]*MASTER_ADDR`),
    ) as unknown,
  });
});
