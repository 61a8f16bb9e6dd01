import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { array, empty } from '../../../src/array/create.ts';
import type { ArrayDType } from '../../../src/array/dtype.ts';
import { fromDevice, memcpyDtoD, memcpyDtoH, memcpyHtoD } from '../../../src/cuda/copy/memcpy.ts';
import type { NDArray as CudaNDArray } from '../../../src/cuda/array/ndarray.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import type { NDArray as OpenCLNDArray } from '../../../src/opencl/array/ndarray.ts';
import * as cl from '../../../src/opencl/index.ts';
import { describeCudaArrays, describeOpenCLArrays } from '../../helpers/array-halves.ts';

const COUNT = 64;
const counted = (first = 0, count = COUNT): Float32Array<ArrayBuffer> =>
  Float32Array.from({ length: count }, (_, i) => first + i);

describeCudaArrays('arrays as arguments of kernels and copies', (engine) => {
  const make = <D extends ArrayDType = 'f32'>(data: unknown, dtype?: D): CudaNDArray<D> =>
    array(engine(), data, { dtype }) as unknown as CudaNDArray<D>;
  const own = (view: unknown): CudaNDArray<'f32'> => view as CudaNDArray<'f32'>;
  const SOURCE =
    'extern "C" __global__ void shift(float *to, const float *from, float by) { to[threadIdx.x] = from[threadIdx.x] + by; }';

  test('a kernel takes an array, and a part of one that has no gaps', () => {
    using module = new SourceModule(SOURCE);
    const shift = module.getFunction('shift');
    using x = make(counted());
    using y = make(new Float32Array(COUNT));
    shift(y, x, 1, { block: COUNT });
    expect(y.get()).toEqual(counted(1));
    using tail = own(x.at('3:'));
    expect(tail.ptr).toBe(BigInt(x.ptr) + 12n);
    shift(y, tail, 0, { block: 8 });
    expect(y.get().subarray(0, 9)).toEqual(Float32Array.from([...counted(3, 8), 9]));
    using sum = y.add(1);
    expect(sum.get()[0]).toBe(4);
  });

  test('a view with gaps, other elements and a closed array are refused', () => {
    using module = new SourceModule(SOURCE);
    const shift = module.getFunction('shift');
    using x = make(counted());
    using even = own(x.at('::2'));
    const gaps = /must follow each other in memory, got shape \[32\] with strides \[2\]; pass \.contiguous\(\)/;
    expect(() => even.ptr).toThrow(gaps);
    expect(() => shift(x, even, 0, { block: 1 })).toThrow(gaps);
    expect(() => memcpyDtoH(new Float32Array(32), even)).toThrow(gaps);
    using doubles = make(new Float64Array(COUNT));
    const loose = shift as (...args: unknown[]) => void;
    expect(() => {
      loose(doubles, x, 0, { block: 1 });
    }).toThrow(/argument 0 \(float \*to\).*double|argument 0.*float64/);
    const closed = make(counted());
    closed.close();
    expect(() => closed.ptr).toThrow(/closed/);
    expect(() => {
      loose(closed, x, 0, { block: 1 });
    }).toThrow(/closed/);
  });

  test('copies take an array on both sides', () => {
    using x = make(counted());
    using y = make(new Float32Array(COUNT));
    memcpyDtoD(y, x);
    expect(fromDevice(y, 'f32', COUNT)).toEqual(counted());
    memcpyHtoD(y, counted(100));
    const host = new Float32Array(COUNT);
    memcpyDtoH(host, y);
    expect(host).toEqual(counted(100));
    using sum = x.add(y);
    expect(sum.get()[5]).toBe(110);
    expect(() => {
      memcpyDtoH(new Float32Array(COUNT + 1), y);
    }).toThrow(RangeError);
  });
});

