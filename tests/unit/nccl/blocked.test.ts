import { expect, test } from '@jest/globals';
import { handleOf } from '../../../src/core/resource.ts';
import {
  Context,
  Event,
  memAlloc,
  memcpyDtoH,
  memcpyHtoD,
  memsetD32Async,
  moduleFromBuffer,
  Stream,
  type Function as KernelFunction,
} from '../../../src/cuda/index.ts';
import { useTables } from '../../../src/cuda/select.ts';
import { NcclTimeoutError, UniqueId, type ReportNote, type ReportStore } from '../../../src/nccl/index.ts';
import { withFakeDriver } from '../../helpers/cuda.ts';
import { communicator, withFakeNccl } from '../../helpers/nccl.ts';

const driver = withFakeDriver();
const fake = withFakeNccl();
const f32 = { dtype: 'f32' } as const;
const host = new Float32Array(16);

/** Run with a device that does not finish its work; streams that are named do. */
function stuck<T>(run: () => T, idle: readonly bigint[] = []): T {
  driver.busy = true;
  const cuStreamQuery = (stream: bigint): number => (idle.includes(stream) ? 0 : 600);
  useTables({ driver: { ...driver.table, cuStreamQuery } });
  try {
    return run();
  } finally {
    useTables({ driver: driver.table });
    driver.busy = false;
  }
}

const waits: Readonly<Record<string, (x: ReturnType<typeof memAlloc>, stream: Stream, event: Event) => void>> = {
  'Context.synchronize': () => Context.current?.synchronize(),
  'Stream.synchronize': (_, stream) => stream.synchronize(),
  'Event.synchronize': (_, __, event) => event.synchronize(),
  memcpyDtoH: (x) => memcpyDtoH(host, x),
  memcpyHtoD: (x) => memcpyHtoD(x, host),
};

test.each(Object.keys(waits))('%s behind a call that hangs throws at the time limit', async (name) => {
  const comm = await communicator({ timeoutMs: 30 });
  using x = memAlloc(64);
  using stream = new Stream();
  using event = new Event();
  driver.busy = true;
  await comm.allReduce(x, { ...f32, stream });
  event.record(stream);
  const wait = (): void => waits[name]?.(x, stream, event);
  expect(() => stuck(wait)).toThrow(NcclTimeoutError);
  expect(fake.calls).toContain('ncclCommAbort');
  // Once is enough.
  wait();
  await expect(comm.allReduce(x, f32)).rejects.toThrow(
    /^allReduce #1 f32 x 16 sum \(tests\/unit\/nccl\/blocked\.test\.ts:\d+\) did not finish within 0\.03 s\n/,
  );
  comm.close();
});

const works: Readonly<Record<string, (x: ReturnType<typeof memAlloc>, kernel: KernelFunction) => void>> = {
  launches: (_, kernel) => kernel({ block: 1, grid: 1 }),
  fills: (x) => memsetD32Async(x, 0, 16),
};

// A driver that has a thousand pieces of work blocks the thread, and nothing would tell of the call.
test.each(Object.keys(works))('%s without end behind a call that hangs throw at the time limit', async (name) => {
  const comm = await communicator({ timeoutMs: 30 });
  using x = memAlloc(64);
  using module = moduleFromBuffer('.version 7.0\n.target sm_80\n.address_size 64\n.visible .entry f() { ret; }');
  const kernel = module.getFunction('f');
  driver.busy = true;
  await comm.allReduce(x, f32);
  let count = 0;
  expect(() =>
    stuck(() => {
      for (; count < 10_000; count++) works[name]?.(x, kernel);
    }),
  ).toThrow(NcclTimeoutError);
  expect(count).toBeGreaterThan(400);
  expect(count).toBeLessThan(1000);
  // What has been told is no reason to refuse more.
  stuck(() => {
    for (let i = 0; i < 1000; i++) works[name]?.(x, kernel);
  });
  comm.close();
});

