import { describe, expect, test } from '@jest/globals';
import * as cl from '../../../src/node-opencl/index.ts';
import { build, read, withBench, type Bench } from '../../helpers/node-opencl.ts';
import { lacks, openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const SOURCE =
  '__kernel void square(__global uint *in, __global uint *out, uint n)\n{ uint i = get_global_id(0); if (i < n) out[i] = in[i] * in[i]; }';

needs.opencl().describe.each(openclRows)('node-opencl: programs and kernels on %s', (_, device) => {
  const bench = withBench(device);

  /** What a kernel that only stores its argument stores. */
  function stored(type: string, named: string | null, value: unknown, options = '-cl-kernel-arg-info'): Uint8Array {
    const kernel = build(
      bench,
      `__kernel void store(__global ${type} *out, ${type} x) { *out = x; }`,
      'store',
      options,
    );
    const buffer = cl.createBuffer(bench.context, 0, 128);
    cl.setKernelArg(kernel, 0, 'cl_mem', buffer);
    expect(cl.setKernelArg(kernel, 1, named, value)).toBe(cl.SUCCESS);
    cl.enqueueNDRangeKernel(bench.queue, kernel, 1, null, [1], null);
    const bytes = read(bench, buffer, 64);
    cl.releaseKernel(kernel);
    cl.releaseMemObject(buffer);
    return bytes;
  }

  test('square numbers', () => {
    const kernel = build(bench, SOURCE, 'square');
    const input = cl.createBuffer(
      bench.context,
      cl.MEM_COPY_HOST_PTR,
      40,
      Uint32Array.from({ length: 10 }, (_, i) => i),
    );
    const output = cl.createBuffer(bench.context, cl.MEM_WRITE_ONLY, 40);
    cl.setKernelArg(kernel, 0, 'uint*', input);
    cl.setKernelArg(kernel, 1, 'uint*', output);
    cl.setKernelArg(kernel, 2, 'uint', 10);
    const event = cl.enqueueNDRangeKernel(bench.queue, kernel, 1, [0], [10], [5], [], true);
    if (event === 0) throw new Error('an event was wanted');
    expect(cl.getEventInfo(event, cl.EVENT_COMMAND_TYPE)).toBe(cl.COMMAND_NDRANGE_KERNEL);
    expect([...new Uint32Array(read(bench, output, 40).buffer)]).toEqual([0, 1, 4, 9, 16, 25, 36, 49, 64, 81]);
    cl.releaseEvent(event);
    cl.releaseKernel(kernel);
    for (const buffer of [input, output]) cl.releaseMemObject(buffer);
  });

  test('an argument lives as long as the kernel uses it', () => {
    const kernel = build(bench, '__kernel void fill(__global int *a) { a[get_global_id(0)] = 5; }', 'fill');
    const buffer = cl.createBuffer(bench.context, 0, 40);
    cl.setKernelArg(kernel, 0, 'int*', buffer);
    cl.releaseMemObject(buffer);
    expect(cl.enqueueNDRangeKernel(bench.queue, kernel, 1, null, [10], null)).toBe(cl.SUCCESS);
    cl.finish(bench.queue);
    cl.releaseKernel(kernel);
  });

  test('ranges are checked before the driver sees them', () => {
    const kernel = build(bench, '__kernel void none(void) {}', 'none');
    const run = (dims: number, offset: unknown, global: unknown, local: unknown): unknown =>
      cl.enqueueNDRangeKernel(bench.queue, kernel, dims, offset as null, global as null, local as null);
    expect(run(2, null, [4, 4], [2, 2])).toBe(cl.SUCCESS);
    expect(run(1, null, Uint32Array.of(4), null)).toBe(cl.SUCCESS);
    expect(() => run(1, [0, 0], [1], null)).toThrow(cl.INVALID_GLOBAL_OFFSET.message);
    expect(() => run(1, null, [1, 1], null)).toThrow(cl.INVALID_GLOBAL_WORK_SIZE.message);
    expect(() => run(1, null, null, null)).toThrow(cl.INVALID_GLOBAL_WORK_SIZE.message);
    expect(() => run(1, null, [2], [1, 1])).toThrow(cl.INVALID_WORK_GROUP_SIZE.message);
    expect(() => run(1, null, [3], [2])).toThrow(cl.INVALID_WORK_GROUP_SIZE.message);
    expect(() => run(4, null, [1, 1, 1, 1], null)).toThrow(cl.INVALID_WORK_DIMENSION.message);
    expect(() => run(1, null, [-1], null)).toThrow(cl.INVALID_VALUE.message);
    expect(() => cl.enqueueNDRangeKernel(bench.queue, null as never, 1, null, [1], null)).toThrow(
      cl.INVALID_KERNEL.message,
    );
    expect(() => cl.enqueueNativeKernel()).toThrow(cl.INVALID_OPERATION.message);
    expect(cl.enqueueTask(bench.queue, kernel)).toBe(cl.SUCCESS);
    cl.releaseKernel(kernel);
  });

  test.each<[string, unknown, (view: DataView) => number | bigint]>([
    ['char', -5, (view) => view.getInt8(0)],
    ['uchar', 200, (view) => view.getUint8(0)],
    ['short', -500, (view) => view.getInt16(0, true)],
    ['ushort', 50000, (view) => view.getUint16(0, true)],
    ['int', -70000, (view) => view.getInt32(0, true)],
    ['uint', 4000000000, (view) => view.getUint32(0, true)],
    ['long', -(2 ** 40), (view) => Number(view.getBigInt64(0, true))],
    ['ulong', 2n ** 63n, (view) => view.getBigUint64(0, true)],
    ['float', 1.5, (view) => view.getFloat32(0, true)],
  ])('a number of type %s', (type, value, get) => {
    expect(get(new DataView(stored(type, type, value).buffer))).toBe(value);
    expect(get(new DataView(stored(type, null, value).buffer))).toBe(value);
  });

  test('a double', () => {
    if (lacks(device, 'fp64', device.getInfo('DOUBLE_FP_CONFIG') !== 0)) return;
    expect(new Float64Array(stored('double', 'double', 0.1).buffer)[0]).toBe(0.1);
  });

  test('numbers that do not fit wrap around', () => {
    expect(stored('uchar', 'uchar', 300)[0]).toBe(44);
    expect(new Uint32Array(stored('uint', 'uint', -1).buffer)[0]).toBe(0xffffffff);
  });

  test.each([2, 4, 8, 16])('vectors of %i are lists of as many numbers', (lanes) => {
    const list = Array.from({ length: lanes }, (_, i) => i + 0.5);
    const floats = new Float32Array(stored(`float${lanes}`, `float${lanes}`, list).buffer);
    expect([...floats.subarray(0, lanes)]).toEqual(list);
  });

  test('a vector of three is as large as one of four', () => {
    expect([...new Int32Array(stored('int3', 'int3', [1, 2, 3]).buffer).subarray(0, 3)]).toEqual([1, 2, 3]);
  });

  test('the bytes of a struct', () => {
    const struct = 'typedef struct { int a; float b; } both;';
    const source = `${struct} __kernel void get(__global float *out, both x) { out[0] = x.a; out[1] = x.b; }`;
    const kernel = build(bench, source, 'get');
    const buffer = cl.createBuffer(bench.context, 0, 8);
    const bytes = new DataView(new ArrayBuffer(8));
    bytes.setInt32(0, 3, true);
    bytes.setFloat32(4, 2.5, true);
    cl.setKernelArg(kernel, 0, 'float*', buffer);
    cl.setKernelArg(kernel, 1, 'both', bytes);
    cl.enqueueTask(bench.queue, kernel);
    expect([...new Float32Array(read(bench, buffer, 8).buffer)]).toEqual([3, 2.5]);
    expect(() => cl.setKernelArg(kernel, 1, 'both', 5)).toThrow(new Error('Unsupported OpenCL argument type: both'));
    cl.releaseKernel(kernel);
    cl.releaseMemObject(buffer);
  });

  test('local memory is a size', () => {
    const source =
      '__kernel void turn(__global int *a, __local int *t) { int i = get_local_id(0); t[i] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); a[i] = t[3 - i]; }';
    const kernel = build(bench, source, 'turn', '-cl-kernel-arg-info');
    const buffer = cl.createBuffer(bench.context, cl.MEM_COPY_HOST_PTR, 16, Int32Array.of(1, 2, 3, 4));
    cl.setKernelArg(kernel, 0, 'int*', buffer);
    for (const type of ['local', '__local', null]) {
      expect(cl.setKernelArg(kernel, 1, type, 16)).toBe(cl.SUCCESS);
    }
    cl.enqueueNDRangeKernel(bench.queue, kernel, 1, null, [4], [4]);
    expect([...new Int32Array(read(bench, buffer, 16).buffer)]).toEqual([4, 3, 2, 1]);
    expect(() => cl.setKernelArg(kernel, 1, 'local', buffer)).toThrow(cl.INVALID_ARG_VALUE.message);
    expect(() => cl.setKernelArg(kernel, 1, 'local', -1)).toThrow(cl.INVALID_ARG_VALUE.message);
    cl.releaseKernel(kernel);
    cl.releaseMemObject(buffer);
  });

  test('values of other types are refused', () => {
    const kernel = build(bench, SOURCE, 'square', '-cl-kernel-arg-info');
    const buffer = cl.createBuffer(bench.context, 0, 8);
    const set = (index: number, type: string | null, value: unknown): unknown =>
      cl.setKernelArg(kernel, index, type, value);
    for (const type of ['uint*', null]) {
      for (const value of [5, [5, 10], null, bench.context]) {
        expect(() => set(0, type, value)).toThrow(cl.INVALID_MEM_OBJECT.message);
      }
    }
    for (const type of ['uint', null]) {
      for (const value of ['a', [5], buffer, 2.5, NaN, null]) {
        expect(() => set(2, type, value)).toThrow(cl.INVALID_ARG_VALUE.message);
      }
    }
    expect(() => set(2, 'float4', [1, 2])).toThrow(cl.INVALID_ARG_SIZE.message);
    expect(() => set(2, 'float4', new Float32Array(4))).toThrow(cl.INVALID_ARG_VALUE.message);
    expect(() => set(9, 'int', 5)).toThrow(cl.INVALID_ARG_INDEX.message);
    expect(() => set(2, 'ulong', 5)).toThrow(cl.INVALID_ARG_SIZE.message);
    expect(() => set(2, 5 as never, 5)).toThrow('Typename has to be given as string');
    cl.releaseKernel(kernel);
    cl.releaseMemObject(buffer);
  });

  test('a program that does not compile: an error, and its log', () => {
    const program = cl.createProgramWithSource(bench.context, 'not a program');
    expect(() => cl.buildProgram(program)).toThrow(cl.BUILD_PROGRAM_FAILURE.message);
    const log = cl.getProgramBuildInfo(program, bench.device, cl.PROGRAM_BUILD_LOG);
    expect(log).toEqual(expect.stringMatching(/error/i));
    expect((log as string).endsWith('\0')).toBe(true);
    expect(cl.getProgramBuildInfo(program, bench.device, cl.PROGRAM_BUILD_STATUS)).toBe(cl.BUILD_ERROR);
    expect(() => cl.createKernel(program, 'none')).toThrow(cl.INVALID_PROGRAM_EXECUTABLE.message);
    cl.releaseProgram(program);
  });

  test('programs tell what they are', () => {
    const program = cl.createProgramWithSource(bench.context, SOURCE);
    expect(cl.getProgramInfo(program, cl.PROGRAM_SOURCE)).toBe(SOURCE);
    expect(cl.getProgramBuildInfo(program, bench.device, cl.PROGRAM_BUILD_STATUS)).toBe(cl.BUILD_NONE);
    expect(cl.buildProgram(program, null, '-D MINE=1')).toBe(cl.SUCCESS);
    expect(cl.getProgramBuildInfo(program, bench.device, cl.PROGRAM_BUILD_OPTIONS)).toMatch('-D MINE=1');
    expect(cl.getProgramInfo(program, cl.PROGRAM_KERNEL_NAMES)).toBe('square');
    expect(cl.getProgramInfo(program, cl.PROGRAM_NUM_DEVICES)).toBe(1);
    expect((cl.getProgramInfo(program, cl.PROGRAM_DEVICES) as cl.CLDeviceId[])[0]?.equals(bench.device)).toBe(true);
    const kernels = cl.createKernelsInProgram(program);
    expect(kernels.map((kernel) => cl.getKernelInfo(kernel, cl.KERNEL_FUNCTION_NAME))).toEqual(['square']);
    for (const kernel of kernels) cl.releaseKernel(kernel);
    expect(() => cl.createKernel(program, 'none')).toThrow(cl.INVALID_KERNEL_NAME.message);
    expect(() => cl.createKernel(program, 5 as never)).toThrow(new TypeError('Argument 1 must be a string'));
    expect(cl.unloadPlatformCompiler(bench.platform)).toBe(cl.SUCCESS);
    cl.releaseProgram(program);
  });

  binaries(bench);
  callbacks(bench);
});

function binaries(bench: Bench): void {
  describe('binaries', () => {
    test('make a program again', () => {
      const program = cl.createProgramWithSource(bench.context, SOURCE);
      cl.buildProgram(program);
      const sizes = cl.getProgramInfo(program, cl.PROGRAM_BINARY_SIZES) as number[];
      const list = cl.getProgramInfo(program, cl.PROGRAM_BINARIES) as cl.CLProgramBinary[];
      expect(list.map(({ buffer }) => buffer.length)).toEqual(sizes);
      for (const given of [list, list.map(({ buffer }) => Buffer.from(buffer))]) {
        const again = cl.createProgramWithBinary(bench.context, [bench.device], sizes, given);
        cl.buildProgram(again);
        cl.releaseKernel(cl.createKernel(again, 'square'));
        cl.releaseProgram(again);
      }
      const make = (...args: unknown[]): unknown =>
        cl.createProgramWithBinary(bench.context, [bench.device], ...(args as [number[], Buffer[]]));
      expect(() => make([], [])).toThrow(cl.INVALID_VALUE.message);
      expect(() => make([...sizes, 100], list)).toThrow(cl.INVALID_VALUE.message);
      expect(() => make([2 ** 40], list)).toThrow(cl.INVALID_VALUE.message);
      expect(() => make(sizes, ['text'])).toThrow(cl.INVALID_BINARY.message);
      expect(() => make(sizes)).toThrow(new TypeError('Expected 4 arguments'));
      cl.releaseProgram(program);
    });

    test('built-in kernels are wanted by names that devices have', () => {
      const make = (devices: unknown, names: unknown): unknown =>
        cl.createProgramWithBuiltInKernels(bench.context, devices as cl.CLDeviceId[], names as string[]);
      expect(() => make([bench.device], ['no such kernel'])).toThrow();
      expect(() => make([], ['a'])).toThrow(cl.INVALID_VALUE.message);
      expect(() => make([bench.device], [])).toThrow(cl.INVALID_VALUE.message);
      expect(() => make([bench.device], [5])).toThrow(cl.INVALID_VALUE.message);
    });
  });
}

function callbacks(bench: Bench): void {
  type Told = [userData: unknown, object: cl.CLProgram | cl.CLContext];
  const told = (start: (callback: (...args: unknown[]) => void) => void): Promise<Told> =>
    new Promise((resolve) => {
      start((...args: unknown[]) => {
        resolve(args as Told);
      });
    });

  describe('builds with a callback', () => {
    test('call it with what was handed over, then the program', async () => {
      const program = cl.createProgramWithSource(bench.context, SOURCE);
      const data = { mine: true };
      const [userData, own] = await told((callback) => {
        expect(cl.buildProgram(program, null, null, callback, data)).toBe(cl.SUCCESS);
      });
      expect(userData).toBe(data);
      expect((own as cl.CLProgram).equals(program)).toBe(true);
      cl.releaseKernel(cl.createKernel(program, 'square'));
      cl.releaseProgram(own as cl.CLProgram);
      cl.releaseProgram(program);
    });

    test('that fail tell so by the status', async () => {
      const program = cl.createProgramWithSource(bench.context, 'not a program');
      await told((callback) => cl.buildProgram(program, null, null, callback));
      expect(cl.getProgramBuildInfo(program, bench.device, cl.PROGRAM_BUILD_STATUS)).toBe(cl.BUILD_ERROR);
      cl.releaseProgram(program);
    });

    test('compile and link', async () => {
      const header = cl.createProgramWithSource(bench.context, '#define VALUE 41');
      const source = '#include "value.h"\n__kernel void get(__global int *a) { *a = VALUE + 1; }';
      const program = cl.createProgramWithSource(bench.context, source);
      const compile = (names: string[]): unknown => cl.compileProgram(program, null, null, [header], names);
      expect(() => compile([])).toThrow(cl.INVALID_VALUE.message);
      try {
        compile(['value.h']);
      } catch (error) {
        // A device without a linker.
        expect((error as Error).message).toMatch(/not available|operation/i);
        return;
      }
      let linked: cl.CLProgram | undefined;
      const [userData, context] = await told((callback) => {
        linked = cl.linkProgram(bench.context, null, null, [program], callback, 'mine');
      });
      expect(userData).toBe('mine');
      expect((context as cl.CLContext).equals(bench.context)).toBe(true);
      if (!linked) throw new Error('linkProgram answers with the program');
      const kernel = cl.createKernel(linked, 'get');
      const buffer = cl.createBuffer(bench.context, 0, 4);
      cl.setKernelArg(kernel, 0, 'int*', buffer);
      cl.enqueueTask(bench.queue, kernel);
      expect(read(bench, buffer, 4)[0]).toBe(42);
      expect(() => cl.linkProgram(bench.context, null, null, [linked as cl.CLProgram])).toThrow(
        cl.INVALID_OPERATION.message,
      );
      expect(() => cl.linkProgram(bench.context, null, null, [bench.context as never])).toThrow(
        cl.INVALID_PROGRAM.message,
      );
      cl.releaseMemObject(buffer);
      cl.releaseKernel(kernel);
      for (const one of [linked, program, header]) cl.releaseProgram(one);
    });
  });
}
