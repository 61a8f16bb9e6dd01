import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { openclError } from '../../../src/opencl/errors.ts';
import { useOpenCL } from '../../../src/opencl/select.ts';
import { provideAsync } from '../../../src/ffi/bind.ts';
import { fakeOpenCL, type FakeOpenCL } from '../../helpers/fake-opencl.ts';
import { expectWarnings } from '../../helpers/warnings.ts';

const SOURCE = '__kernel void f(__global int *a, int n) { a[0] = n; }';
let fake: FakeOpenCL;
let ctx: cl.Context;
let queue: cl.CommandQueue;

beforeEach(() => {
  fake = fakeOpenCL();
  useOpenCL(fake.table);
  ctx = cl.createSomeContext();
  queue = new cl.CommandQueue(ctx);
});
afterEach(() => {
  queue.close();
  ctx.close();
  useOpenCL(undefined);
});

const live = (): Record<string, number> => Object.fromEntries([...fake.live].filter(([, count]) => count > 0));
const build = (): cl.Program<typeof SOURCE> => new cl.Program(ctx, SOURCE).build('', { cache: false });

describe('openclError', () => {
  test('tells what a status of NVIDIA means that OpenCL does not have', () => {
    const error = openclError('clGetEventInfo', -9999);
    expect(error).toMatchObject({ status: -9999, code: 'unknown status -9999' });
    expect(error.message).toMatch(/unknown status -9999\nOn NVIDIA: a kernel read or wrote outside of a buffer/);
  });

  test.each([
    [-4, 'CL_MEM_OBJECT_ALLOCATION_FAILURE', cl.OpenCLMemoryError],
    [-5, 'CL_OUT_OF_RESOURCES', cl.OpenCLMemoryError],
    [-14, 'CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST', cl.OpenCLRuntimeError],
    [-30, 'CL_INVALID_VALUE', cl.OpenCLLogicError],
  ])('gives status %i its name %s and class', (status, code, Class) => {
    const error = openclError('clFinish', status);
    expect(error).toMatchObject({ status, code, routine: 'clFinish', name: Class.name });
    expect(error).toBeInstanceOf(Class);
    expect(error).toBeInstanceOf(cl.GpuError);
    expect(error.message).toContain(`clFinish failed: ${code}`);
    expect(error.message).toContain('https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clFinish.html');
  });

  test('keeps an unknown status', () => {
    expect(openclError('clFinish', -9999)).toMatchObject({ status: -9999, code: 'unknown status -9999' });
  });
});

describe('A failing call', () => {
  test('throws the error of the driver', () => {
    fake.fail.set('clFinish', [-36]);
    expect(() => queue.finish()).toThrow(expect.objectContaining({ code: 'CL_INVALID_COMMAND_QUEUE' }));
  });

  test('creates nothing', () => {
    const before = live();
    for (const routine of ['clCreateContext', 'clCreateCommandQueueWithProperties', 'clCreateBuffer']) {
      fake.fail.set(routine, [-30]);
    }
    expect(() => new cl.Context(ctx.devices)).toThrow(cl.OpenCLLogicError);
    expect(() => new cl.CommandQueue(ctx)).toThrow(cl.OpenCLLogicError);
    expect(() => new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 4)).toThrow(cl.OpenCLLogicError);
    fake.fail.set('clCreateKernel', [-46]);
    using prg = build();
    expect(() => prg.kernels.f).toThrow(cl.OpenCLLogicError);
    prg.close();
    expect(live()).toEqual(before);
  });

  test.each([-4, -5, -6])('for lack of memory (%i) is tried once more', (status) => {
    fake.fail.set('clCreateBuffer', [status]);
    new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 4).close();
    fake.fail.set('clCreateBuffer', [status, status]);
    expect(() => new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 4)).toThrow(cl.OpenCLMemoryError);
    using prg = build();
    using a = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 4);
    using f = prg.kernels.f;
    fake.fail.set('clEnqueueNDRangeKernel', [status]);
    f(queue, 1, null, a, 1);
    fake.fail.set('clEnqueueNDRangeKernel', [status, status]);
    expect(() => f(queue, 1, null, a, 1)).toThrow(cl.OpenCLMemoryError);
  });

  test('of a kernel names the kernel and its sizes', () => {
    using prg = build();
    using a = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 4);
    using f = prg.kernels.f;
    fake.fail.set('clEnqueueNDRangeKernel', [-55]);
    expect(() => f(queue, 8, null, a, 1)).toThrow(
      /clEnqueueNDRangeKernel failed: CL_INVALID_WORK_ITEM_SIZE[^]*kernel +f\(/,
    );
    fake.fail.set('clSetKernelArg', [-51]);
    expect(() => f(queue, 8, null, a, 2)).toThrow(/clSetKernelArg failed: CL_INVALID_ARG_SIZE[^]*argument 1/);
  });

  test('in a release becomes a warning', async () => {
    const warnings = expectWarnings('RAWKERNEL_CLEANUP');
    const a = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 4);
    fake.fail.set('clReleaseMemObject', [-38]);
    a.close();
    await new Promise(setImmediate);
    expect(warnings.map(String).join()).toContain('CL_INVALID_MEM_OBJECT');
  });
});

