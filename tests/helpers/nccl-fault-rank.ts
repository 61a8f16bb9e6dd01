// A rank of a job with a fault, which is the program's first argument; the time limit in milliseconds is the second. It says
// when things happen, for a test that knows when they must have ended.
import { memAlloc } from '../../src/cuda/index.ts';
import { readLauncher } from '../../src/job/environment.ts';
import { meet } from '../../src/job/meet.ts';
import { Communicator } from '../../src/nccl/index.ts';
import { listenersAt, ownListeners } from './listening.ts';
import { f32, faults, type FaultJob } from './nccl-faults.ts';
import { shareGpu } from './shared-gpu.ts';

/** For the start of processes that do not meet before. */
const START_MS = 60_000;

const [, , name = '', limit = ''] = process.argv;
const fault = faults[name];
if (fault === undefined) throw new Error(`There is no fault '${name}'`);

function say(what: string, value: string | number = Date.now()): void {
  console.log(`${what} ${value}`);
}

process.on('exit', () => {
  say('ended');
});
say('process', process.pid);
const { rank, size, hosted } = readLauncher();
const isWrong = rank === size - 1;
const device = shareGpu(rank, size);
// Processes need different times to start, which are no part of a limit.
if (hosted) {
  await using store = await meet(readLauncher());
  await store.barrier('start', size);
}
fault.before?.(rank, isWrong);
say('waits');
const hasMet = hosted || fault.before !== undefined;
const comm = await Communicator.fromEnvironment({ device, timeoutMs: hasMet ? Number(limit) : START_MS });
if (!hasMet) f32.timeoutMs = Number(limit);
const x = memAlloc<'f32'>(64);
fault.prepare?.(isWrong);
await comm.allReduce(x, { dtype: 'f32', timeoutMs: 60_000 });
await comm.done();
const storePort = Number(process.env['MASTER_PORT'] ?? 0);
const stores = listenersAt(storePort);
if (stores.length === 0) throw new Error(`Nobody listens at the store's port ${storePort}`);
for (const { port, inode = '' } of [...stores, ...ownListeners()]) say('listener', `${port} ${inode}`);

const job: FaultJob = {
  comm,
  rank,
  isWrong,
  x,
  goes: () => say('goes'),
  whenOthers: async (key) => {
    const store = await meet({ ...readLauncher(), hosted: true });
    await new Promise<void>((resolve) => {
      void store.subscribe('nccl/', (path) => {
        if (path.includes(`/${key}`)) resolve();
      });
    });
  },
};
say('waits');
// A rank without a call to wait for stays, as a program that computes.
setInterval(() => undefined, 60_000);
await fault.run?.(job);
await comm.done();
