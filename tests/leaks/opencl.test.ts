import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { liveObjects } from '../../src/core/handle.ts';
import * as cl from '../../src/opencl/index.ts';
import { openclRows } from '../helpers/opencl-devices.ts';
import { needs } from '../helpers/require.ts';
import { expectWarnings } from '../helpers/warnings.ts';

const mf = cl.MemFlags;
const COUNT = 100;
// Some drivers take a third of a second to make one.
const SLOW: Readonly<Record<string, number>> = { Context: 5, CommandQueue: 20 };
const SOURCE = '__kernel void set(__global int *a, int x) { a[get_global_id(0)] = x; }';

needs.opencl().describe.each(openclRows)('Nothing is left: %s', (_, device) => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;
  let prg: cl.Program<typeof SOURCE>;
  let a: cl.Buffer;

  beforeAll(() => {
    ctx = new cl.Context(device);
    queue = new cl.CommandQueue(ctx);
    prg = new cl.Program(ctx, SOURCE).build();
    a = new cl.Buffer(ctx, mf.READ_WRITE, 4096);
    prg.kernels.set(queue, 1, null, a, 1);
    queue.finish();
  });
  afterAll(() => {
    for (const resource of [prg.kernels.set, a, prg, queue, ctx]) resource.close();
    expect(liveObjects()).toEqual({});
  });

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
    MemoryMap: () => cl.enqueueMapBuffer(queue, a, cl.MapFlags.READ),
    Event: () => prg.kernels.set(queue, 1, null, a, 1),
  };
  const counts = (): readonly number[] => [ctx.referenceCount, queue.referenceCount, a.referenceCount];

  test.each(Object.keys(makers))('of %s that is closed', (name) => {
    queue.finish();
    const [live, before] = [liveObjects(), counts()];
    for (let i = 0; i < (SLOW[name] ?? COUNT); i++) makers[name]?.()[Symbol.dispose]();
    queue.finish();
    expect(liveObjects()).toEqual(live);
    expect(counts()).toEqual(before);
  });

  test.each(Object.keys(makers))('of %s that is dropped', async (name) => {
    expectWarnings('RAWKERNEL_LEAK');
    queue.finish();
    const [live, before] = [liveObjects(), counts()];
    (() => {
      for (let i = 0; i < (SLOW[name] ?? COUNT); i++) makers[name]?.();
    })();
    for (let round = 0; round < 20; round++) {
      await setImmediate();
      globalThis.gc?.();
      await setImmediate();
      queue.finish();
      if (JSON.stringify(liveObjects()) === JSON.stringify(live)) break;
    }
    expect(liveObjects()).toEqual(live);
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