describe('BuildError', () => {
  test.each([
    ['clang', '<kernel>:2:3: error: use of undeclared identifier "b"'],
    ['PoCL', 'error: /tmp/kcache/tempfile_x.cl:2:3: use of undeclared identifier "b"\n1 error generated.'],
    ['a file of the driver', '/tmp/driver/0.cl:2:3: error: use of undeclared identifier "b"'],
  ])('shows the line that %s names', (_, log) => {
    fake.build = () => ({ status: -11, log });
    const prg = new cl.Program(ctx, '__kernel void f() {\n  b = 1;\n}');
    expect(() => prg.build('', { cache: false })).toThrow(
      expect.objectContaining({
        name: 'BuildError',
        log,
        message: expect.stringMatching(/<kernel>:2:3: use of undeclared[^]*> 2 \| {3}b = 1;\n +\| {3}\^/),
      }),
    );
  });

  test('shows the log where no message can be read', () => {
    fake.build = () => ({ status: -11, log: 'ptxas fatal: all is lost' });
    expect(build).toThrow(/all is lost/);
  });

  test('does not stop a build where an assembler refuses what argument info has added', () => {
    const asked: string[] = [];
    fake.build = (options) => {
      asked.push(options);
      const status = options.includes('-cl-kernel-arg-info') ? -11 : 0;
      return {
        status,
        log: status === 0 ? '' : "ptxas application ptx input, line 27; fatal : Parsing error near '}'",
      };
    };
    fake.argumentInfo = false;
    const before = live();
    {
      using prg = new cl.Program(ctx, SOURCE).build('-DN=1', { cache: false });
      expect(asked).toEqual(['-DN=1 -cl-kernel-arg-info', '-DN=1']);
      using kernel = prg.kernel('f');
      expect(() => kernel(queue, 1, null, null, 2.5)).toThrow(/int n/);
    }
    expect(live()).toEqual(before);
    expect(() => new cl.Program(ctx, SOURCE).build('-cl-kernel-arg-info', { cache: false })).toThrow(cl.BuildError);
    expect(asked).toHaveLength(3);
  });

  test('both builds of Program.compile leave the thread free', async () => {
    fake.build = (options) => ({ status: options.includes('-cl-kernel-arg-info') ? -11 : 0, log: 'ptxas fatal' });
    const { clBuildProgram } = fake.table;
    const later: string[] = [];
    provideAsync(clBuildProgram, async (...args) => {
      later.push(args[3]);
      await Promise.resolve();
      return clBuildProgram(...args);
    });
    const before = live();
    const prg = await cl.Program.compile(ctx, SOURCE, '-DN=1', { cache: false });
    expect(later).toEqual(['-DN=1 -cl-kernel-arg-info', '-DN=1']);
    expect(prg.options).toBe('-DN=1');
    prg.close();
    expect(live()).toEqual(before);
  });

  test('does not hide another failure of the driver', () => {
    fake.build = () => ({ status: -5, log: '' });
    expect(build).toThrow(cl.OpenCLMemoryError);
  });

  test('comes as a rejection from Program.compile, which leaves nothing', async () => {
    const before = live();
    fake.build = () => ({ status: -11, log: 'x:1:1: error: no' });
    await expect(cl.Program.compile(ctx, SOURCE, '', { cache: false })).rejects.toThrow(cl.BuildError);
    expect(live()).toEqual(before);
  });
});