test('what does not wait for the call goes on: an idle stream, another context', async () => {
  const comm = await communicator({ timeoutMs: 600_000 });
  using x = memAlloc(64);
  using stream = new Stream();
  using other = new Stream();
  driver.busy = true;
  await comm.allReduce(x, { ...f32, stream });
  stuck(() => other.synchronize(), [handleOf(other, 'synchronize').value]);
  stuck(() => memcpyDtoH(host, x), [0n]);
  driver.busy = true;
  const before = Context.current;
  const context = new Context({ own: true });
  context.synchronize();
  context.close();
  before?.makeCurrent();
  driver.busy = false;
  await comm.done();
  comm.close();
});

test("'report' throws and leaves the rest to the program", async () => {
  const comm = await communicator({ timeoutMs: 30, onTimeout: 'report' });
  using x = memAlloc(64);
  driver.busy = true;
  await comm.allReduce(x, f32);
  expect(() => stuck(() => Context.current?.synchronize())).toThrow(NcclTimeoutError);
  expect(fake.calls).not.toContain('ncclCommAbort');
  await comm.abort();
  comm.close();
});

/** A store whose rank 1 answers by the relay alone: the event loop of this rank stands still. */
function answering(
  notes: (prefix: string) => readonly ReportNote[],
): ReportStore & { readonly set: ReportStore['set'] } {
  const nothing = { close: (): void => undefined };
  return {
    rank: 0,
    set: () => Promise.resolve(),
    deleteKey: () => Promise.resolve(),
    subscribe: (prefix, hear) => {
      for (const job of [0, 1]) hear(`${prefix}here/${job}.it`, Buffer.from(JSON.stringify({ job, size: 2 })));
      return Promise.resolve(nothing);
    },
    onLeave: () => Promise.resolve(nothing),
    relay: (prefix) => {
      const ahead: ReportNote[] = [];
      return {
        take: () => ahead.shift(),
        set: (key) => {
          if (key === `${prefix}alarm`) ahead.push(...notes(prefix));
        },
        close: () => undefined,
      };
    },
  };
}

test('the error has what the others say, who are heard on another thread', async () => {
  const entry = { sequence: 1, name: 'broadcast', dtype: 'f32', count: 16, peer: 0, isTaken: true, isDone: false };
  const head = { isAnswer: true, entries: [{ ...entry, place: 'train.ts:7' }] };
  const store = answering((prefix) => [{ key: `${prefix}head/1`, value: Buffer.from(JSON.stringify(head)) }]);
  const id = UniqueId.fromBytes(new Uint8Array(128).fill(21));
  const comm = await communicator({ rank: 0, size: 2, id, timeoutMs: 30, store });
  using x = memAlloc(64);
  driver.busy = true;
  await comm.allReduce(x, f32);
  expect(() => stuck(() => Context.current?.synchronize())).toThrow(
    /rank 0 is at allReduce #1 f32 x 16 sum \(\S+\); rank 1 is at broadcast #1 f32 x 16 from rank 0 \(train\.ts:7\)/,
  );
  comm.close();
});

test('a rank that leaves meanwhile is named before the time limit', async () => {
  const left: ReportNote[] = [{ rank: 1, left: 'signal SIGKILL' }];
  const silent = answering(() => []);
  const store: ReportStore = {
    ...silent,
    relay: () => ({ take: () => left.shift(), set: () => undefined, close: () => undefined }),
  };
  const id = UniqueId.fromBytes(new Uint8Array(128).fill(22));
  const comm = await communicator({ rank: 0, size: 2, id, timeoutMs: 600_000, store });
  using x = memAlloc(64);
  driver.busy = true;
  await comm.allReduce(x, f32);
  expect(() => stuck(() => Context.current?.synchronize())).toThrow(
    /^allReduce #1 f32 x 16 sum \(\S+\) cannot finish\nrank 1 exited with signal SIGKILL before allReduce #1 was finished/,
  );
  comm.close();
});
