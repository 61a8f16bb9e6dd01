import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { liveObjects } from '../../src/core/handle.ts';
import { sweepFlights } from '../../src/core/in-flight.ts';
import * as cl from '../../src/opencl/index.ts';
import { isThorough, lacks, openclRows } from '../helpers/opencl-devices.ts';
import { needs } from '../helpers/require.ts';
import { flat } from './growth.ts';

const mf = cl.MemFlags;
const SOURCE = `
__kernel void axpy(__global float *y, __global const float *x, float a, int n) {
  int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}
__kernel void count(__global unsigned *total) { atomic_inc(total); }`;
const N = 32;
// Enough to keep a device busy, few enough for any driver's queue.
const IN_FLIGHT = 256;

needs.opencl().describe.each(openclRows)('launches leave no memory behind: %s', (_, device) => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;
  let prg: cl.Program<typeof SOURCE>;
  let x: cl.Buffer;
  let total: cl.Buffer;
  let live: Record<string, number>;
  let launches = 0;
  let hasSVM = false;
  let hasRecording = false;

  const name = (what: string): string => `${device.platform.name}: ${what}`;
  const buffer = (i: number): cl.Buffer => new cl.Buffer(ctx, mf.READ_WRITE, 1024 + 256 * (i % 7));
  const counted = (): number => {
    const host = new Uint32Array(1);
    cl.enqueueCopy(queue, host, total);
    return host[0] ?? 0;
  };
  const settle = (): void => {
    queue.finish();
  };

  beforeAll(() => {
    // A simulator takes its time.
    launches = isThorough(device) ? 100_000 : 5_000;
    ctx = new cl.Context(device);
    queue = new cl.CommandQueue(ctx);
    prg = new cl.Program(ctx, SOURCE).build();
    x = new cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, new Float32Array(N).fill(1));
    total = new cl.Buffer(ctx, mf.READ_WRITE, 4);
    prg.kernels.axpy(queue, N, null, x, x, 0, N);
    prg.kernels.count(queue, 1, null, total);
    hasSVM = device.platform.atLeast(2, 0) && (device.svmCapabilities & 1) !== 0;
    hasRecording = cl.CommandBuffer.isPossible(queue);
  });
  afterAll(() => {
    for (const resource of [prg.kernels.axpy, prg.kernels.count, total, x, prg, queue, ctx]) resource.close();
  });
  beforeEach(() => {
    cl.enqueueFill(queue, total, cl.uint32(0));
    settle();
    sweepFlights();
    live = liveObjects();
  });
  afterEach(() => {
    settle();
    sweepFlights();
    expect(liveObjects()).toEqual(live);
  });

  test('a Buffer, a launch with four arguments, close', async () => {
    await flat(
      name('launches with buffers'),
      launches,
      (i) => {
        using y = buffer(i);
        prg.kernels.axpy(queue, N, null, y, x, 2, N);
        prg.kernels.count(queue, 1, null, total);
        if (i % IN_FLIGHT === 0) queue.finish();
      },
      settle,
    );
    expect(counted()).toBe(launches);
  });

  test('a launch on memory of a pool', async () => {
    using pool = new cl.MemoryPool(new cl.ImmediateAllocator(queue));
    await flat(
      name('launches with memory of a pool'),
      launches,
      (i) => {
        using y = pool.allocate(1024 + 256 * (i % 7));
        prg.kernels.axpy(queue, N, null, y, x, 2, N);
        if (i % IN_FLIGHT === 0) queue.finish();
      },
      settle,
    );
    expect(pool.activeBlocks).toBe(0);
  });

  test('copies from host arrays and back, beside the host', async () => {
    using y = buffer(0);
    let out = new Float32Array(N);
    await flat(
      name('launches between copies'),
      launches / 2,
      (i) => {
        out = new Float32Array(N);
        cl.enqueueCopy(queue, y, new Float32Array(N).fill(i), { blocking: false });
        prg.kernels.axpy(queue, N, null, y, x, 2, N);
        cl.enqueueCopy(queue, out, y, { blocking: false, byteLength: 4 * N });
        if (i % IN_FLIGHT === 0) queue.finish();
      },
      settle,
    );
    expect(out[N - 1]).toBe(launches / 2 - 1 + 2);
  });

  test('promises of events', async () => {
    await flat(
      name('promises of events'),
      launches / 2,
      async () => {
        const event = prg.kernels.count(queue, 1, null, total);
        await Promise.all([event.done(), event.reached(cl.CommandExecutionStatus.COMPLETE)]);
      },
      settle,
    );
    expect(counted()).toBe(launches / 2);
  });

  test('events that wait for events', async () => {
    using other = new cl.CommandQueue(ctx);
    let last: cl.Event | undefined;
    await flat(
      name('launches after another queue'),
      launches / 2,
      (i) => {
        const marker = cl.enqueueMarker(other, { waitFor: last ? [last] : [] });
        other.flush();
        last = prg.kernels.count(queue, 1, null, total, { waitFor: [marker] });
        queue.flush();
        if (i % IN_FLIGHT === 0) queue.finish();
      },
      () => {
        queue.finish();
        other.finish();
      },
    );
    expect(counted()).toBe(launches / 2);
  });

  test('maps', async () => {
    using y = new cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, new Uint32Array(N));
    await flat(
      name('maps of a buffer'),
      launches / 2,
      (i) => {
        using map = cl.enqueueMapBuffer(queue, y, cl.MapFlags.READ | cl.MapFlags.WRITE, { type: 'u32' });
        if (map.array[3] !== i) throw new Error(`Map ${i} has ${map.array[3]}`);
        map.array[3] = i + 1;
      },
      settle,
    );
  });

  test('shared memory', async () => {
    if (lacks(device, 'shared memory', hasSVM)) return;
    await flat(
      name('launches with shared memory'),
      launches / 2,
      (i) => {
        using memory = cl.csvmEmpty(ctx, N, 'f32');
        prg.kernels.axpy(queue, N, null, memory, x, 2, N);
        if (i % IN_FLIGHT === 0) queue.finish();
      },
      settle,
    );
  });

  test('a command buffer, again and again', async () => {
    if (lacks(device, 'cl_khr_command_buffer', hasRecording)) return;
    using commands = new cl.CommandBuffer(queue);
    for (let i = 0; i < 3; i++) commands.kernel(prg.kernels.count, 1, null, total);
    commands.finalize();
    await flat(
      name('replays of a command buffer'),
      launches,
      (i) => {
        commands.enqueue();
        if (i % IN_FLIGHT === 0) queue.finish();
      },
      settle,
    );
    expect(counted()).toBe(3 * launches);
  });

  test('launches that are refused', async () => {
    const closed = buffer(0);
    closed.close();
    const { axpy } = prg.kernels;
    const refused: readonly (() => unknown)[] = [
      () => (axpy as cl.Kernel)(queue, N, null, x, x, 2),
      () => axpy(queue, N, [N + 1], x, x, 2, N),
      () => axpy(queue, N, null, closed, x, 2, N),
      () => axpy(queue, N, null, x, x, 'two' as never, N),
      () => new cl.Buffer(ctx, mf.READ_WRITE, 0),
      () => new cl.Kernel(prg, 'none'),
      () => cl.enqueueCopy(queue, new Float32Array(1), closed),
    ];
    await flat(name('refused launches'), 40_000, (i) => {
      try {
        refused[i % refused.length]?.();
      } catch {
        return;
      }
      throw new Error(`Nothing refused ${String(refused[i % refused.length])}`);
    });
  });
});
