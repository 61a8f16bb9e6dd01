import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { liveObjects } from '../../src/core/handle.ts';
import { sweepFlights } from '../../src/core/in-flight.ts';
import * as cuda from '../../src/cuda/index.ts';
import { useTables } from '../../src/cuda/select.ts';
import { fakeDriver, type FakeDriver } from '../helpers/fake-driver.ts';
import { needs } from '../helpers/require.ts';
import { expectWarnings } from '../helpers/warnings.ts';

const COUNT = 10_000;
const DROPPED = 200;
const PTX = `.version 7.0
.target sm_70
.address_size 64
.visible .entry _Z3addPfi(.param .u64 a, .param .u32 b) { ret; }
`;

interface Maker {
  readonly make: () => { close(): void } | Disposable;
  /** How many are made and closed; fewer where a real driver takes long. */
  readonly count: number;
}

const MAKERS: Readonly<Record<string, Maker>> = {
  DeviceAllocation: { make: () => cuda.memAlloc(256), count: COUNT },
  'pitched DeviceAllocation': { make: () => cuda.memAllocPitch(16, 4).memory, count: COUNT },
  'pagelocked array': { make: () => cuda.pagelockedEmpty(64, 'f32'), count: 1000 },
  Stream: { make: () => new cuda.Stream(), count: COUNT },
  'Stream.fromHandle': { make: () => cuda.Stream.perThread(), count: COUNT },
  Event: { make: () => new cuda.Event().record(), count: COUNT },
  Module: { make: () => cuda.moduleFromBuffer(PTX), count: 1000 },
  'launched Module': {
    make: () => {
      const module = cuda.moduleFromBuffer(PTX);
      const add = module.getFunction('add');
      add(null, 1, { block: 1 });
      add.prepare({ block: 1 })(null, 2);
      return module;
    },
    count: 1000,
  },
  'launched Library': {
    make: () => {
      const library = cuda.libraryFromBuffer(PTX);
      library.getKernel('add')(null, 1, { block: 1 });
      return library;
    },
    count: 1000,
  },
  'Module of a Library that is closed': {
    make: () => {
      const library = cuda.libraryFromBuffer(PTX);
      const module = library.getModule();
      library.close();
      return module;
    },
    count: 200,
  },
  StreamAllocation: { make: () => cuda.memAllocAsync(256), count: COUNT },
  'StreamAllocation of a pool that is closed': {
    make: () => {
      const pool = new cuda.MemPool();
      const memory = pool.alloc(256);
      pool.close();
      return memory;
    },
    count: 200,
  },
  MemPool: { make: () => new cuda.MemPool(), count: 200 },
  'MemPool.default': { make: () => cuda.MemPool.default(), count: COUNT },
  RegisteredHostMemory: { make: () => cuda.registerHostMemory(new Uint8Array(4096)), count: 1000 },
  'managed array': { make: () => cuda.managedEmpty(64, 'f32'), count: 1000 },
  DeviceMemoryPool: {
    make: () => {
      const pool = new cuda.DeviceMemoryPool();
      pool.allocate(256).free();
      return pool;
    },
    count: 1000,
  },
  'PooledAllocation of a pool that is closed': {
    make: () => {
      const pool = new cuda.DeviceMemoryPool();
      const memory = pool.allocate(256);
      pool.close();
      return memory;
    },
    count: 1000,
  },
  'array of a PageLockedMemoryPool that is closed': {
    make: () => {
      const pool = new cuda.PageLockedMemoryPool();
      const array = pool.allocate(64, 'f32');
      pool.close();
      return array;
    },
    count: 200,
  },
  Graph: { make: () => new cuda.Graph(), count: 1000 },
  'used Graph': {
    make: () => {
      const graph = new cuda.Graph();
      const module = cuda.moduleFromBuffer(PTX);
      const memory = cuda.memAlloc(64);
      const event = new cuda.Event({ timing: false });
      const fill = graph.addMemset(memory, 0, 64);
      const work = graph.addKernel(module.getFunction('add'), [memory, 1], { block: 1, after: fill });
      graph.addEventRecord(event, { after: work });
      for (const object of [module, memory, event]) object.close();
      return graph;
    },
    count: 200,
  },
  GraphExec: {
    make: () => {
      const graph = new cuda.Graph();
      const memory = cuda.memAlloc(64);
      graph.addMemcpy(memory, new Uint8Array(64));
      const exec = graph.instantiate();
      memory.close();
      graph.close();
      return exec;
    },
    count: 200,
  },
  'captured Graph': {
    make: () => {
      const stream = new cuda.Stream({ nonBlocking: true });
      const memory = cuda.memAlloc(64);
      stream.beginCapture();
      cuda.memcpyHtoDAsync(memory, new Uint8Array(64), stream);
      const graph = stream.endCapture();
      memory.close();
      stream.close();
      return graph;
    },
    count: 200,
  },
  'nvtx.Domain': { make: () => new cuda.nvtx.Domain('d'), count: 1000 },
  'nvtx.Range': { make: () => cuda.nvtx.range('r'), count: 1000 },
  'primary Context': { make: () => new cuda.Context(), count: COUNT },
};

