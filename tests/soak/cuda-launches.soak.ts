import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { flightCount, sweepFlights } from '../../src/core/in-flight.ts';
import { liveObjects } from '../../src/core/handle.ts';
import * as cuda from '../../src/cuda/index.ts';
import { withDevice } from '../helpers/cuda.ts';
import { needs } from '../helpers/require.ts';
import { expectFlat, flat, growthOf } from './growth.ts';

const SOURCE = `
extern "C" __global__ void axpy(float *y, const float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void count(unsigned *total) { atomicAdd(total, 1u); }`;
const LAUNCHES = 100_000;
const N = 32;
const shape = { block: N };
// Enough to keep a device busy, few enough for any driver's queue.
const IN_FLIGHT = 256;

needs.cuda().describe('launches leave no memory behind', () => {
  withDevice();
  let module: cuda.SourceModule;
  let axpy: cuda.Function;
  let count: cuda.Function;
  let stream: cuda.Stream;
  let x: cuda.DeviceAllocation;
  let total: cuda.DeviceAllocation;
  let live: Record<string, number>;

  const counted = (): number => cuda.fromDevice(total, 'u32')[0] ?? 0;
  const settle = (): void => {
    stream.synchronize();
    // A copy waits for the default stream.
    counted();
  };

  beforeEach(() => {
    module = new cuda.SourceModule(SOURCE);
    axpy = module.getFunction('axpy');
    count = module.getFunction('count');
    stream = new cuda.Stream({ nonBlocking: true });
    x = cuda.toDevice(new Float32Array(N).fill(1));
    total = cuda.toDevice(new Uint32Array(1));
    live = liveObjects();
  });
  afterEach(() => {
    settle();
    sweepFlights();
    expect(liveObjects()).toEqual(live);
    expect(flightCount()).toBe(0);
    for (const resource of [total, x, stream, module]) resource.close();
  });

  test('memAlloc, a launch with four arguments, free', async () => {
    const before = cuda.memGetInfo().free;
    await flat(
      'launches with memAlloc and free',
      LAUNCHES,
      (i) => {
        const y = cuda.memAlloc(1024 + 256 * (i % 7));
        axpy(y, x, 2, N, shape);
        count(total, { block: 1 });
        y.free();
      },
      settle,
    );
    expect(counted()).toBe(LAUNCHES);
    expect(cuda.memGetInfo().free).toBeGreaterThanOrEqual(before - (64 << 20));
  });

  test('memAllocAsync, a launch and freeAsync on a stream', async () => {
    await flat(
      'launches with memAllocAsync and freeAsync',
      LAUNCHES,
      (i) => {
        const y = cuda.memAllocAsync(1024 + 256 * (i % 7), stream);
        axpy(y, x, 2, N, { ...shape, stream });
        count(total, { block: 1, stream });
        y.freeAsync();
        if (i % IN_FLIGHT === 0) stream.synchronize();
      },
      settle,
    );
    expect(counted()).toBe(LAUNCHES);
  });

  test('a launch on memory of a pool', async () => {
    using pool = new cuda.DeviceMemoryPool();
    await flat(
      'launches with memory of a pool',
      LAUNCHES,
      (i) => {
        using y = pool.allocate(1024 + 256 * (i % 7));
        axpy(y, x, 2, N, shape);
      },
      settle,
    );
    expect(pool.statistics.activeBlocks).toBe(0);
    pool.freeHeld();
  });

  test('a launch with In and Out, which waits', async () => {
    const one = new Float32Array(N).fill(1);
    await flat('launches with In and InOut', LAUNCHES, (i) => {
      const y = new Float32Array(N).fill(i);
      axpy(cuda.InOut(y), cuda.In(one), 2, N, shape);
      if (y[N - 1] !== i + 2) throw new Error(`Launch ${i} gave ${y[N - 1]}`);
    });
  });

  test('a launch with In and Out on a stream', async () => {
    const one = new Float32Array(N).fill(1);
    let y = new Float32Array(N);
    await flat(
      'launches with In and InOut on a stream',
      LAUNCHES,
      (i) => {
        y = new Float32Array(N).fill(i);
        axpy(cuda.InOut(y), cuda.In(one), 2, N, { ...shape, stream });
        if (i % IN_FLIGHT === 0) stream.synchronize();
      },
      settle,
    );
    expect(y[N - 1]).toBe(LAUNCHES - 1 + 2);
  });

  test('events around a launch', async () => {
    await flat(
      'launches between two events',
      LAUNCHES,
      (i) => {
        using start = new cuda.Event();
        using end = new cuda.Event();
        start.record(stream);
        count(total, { block: 1, stream });
        end.record(stream);
        if (i % IN_FLIGHT === 0 && !(end.synchronize().timeSince(start) >= 0)) throw new Error('Time went back');
      },
      settle,
    );
    expect(counted()).toBe(LAUNCHES);
  });

  test('promises of events and of streams', async () => {
    using event = new cuda.Event();
    await flat('promises of an event and its stream', LAUNCHES / 5, async () => {
      count(total, { block: 1, stream });
      await Promise.all([event.record(stream).done(), stream.done()]);
    });
    expect(counted()).toBe(LAUNCHES / 5);
  });

  test('a captured graph, again and again', async () => {
    stream.beginCapture();
    for (let i = 0; i < 3; i++) count(total, { block: 1, stream });
    using graph = stream.endCapture();
    using exec = graph.instantiate();
    await flat(
      'launches of a graph',
      LAUNCHES,
      (i) => {
        exec.launch(stream);
        if (i % IN_FLIGHT === 0) stream.synchronize();
      },
      settle,
    );
    expect(counted()).toBe(3 * LAUNCHES);
  });

  test('graphs that are captured, launched once and closed', async () => {
    await flat(
      'graphs of their own',
      (LAUNCHES * 2) / 5,
      () => {
        stream.beginCapture();
        count(total, { block: 1, stream });
        using graph = stream.endCapture();
        using exec = graph.instantiate();
        exec.launch(stream);
        stream.synchronize();
      },
      settle,
    );
    expect(counted()).toBe((LAUNCHES * 2) / 5);
  });

  test('streams that come and go', async () => {
    await flat('launches on a stream of their own', LAUNCHES / 5, () => {
      using own = new cuda.Stream({ nonBlocking: true });
      count(total, { block: 1, stream: own });
      own.synchronize();
    });
    expect(counted()).toBe(LAUNCHES / 5);
  });

  test('modules that come and go', async () => {
    const { code } = cuda.Program.compile(SOURCE);
    const growth = await growthOf(
      'launches of a module of their own',
      (LAUNCHES * 2) / 5,
      () => {
        using own = cuda.moduleFromBuffer(code);
        own.getFunction('count')(total, { block: 1 });
      },
      settle,
    );
    // The embedded device's threads collect when they please; code that is lost would be several times as much.
    expectFlat(growth, { rss: 64 << 20 });
    expect(counted()).toBe((LAUNCHES * 2) / 5);
  });

  test('launches that are refused', async () => {
    const closed = cuda.memAlloc(16);
    closed.close();
    const refused: readonly (() => void)[] = [
      () => axpy(x, x, 2, { block: 1 }),
      () => axpy(x, x, 2, N, { block: 4096 }),
      () => axpy(closed, x, 2, N, shape),
      () => axpy(cuda.In(new Float32Array(4)), closed, 2, N, shape),
      () => axpy(cuda.Out(new Float32Array(4)), x, 2, N, { block: [1025, 1, 1], stream }),
      () => axpy(x, x, 'two' as never, N, shape),
    ];
    const tooMuch = (): void => void cuda.memAlloc(2 ** 50);
    await flat('refused launches', 40_000, (i) => {
      // An allocation collects garbage before it gives up, which takes its time.
      const attempt = i % 2000 === 0 ? tooMuch : refused[i % refused.length];
      try {
        attempt?.();
      } catch {
        return;
      }
      throw new Error(`Nothing refused ${String(attempt)}`);
    });
    axpy(x, x, 2, N, shape);
    expect(cuda.fromDevice(x, 'f32')[0]).toBe(3);
  });
});
