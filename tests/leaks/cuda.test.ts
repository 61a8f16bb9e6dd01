import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { liveObjects } from '../../src/core/handle.ts';
import { sweepFlights } from '../../src/core/in-flight.ts';
import * as cuda from '../../src/cuda/index.ts';
import { useTables } from '../../src/cuda/select.ts';
import {
  MAKERS,
  GPU_MAKERS,
  FOREIGN_MAKERS,
  PTX,
  SPACE_MAKERS,
  TEXTURE_MAKERS,
  type Makers,
} from '../helpers/cuda-makers.ts';
import { fakeDriver, type FakeDriver } from '../helpers/fake-driver.ts';
import { isFull } from '../helpers/full.ts';
import { needs } from '../helpers/require.ts';
import { expectWarnings } from '../helpers/warnings.ts';
import { untilCollected } from '../helpers/until.ts';

const DROPPED = 200;
function close(object: { close(): void } | Disposable): void {
  if ('close' in object) object.close();
  else object[Symbol.dispose]();
}

/** The collector runs at each allocation that fails, which takes a while. */
const FAILURES = isFull ? 100 : 10;

/** The same tests over the fake driver, which counts on its side too, and over a real device. */
function tests(fake: FakeDriver | undefined, makers: Makers): void {
  let context: cuda.Context;
  const counts = (): unknown => [liveObjects(), { ...fake?.live }];

  beforeAll(() => {
    if (fake) useTables({ driver: fake.table });
    context = new cuda.Context();
    cuda.moduleFromBuffer(PTX).close();
  });
  afterAll(async () => {
    context.makeCurrent();
    context.synchronize();
    sweepFlights();
    context.close();
    await untilCollected('all of it is gone', () => isDeepStrictEqual(liveObjects(), {}));
    if (fake) {
      expect(new Set(Object.values(fake.live))).toEqual(new Set([0]));
      useTables({ driver: undefined });
    }
  });

  test.each(Object.entries(makers))(
    'nothing is left of a %s that is closed',
    (_, { make, count }) => {
      context.makeCurrent();
      const before = counts();
      for (let i = 0; i < count; i++) {
        close(make());
        context.makeCurrent();
      }
      expect(counts()).toEqual(before);
    },
    120_000,
  );

  test.each(Object.entries(makers))(
    'nothing is left of a %s that is dropped',
    async (_, { make, dropped = DROPPED }) => {
      expectWarnings('RAWKERNEL_LEAK');
      context.makeCurrent();
      const before = counts();
      const drop = (): void => {
        for (let i = 0; i < dropped; i++) make();
      };
      drop();
      context.makeCurrent();
      await untilCollected('what was dropped is gone', () => isDeepStrictEqual(counts(), before));
    },
    60_000,
  );

  test('nothing is left of a Context of its own, with objects in it that outlive it', () => {
    context.makeCurrent();
    const before = counts();
    for (let i = 0; i < 10; i++) {
      const own = new cuda.Context(context.device, { own: true });
      const made = [cuda.memAlloc(16), new cuda.Stream(), new cuda.Event(), cuda.moduleFromBuffer(PTX)];
      own.close();
      for (const object of made) object.close();
      context.makeCurrent();
    }
    expect(counts()).toEqual(before);
  }, 60_000);

  test('nothing is left of transfers and async copies', async () => {
    context.makeCurrent();
    using module = cuda.moduleFromBuffer(PTX);
    using stream = new cuda.Stream();
    using memory = cuda.memAlloc(1024);
    const before = counts();
    for (let i = 0; i < 200; i++) {
      cuda.memcpyHtoDAsync(memory, new Uint8Array(1024), stream);
      module.getFunction('add')(cuda.InOut(new Float32Array(16)), 1, { block: 1, stream });
      module.getFunction('add')(cuda.InOut(new Float32Array(16)), 1, { block: 1 });
    }
    await stream.done();
    sweepFlights();
    expect(counts()).toEqual(before);
  });

  test('nothing is left of what failed', () => {
    context.makeCurrent();
    const before = counts();
    const broken = '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { nonsense; }\n';
    for (let i = 0; i < FAILURES; i++) {
      expect(() => cuda.memAlloc(2 ** 50)).toThrow(cuda.CudaError);
      // Beyond what the runtime can have, or, on the newest, what the device has.
      expect(() => cuda.pagelockedEmpty(2 ** 50, 'u8')).toThrow(/pagelockedEmpty|cuMemHostAlloc/);
      if (fake) fake.jit = { status: 218, error: 'ptxas fatal   : nonsense' };
      if (i < 10) expect(() => cuda.moduleFromBuffer(broken)).toThrow(cuda.CompileError);
    }
    if (fake) fake.jit = undefined;
    expect(counts()).toEqual(before);
  }, 60_000);

  test('memory of the device comes back', () => {
    context.makeCurrent();
    const before = cuda.memGetInfo().free;
    for (let i = 0; i < 200; i++) cuda.memAlloc(16 << 20).free();
    expect(cuda.memGetInfo().free).toBeGreaterThanOrEqual(before - (64 << 20));
  });
}

const real = needs.cuda();

describe('Nothing is left, over a fake driver', () => {
  tests(fakeDriver(), { ...MAKERS, ...TEXTURE_MAKERS, ...SPACE_MAKERS, ...GPU_MAKERS, ...FOREIGN_MAKERS });
});

real.describe('Nothing is left, on a CUDA device', () => {
  const extra = [
    [needs.arrays(), TEXTURE_MAKERS],
    [needs.attribute('HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED'), SPACE_MAKERS],
    [needs.gpu(), GPU_MAKERS],
  ] as const;
  const able = extra.filter(([{ missing }]) => missing === undefined).map(([, makers]) => makers);
  tests(undefined, Object.assign({}, MAKERS, ...able) as Makers);
});
