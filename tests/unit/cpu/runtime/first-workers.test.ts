import { expect } from '@jest/globals';
import { runBuilt } from '../../../helpers/child.ts';
import { needs } from '../../../helpers/require.ts';

/** Notes the names of the threads for kernels that the program starts. */
const WATCH = `
  import threads from 'node:worker_threads';
  import { syncBuiltinESMExports } from 'node:module';
  const started = [];
  threads.Worker = class extends threads.Worker {
    constructor(file, options) {
      super(file, options);
      if (/CPU \\d/.test(options.name)) started.push(options.name);
    }
  };
  syncBuiltinESMExports();
  const cuda = await import('rawkernel/cuda');
  const seen = [];
  const look = () => seen.push(started.length);
  const end = () => console.log(JSON.stringify(seen));
`;
/** A kernel that takes no time, and one whose first block waits for the second. */
const KERNELS = `
  extern "C" __global__ void quick(int *x) { atomicAdd(x, 1); }
  extern "C" __global__ void meet(int *x) {
    if (blockIdx.x == 0) while (atomicAdd(x, 0) == 0);
    else atomicExch(x, 1);
  }
  extern "C" __global__ void wait(int *x) { while (atomicAdd(x, 0) == 0); }
`;
const OPEN = `
  new cuda.Context();
  const module = new cuda.SourceModule(${JSON.stringify(KERNELS)});
  const x = cuda.toDevice(new Int32Array(1));
  const read = () => cuda.fromDevice(x, 'i32')[0];
`;
const TWO = { RAWKERNEL_DEVICE: 'cpu', RAWKERNEL_CPU_WORKERS: '2', RAWKERNEL_CPU_CHECK: '' };

async function seenBy(program: string): Promise<unknown> {
  const { code, stdout, stderr } = await runBuilt(WATCH + program, TWO);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const { test } = needs.build();

test('the first thread starts with the device, the others with the second small launch', async () => {
  const program = `
    look();
    new cuda.Device(0);
    look();
    ${OPEN}
    look();
    module.getFunction('quick')(x, { block: 1, grid: 2 });
    // Before anything waits: on a slow machine a wait may start the others.
    look();
    const first = read();
    module.getFunction('quick')(x, { block: 1, grid: 2 });
    look();
    seen.push(first, read());
    end();`;
  expect(await seenBy(program)).toEqual([0, 1, 1, 1, 2, 2, 4]);
});

test('a large launch starts all threads at once', async () => {
  const program = `${OPEN}
    module.getFunction('quick')(x, { block: 1024, grid: 5 });
    look();
    seen.push(read());
    end();`;
  expect(await seenBy(program)).toEqual([2, 5120]);
});

test('a small launch whose blocks wait for each other gets the other threads when it takes long', async () => {
  const program = `${OPEN}
    module.getFunction('meet')(x, { block: 1, grid: 2 });
    look();
    seen.push(read());
    look();
    end();`;
  expect(await seenBy(program)).toEqual([1, 1, 2]);
});

test('so does one whose end a promise waits for', async () => {
  const program = `${OPEN}
    const stream = new cuda.Stream();
    module.getFunction('meet')(x, { block: 1, grid: 2, stream });
    await stream.done();
    look();
    seen.push(read());
    end();`;
  expect(await seenBy(program)).toEqual([2, 1]);
});

test('small launches of one block in two streams start two threads: one kernel may wait for the other', async () => {
  const program = `${OPEN}
    const streams = [new cuda.Stream(), new cuda.Stream()];
    module.getFunction('wait')(x, { block: 1, stream: streams[0] });
    look();
    module.getFunction('quick')(x, { block: 1, stream: streams[1] });
    look();
    for (const stream of streams) stream.synchronize();
    seen.push(read());
    end();`;
  expect(await seenBy(program)).toEqual([1, 2, 1]);
});

test('launches of one block in one stream, and in a stream that waits for it, need one thread', async () => {
  const program = `${OPEN}
    const streams = [new cuda.Stream(), new cuda.Stream()];
    const passed = new cuda.Event();
    for (let i = 0; i < 3; i++) module.getFunction('quick')(x, { block: 1, stream: streams[0] });
    passed.record(streams[0]);
    streams[1].waitForEvent(passed);
    module.getFunction('quick')(x, { block: 1, stream: streams[1] });
    seen.push(read());
    look();
    end();`;
  expect(await seenBy(program)).toEqual([4, 1]);
});

test('a program that only compiles starts no thread for kernels', async () => {
  const program = `
    const { nvrtc } = await import('rawkernel/cuda/sys');
    nvrtc();
    look();
    end();`;
  expect(await seenBy(program)).toEqual([0]);
});
