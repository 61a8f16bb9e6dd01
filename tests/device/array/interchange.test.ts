import { expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import { array, asarray } from '../../../src/array/create.ts';
import type { ArrayDType } from '../../../src/array/dtype.ts';
import { arange } from '../../../src/array/creation/arange.ts';
import { liveObjects } from '../../../src/core/handle.ts';
import { fromDlpack, toDlpack } from '../../../src/cuda/array/dlpack.ts';
import { currentEngine } from '../../../src/cuda/array/engine.ts';
import { NDArray } from '../../../src/cuda/array/ndarray.ts';
import type { NDArray as AnyNDArray } from '../../../src/array/ndarray.ts';
import { fromDevice, memcpyHtoD, toDevice } from '../../../src/cuda/copy/memcpy.ts';
import { Context } from '../../../src/cuda/device/context.ts';
import { TensorView } from '../../../src/cuda/interop/tensor-view.ts';
import { managedEmpty, managedFree } from '../../../src/cuda/managed/managed-memory.ts';
import type { CudaArrayInterface, CudaArrayLike } from '../../../src/cuda/memory/cuda-array.ts';
import { memAlloc } from '../../../src/cuda/memory/memory.ts';
import { Stream } from '../../../src/cuda/stream/stream.ts';
import { engineOfContext } from '../../../src/opencl/array/engine.ts';
import { engineFor } from '../../../src/opencl/array/default-context.ts';
import { Context as OpenCLContext } from '../../../src/opencl/device/context.ts';
import { Buffer as DeviceBuffer } from '../../../src/opencl/memory/buffer.ts';
import { enqueueCopy } from '../../../src/opencl/memory/copy.ts';
import { CommandQueue } from '../../../src/opencl/queue/queue.ts';
import { MemFlags } from '../../../src/opencl/sys/enums.ts';
import { describeCudaArrays, describeOpenCLArrays } from '../../helpers/array-halves.ts';

/** Something of another library that describes its memory. */
function described(facts: Partial<CudaArrayInterface>): { readonly cudaArrayInterface: CudaArrayInterface } {
  return {
    cudaArrayInterface: { version: 3, shape: [6], typestr: '<f4', data: [0n, false], ...facts },
  };
}

function interfaceOf<D extends ArrayDType>(array: AnyNDArray<D>): CudaArrayInterface {
  if (array instanceof NDArray) return (array as unknown as CudaArrayLike).cudaArrayInterface;
  throw new TypeError('The array must be one in CUDA memory');
}

describeCudaArrays('interchange', (engine) => {
  test('an allocation with dtype and shape is an array without a copy', () => {
    const memory = memAlloc(24);
    memcpyHtoD(memory, Float32Array.of(1, 2, 3, 4, 5, 6));
    using x = asarray(engine(), memory, { dtype: 'f32', shape: [2, 3] });
    expect(x.ptr).toBe(memory.ptr);
    expect(x.toArray()).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    x.set(7);
    expect(fromDevice(memory, 'f32')).toEqual(new Float32Array(6).fill(7));
    // The array keeps the memory.
    memory.free();
    expect(x.item(1, 2)).toBe(7);
  });

  test('memory that knows its elements needs no dtype, a part of it has an offset', () => {
    using memory = toDevice(Int32Array.of(1, 2, 3, 4));
    using whole = asarray(engine(), memory);
    using part = asarray(engine(), memory.slice(8));
    using first = asarray(engine(), memory, { shape: 3 });
    using matrix = asarray(engine(), memory, { shape: [2, -1] });
    expect([whole.dtype, whole.toArray(), part.toArray(), first.toArray()]).toEqual([
      'i32',
      [1, 2, 3, 4],
      [3, 4],
      [1, 2, 3],
    ]);
    expect(matrix.shape).toEqual([2, 2]);
    using copy = array(engine(), memory);
    whole.set(0);
    expect(copy.toArray()).toEqual([1, 2, 3, 4]);
  });

  test('memory of which too little is known, or that is too small, is refused', () => {
    using memory = memAlloc(10);
    expect(() => asarray(engine(), memory)).toThrow("write asarray(memory, { dtype: 'f32' })");
    expect(() => asarray(engine(), memory, { dtype: 'f32' })).toThrow('multiple of 4 bytes');
    expect(() => asarray(engine(), memory, { dtype: 'f32', shape: 3 })).toThrow('12 bytes for [3] of f32, got 10');
    expect(() => asarray(engine(), { ptr: memory.ptr }, { dtype: 'f32' })).toThrow('shape must be given');
    expect(() => asarray(engine(), { ptr: memory.ptr + 1n }, { dtype: 'f32', shape: 1 })).toThrow('multiple of 4');
    using raw = asarray(engine(), { ptr: memory.ptr }, { dtype: 'u8', shape: 10 });
    expect(raw.nbytes).toBe(10);
  });

  test('the CUDA array interface, with strides in bytes of any sign', () => {
    using memory = toDevice(Float32Array.of(1, 2, 3, 4, 5, 6));
    const data: [bigint, boolean] = [memory.ptr, false];
    using plain = asarray(engine(), described({ data }));
    using columns = asarray(engine(), described({ data, shape: [3, 2], strides: [4, 12], stream: 1 }));
    using backwards = asarray(engine(), described({ data: [memory.ptr + 20n, false], strides: [-4] }));
    using python = asarray(engine(), { __cuda_array_interface__: described({ data }).cudaArrayInterface });
    using none = asarray(engine(), described({ shape: [0, 2] }));
    expect(plain.toArray()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(columns.toArray()).toEqual([
      [1, 4],
      [2, 5],
      [3, 6],
    ]);
    expect(backwards.toArray()).toEqual([6, 5, 4, 3, 2, 1]);
    expect(python.dtype).toBe('f32');
    expect(none.shape).toEqual([0, 2]);
    using converted = asarray(engine(), described({ data }), { dtype: 'i32', shape: [2, 3] });
    expect([converted.dtype, converted.item(1, 0)]).toEqual(['i32', 4]);
  });

  test('descriptions that arrays cannot follow are refused', () => {
    using memory = memAlloc(64);
    const data: [bigint, boolean] = [memory.ptr, false];
    expect(() => asarray(engine(), described({ data, shape: [2], strides: [6] }))).toThrow('multiples of 4 bytes');
    expect(() => asarray(engine(), described({ data, typestr: '>f4' }))).toThrow("got '>f4'");
    expect(() => asarray(engine(), described({ data, typestr: '<U4' }))).toThrow("got '<U4'");
    expect(() => asarray(engine(), described({ data, typestr: '<V2' }))).toThrow("pass { dtype: 'bf16' }");
    expect(() => asarray(engine(), described({ data: [2n, false] }))).toThrow('multiple of 4');
    using bf16 = asarray(engine(), described({ data, typestr: '<V2' }), { dtype: 'bf16' });
    expect(bf16.dtype).toBe('bf16');
  });

  test('an array describes itself, contiguous or not', () => {
    using stream = new Stream();
    using x = array(
      engine(),
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      { stream },
    );
    using part = x.at(':, 1:');
    expect(interfaceOf(x)).toEqual({
      version: 3,
      shape: [2, 3],
      typestr: '<f4',
      data: [x.ptr, false],
      strides: null,
      stream: stream.handle,
    });
    const { strides, data } = interfaceOf(part);
    expect([strides, data[0]]).toEqual([[12, 4], x.ptr + 4n]);
    using again = asarray(engine(), { cudaArrayInterface: interfaceOf(part) });
    expect(again.toArray()).toEqual([
      [2, 3],
      [5, 6],
    ]);
    using halves = array(engine(), [1], { dtype: 'bf16' });
    expect(() => interfaceOf(halves)).toThrow('DLPack has one');
    // What takes an interface takes an array.
    expect(TensorView.from(x as unknown as CudaArrayLike).shape).toEqual([2, 3]);
  });

  test('tensors, bf16 too', () => {
    using memory = toDevice(Uint16Array.of(0x3f80, 0x4000, 0x4040, 0x4080));
    const tensor = new TensorView(memory, { shape: [2], dtype: 'bf16', strides: [4], byteOffset: 2 });
    using x = asarray(engine(), tensor);
    expect([x.dtype, x.toArray()]).toEqual(['bf16', [2, 4]]);
  });

  test('managed memory is shared with the host', () => {
    const values = managedEmpty(3, 'f32');
    values.set([1, 2, 3]);
    using x = asarray(engine(), values);
    expect([x.dtype, x.toArray()]).toEqual(['f32', [1, 2, 3]]);
    x.set(5);
    Context.current?.synchronize();
    expect([...values]).toEqual([5, 5, 5]);
    managedFree(values);
    expect(x.toArray()).toEqual([5, 5, 5]);
  });

  test('an array of another context comes by way of the host', () => {
    using x = array(engine(), [1, 2, 3], { dtype: 'i32' });
    const first = Context.current as Context;
    const other = new Context(first.device);
    try {
      using copy = asarray(currentEngine(), x, { shape: [3, 1] });
      expect([copy.dtype, copy.toArray()]).toEqual(['i32', [[1], [2], [3]]]);
      using view = asarray(currentEngine(), copy);
      expect(view.ptr).toBe(copy.ptr);
    } finally {
      other.close();
      first.makeCurrent();
    }
  });

  test('closing borrowed arrays leaves nothing', () => {
    let before: unknown;
    for (let i = 0; i < 3; i++) {
      // The first round builds kernels.
      if (i === 1) before = liveObjects();
      using stream = new Stream();
      using memory = memAlloc(16);
      using x = asarray(engine(), memory, { dtype: 'f32', stream });
      using view = x.at(1);
      view.set(1);
    }
    expect(liveObjects()).toEqual(before);
  });

  test('what is captured is not read by a look at an array', () => {
    using stream = new Stream();
    using x = array(engine(), [1, 2], { stream });
    using y = array(engine(), [1, 2], { stream });
    stream.beginCapture();
    y.set(x);
    expect(inspect(y)).toBe(
      'NDArray(<not read: work is being captured, and a read would end that>, shape=(2,), dtype=f32)',
    );
    using graph = stream.endCapture();
    expect(graph.closed).toBe(false);
    expect(inspect(y)).toBe('NDArray([1., 2.], dtype=f32)');
  });

  test('DLPack is refused where addresses mean nothing to others, else it goes there and back', () => {
    using x = arange(engine(), 6);
    using turned = asarray(engine(), x, { shape: [2, 3] }).T;
    if ((Context.current as Context).device.isEmbedded) {
      expect(() => toDlpack(turned)).toThrow('NOT_SUPPORTED');
      expect(() => fromDlpack(4096n)).toThrow('NOT_SUPPORTED');
      return;
    }
    for (const versioned of [false, true]) {
      using shared = toDlpack(turned, { versioned });
      using back = fromDlpack(shared.take(), { versioned });
      expect(back.toArray()).toEqual([
        [0, 3],
        [1, 4],
        [2, 5],
      ]);
    }
    expect(() => toDlpack(x.at('::-1'))).toThrow('must not be negative');
  });
});

describeOpenCLArrays('interchange', (engine) => {
  test('a buffer with dtype and shape is an array without a copy', () => {
    const { context } = engine();
    using queue = new CommandQueue(context);
    const buffer = new DeviceBuffer(context, MemFlags.READ_WRITE | MemFlags.COPY_HOST_PTR, Float32Array.of(1, 2, 3, 4));
    using x = asarray(engine(), buffer, { shape: [2, 2], queue });
    expect([x.dtype, x.toArray()]).toEqual([
      'f32',
      [
        [1, 2],
        [3, 4],
      ],
    ]);
    x.set(7);
    const out = new Float32Array(4);
    enqueueCopy(queue, out, buffer);
    queue.finish();
    expect([...out]).toEqual([7, 7, 7, 7]);
    buffer.close();
    expect(x.toArray()).toEqual([
      [7, 7],
      [7, 7],
    ]);
    using sum = x.add(1);
    expect([...sum.get()]).toEqual([8, 8, 8, 8]);
  });

  test('a buffer is an argument of asarray without a queue: it knows its context', () => {
    const { context } = engine();
    using buffer = new DeviceBuffer(context, MemFlags.READ_WRITE, 64);
    expect(engineFor(undefined, buffer)).toBe(engine());
    expect(() => asarray(engine(), buffer)).toThrow('dtype must be given');
    expect(() => asarray(engine(), buffer, { dtype: 'f64', shape: 9 })).toThrow('72 bytes for [9] of f64, got 64');
    using other = new OpenCLContext(context.devices);
    expect(() => asarray(engineOfContext(other), buffer, { dtype: 'f32' })).toThrow('got one of another');
  });

  test('an array of another context comes by way of the host', () => {
    using x = array(engine(), [1, 2, 3], { dtype: 'i32' });
    using other = new OpenCLContext(engine().context.devices);
    using copy = asarray(engineOfContext(other), x);
    expect([copy.dtype, copy.toArray()]).toEqual(['i32', [1, 2, 3]]);
  });

  test('closing borrowed arrays leaves nothing', () => {
    const { context } = engine();
    using queue = new CommandQueue(context);
    let before: unknown;
    for (let i = 0; i < 3; i++) {
      // The first round builds kernels.
      if (i === 1) before = liveObjects();
      using buffer = new DeviceBuffer(context, MemFlags.READ_WRITE, 16);
      using x = asarray(engine(), buffer, { dtype: 'f32', queue });
      x.set(Float32Array.of(1, 2, 3, 4));
      queue.finish();
    }
    expect(liveObjects()).toEqual(before);
  });
});
