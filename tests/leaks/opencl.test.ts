import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sweepFlights } from '../../src/core/in-flight.ts';
import { liveObjects } from '../../src/core/handle.ts';
import * as cl from '../../src/opencl/index.ts';
import { lacks, openclRows } from '../helpers/opencl-devices.ts';
import { needs } from '../helpers/require.ts';
import { expectWarnings } from '../helpers/warnings.ts';
import { until, untilCollected } from '../helpers/until.ts';

const mf = cl.MemFlags;
const COUNT = 100;
// Some drivers take a third of a second to make one.
const SLOW: Readonly<Record<string, number>> = { Context: 5, CommandQueue: 20 };
const FORMAT = new cl.ImageFormat(cl.ChannelOrder.R, cl.ChannelType.FLOAT);
const SOURCE = '__kernel void set(__global int *a, int x) { a[get_global_id(0)] = x; }';

/** PoCL 3.1 keeps the context of an image over a buffer after both are released. */
function leaksViews(device: cl.Device): boolean {
  using ctx = new cl.Context(device);
  using buffer = new cl.Buffer(ctx, mf.READ_WRITE, 256);
  const before = ctx.referenceCount;
  new cl.Image(ctx, 0, FORMAT, { shape: 64, buffer }).close();
  return liveObjects()['Image'] === undefined && ctx.referenceCount !== before;
}