/** What only a device with textures can make. */
const TEXTURE_MAKERS: typeof MAKERS = {
  OpaqueArray: { make: () => new cuda.OpaqueArray({ width: 16, height: 16, dtype: 'f32' }), count: 1000 },
  MipmappedArray: { make: () => new cuda.MipmappedArray({ width: 16, height: 16, dtype: 'f32' }), count: 200 },
  'level of a MipmappedArray that is closed': {
    make: () => {
      const array = new cuda.MipmappedArray({ width: 16, height: 16, dtype: 'f32' });
      const level = array.level(1);
      array.close();
      return level;
    },
    count: 200,
  },
  'Texture of an array that is closed': {
    make: () => {
      const array = new cuda.OpaqueArray({ width: 16, height: 16, dtype: 'f32' });
      const texture = new cuda.Texture(array);
      array.close();
      return texture;
    },
    count: 200,
  },
  'Texture of memory that is closed': {
    make: () => {
      const memory = cuda.memAlloc(1024);
      const texture = new cuda.Texture(memory, { dtype: 'f32' });
      memory.close();
      return texture;
    },
    count: 200,
  },
  'Surface of an array that is closed': {
    make: () => {
      const array = new cuda.OpaqueArray({ width: 16, height: 16, dtype: 'f32', surface: true });
      const surface = new cuda.Surface(array);
      array.close();
      return surface;
    },
    count: 200,
  },
};

function close(object: { close(): void } | Disposable): void {
  if ('close' in object) object.close();
  else object[Symbol.dispose]();
}

async function collect(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    globalThis.gc?.();
  }
  await new Promise((resolve) => setTimeout(resolve, 10));
}

/** The same tests over the fake driver, which counts on its side too, and over a real device. */
function tests(fake: FakeDriver | undefined, makers: typeof MAKERS): void {
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
    await collect();
    expect(liveObjects()).toEqual({});
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
    async (_, { make }) => {
      expectWarnings('RAWKERNEL_LEAK');
      context.makeCurrent();
      const before = counts();
      const drop = (): void => {
        for (let i = 0; i < DROPPED; i++) make();
      };
      drop();
      context.makeCurrent();
      await collect();
      expect(counts()).toEqual(before);
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
    for (let i = 0; i < 100; i++) {
      expect(() => cuda.memAlloc(2 ** 50)).toThrow(cuda.CudaError);
      expect(() => cuda.pagelockedEmpty(2 ** 50, 'u8')).toThrow(cuda.CudaError);
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
  tests(fakeDriver(), { ...MAKERS, ...TEXTURE_MAKERS });
});

real.describe('Nothing is left, on a CUDA device', () => {
  const textures = needs.arrays().missing === undefined;
  tests(undefined, textures ? { ...MAKERS, ...TEXTURE_MAKERS } : MAKERS);
});
