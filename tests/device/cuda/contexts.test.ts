import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { Context } from '../../../src/cuda/device/context.ts';
import { Device } from '../../../src/cuda/device/device.ts';
import { CudaLogicError } from '../../../src/cuda/errors.ts';
import { GreenContext } from '../../../src/cuda/stream/green-context.ts';
import { fromDevice } from '../../../src/cuda/copy/memcpy.ts';
import { memAlloc } from '../../../src/cuda/memory/memory.ts';
import { memsetD32, memsetD32Async } from '../../../src/cuda/copy/memset.ts';
import { Stream } from '../../../src/cuda/stream/stream.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';
import { root } from '../../helpers/root.ts';

const WORKERS = 4;
const N = 256;

/** What each worker does: its own kernel, its own part of the memory, all at once. */
const SCRIPT = `
import { parentPort, workerData } from 'node:worker_threads';
const cuda = await import(workerData.built);
const { index, start, shared } = workerData;
const context = new cuda.Context();
const module = new cuda.SourceModule('__global__ void step(int *x, int n) { x[threadIdx.x] = x[threadIdx.x] * 3 + n; }');
const step = module.getFunction('step');
const own = cuda.memAlloc(4 * ${N});
// On a GPU all threads of a process have the same memory: a handle is a number.
const memory = shared ? shared.ptr + BigInt(4 * ${N} * index) : own;
const stream = shared ? cuda.Stream.fromHandle(shared.streams[index]) : new cuda.Stream({ nonBlocking: true });
cuda.memsetD32(own, 0, ${N});
context.synchronize();
// All begin together.
Atomics.add(start, 0, 1);
Atomics.notify(start, 0);
for (let seen; (seen = Atomics.load(start, 0)) < ${WORKERS}; ) Atomics.wait(start, 0, seen, 30000);
for (let i = 0; i < 500; i++) step(memory, index, { block: ${N}, stream });
await stream.done();
parentPort.postMessage(cuda.fromDevice(memory, 'i32', ${N})[${N} - 1]);
for (const object of [stream, own, module, context]) object.close();
`;

function expected(index: number): number {
  let x = 0;
  for (let i = 0; i < 500; i++) x = (Math.imul(x, 3) + index) | 0;
  return x;
}