needs.opencl().describe.each(openclRows)('Nothing is left: %s', (_, device) => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;
  let prg: cl.Program<typeof SOURCE>;
  let a: cl.Buffer;
  let image: cl.Image;

  // A platform without shared memory has nothing to leak.
  const hasSVM = device.platform.atLeast(2, 0) && (device.svmCapabilities & 1) !== 0;
  const svm = (): Disposable => (hasSVM ? cl.csvmEmpty(ctx, 16, 'f32') : new cl.Buffer(ctx, mf.READ_WRITE, 4));
  const mapped = (): Disposable => {
    if (!hasSVM) return svm();
    using memory = cl.csvmEmpty(ctx, 16, 'f32');
    return memory.map(queue, cl.MapFlags.READ);
  };

  beforeAll(() => {
    ctx = new cl.Context(device);
    queue = new cl.CommandQueue(ctx);
    prg = new cl.Program(ctx, SOURCE).build();
    a = new cl.Buffer(ctx, mf.READ_WRITE, 4096);
    prg.kernels.set(queue, 1, null, a, 1);
    queue.finish();
    if (device.imageSupport) {
      image = new cl.Image(ctx, mf.READ_WRITE, FORMAT, [8, 8]);
      // A queue may hold its last event of a kind.
      cl.enqueueMapImage(queue, image, cl.MapFlags.READ).close();
      queue.finish();
    }
  });
  afterAll(() => {
    if (device.imageSupport) image.close();
    for (const resource of [prg.kernels.set, a, prg, queue, ctx]) resource.close();
    // What a dropped map has put back may still hold the memory.
    sweepFlights();
    expect(liveObjects()).toEqual({});
  });

  const pooled = (pool: cl.MemoryPool | cl.SVMPool): Disposable => {
    try {
      return pool.allocate(64);
    } finally {
      pool.close();
    }
  };
  const makers: Record<string, () => Disposable> = {
    Context: () => new cl.Context(device),
    CommandQueue: () => new cl.CommandQueue(ctx),
    Buffer: () => new cl.Buffer(ctx, mf.READ_WRITE, 4096),
    'Buffer over host memory': () => new cl.Buffer(ctx, mf.USE_HOST_PTR, new Uint8Array(4096)),
    'Buffer.subRegion': () => a.subRegion(0, 64),
    Program: () => new cl.Program(ctx, SOURCE),
    'built Program': () => new cl.Program(ctx, SOURCE).build(),
    Kernel: () => new cl.Kernel(prg, 'set'),
    UserEvent: () => new cl.UserEvent(ctx),
    ...(device.hasExtension('cl_khr_semaphore')
      ? {
          Semaphore: () => {
            const semaphore = new cl.Semaphore(ctx);
            semaphore.enqueueSignal(queue);
            semaphore.enqueueWait(queue).wait();
            return semaphore;
          },
        }
      : {}),
    ...(device.hasExtension('cl_khr_command_buffer')
      ? {
          CommandBuffer: () => {
            const commands = new cl.CommandBuffer(queue);
            commands.fill(a, 0);
            commands.kernel(prg.kernels.set, 1, null, a, 1);
            commands.finalize().enqueue().wait();
            return commands;
          },
        }
      : {}),
    SVMAllocation: () => svm(),
    SVMMap: () => mapped(),
    MemoryPool: () => {
      const pool = new cl.MemoryPool(new cl.ImmediateAllocator(queue));
      pool.allocate(64).close();
      return pool;
    },
    PooledBuffer: () => pooled(new cl.MemoryPool(new cl.ImmediateAllocator(queue))),
    PooledSVM: () => (hasSVM ? pooled(new cl.SVMPool(new cl.SVMAllocator(ctx))) : svm()),
    MemoryMap: () => cl.enqueueMapBuffer(queue, a, cl.MapFlags.READ),
    Event: () => prg.kernels.set(queue, 1, null, a, 1),
    ...(cl.SubDevice.isPossible(device, { equally: device.maxComputeUnits })
      ? { SubDevice: () => device.createSubDevices({ equally: device.maxComputeUnits })[0] as cl.SubDevice }
      : {}),
    ...(device.imageSupport
      ? {
          Image: () => new cl.Image(ctx, mf.READ_WRITE, FORMAT, [8, 8]),
          ...(lacks(device, 'images over buffers without a leak of its own', !leaksViews(device))
            ? {}
            : { 'Image over a buffer': () => new cl.Image(ctx, 0, FORMAT, { shape: 64, buffer: a }) }),
          Sampler: () => new cl.Sampler(ctx, false, cl.AddressingMode.CLAMP, cl.FilterMode.NEAREST),
          ImageMap: () => cl.enqueueMapImage(queue, image, cl.MapFlags.READ),
        }
      : {}),
  };
  /** What waits for commands goes when they have ended. */
  const settle = (): void => {
    queue.finish();
    sweepFlights();
  };
  const counts = (): readonly number[] => [ctx.referenceCount, queue.referenceCount, a.referenceCount];

  /** PoCL's threads let go of a command's objects some time after they have said that it has ended. */
  const driverLetsGo = async (wanted: readonly number[]): Promise<void> => {
    await until('the driver lets go', () => isDeepStrictEqual(counts(), wanted));
  };

  test.each(Object.keys(makers))('of %s that is closed', async (name) => {
    settle();
    const [live, before] = [liveObjects(), counts()];
    for (let i = 0; i < (SLOW[name] ?? COUNT); i++) makers[name]?.()[Symbol.dispose]();
    settle();
    expect(liveObjects()).toEqual(live);
    await driverLetsGo(before);
    expect(counts()).toEqual(before);
  });

  test.each(Object.keys(makers))('of %s that is dropped', async (name) => {
    expectWarnings('RAWKERNEL_LEAK');
    settle();
    const [live, before] = [liveObjects(), counts()];
    (() => {
      for (let i = 0; i < (SLOW[name] ?? COUNT); i++) makers[name]?.();
    })();
    await untilCollected('what was dropped is gone', () => {
      settle();
      return isDeepStrictEqual(liveObjects(), live);
    });
    expect(liveObjects()).toEqual(live);
    await driverLetsGo(before);
    expect(counts()).toEqual(before);
  });

  test('of events in a loop that never yields', () => {
    const before = ctx.referenceCount;
    for (let i = 0; i < 5000; i++) prg.kernels.set(queue, 1, null, a, i);
    queue.finish();
    expect(ctx.referenceCount).toBe(before);
  });

  test('of constructors that throw', () => {
    const live = liveObjects();
    const attempts = [
      () => new cl.Buffer(ctx, mf.READ_WRITE, 0),
      () => new cl.Program(ctx, 'no C').build(),
      () => new cl.Kernel(prg, 'none'),
      () => cl.Program.fromBinaries(ctx, [Uint8Array.of(1)]).build(),
      () => a.subRegion(1),
      () => new cl.Image(ctx, mf.READ_WRITE, FORMAT, [1 << 28, 2]),
      () => new cl.Sampler(ctx, [1, 2]),
    ];
    for (const attempt of attempts) expect(attempt).toThrow();
    expect(liveObjects()).toEqual(live);
  });

  test('of children whose parent is closed first', () => {
    const live = liveObjects();
    const c = new cl.Context(device);
    const children = [new cl.CommandQueue(c), new cl.Buffer(c, mf.READ_WRITE, 4), new cl.Program(c, SOURCE).build()];
    c.close();
    for (const child of children) child.close();
    expect(liveObjects()).toEqual(live);
  });
});
