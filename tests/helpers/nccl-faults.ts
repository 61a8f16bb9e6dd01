import { setTimeout as sleep } from 'node:timers/promises';
import {
  Context,
  SourceModule,
  memAlloc,
  memcpyDtoH,
  memsetD32Async,
  pagelockedZeros,
  getDevicePointer,
} from '../../src/cuda/index.ts';
import type { DeviceAllocation, DeviceMemory } from '../../src/cuda/index.ts';
import { group, type Communicator } from '../../src/nccl/index.ts';

/** What a rank has when its fault comes: all ranks have made one allReduce. */
export interface FaultJob {
  readonly comm: Communicator;
  readonly rank: number;
  /** Whether this rank is the one that is wrong, the last one. */
  readonly isWrong: boolean;
  /** Sixteen floats. */
  readonly x: DeviceAllocation;
  /** The wrong rank waits until another one has said how far it is, by the job's store. */
  readonly whenOthers: (key: string) => Promise<void>;
  /** Say that this rank goes wrong now. */
  readonly goes: () => void;
}

/** Something that is planted: before ranks come together, or when they have. */
export interface Fault {
  readonly before?: (rank: number, isWrong: boolean) => void;
  /** What takes long and is no part of it: all wait for each other. */
  readonly prepare?: (isWrong: boolean) => void;
  readonly run?: (job: FaultJob) => Promise<unknown>;
}

/** What calls are given; their time limit where it is not the communicator's. */
export const f32: { dtype: 'f32'; timeoutMs?: number } = { dtype: 'f32' };

/** An allReduce that the wrong rank does not make. */
function next({ comm, x, isWrong }: FaultJob): Promise<void> | undefined {
  return isWrong ? undefined : comm.allReduce(x, f32);
}

/** The wrong rank makes one call in another way, and none after it: what NCCL lets pass hangs at the next one. */
function differs(right: (job: FaultJob) => Promise<void>, wrong: (job: FaultJob) => Promise<void>): Fault {
  return {
    run: async (job) => {
      await (job.isWrong ? wrong(job) : right(job));
      await next(job);
    },
  };
}

function forever(): never {
  // Until the process is ended.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  throw new Error('woken');
}

const KERNELS = `
extern "C" __global__ void spin(volatile int *gate) { while (*gate == 0) { } }
extern "C" __global__ void beyond(int *data) { data[1000000] = 1; }
extern "C" __global__ void nothing(int *data) { }
`;
let kernels: SourceModule | undefined;
/** Memory that goes when it is collected would have the host wait for the kernel. */
const kept: unknown[] = [];

const compile = (): void => {
  kernels = new SourceModule(KERNELS);
};

const prepare = (isWrong: boolean): void => {
  if (isWrong) compile();
};

function launch(name: string, memory: DeviceMemory): void {
  kernels?.getFunction(name)(memory, { grid: 1, block: 1 });
}

/** Ranks that make different calls, and then wait for the device in a call that blocks. */
function mixedUpThen(wait: (job: FaultJob) => void): Fault {
  return {
    run: async (job) => {
      const { comm, x, isWrong } = job;
      await (isWrong ? comm.broadcast(x, f32) : comm.allReduce(x, f32));
      wait(job);
    },
  };
}