describeOpenCLArrays('arrays as arguments of kernels, copies and fills', (engine) => {
  const make = <D extends ArrayDType = 'f32'>(data: unknown, dtype?: D): OpenCLNDArray<D> =>
    array(engine(), data, { dtype }) as unknown as OpenCLNDArray<D>;
  const own = (view: unknown): OpenCLNDArray<'f32'> => view as OpenCLNDArray<'f32'>;
  const program = () =>
    new cl.Program(
      engine().context,
      `__kernel void shift(__global float *to, __global const float *from, float by)
      {
        to[get_global_id(0)] = from[get_global_id(0)] + by;
      }`,
    ).build();

  test('a kernel takes an array, and a part of one where the device lets a part begin', () => {
    using prg = program();
    const { defaultLane: queue, context } = engine();
    using x = make(counted(0, 4096));
    using y = make(new Float32Array(4096));
    prg.kernels.shift(queue, COUNT, null, y, x, 1);
    expect(y.get().subarray(0, COUNT + 1)).toEqual(Float32Array.from([...counted(1), 0]));
    const step = Math.min(...context.devices.map(({ memBaseAddrAlign }) => memBaseAddrAlign / 8)) / 4;
    using tail = own(x.at(`${step}:`));
    for (let i = 0; i < 2; i++) prg.kernels.shift(queue, 8, null, y, tail, i);
    expect(y.get().subarray(0, 9)).toEqual(Float32Array.from([...counted(step + 1, 8), 9]));
    cl.enqueueFill(queue, tail, cl.float32(-1), { byteLength: 8 });
    expect(x.get().subarray(step - 1, step + 3)).toEqual(Float32Array.of(step - 1, -1, -1, step + 2));
    using other = prg.kernel('shift');
    other.setArgs(y, x, 5);
    cl.enqueueNDRangeKernel(queue, other, 4, null);
    expect(y.get().subarray(0, 4)).toEqual(counted(5, 4));
  });

  test('a view with gaps, one at an odd place, other elements and a closed array are refused', () => {
    using prg = program();
    const { defaultLane: queue } = engine();
    using x = make(counted());
    using even = own(x.at('::2'));
    const gaps = /must follow each other in memory, got shape \[32\] with strides \[2\]; pass \.contiguous\(\)/;
    const { shift } = prg.kernels;
    const loose = shift as unknown as (...args: unknown[]) => void;
    expect(() => shift(queue, 1, null, x, even, 0)).toThrow(gaps);
    expect(() => cl.enqueueCopy(queue, new Float32Array(32), even)).toThrow(gaps);
    expect(() => cl.enqueueFill(queue, even, 0)).toThrow(gaps);
    using odd = own(x.at('1:'));
    const place = /must begin at a multiple of \d+ bytes of its memory on this device, got 4; pass \.copy\(\)/;
    expect(() => shift(queue, 1, null, x, odd, 0)).toThrow(place);
    const closed = make(counted());
    closed.close();
    expect(() => cl.enqueueFill(queue, odd, 0)).toThrow(place);
    expect(() => cl.enqueueFill(queue, closed, 0)).toThrow(cl.ClosedError);
    expect(() => shift(queue, 1, null, x, closed, 0)).toThrow(cl.ClosedError);
    using bits = make(new Int32Array(COUNT));
    expect(() => {
      loose(queue, 1, null, x, bits, 0);
    }).toThrow(/argument 1 \(const float \*from\)/);
    using copy = own(odd.copy());
    shift(queue, COUNT - 1, null, x, copy, 0);
    expect(x.get()[0]).toBe(1);
  });

  test('an array of another context is refused', () => {
    const { context } = engine();
    using other = new cl.Context(context.devices[0] as cl.Device);
    using queue = new cl.CommandQueue(other);
    using x = make(counted());
    using prg = program();
    using buffer = new cl.Buffer(other, cl.MemFlags.READ_WRITE, 256);
    expect(() => cl.enqueueCopy(queue, x, buffer)).toThrow(/another context/);
    expect(() => x.add(1, { queue })).toThrow(/queue must be of the array's context/);
    expect(() => x.add(1, { stream: null })).toThrow(/OpenCL has queues, got a stream \(null\); write \{ queue \}/);
    expect(() => x.add(1, { queue: null })).toThrow(/queue must be a CommandQueue, got null/);
    using foreign = new cl.Program(other, prg.source).build();
    expect(() => foreign.kernel('shift')(queue, 1, null, x, x, 1)).toThrow(/another context/);
  });

  test('copies take an array on both sides, and keep the element types of buffers', () => {
    using prg = program();
    const { defaultLane: queue, context } = engine();
    using x = make(counted());
    using y = make(new Float32Array(COUNT));
    cl.enqueueCopy(queue, y, x);
    const host = new Float32Array(COUNT);
    cl.enqueueCopy(queue, host, y);
    expect(host).toEqual(counted());
    cl.enqueueCopy(queue, y, counted(100), { dstOffset: 0 });
    expect(y.get()).toEqual(counted(100));
    using buffer = new cl.Buffer(context, cl.MemFlags.READ_WRITE | cl.MemFlags.COPY_HOST_PTR, new Float32Array(COUNT));
    cl.enqueueCopy(queue, buffer, x);
    prg.kernels.shift(queue, COUNT, null, y, buffer, 2);
    expect(y.get()).toEqual(counted(2));
    using bits = make(new Int32Array(COUNT));
    cl.enqueueCopy(queue, buffer, bits);
    expect(buffer.elementTag).toBe(0);
    expect(() => cl.enqueueCopy(queue, x, x)).toThrow(/overlap/);
    expect(() => cl.enqueueCopy(queue, new Float32Array(COUNT + 1), x)).toThrow(RangeError);
    cl.enqueueFill(queue, x, cl.float32(3));
    using sum = x.add(y);
    expect(sum.get()[4]).toBe(9);
  });

  test('a captured call has the content of arrays, and an asynchronous copy reads it', async () => {
    const { defaultLane: queue } = engine();
    using x = make(counted());
    using prg = program();
    const file = join(mkdtempSync(join(tmpdir(), 'rawkernel-array-')), 'captured.ts');
    cl.captureCall(file, prg.kernel('shift'), queue, 4, null, x, x, 1);
    expect(readFileSync(file, 'utf8')).toMatch(/using toArg = new cl\.Buffer\(ctx, \d+, content\(/);
    rmSync(dirname(file), { recursive: true });
    x.add(1, { out: x });
    const host = new Float32Array(COUNT);
    await cl.enqueueCopy(queue, host, x, { blocking: false }).done();
    expect(host).toEqual(counted(1));
    using none = empty(engine(), [0, 3], undefined);
    expect(none.get().length).toBe(0);
  });
});
