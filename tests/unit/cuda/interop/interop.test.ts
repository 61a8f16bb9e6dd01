import { expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { fromDLPack, toDLPack } from '../../../../src/cuda/interop/dlpack.ts';
import { memcpyDtoH, memcpyHtoD } from '../../../../src/cuda/copy/memcpy.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { moduleFromBuffer } from '../../../../src/cuda/module/module.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { Stream } from '../../../../src/cuda/stream/stream.ts';
import { tensorMap, tensorMapIm2col } from '../../../../src/cuda/interop/tensor-map.ts';
import { TensorView } from '../../../../src/cuda/interop/tensor-view.ts';
import { viewOf } from '../../../../src/ffi/memory.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const PTX = `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p) { ret; }
.visible .entry m(.param .align 64 .b8 map[128]) { ret; }
`;
const fake = withFakeDriver();

function routines(run: () => void): string[] {
  const names: string[] = [];
  fake.onCall = (routine) => names.push(routine);
  try {
    run();
  } finally {
    fake.onCall = undefined;
  }
  return names;
}

test('an array of another library goes where device memory does', () => {
  using memory = memAlloc(16);
  using module = moduleFromBuffer(PTX);
  const array = {
    cudaArrayInterface: { version: 3, shape: [4], typestr: '<f4', data: [Number(memory.ptr), false] as const },
  };
  memcpyHtoD(array, Float32Array.of(1, 2, 3, 4));
  const back = new Float32Array(4);
  memcpyDtoH(back, memory);
  expect([...back]).toEqual([1, 2, 3, 4]);
  module.getFunction('k')(array, { block: 1 });
  expect(fake.launches.at(-1)?.args.getBigUint64(0, true)).toBe(memory.ptr);
  expect(() => memcpyHtoD(array, new Float32Array(5))).toThrow(/has 16 bytes; 20 were asked for/);
});

test('the stream that an array names is waited for', () => {
  using memory = memAlloc(16);
  const array = {
    cudaArrayInterface: { version: 3, shape: [4], typestr: '<f4', data: [memory.ptr, false] as const, stream: 2 },
  };
  expect(routines(() => memcpyHtoD(array, new Float32Array(4)))).toEqual(['cuStreamSynchronize', 'cuMemcpyHtoD']);
});

test('TensorView.from() orders streams by an event, and waits for nothing', () => {
  using memory = memAlloc(16);
  using producer = new Stream();
  using consumer = new Stream();
  const made = new TensorView(memory, { shape: [2, 2], dtype: 'f32', stream: producer });
  let taken: TensorView | undefined;
  const called = routines(() => {
    taken = TensorView.from(made, consumer);
  });
  expect(called).toEqual(['cuEventCreate', 'cuEventRecord', 'cuStreamWaitEvent', 'cuEventDestroy']);
  expect(taken).toMatchObject({ shape: [2, 2], dtype: 'f32', strides: [8, 4], ptr: memory.ptr, byteLength: 16 });
  expect(routines(() => TensorView.from(made, producer))).toEqual([]);
});

test('a TensorView describes itself, with strides, offset and stream', () => {
  using memory = memAlloc(64);
  const view = new TensorView(memory, { shape: [2, 3], dtype: 'i16', strides: [16, 4], byteOffset: 8, readOnly: true });
  expect(view.byteLength).toBe(16 + 8 + 2);
  expect(view.cudaArrayInterface).toEqual({
    version: 3,
    shape: [2, 3],
    typestr: '<i2',
    data: [memory.ptr + 8n, true],
    strides: [16, 4],
    stream: null,
  });
});

test('a TensorView ends with its memory', () => {
  const memory = memAlloc(16);
  const view = new TensorView(memory, { shape: [4], dtype: 'f32' });
  memory.free();
  expect(() => view.ptr).toThrow(ClosedError);
  expect(() => view.cudaArrayInterface).toThrow(ClosedError);
});

const good = { version: 3, shape: [4], typestr: '<f4', data: [4096, false] };
test.each([
  ['no object', 3],
  ['another version', { ...good, version: 1 }],
  ['a shape that is none', { ...good, shape: [-1] }],
  ['a type that is none', { ...good, typestr: 'float' }],
  ['data that is none', { ...good, data: [-1, false] }],
  ['strides of another length', { ...good, strides: [1, 2] }],
  ['stream 0', { ...good, stream: 0 }],
])('%s is not a cudaArrayInterface', (_, cudaArrayInterface) => {
  expect(() => memcpyHtoD({ cudaArrayInterface } as never, new Float32Array(4))).toThrow(TypeError);
});

test.each([
  ['an array larger than its memory', { shape: [5], dtype: 'f32' }, RangeError],
  ['an offset past the end', { shape: [4], dtype: 'f32', byteOffset: 4 }, RangeError],
  ['2 ** 40 elements', { shape: [2 ** 40], dtype: 'u8' }, RangeError],
  ['an unknown type', { shape: [1], dtype: 'f8' }, TypeError],
  ['an unknown option', { shape: [1], dtype: 'f32', offset: 3 }, TypeError],
])('%s is not a TensorView', (_, options, error) => {
  using memory = memAlloc(16);
  expect(() => new TensorView(memory, options as never)).toThrow(error);
});

test.each([false, true])(
  'a tensor makes its way through DLPack (versioned: %s), and its struct is freed once',
  (versioned) => {
    using memory = memAlloc(64);
    const view = new TensorView(memory, { shape: [2, 3], dtype: 'f32', strides: [16, 4], readOnly: true });
    using shared = toDLPack(view, { versioned });
    const address = shared.take();
    expect(() => shared.take()).toThrow(/handed over before/);
    const { tensor, owner } = fromDLPack(address, { versioned });
    expect(tensor).toMatchObject({
      shape: [2, 3],
      strides: [16, 4],
      dtype: 'f32',
      ptr: memory.ptr,
      readOnly: versioned,
    });
    owner.close();
    expect(() => tensor.ptr).toThrow(ClosedError);
  },
);

test('the struct of DLPack is as its header lays it out', () => {
  using memory = memAlloc(64);
  using shared = toDLPack(new TensorView(memory, { shape: [2, 3], dtype: 'bf16' }));
  const view = new DataView(viewOf(shared.take(), 96));
  expect(view.getBigUint64(0, true)).toBe(memory.ptr);
  expect([view.getInt32(8, true), view.getInt32(12, true), view.getInt32(16, true)]).toEqual([2, 0, 2]);
  expect([view.getUint8(20), view.getUint8(21), view.getUint16(22, true)]).toEqual([4, 16, 1]);
  expect([64, 72, 80, 88].map((at) => view.getBigInt64(at, true))).toEqual([2n, 3n, 3n, 1n]);
  fromDLPack(view.getBigUint64(24, true) - 64n).owner.close();
});

test('an export that was not taken frees its tensor; a foreign tensor is refused', () => {
  using memory = memAlloc(64);
  const shared = toDLPack(new TensorView(memory, { shape: [2], dtype: 'f32' }));
  shared.close();
  expect(() => shared.take()).toThrow(ClosedError);
  using host = toDLPack(new TensorView(memory, { shape: [2], dtype: 'f32' }));
  const address = host.take();
  new DataView(viewOf(address, 64)).setInt32(8, 1, true);
  expect(() => fromDLPack(address)).toThrow(/not in CUDA memory/);
  new DataView(viewOf(address, 64)).setInt32(8, 2, true);
  fromDLPack(address).owner.close();
  expect(() => fromDLPack(0n)).toThrow(TypeError);
  if (process.platform !== 'linux') return;
  expect(() => fromDLPack(16n)).toThrow('fromDLPack: no DLManagedTensor is at address 0x10: nothing can be read there');
  expect(() => fromDLPack(2n ** 64n - 8n)).toThrow(/nothing can be read there/);
  expect(() => toDLPack(memory as never)).toThrow(TypeError);
});

function withEncoder(): unknown[][] {
  const calls: unknown[][] = [];
  const note = (...args: unknown[]): number => {
    const [out, ...rest] = args as [bigint, ...unknown[]];
    expect(out % 64n).toBe(0n);
    new Uint8Array(viewOf(out, 128)).fill(7);
    calls.push(rest.map((arg) => (ArrayBuffer.isView(arg) ? [...(arg as Uint32Array)].map(Number) : arg)));
    return 0;
  };
  useTables({ driver: { ...fake.table, cuTensorMapEncodeTiled: note, cuTensorMapEncodeIm2col: note } });
  return calls;
}

test('tensorMap() gives the driver the dimensions from the innermost, and a kernel the bytes', () => {
  using memory = memAlloc(64 * 32 * 4);
  const calls = withEncoder();
  const options = { dtype: 'f32', shape: [64, 32], box: [8, 16], swizzle: '64B', fill: 'nan' } as const;
  const map = tensorMap(memory, options);
  expect(calls).toEqual([[7, 2, memory.ptr, [32, 64], [128], [16, 8], [1, 1], 0, 2, 0, 1]]);
  using module = moduleFromBuffer(PTX);
  module.getFunction('m')(map, { block: 1 });
  expect(new Set(new Uint8Array(fake.launches.at(-1)?.args.buffer as ArrayBuffer))).toEqual(new Set([7]));
  useTables({ driver: fake.table });
});

test('TensorMap.replaceAddress() changes the memory, which has to be as large, and nothing else', () => {
  using memory = memAlloc(4096);
  using other = memAlloc(4096);
  using small = memAlloc(1024);
  withEncoder();
  const map = tensorMap(memory, { dtype: 'f32', shape: [64, 16], box: [8, 16] });
  const replaced: unknown[] = [];
  const replace = (at: bigint, address: bigint): number => {
    expect(at % 64n).toBe(0n);
    const bytes = new Uint8Array(viewOf(at, 128));
    replaced.push(address, [...new Set(bytes)]);
    bytes.fill(8);
    return 0;
  };
  useTables({ driver: { ...fake.table, cuTensorMapReplaceAddress: replace as never } });
  map.replaceAddress(other);
  expect(replaced).toEqual([other.ptr, [7]]);
  expect(map.memory).toBe(other);
  const written = new DataView(new ArrayBuffer(128));
  map.writeTo(written, 0);
  expect(new Set(new Uint8Array(written.buffer))).toEqual(new Set([8]));

  expect(() => map.replaceAddress(small)).toThrow(RangeError);
  expect(() => map.replaceAddress(other.ptr + 8n)).toThrow(/16-byte aligned/);
  expect(() => map.replaceAddress(new Float32Array(1024) as never)).toThrow(TypeError);
  expect(map.memory).toBe(other);
  useTables({ driver: fake.table });
});

test('tensorMapIm2col() gives the corners of the pixels', () => {
  using memory = memAlloc(2 * 8 * 8 * 16 * 2);
  const calls = withEncoder();
  tensorMapIm2col(memory, {
    dtype: 'f16',
    shape: [2, 8, 8, 16],
    lowerCorner: [-1, -2],
    upperCorner: [1, 2],
    channelsPerPixel: 16,
    pixelsPerColumn: 32,
  });
  expect(calls[0]).toEqual([
    6,
    4,
    memory.ptr,
    [16, 8, 8, 2],
    [32, 256, 2048],
    [-2, -1],
    [2, 1],
    16,
    32,
    [1, 1, 1, 1],
    0,
    0,
    0,
    0,
  ]);
  useTables({ driver: fake.table });
});

test.each([
  ['too much for its memory', { dtype: 'f32', shape: [64, 64], box: [8, 8] }, RangeError],
  ['a box of 6 bytes', { dtype: 'f16', shape: [8, 8], box: [8, 3] }, RangeError],
  ['a stride of 12 bytes', { dtype: 'f32', shape: [4, 3], box: [4, 4] }, RangeError],
  ['6 dimensions', { dtype: 'f32', shape: [1, 1, 1, 1, 1, 4], box: [1, 1, 1, 1, 1, 4] }, RangeError],
  ['a box of another rank', { dtype: 'f32', shape: [8, 8], box: [4] }, RangeError],
  ['a box of 512', { dtype: 'u8', shape: [1024], box: [512] }, RangeError],
  ['an unknown type', { dtype: 'f8', shape: [8], box: [4] }, TypeError],
  ['an unknown swizzle', { dtype: 'f32', shape: [8], box: [4], swizzle: '512B' }, TypeError],
  ['an unknown option', { dtype: 'f32', shape: [8], box: [4], swizle: '32B' }, TypeError],
])('tensorMap() refuses %s', (_, options, error) => {
  using memory = memAlloc(1024);
  const calls = withEncoder();
  expect(() => tensorMap(memory, options as never)).toThrow(error);
  expect(calls).toEqual([]);
  useTables({ driver: fake.table });
});
