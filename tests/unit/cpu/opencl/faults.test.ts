import { expect, test } from '@jest/globals';
import * as cl from '../../../../src/opencl/index.ts';
import { embeddedDescribe, embeddedOpenCL } from '../../../helpers/opencl-devices.ts';
import { withoutReports } from '../../../helpers/without-reports.ts';

withoutReports();

const SOURCE = `
int behind(__global int *a, int i)
{
  return a[i + 2];
}
__kernel void good(__global int *a) { a[get_global_id(0)] = 1; }
__kernel void far_away(__global int *a) { a[900000000 + get_global_id(0)] = 1; }
__kernel void past(__global int *a) { if (behind(a, get_global_id(0)) == 5) a[0] = 6; }
__kernel void large(__global int *a) {
  __local int cache[20000];
  cache[get_local_id(0)] = a[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[0] = cache[1];
}`;

const device = embeddedOpenCL as cl.Device;
const { READ_WRITE, COPY_HOST_PTR } = cl.MemFlags;

/** What a call throws. */
function thrown(call: () => unknown): cl.OpenCLError {
  try {
    call();
  } catch (error) {
    if (error instanceof cl.OpenCLError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown');
}

/** A context with a kernel in it and memory of four ints. */
function withKernel<T>(
  name: string,
  options: cl.ContextOptions,
  run: (queue: cl.CommandQueue, kernel: cl.Kernel, a: cl.Buffer) => T,
): T {
  using ctx = new cl.Context(device, options);
  using queue = new cl.CommandQueue(ctx);
  using prg = new cl.Program(ctx, SOURCE).build();
  using kernel = prg.kernel(name);
  using a = new cl.Buffer(ctx, READ_WRITE | COPY_HOST_PTR, new Int32Array(4));
  return run(queue, kernel, a);
}

const describe = embeddedDescribe();

describe('a fault of an OpenCL kernel', () => {
  test.each<[string, (queue: cl.CommandQueue, event: cl.Event, a: cl.Buffer) => unknown]>([
    ['CommandQueue.finish()', (queue) => queue.finish()],
    ['Event.wait()', (_, event) => event.wait()],
    ['a blocking copy', (queue, _, a) => cl.enqueueCopy(queue, new Int32Array(4), a)],
  ])('is thrown by %s, with what is known of it', (_, wait) => {
    withKernel('far_away', {}, (queue, kernel, a) => {
      const event = kernel(queue, 4, 4, a);
      const error = thrown(() => wait(queue, event, a));
      expect(error).toBeInstanceOf(cl.OpenCLRuntimeError);
      expect(error.message).toMatch(/access of an address that no memory has by far_away, in work-group \(0, 0, 0\)/);
      expect(error.reports).toMatchObject([{ kind: 'trap', kernel: 'far_away' }]);
      expect(queue.context.reports).toHaveLength(1);
      // The context is lost.
      expect(thrown(() => cl.enqueueFill(queue, a, 0)).code).toBe('CL_OUT_OF_RESOURCES');
    });
  });

  test('is told by its own event, however many kernels come before and after it', () => {
    using ctx = new cl.Context(device);
    using queue = new cl.CommandQueue(ctx);
    using prg = new cl.Program(ctx, SOURCE).build();
    using a = new cl.Buffer(ctx, READ_WRITE, 4096);
    const { good, far_away: bad } = prg.kernels;
    const before = Array.from({ length: 300 }, () => good(queue, 4, 4, a));
    const event = bad(queue, 4, 4, a);
    const after: cl.Event[] = [];
    // The context is lost at some time while these are enqueued.
    const refused = thrown(() => {
      while (after.length < 100_000) after.push(good(queue, 4, 4, a));
    });
    expect(refused.code).toBe('CL_OUT_OF_RESOURCES');
    expect(thrown(() => queue.finish()).code).toBe('CL_OUT_OF_RESOURCES');
    // The first error that is thrown, whichever it is, has it.
    expect(ctx.reports).toMatchObject([{ kind: 'trap', kernel: 'far_away' }]);
    expect(new Set(before.map(({ status }) => status))).toEqual(new Set([0]));
    expect(new Set([event, ...after].map(({ status }) => status < 0))).toEqual(new Set([true]));
    expect(thrown(() => event.wait()).message).toContain('the command ended with CL_OUT_OF_RESOURCES');
  });

  test('rejects Event.done()', async () => {
    using ctx = new cl.Context(device);
    using queue = new cl.CommandQueue(ctx);
    using prg = new cl.Program(ctx, SOURCE).build();
    using a = new cl.Buffer(ctx, READ_WRITE, 16);
    const done = prg.kernel('far_away')(queue, 4, 4, a).done();
    await expect(done).rejects.toThrow(/no memory has by far_away/);
  });

  test('leaves other contexts alone', () => {
    withKernel('good', {}, (queue, kernel, a) => {
      withKernel('far_away', {}, (lost, bad, b) => {
        bad(lost, 4, 4, b);
        expect(() => lost.finish()).toThrow(cl.OpenCLRuntimeError);
      });
      kernel(queue, 4, 4, a);
      const content = new Int32Array(4);
      cl.enqueueCopy(queue, content, a);
      expect([...content]).toEqual([1, 1, 1, 1]);
      expect(queue.context.reports).toEqual([]);
    });
  });

  test('too much local memory is a lack of resources, not a fault', () => {
    withKernel('large', {}, (queue, kernel, a) => {
      const error = thrown(() => kernel(queue, 4, 4, a));
      expect(error).toBeInstanceOf(cl.OpenCLMemoryError);
      expect(error).toMatchObject({ code: 'CL_OUT_OF_RESOURCES', reports: [] });
      expect(error.message).toMatch(/local {3}4/);
    });
  });
});

describe('a checked context', () => {
  test('tells the line, the call and the work-item', () => {
    withKernel('past', { check: true }, (queue, kernel, a) => {
      kernel(queue, 4, 2, a);
      const error = thrown(() => queue.finish());
      const [report] = error.reports;
      expect(report).toMatchObject({
        kind: 'out-of-bounds',
        kernel: 'past',
        place: { file: '<kernel>', line: 4, function: 'behind', inlinedAt: { line: 8, function: 'past' } },
      });
      expect(error.message).toMatch(/> 4 \| {3}return a\[i \+ 2\];[^]*called from past \(<kernel>:8:/);
      expect(error.message).toMatch(/of a\[4\] by work-item \([01], 0, 0\) of work-group \(1, 0, 0\) of past/);
    });
  });

  test('with report continues and collects findings', () => {
    withKernel('past', { check: 'report' }, (queue, kernel, a) => {
      kernel(queue, 4, 2, a);
      queue.finish();
      kernel(queue, 4, 2, a);
      queue.finish();
      const { reports } = queue.context;
      expect(new Set(reports.map(({ kind }) => kind))).toEqual(new Set(['out-of-bounds']));
      expect(reports.reduce((sum, { count }) => sum + count, 0)).toBe(4);
    });
  });

  test('names the groups of a range as the kernel does, where its last ones are smaller', () => {
    withKernel('past', { check: 'report' }, (queue, _, a) => {
      using prg = new cl.Program(queue.context, SOURCE).build('-cl-std=CL3.0');
      using kernel = prg.kernel('past');
      kernel(queue, 3, 2, a);
      queue.finish();
      expect(queue.context.reports).toMatchObject([{ thread: [0, 0, 0], block: [1, 0, 0], count: 1 }]);
    });
  });

  test('is another one for the compile cache', () => {
    for (const check of [false, 'bounds', true] as const) {
      withKernel('past', { check }, (queue, kernel, a) => {
        kernel(queue, 4, 2, a);
        if (check === false) queue.finish();
        else expect(() => queue.finish()).toThrow(/out-of-bounds/);
      });
    }
  });

  test('of an unknown mode is refused', () => {
    expect(() => new cl.Context(device, { check: 'all of it' as never })).toThrow(
      /check must be true, false, 'report', 'bounds', 'no-global-races', 'no-races-in-blocks', .*, got .*all of it/,
    );
    expect(() => new cl.Context(device, { chek: true } as never)).toThrow(/chek/);
  });

  test('of another device is refused, with advice', () => {
    const other = cl.getPlatforms().flatMap((platform) => platform.getDevices())[0] as cl.Device;
    if (other === device) return;
    const error = thrown(() => new cl.Context(other, { check: true }));
    expect(error).toMatchObject({ code: 'CL_INVALID_OPERATION' });
    expect(error.message).toMatch(/RAWKERNEL_DEVICE=cpu[^]*oclgrind/);
  });
});
