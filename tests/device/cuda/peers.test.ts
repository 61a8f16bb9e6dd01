import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sweepFlights } from '../../../src/core/in-flight.ts';
import type { KernelReport } from '../../../src/core/kernel-report.ts';
import * as cuda from '../../../src/cuda/index.ts';
import { isEmbedded } from '../../../src/cuda/selection.ts';
import { needs } from '../../helpers/require.ts';
import { root } from '../../helpers/root.ts';

// The embedded device counts several in this file; a machine's GPUs do not change by it.
process.env['RAWKERNEL_CPU_DEVICES'] = '3';

const N = 1000;
const SHAPE = { block: 128, grid: 8 };
const SOURCE = `
extern "C" __global__ void add(float *to, const float *from, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += from[i];
}
extern "C" __global__ void follow(float *to, float **from, int n)
{
  __shared__ float part[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) part[threadIdx.x] = (*from)[i];
  __syncthreads();
  if (i < n) to[i] = part[threadIdx.x];
}
extern "C" __global__ void count(int *total) { atomicAdd(total, 1); }
__device__ float kept[4] = {1, 2, 3, 4};
extern "C" __global__ void pick(float *to, const float *from) { to[threadIdx.x] = from[threadIdx.x]; }`;

needs.cuda(2).describe('kernels and the memory of another device', () => {
  let contexts: cuda.Context[];
  let modules: cuda.SourceModule[];

  beforeAll(() => {
    contexts = cuda.Device.all().map((device) => new cuda.Context(device));
    modules = contexts.map((context) => {
      context.makeCurrent();
      return new cuda.SourceModule(SOURCE);
    });
  }, 120_000);
  afterAll(() => {
    for (const [i, context] of contexts.entries()) {
      context.makeCurrent();
      context.synchronize();
      modules[i]?.close();
    }
    sweepFlights();
    for (const context of contexts) context.close();
  });

  const on = (device: number): cuda.Context => {
    const context = contexts[device] as cuda.Context;
    context.makeCurrent();
    return context;
  };
  const kernel = (device: number, name: string): cuda.Function =>
    (modules[device] as cuda.SourceModule).getFunction(name);
  const filled = (device: number, value: number): cuda.DeviceAllocation => {
    on(device);
    return cuda.toDevice(new Float32Array(N).fill(value));
  };
  /** Run with access of the first device to the second one's memory. */
  const withAccess = (run: () => void): void => {
    const second = contexts[1] as cuda.Context;
    on(0);
    cuda.enablePeerAccess(second);
    try {
      run();
      on(0).synchronize();
    } finally {
      on(0);
      cuda.disablePeerAccess(second);
    }
  };
  const variableOf = (device: number): cuda.DevicePointer =>
    (modules[device] as cuda.SourceModule).getGlobal('kept').ptr;
  const reachable = (): boolean => new cuda.Device(0).canAccessPeer(new cuda.Device(1));

  test('a kernel reads and writes the memory of a peer', () => {
    if (!reachable()) return;
    using here = filled(0, 1);
    using there = filled(1, 2);
    withAccess(() => {
      kernel(0, 'add')(here, there, N, SHAPE);
      kernel(0, 'add')(there, here, N, SHAPE);
    });
    expect(new Set(cuda.fromDevice(here, 'f32'))).toEqual(new Set([3]));
    on(1);
    expect(new Set(cuda.fromDevice(there, 'f32'))).toEqual(new Set([5]));
  });

  test('by a pointer that is itself in memory, at a barrier, and by atomics', () => {
    if (!reachable()) return;
    using here = filled(0, 0);
    using there = filled(1, 7);
    on(1);
    using total = cuda.toDevice(Int32Array.of(0));
    on(0);
    using pointer = cuda.toDevice(BigUint64Array.of(there.ptr));
    withAccess(() => {
      kernel(0, 'follow')(here, pointer, N, SHAPE);
      kernel(0, 'count')(total, { block: 64, grid: 10 });
    });
    expect(new Set(cuda.fromDevice(here, 'f32'))).toEqual(new Set([7]));
    on(1);
    expect(cuda.fromDevice(total, 'i32')[0]).toBe(640);
  });

  test('a stream waits for the event of another device', () => {
    using here = filled(0, 0);
    using copied = filled(0, 0);
    using there = filled(1, 0);
    using one = filled(1, 1);
    on(1);
    using producer = new cuda.Stream({ nonBlocking: true });
    using made = new cuda.Event();
    on(0);
    using consumer = new cuda.Stream({ nonBlocking: true });
    using taken = new cuda.Event();
    const ends = { dstContext: contexts[0] as cuda.Context, srcContext: contexts[1] as cuda.Context };
    for (let round = 0; round < 10; round++) {
      on(1);
      kernel(1, 'add')(there, one, N, { ...SHAPE, stream: producer });
      made.record(producer);
      on(0);
      consumer.waitForEvent(made);
      cuda.memcpyPeerAsync(copied, there, 4 * N, ends, consumer);
      kernel(0, 'add')(here, copied, N, { ...SHAPE, stream: consumer });
      taken.record(consumer);
      on(1);
      producer.waitForEvent(taken);
    }
    consumer.synchronize();
    on(0);
    expect(new Set(cuda.fromDevice(here, 'f32'))).toEqual(new Set([55]));
  });

  test('memory of any device is copied by its address alone', () => {
    using here = filled(0, 0);
    using there = filled(1, 4);
    on(0);
    cuda.memcpyDtoD(here, there, 4 * N);
    expect(new Set(cuda.fromDevice(here, 'f32'))).toEqual(new Set([4]));
    cuda.memcpyDtoD(here, variableOf(1), 16);
    expect([...cuda.fromDevice(here, 'f32', 4)]).toEqual([1, 2, 3, 4]);
    expect([here, there].map(({ ptr }) => cuda.pointerAttributes(ptr)?.device.ordinal)).toEqual([0, 1]);
  });

  test('arrays of one context become arrays of another', async () => {
    const { asarray, arange } = await import('../../../src/cuda/array/index.ts');
    on(1);
    using there = arange(10, { dtype: 'f32' });
    on(0);
    using here = asarray(there.get());
    expect([...here.get()]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  describe('without peer access', () => {
    /** What ends a kernel of an own context that reads memory of the second device. */
    const ending = (options: { check?: boolean }, name = 'add'): Error & { reports?: readonly KernelReport[] } => {
      using there = filled(1, 2);
      const own = new cuda.Context(new cuda.Device(0), { own: true, ...options });
      using mod = new cuda.SourceModule(SOURCE);
      using here = cuda.toDevice(new Float32Array(N));
      using pointer = cuda.toDevice(BigUint64Array.of(there.ptr));
      try {
        const from = name === 'follow' ? pointer : there;
        mod.getFunction(name)(here, from, N, SHAPE);
        own.synchronize();
      } catch (error) {
        return error as Error;
      } finally {
        own.close();
        on(0);
      }
      throw new Error('nothing was thrown');
    };

    // A fault of a GPU ends all of its contexts in the process.
    const embedded = isEmbedded() ? test : test.skip;

    embedded.each(['add', 'follow'])('%s ends with an illegal address', (name) => {
      const error = ending({}, name);
      expect(error).toMatchObject({ status: 700 });
      expect(error.message).toMatch(/no peer access: .*in memory of device 1 .*which runs on device 0/);
      expect(error.message).toMatch(/cure: enablePeerAccess\(the context of device 1\)/);
      // Other contexts go on.
      using here = filled(0, 1);
      using more = filled(0, 2);
      kernel(0, 'add')(here, more, N, SHAPE);
      expect(cuda.fromDevice(here, 'f32')[0]).toBe(3);
    });

    embedded('the checked mode says which line and which variable', () => {
      const error = ending({ check: true });
      expect(error.message).toMatch(/no peer access: read of from\[\d+\] in memory of device 1/);
      expect(error.message).toMatch(/kernel\.cu:5/);
    });

    embedded("variables of a peer's module are out of reach with access, too, and can be copied", () => {
      const variable = variableOf(1);
      const own = new cuda.Context(new cuda.Device(0), { own: true });
      using mod = new cuda.SourceModule(SOURCE);
      using zeros = cuda.toDevice(new Float32Array(4));
      cuda.enablePeerAccess(contexts[1] as cuda.Context);
      mod.getFunction('pick')(zeros, variable, { block: 4 });
      let message = '';
      try {
        own.synchronize();
      } catch (error) {
        message = (error as Error).message;
      }
      own.close();
      on(0);
      expect(message).toMatch(/no peer access: .*in a module of device 1 /);
      expect(message).toMatch(/no other device reaches variables of a module/);
    });

    embedded("memory of a peer's pool has a fix of its own", () => {
      on(1);
      using pool = new cuda.MemPool();
      const pooled = pool.alloc(4 * N);
      on(1).synchronize();
      const own = new cuda.Context(new cuda.Device(0), { own: true });
      using mod = new cuda.SourceModule(SOURCE);
      using zeros = cuda.toDevice(new Float32Array(N));
      let message = '';
      try {
        cuda.enablePeerAccess(contexts[1] as cuda.Context);
        mod.getFunction('add')(zeros, pooled.ptr, N, SHAPE);
        own.synchronize();
      } catch (error) {
        message = (error as Error).message;
      }
      own.close();
      on(1);
      pooled.free();
      expect(message).toMatch(/in a pool of device 1/);
      expect(message).toMatch(/pool\.setAccess\(device 0\)/);
      pool.setAccess(new cuda.Device(0), 'readwrite');
      using again = pool.alloc(4 * N);
      cuda.memsetD32(again.ptr, 0, N);
      on(1).synchronize();
      using here = filled(0, 1);
      kernel(0, 'add')(here, again.ptr, N, SHAPE);
      expect(cuda.fromDevice(here, 'f32')[0]).toBe(1);
      on(1);
    });
  });

  needs.build().test(
    'each worker thread has a device, and the main thread gathers',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'rawkernel-'));
      const file = join(folder, 'worker.mjs');
      writeFileSync(
        file,
        `import { parentPort, workerData } from 'node:worker_threads';
        const cuda = await import(workerData.built);
        const context = new cuda.Context(new cuda.Device(workerData.device));
        const mod = new cuda.SourceModule(workerData.source);
        const part = cuda.toDevice(new Float32Array(workerData.part));
        mod.getFunction('add')(part, part, ${N}, { block: 128, grid: 8 });
        const sum = new Float32Array(workerData.result, 4 * ${N} * workerData.device, ${N});
        sum.set(cuda.fromDevice(part, 'f32'));
        for (const one of [part, mod, context]) one.close();
        parentPort.postMessage('done');`,
      );
      const result = new SharedArrayBuffer(4 * N * contexts.length);
      const built = pathToFileURL(join(root, 'dist', 'cuda', 'index.js')).href;
      await Promise.all(
        contexts.map(async (_, device) => {
          const part = new Float32Array(N).fill(device + 1).buffer;
          const workerData = { built, device, source: SOURCE, part, result };
          const worker = new Worker(pathToFileURL(file), { workerData, env: { ...process.env } });
          await once(worker, 'message');
          await worker.terminate();
        }),
      );
      rmSync(folder, { recursive: true });
      const sums = Array.from({ length: contexts.length }, (_, i) => new Set(new Float32Array(result, 4 * N * i, N)));
      expect(sums).toEqual(contexts.map((_, i) => new Set([2 * (i + 1)])));
    },
    60_000,
  );
});
