import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { flightCount, sweepFlights } from '../../../src/core/in-flight.ts';
import * as cl from '../../../src/opencl/index.ts';
import { isEmbedded } from '../../../src/opencl/selection.ts';
import { lacks, numbers, openclRows, runsBesideHost } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const { COARSE_GRAIN_BUFFER, FINE_GRAIN_BUFFER, FINE_GRAIN_SYSTEM } = cl.DeviceSvmCapabilities;
const { SVM_FINE_GRAIN_BUFFER, SVM_ATOMICS, READ_WRITE, READ_ONLY, WRITE_ONLY } = cl.SvmMemFlags;
const SOURCE = `
__kernel void twice(__global float *a) { a[get_global_id(0)] *= 2; }
__kernel void follow(__global ulong *at, int n)
{ __global int *there = (__global int *)at[0]; there[get_global_id(0)] += n; }
__kernel void none(__global float *a, __global int *out) { out[0] = a == 0; }`;

needs.opencl().describe.each(openclRows)('%s', (_, device) => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;
  let prg: cl.Program;
  const capabilities = device.platform.atLeast(2, 0) ? device.svmCapabilities : 0;
  const has = (kind: number): boolean => (capabilities & kind) !== 0;

  beforeAll(() => {
    ctx = new cl.Context(device);
    queue = new cl.CommandQueue(ctx);
    prg = new cl.Program(ctx, SOURCE).build();
  });
  afterAll(() => {
    for (const resource of [prg, queue, ctx]) resource.close();
  });

  const withSVM = (name: string, kind: number, run: () => void | Promise<void>): void => {
    test(name, async () => {
      if (lacks(device, kind === COARSE_GRAIN_BUFFER ? 'coarse-grained SVM' : 'fine-grained SVM', has(kind))) {
        const make = kind === COARSE_GRAIN_BUFFER ? cl.csvmEmpty : cl.fsvmEmpty;
        expect(() => make(ctx, 4, 'f32')).toThrow(/needs OpenCL 2\.0|has no/);
        return;
      }
      await run();
    });
  };
  const read = (a: cl.SVMAllocation<cl.DType>): number[] => {
    const bytes = new Float32Array(a.byteLength / 4);
    cl.enqueueCopy(queue, bytes, a);
    return [...bytes];
  };

  withSVM('Coarse-grained memory: fill, map, kernel, copy, buffer', COARSE_GRAIN_BUFFER, () => {
    using a = cl.csvmEmpty(ctx, 100, 'f32');
    cl.enqueueSVMMemFill(queue, a, cl.float32(3));
    expect(read(a)).toEqual(Array.from({ length: 100 }, () => 3));
    expect(() => a.array).toThrow('call map()');
    const values = numbers(100);
    const map = a.map(queue, cl.MapFlags.WRITE);
    map.array.set(values);
    expect(() => a.map(queue, cl.MapFlags.READ)).toThrow('already mapped');
    const stale = map.array;
    map.unmap();
    expect(stale.length).toBe(0);
    prg.kernel('twice')(queue, 100, null, a);
    expect(read(a)).toEqual([...values].map((value) => 2 * value));
    using buffer = a.asBuffer();
    // NVIDIA's driver takes no buffer where the kernel object had shared memory.
    using twice = new cl.Kernel(prg, 'twice');
    twice(queue, 100, null, buffer);
    using again = a.map(queue, cl.MapFlags.READ);
    expect([...again.array]).toEqual([...values].map((value) => 4 * value));
  });

  withSVM('Fine-grained memory is an array that kernels write to', FINE_GRAIN_BUFFER, () => {
    using a = cl.fsvmEmpty(ctx, 64, 'f32');
    const values = numbers(64);
    a.array.set(values);
    prg.kernel('twice')(queue, 64, null, a).wait();
    expect([...a.array]).toEqual([...values].map((value) => 2 * value));
    const stale = a.array;
    a.release();
    expect(stale.length).toBe(0);
    expect(() => a.release()).toThrow(cl.ClosedError);
    expect(() => prg.kernel('twice')(queue, 64, null, a)).toThrow(cl.ClosedError);
  });

  withSVM('Copies go between shared memory and between it and the host, in parts', COARSE_GRAIN_BUFFER, async () => {
    using a = cl.csvmEmptyLike(ctx, Float32Array.of(1, 2, 3, 4));
    using b = cl.svmEmptyLike(ctx, READ_WRITE, new Float32Array(2));
    expect(a.type).toBe('f32');
    cl.enqueueCopy(queue, a, Float32Array.of(1, 2, 3, 4));
    cl.enqueueCopy(queue, b, a, { srcOffset: 8 });
    expect(read(b)).toEqual([3, 4]);
    const later = new Float32Array(2);
    await cl.enqueueCopy(queue, later, a, { srcOffset: 4, blocking: false }).done();
    expect([...later]).toEqual([2, 3]);
    expect(() => cl.enqueueCopy(queue, new Float32Array(5), a)).toThrow(RangeError);
    expect(() => cl.enqueueCopy(queue, a, a, { dstOffset: 4, byteLength: 8 })).toThrow('overlap');
    using buffer = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 16);
    expect(() => cl.enqueueCopy(queue, buffer, a)).toThrow('asBuffer()');
  });

  withSVM('Kernel.setExecInfo() lets a kernel follow pointers', COARSE_GRAIN_BUFFER, () => {
    using there = cl.csvmEmpty(ctx, 4, 'i32');
    using at = cl.csvmEmpty(ctx, 1, 'u64');
    cl.enqueueCopy(queue, there, Int32Array.of(1, 2, 3, 4));
    cl.enqueueCopy(queue, at, BigUint64Array.of(there.address));
    using follow = new cl.Kernel(prg, 'follow');
    if (lacks(device, 'pointers in memory', !isEmbedded(device.platform.raw))) {
      expect(() => follow.setExecInfo({ svmPointers: [there] })).toThrow('cannot follow pointers in memory');
      return;
    }
    follow.setExecInfo({ svmPointers: [there] })(queue, 4, null, at, 10);
    const result = new Int32Array(4);
    cl.enqueueCopy(queue, result, there);
    expect([...result]).toEqual([11, 12, 13, 14]);
    expect(() => follow.setExecInfo({ svmPointers: [] })).toThrow(TypeError);
    expect(() => follow.setExecInfo({ svmPointers: [new Int32Array(1)] as never })).toThrow('takes SVMAllocations');
    there.close();
    expect(() => follow(queue, 4, null, at, 10)).toThrow(cl.ClosedError);
  });

  withSVM('Memory of no bytes takes part in everything', COARSE_GRAIN_BUFFER, () => {
    using a = cl.csvmEmpty(ctx, 0, 'f32');
    expect(a.address).toBe(0n);
    using map = a.map(queue, cl.MapFlags.READ);
    expect(map.array.length).toBe(0);
    map.unmap();
    cl.enqueueSVMMemFill(queue, a, cl.float32(1));
    using out = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 4);
    prg.kernel('none')(queue, 1, null, a, out);
    const isNull = new Int32Array(1);
    cl.enqueueCopy(queue, isNull, out);
    expect(isNull[0]).toBe(1);
    expect(() => a.asBuffer()).toThrow(RangeError);
    a.enqueueRelease(queue).wait();
    expect(a.closed).toBe(true);
  });

  withSVM('Memory that a command uses is freed after it', COARSE_GRAIN_BUFFER, async () => {
    if (lacks(device, 'commands that run beside the host', runsBesideHost(device))) return;
    sweepFlights();
    const before = flightCount();
    using go = new cl.UserEvent(ctx);
    const a = cl.csvmEmpty(ctx, 16, 'f32');
    const event = prg.kernel('twice')(queue, 16, null, a, { waitFor: [go] });
    a.close();
    expect(flightCount()).toBe(before + 1);
    go.setStatus(0);
    await event.done();
    sweepFlights();
    expect(flightCount()).toBe(before);
  });

  withSVM('SVMAllocation.enqueueRelease() frees by the queue', COARSE_GRAIN_BUFFER, () => {
    const a = cl.csvmEmpty(ctx, 16, 'f32');
    cl.enqueueSVMMemFill(queue, a, cl.float32(1));
    prg.kernel('twice')(queue, 16, null, a);
    a.enqueueRelease(queue).wait();
    expect(() => a.address).toThrow(cl.ClosedError);
  });

  withSVM('enqueueSVMMigrate() moves memory', COARSE_GRAIN_BUFFER, () => {
    using a = cl.csvmEmpty(ctx, 16, 'f32');
    if (lacks(device, 'clEnqueueSVMMigrateMem (OpenCL 2.1)', device.platform.atLeast(2, 1))) return;
    cl.enqueueSVMMemFill(queue, a, cl.float32(7));
    cl.enqueueSVMMigrate(queue, [a], { flags: cl.MigrationFlags.HOST });
    expect(read(a)[15]).toBe(7);
    expect(() => cl.enqueueSVMMigrate(queue, [])).toThrow(TypeError);
  });

  withSVM('SVMAllocation refuses flags and sizes that make no sense', COARSE_GRAIN_BUFFER, () => {
    const make = (flags: number, byteLength: number, options?: object) => () =>
      new cl.SVMAllocation(ctx, flags, byteLength, options);
    expect(make(READ_ONLY | WRITE_ONLY, 16)).toThrow('exclude each other');
    expect(make(SVM_ATOMICS, 16)).toThrow('SVM_ATOMICS needs SVM_FINE_GRAIN_BUFFER');
    expect(make(8, 16)).toThrow('has bits that are not SvmMemFlags');
    expect(make(READ_WRITE, 2 ** 52)).toThrow('too many');
    expect(make(READ_WRITE, -1)).toThrow(RangeError);
    expect(make(READ_WRITE, 6, { type: 'f32' })).toThrow('not a multiple');
    expect(make(READ_WRITE, 16, { alignment: 3 })).toThrow('power of 2');
    expect(make(READ_WRITE, 16, { align: 4 })).toThrow("no option 'align'");
    using other = new cl.Context(device);
    using a = cl.csvmEmpty(other, 4, 'f32');
    expect(() => prg.kernel('twice')(queue, 4, null, a)).toThrow('another context');
    expect(() => cl.enqueueSVMMemFill(queue, new Float32Array(4) as never, 0)).toThrow('takes an SVMAllocation');
    using b = cl.csvmEmpty(ctx, 4, 'f32');
    expect(() => cl.enqueueSVMMemFill(queue, b, cl.float32(1), { offset: 2 })).toThrow('must divide');
    {
      // 0 leaves open what the host will do.
      using map = b.map(queue, 0);
      expect(map.array).toHaveLength(4);
    }
    for (const flags of [-1, 8, 6]) expect(() => b.map(queue, flags)).toThrow(RangeError);
  });

  test('SVM passes host memory where a device shares all of it', () => {
    const shared = new cl.SVM(Float32Array.of(1, 2, 3));
    if (lacks(device, 'fine-grained system SVM', has(FINE_GRAIN_SYSTEM))) {
      expect(() => prg.kernel('twice')(queue, 3, null, shared)).toThrow("does not share the host's memory");
      return;
    }
    prg.kernel('twice')(queue, 3, null, shared).wait();
    expect([...shared.array]).toEqual([2, 4, 6]);
  });

  test('Fine grain and atomics are flags', () => {
    if (lacks(device, 'fine-grained SVM', has(FINE_GRAIN_BUFFER))) return;
    using a = cl.svmEmpty(ctx, READ_WRITE | SVM_FINE_GRAIN_BUFFER, 4, Int32Array);
    expect([a.fineGrain, a.array.length, a.flags]).toEqual([true, 4, READ_WRITE | SVM_FINE_GRAIN_BUFFER]);
    using map = a.map(queue, cl.MapFlags.READ | cl.MapFlags.WRITE, { blocking: false });
    map.event.wait();
    expect(map.array.length).toBe(4);
  });
});