async function runWorkers(shared?: { readonly ptr: bigint; readonly streams: readonly bigint[] }): Promise<unknown[]> {
  const start = new Int32Array(new SharedArrayBuffer(4));
  const built = pathToFileURL(join(root, 'dist', 'cuda', 'index.js')).href;
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-'));
  const file = join(folder, 'worker.mjs');
  writeFileSync(file, SCRIPT);
  const workers = Array.from({ length: WORKERS }, (_, index) => {
    const env = { ...process.env, RAWKERNEL_CPU_WORKERS: '1' };
    return new Worker(file, { env, workerData: { built, index, start, shared } });
  });
  const answers = workers.map(async (worker) => {
    // Both from the start: to a thread that is late they come at once.
    const ends = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
    return ends.map(([value]: unknown[]) => value);
  });
  try {
    return await Promise.all(answers);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

needs.cuda().describe('contexts', () => {
  withDevice();

  test('push() and pop() pair; a leftover stack does no harm', () => {
    const before = Context.current as Context;
    const own = new Context(new Device(0), { own: true });
    before.makeCurrent();
    own.push();
    expect(Context.current).toBe(own);
    before.push();
    expect(Context.current).toBe(before);
    // It is on the stack still: closing it now is harmless.
    own.close();
    expect(Context.pop()).toBe(before);
    expect(Context.pop()).toBeUndefined();
    expect(Context.current).toBe(before);
    using memory = memAlloc(16);
    expect(memory.byteLength).toBe(16);
  });

  test('pop() of nothing is an error, not an end', () => {
    const before = Context.current as Context;
    expect(Context.pop()).toBe(before);
    expect(() => Context.pop()).toThrow(CudaLogicError);
    expect(() => Context.pop()).toThrow(/there is nothing to pop/);
    expect(() => memAlloc(16)).toThrow(/No context is current/);
    before.makeCurrent();
    expect(Context.current).toBe(before);
  });

  test('many contexts, each with its memory', () => {
    const before = Context.current as Context;
    const made = Array.from({ length: 4 }, (_, i) => {
      const context = new Context(new Device(0), { own: true });
      const memory = memAlloc(64);
      memsetD32(memory, i, 16);
      return { context, memory };
    });
    made.forEach(({ context, memory }, i) => {
      context.push();
      expect(fromDevice(memory, 'i32')[15]).toBe(i);
      expect(Context.pop()).toBe(context);
    });
    before.makeCurrent();
    for (const { context, memory } of made) {
      context.close();
      memory.close();
    }
    expect(Context.current).toBe(before);
  });

  test('a foreign context is used, and not destroyed', () => {
    const before = Context.current as Context;
    const foreign = Context.fromHandle(before.handle);
    expect([foreign.handle, foreign.device.ordinal]).toEqual([before.handle, 0]);
    foreign.synchronize();
    foreign.close();
    before.makeCurrent();
    before.synchronize();
    expect(() => Context.fromHandle(5 as never)).toThrow(/A context handle must be a bigint, got 5/);
    expect(() => Context.fromHandle(0n)).toThrow(/is not a context handle/);
  });
});

const built = needs.build();
const cuda = needs.cuda();
(built.missing === undefined ? cuda : built).describe('four worker threads launch at once', () => {
  test('each with memory of its own', async () => {
    const wanted = Array.from({ length: WORKERS }, (_, index) => [expected(index), 0]);
    expect(await runWorkers()).toEqual(wanted);
  }, 120_000);
});

const gpu = needs.gpu();
(built.missing === undefined ? gpu : built).describe('four worker threads share what the main thread made', () => {
  withDevice();

  test('memory and streams travel as numbers', async () => {
    using memory = memAlloc(4 * N * WORKERS);
    memsetD32(memory, 0, N * WORKERS);
    const streams = Array.from({ length: WORKERS }, () => new Stream({ nonBlocking: true }));
    const wanted = Array.from({ length: WORKERS }, (_, index) => [expected(index), 0]);
    expect(await runWorkers({ ptr: memory.ptr, streams: streams.map(({ handle }) => handle) })).toEqual(wanted);
    expect(fromDevice(memory, 'i32')[N]).toBe(expected(1));
    for (const stream of streams) stream.close();
  }, 120_000);
});

needs.gpu().describe('green contexts', () => {
  withDevice();

  test('work runs on a part of the device', () => {
    const device = new Device(0);
    using green = new GreenContext(device, { multiprocessors: 8 });
    expect(green.multiprocessors).toBeGreaterThanOrEqual(8);
    expect(green.multiprocessors).toBeLessThan(device.multiprocessorCount);
    using stream = green.createStream();
    using memory = memAlloc(64);
    memsetD32Async(memory, 3, 16, stream);
    stream.synchronize();
    expect(fromDevice(memory, 'i32')[15]).toBe(3);
    const { context } = green;
    context.push();
    const own = memAlloc(64);
    memsetD32(own, 4, 16);
    // The host does not wait for a fill, and other contexts' streams are not ordered behind it.
    context.synchronize();
    expect(Context.pop()).toBe(context);
    context.close();
    green.close();
    expect(fromDevice(own, 'i32')[15]).toBe(4);
    own.free();
    expect(() => new GreenContext(device, { multiprocessors: 100_000 })).toThrow(/multiprocessors must be an integer/);
  });
});

needs.cuda().describe('green contexts that cannot be', () => {
  withDevice();

  test('are refused in words', () => {
    expect(() => new GreenContext(5 as never, { multiprocessors: 1 })).toThrow(/takes a Device, got 5/);
    expect(() => new GreenContext(new Device(0), {} as never)).toThrow(/multiprocessors must be a number/);
  });
});
