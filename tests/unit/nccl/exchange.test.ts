import { afterEach, expect, jest, test } from '@jest/globals';
import { Exchange } from '../../../src/nccl/exchange.ts';
import type { ReportStore } from '../../../src/nccl/report-store.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** An exchange of rank 0 of two, what its store is told of rank 1, and its clock. */
async function opened(): Promise<{ exchange: Exchange; leave: (reason: string) => void; wait: (ms: number) => void }> {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  let told: (rank: number, reason: string) => void = () => undefined;
  const nothing = { close: (): void => undefined, [Symbol.dispose]: (): void => undefined };
  const store: ReportStore = {
    rank: 0,
    set: () => Promise.resolve(),
    deleteKey: () => Promise.resolve(true),
    subscribe: () => Promise.resolve(nothing),
    onLeave: (listener) => {
      told = listener;
      return Promise.resolve(nothing);
    },
  };
  const exchange = await Exchange.open(store, 'k', { rank: 0, size: 2, isJob: true });
  exchange.wait(undefined);
  return {
    exchange,
    leave: (reason) => {
      told(1, reason);
    },
    wait: (ms) => (now += ms),
  };
}

test.each([
  // The store sees the end of the connection first, or the launcher that of the process.
  [['connection lost', 'exit code 0'], false],
  [['exit code 0', 'connection lost'], false],
  [['closed', 'connection lost'], true],
  [['connection lost', 'exit code 1'], true],
  [['exit code 0'], false],
  [['connection lost'], true],
])('%j: calls that can finish are waited for, %s', async (reasons, isBroken) => {
  const { exchange, leave, wait } = await opened();
  for (const reason of reasons) {
    leave(reason);
    wait(10);
  }
  expect(exchange.isBroken).toBe(false);
  wait(2000);
  expect(exchange.isBroken).toBe(isBroken);
  exchange.close();
});

test('the time counts from the first word of an end that was no peaceful one', async () => {
  const { exchange, leave, wait } = await opened();
  leave('connection lost');
  wait(900);
  leave('signal SIGKILL');
  wait(200);
  expect(exchange.isBroken).toBe(true);
  exchange.close();
});