/** Every fault by name. */
export const faults: Readonly<Record<string, Fault>> = {
  operation: differs(
    ({ comm, x }) => comm.allReduce(x, f32),
    ({ comm, x }) => comm.broadcast(x, f32),
  ),
  count: differs(
    ({ comm, x }) => comm.allReduce(x, f32),
    ({ comm, x }) => comm.allReduce(x, { ...f32, count: 8 }),
  ),
  dtype: differs(
    ({ comm, x }) => comm.allReduce(x, f32),
    ({ comm, x }) => comm.allReduce(x, { dtype: 'i32' }),
  ),
  root: differs(
    ({ comm, x }) => comm.reduce(x, f32),
    ({ comm, x }) => comm.reduce(x, { ...f32, root: 1 }),
  ),
  reduction: differs(
    ({ comm, x }) => comm.allReduce(x, f32),
    ({ comm, x }) => comm.allReduce(x, { ...f32, op: 'max' }),
  ),
  order: {
    run: async ({ comm, x, isWrong }) => {
      if (isWrong) await comm.broadcast(x, f32);
      await comm.allReduce(x, f32);
      if (!isWrong) await comm.broadcast(x, f32);
    },
  },
  'missed call': {
    run: async ({ comm, x, isWrong }) => {
      if (!isWrong) await comm.allReduce(x, f32);
      await comm.broadcast(x, f32);
    },
  },
  'no more calls': { run: async (job) => next(job) },
  'early return': {
    run: async (job) => {
      if (!job.isWrong) return next(job);
      job.goes();
      process.exit(0);
    },
  },
  'killed before a call': {
    run: async (job) => {
      if (!job.isWrong) return next(job);
      job.goes();
      process.kill(process.pid, 'SIGKILL');
      return sleep(60_000);
    },
  },
  'killed in a call': {
    run: async (job) => {
      const { comm, x, rank } = job;
      // Rank 0 does not come, so that the wrong one is in the call when it ends.
      if (rank === 0) return;
      await comm.allReduce(x, f32);
      if (!job.isWrong) return;
      await job.whenOthers('near/');
      job.goes();
      process.kill(process.pid, 'SIGKILL');
    },
  },
  exception: {
    run: async (job) => {
      if (!job.isWrong) return next(job);
      job.goes();
      throw new Error('on purpose');
    },
  },
  'blocked event loop': { run: async (job) => (job.isWrong ? forever() : next(job)) },
  'blocked launches': {
    prepare: compile,
    ...mixedUpThen(({ x }) => {
      for (;;) launch('nothing', x);
    }),
  },
  'blocked fills': mixedUpThen(({ x }) => {
    for (;;) memsetD32Async(x, 0, 16);
  }),
  'blocked copies': mixedUpThen(({ x }) => memcpyDtoH(new Float32Array(16), x)),
  'blocked frees': mixedUpThen(({ x }) => x.free()),
  'blocked host of the store': mixedUpThen(() => Context.current?.synchronize()),
  'blocked beside a killed rank': {
    run: async (job) => {
      if (!job.isWrong) {
        await next(job);
        Context.current?.synchronize();
        return;
      }
      await sleep(1000);
      job.goes();
      process.kill(process.pid, 'SIGKILL');
    },
  },
  stopped: {
    run: async (job) => {
      if (!job.isWrong) return next(job);
      process.kill(process.pid, 'SIGSTOP');
      return undefined;
    },
  },
  'never at init': { before: (_, isWrong) => isWrong && forever() },
  'first rank never at init': { before: (rank) => rank === 0 && forever() },
  'another size': {
    before: (_, isWrong) => {
      if (isWrong) process.env['WORLD_SIZE'] = process.env['LOCAL_WORLD_SIZE'] = '4';
    },
  },
  'a rank twice': {
    before: (_, isWrong) => {
      if (isWrong) process.env['RANK'] = '0';
    },
  },
  'send without recv': {
    run: async ({ comm, x, rank }) => (rank === 0 ? comm.send(x, comm.size - 1, f32) : undefined),
  },
  'recv of fewer': {
    run: async ({ comm, x, rank, isWrong }) => {
      if (rank === 0) await comm.send(x, comm.size - 1, f32);
      else if (isWrong) await comm.recv(x, 0, { ...f32, count: 8 });
    },
  },
  'endless kernel': {
    prepare,
    run: async ({ comm, x, isWrong }) => {
      // The host never opens the gate.
      if (isWrong) {
        const gate = pagelockedZeros(1, 'i32');
        kept.push(gate);
        launch('spin', getDevicePointer(gate));
      }
      await comm.allReduce(x, f32);
    },
  },
  'kernel fault': {
    prepare,
    run: async ({ comm, x, isWrong, goes }) => {
      if (isWrong) {
        goes();
        launch('beyond', memAlloc(64));
      }
      await comm.allReduce(x, f32);
    },
  },
  'kernel fault that is caught': {
    prepare,
    run: async ({ comm, x, isWrong }) => {
      const call = async (): Promise<void> => {
        if (isWrong) launch('beyond', memAlloc(64));
        await comm.allReduce(x, f32);
        await comm.done();
      };
      await (isWrong ? call().catch(() => sleep(60_000)) : call());
    },
  },
  abort: {
    run: async (job) => {
      const { comm, x, rank } = job;
      if (rank !== 0) await comm.allReduce(x, f32);
      if (!job.isWrong) return;
      job.goes();
      await comm.abort();
      await sleep(60_000);
    },
  },
  'closed early': {
    run: async (job) => {
      if (!job.isWrong) return next(job);
      job.goes();
      job.comm.close();
      return sleep(60_000);
    },
  },
  group: {
    run: async (job) => {
      const { comm, x, isWrong } = job;
      await group(() => {
        void comm.allReduce(x, f32);
        void comm.broadcast(x, { ...f32, count: isWrong ? 4 : 16 });
      });
      await next(job);
    },
  },
  split: { run: async ({ comm, isWrong }) => (isWrong ? undefined : comm.split({ color: 0 })) },
  'host of the store': {
    run: async ({ comm, x, rank, goes }) => {
      if (rank !== 0) return comm.allReduce(x, f32);
      goes();
      process.kill(process.pid, 'SIGKILL');
      return sleep(60_000);
    },
  },
  launcher: {
    run: async (job) => {
      if (!job.isWrong) return next(job);
      job.goes();
      process.kill(process.ppid, 'SIGKILL');
      return sleep(60_000);
    },
  },
};
