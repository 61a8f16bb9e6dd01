import { closeSync } from 'node:fs';
import * as cuda from '../../src/cuda/index.ts';

/** What the fake driver exports. */
const FAKE_DESCRIPTOR = 78;
const COUNT = 10_000;
/** A module's text, with the kernel `add(float *, int)`. */
export const PTX = `.version 7.0
.target sm_70
.address_size 64
.visible .entry _Z3addPfi(.param .u64 a, .param .u32 b) { ret; }
`;

/** Makes an object that is to be closed. */
export interface Maker {
  readonly make: () => { close(): void } | Disposable;
  /** How many are made and closed; fewer where a real driver takes long. */
  readonly count: number;
  /** How many are made and dropped, where a device has few. */
  readonly dropped?: number;
}

/** By what is made. */
export type Makers = Readonly<Record<string, Maker>>;

/** What every device can make. */
export const MAKERS: Makers = {
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
export const TEXTURE_MAKERS: Makers = {
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

/** Physical memory and addresses for it. */
export const SPACE_MAKERS: Makers = {
  PhysicalMemory: { make: () => new cuda.PhysicalMemory(cuda.memGranularity()), count: 200 },
  'PhysicalMemory by a descriptor': {
    make: () => {
      using memory = new cuda.PhysicalMemory(cuda.memGranularity(), { shareable: true });
      const descriptor = memory.exportHandle();
      try {
        return cuda.PhysicalMemory.fromHandle(descriptor, memory.byteLength);
      } finally {
        closeDescriptor(descriptor);
      }
    },
    count: 200,
  },
  AddressRange: { make: () => new cuda.AddressRange(cuda.memGranularity()), count: 1000 },
  'AddressRange with memory that is closed': {
    make: () => {
      const unit = cuda.memGranularity();
      const range = new cuda.AddressRange(2 * unit);
      const memory = new cuda.PhysicalMemory(unit);
      range.map(0, memory);
      range.map(unit, memory);
      memory.close();
      range.unmap(0);
      return range;
    },
    count: 200,
  },
};

/** What other libraries of this process, and parts of a device, need a GPU for. */
export const GPU_MAKERS: Makers = {
  GreenContext: { make: () => new cuda.GreenContext(cuda.currentDevice(), { multiprocessors: 8 }), count: 20 },
  'Stream of a GreenContext that is closed': {
    make: () => {
      const green = new cuda.GreenContext(cuda.currentDevice(), { multiprocessors: 8 });
      const stream = green.createStream();
      green.close();
      return stream;
    },
    count: 20,
    dropped: 4,
  },
  'Context of a GreenContext that is closed': {
    make: () => {
      const green = new cuda.GreenContext(cuda.currentDevice(), { multiprocessors: 8 });
      const { context } = green;
      green.close();
      return context;
    },
    count: 20,
    dropped: 4,
  },
  DLPackExport: {
    make: () => {
      using memory = cuda.memAlloc(24);
      return cuda.toDLPack(new cuda.TensorView(memory, { shape: [2, 3], dtype: 'f32' }));
    },
    count: 1000,
  },
  DLPackTensor: {
    make: () => {
      using memory = cuda.memAlloc(24);
      using shared = cuda.toDLPack(new cuda.TensorView(memory, { shape: [2, 3], dtype: 'f32' }), { versioned: true });
      return cuda.fromDLPack(shared.take(), { versioned: true }).owner;
    },
    count: 1000,
  },
};

/** What comes from another process, which a driver does not let this one be. */
export const FOREIGN_MAKERS: Makers = {
  'memory of another process': { make: () => cuda.openIpcMemory(new Uint8Array(64)), count: 1000 },
  'Event of another process': { make: () => cuda.Event.fromIpcHandle(new Uint8Array(64)), count: 1000 },
  'MemPool of another process': { make: () => cuda.MemPool.fromHandle(3), count: 200 },
  'StreamAllocation of a pool of another process': {
    make: () => {
      using pool = cuda.MemPool.fromHandle(3);
      return pool.importPointer(new Uint8Array(64), 16);
    },
    count: 200,
  },
};

/** The fake driver's descriptors are not files. */
function closeDescriptor(descriptor: number): void {
  if (descriptor !== FAKE_DESCRIPTOR) closeSync(descriptor);
}
