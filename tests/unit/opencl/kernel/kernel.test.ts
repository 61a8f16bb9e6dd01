import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as cl from '../../../../src/opencl/index.ts';
import type { Uses } from '../../../../src/opencl/queue/uses.ts';
import { useOpenCL } from '../../../../src/opencl/select.ts';
import { fakeOpenCL, testSince, type FakeOpenCL } from '../../../helpers/fake-opencl.ts';

const [GLOBAL, LOCAL] = [0x119b, 0x119c];
let fake: FakeOpenCL;
let ctx: cl.Context;
let queue: cl.CommandQueue;
let a: cl.Buffer;

beforeEach(() => {
  fake = fakeOpenCL();
  useOpenCL(fake.table);
  ctx = cl.createSomeContext();
  queue = new cl.CommandQueue(ctx);
  a = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 64);
});
afterEach(() => {
  for (const resource of [a, queue, ctx]) resource.close();
  useOpenCL(undefined);
});

/** The one kernel of a program with these parameters, as the driver tells them. */
function kernelOf(source: string, ...parameters: (readonly [string, string, number?])[]): cl.Kernel {
  fake.parameters = parameters;
  const prg = new cl.Program(ctx, source || '// not told').build('', { cache: false });
  try {
    return new cl.Kernel(prg, 'f');
  } finally {
    prg.close();
  }
}

const sets = (): number => fake.calls.filter((call) => call === 'clSetKernelArg').length;
const bytes = (index: number): number[] => [...(fake.arguments.get(index)?.bytes ?? [])];

describe('Kernel arguments', () => {
  test('are packed as the driver tells', () => {
    using f = kernelOf(
      '',
      ['float*', 'a', GLOBAL],
      ['short', 'n'],
      ['float', 'x'],
      ['uchar', 'c'],
      ['int*', 's', LOCAL],
    );
    f(queue, 1, null, a, -2, 1, 255, new cl.LocalMemory(32));
    expect(f.signature).toBe('f(__global float *a, short n, float x, uchar c, __local int *s)');
    expect([bytes(1), bytes(2), bytes(3)]).toEqual([[0xfe, 0xff], [0, 0, 0x80, 0x3f], [255]]);
    expect(fake.arguments.get(4)).toEqual({ byteLength: 32, bytes: undefined });
  });

  test('are packed as the source says where the driver does not tell', () => {
    fake.argumentInfo = false;
    using f = kernelOf('typedef short count;\nkernel void f(global int *a, count n) {}', ['', ''], ['', '']);
    f(queue, 1, null, a, 3);
    expect(bytes(1)).toEqual([3, 0]);
    expect(() => f(queue, 1, null, a, 40000)).toThrow(RangeError);
  });

  test('see through a typedef of the source that the driver names', () => {
    using f = kernelOf('typedef float real;\nkernel void f(real x) {}', ['real', 'x']);
    f(queue, 1, null, 1);
    expect(bytes(0)).toEqual([0, 0, 0x80, 0x3f]);
  });

  test('need a type where the C type is not known', () => {
    fake.argumentInfo = false;
    using f = kernelOf('', ['', ''], ['', '']);
    expect(f.signature).toBe('f(2 parameters)');
    expect(() => f(queue, 1, null, a, 3)).toThrow(/argument 1.*pass a typed value such as int32/);
    expect(() => f(queue, 1, null, Int32Array.of(1) as never, cl.int32(3))).toThrow('COPY_HOST_PTR');
    f(queue, 1, null, a, cl.int32(3));
    expect([bytes(0).length, bytes(1)]).toEqual([8, [3, 0, 0, 0]]);
  });

  // Before OpenCL 1.2 the source tells the types, but not what a name is.
  testSince('1.2')('that are structs take typed values', () => {
    using f = kernelOf('', ['P', 'p']);
    const P = cl.struct({ n: 'i32', x: 'f32' });
    f(queue, 1, null, P({ n: 1, x: 1 }));
    expect(bytes(0)).toEqual([1, 0, 0, 0, 0, 0, 0x80, 0x3f]);
    expect(() => f(queue, 1, null, 1)).toThrow(/argument 0 \(P p\) is passed by value: pass a struct/);
    expect(() => f(queue, 1, null, a)).toThrow(TypeError);
  });

  testSince('1.2')('that are images, samplers, pipes and queues want objects of those classes', () => {
    using images = kernelOf('', ['image2d_array_t', 'i'], ['sampler_t', 's']);
    expect(() => images(queue, 1, null, a, 1)).toThrow(/argument 0 .* takes an Image, a 2D image array, got a Buffer/);
    using samplers = kernelOf('', ['sampler_t', 's']);
    expect(() => samplers(queue, 1, null, 1)).toThrow(/argument 0 \(sampler_t s\) takes a Sampler, got 1/);
    using pipes = kernelOf('', ['pipe int', 'p']);
    expect(() => pipes(queue, 1, null, a)).toThrow('takes a Pipe');
    using queues = kernelOf('', ['queue_t', 'q']);
    expect(() => queues(queue, 1, null, queue as never)).toThrow('takes a DeviceQueue, got a CommandQueue');
  });

  test('are set again only where a number has changed', () => {
    using f = kernelOf('', ['int*', 'a', GLOBAL], ['int', 'n']);
    f(queue, 1, null, a, 1);
    expect(sets()).toBe(2);
    f(queue, 1, null, a, 1);
    expect(sets()).toBe(2);
    fake.fail.set('clSetKernelArg', [-51]);
    expect(() => f(queue, 1, null, a, 2)).toThrow(cl.OpenCLLogicError);
    expect(() => f(queue, 1, null, a, 1.5)).toThrow(RangeError);
    f(queue, 1, null, a, 1);
    expect(bytes(1)).toEqual([1, 0, 0, 0]);
    expect(sets()).toBe(4);
  });

  test('are set again only where a buffer is another', () => {
    using f = kernelOf('', ['int*', 'a', GLOBAL]);
    using b = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 16);
    for (const one of [a, a, b, b, null, null, a]) f(queue, 1, null, one);
    expect(sets()).toBe(5);
    fake.fail.set('clSetKernelArg', [-51]);
    expect(() => f(queue, 1, null, b)).toThrow(cl.OpenCLLogicError);
    f(queue, 1, null, b);
    f(queue, 1, null, b);
    expect(sets()).toBe(7);
    b.close();
    expect(() => f(queue, 1, null, b)).toThrow(cl.ClosedError);
    expect(() => f(queue, 1, null, 1)).toThrow(TypeError);
    f(queue, 1, null, a);
    expect(sets()).toBe(8);
  });

  test("that are a pool's are known to it, set again or not", () => {
    using f = kernelOf('', ['int*', 'a', GLOBAL]);
    using pool = new cl.MemoryPool(new cl.ImmediateAllocator(queue));
    using b = pool.allocate(64);
    fake.eventStatus = 1;
    f(queue, 1, null, b);
    const event = f(queue, 1, null, b);
    expect(sets()).toBe(1);
    expect((b.uses as Uses).events).toEqual([event]);
    fake.eventStatus = 0;
  });
});

describe('Kernel sizes', () => {
  test.each([
    [65, 65, /local size 0 is 65; the device allows 64/],
    [[32, 33], [1, 33], /local size 1 is 33; the device allows 32/],
    [10, 4, /global size 10 is not a multiple of local size 4, which OpenCL 1.x requires/],
  ])('%j in groups of %j are refused with numbers', (global, local, message) => {
    using f = kernelOf('');
    expect(() => f(queue, global as cl.Dims, local as cl.Dims)).toThrow(message);
    expect(fake.calls).not.toContain('clEnqueueNDRangeKernel');
  });

  test('and local memory stay within the device', () => {
    using f = kernelOf('', ['int*', 's', LOCAL]);
    expect(() => f(queue, 1, null, new cl.LocalMemory(1028))).toThrow('1028 bytes of local memory');
    expect(fake.calls).not.toContain('clSetKernelArg');
  });
});

describe('Kernel options', () => {
  test.each([
    ['a null prototype', Object.create(null)],
    ['a literal', {}],
  ])('may be an object with %s', (_, options) => {
    using f = kernelOf('', ['int', 'n']);
    f(queue, 1, null, 1, options as cl.KernelCallOptions);
  });

  test('are not an instance of a class, no array and no typed value', () => {
    using f = kernelOf('', ['int', 'n']);
    for (const extra of [new Map(), [], cl.int32(1), a, null, undefined, 1]) {
      expect(() => f(queue, 1, null, 1, extra as number)).toThrow('takes 1 argument, got 2');
    }
  });
});

describe('Events', () => {
  const events = (): number => fake.live.get('event') ?? 0;

  test('of a busy loop give their driver objects back as they end', () => {
    using f = kernelOf('', ['int', 'n']);
    for (let i = 0; i < 10_000; i++) f(queue, 1, null, i);
    expect(events()).toBeLessThan(300);
    queue.finish();
    expect(events()).toBe(0);
  });

  test('that have not ended stay, and go when they have', () => {
    using f = kernelOf('', ['int', 'n']);
    fake.eventStatus = 3;
    const kept = f(queue, 1, null, 1);
    for (let i = 0; i < 1000; i++) f(queue, 1, null, i);
    expect(events()).toBe(1001);
    expect(kept.isDone).toBe(false);
    fake.eventStatus = 0;
    expect([kept.isDone, kept.status]).toEqual([true, 0]);
    queue.finish();
    expect(events()).toBe(0);
  });

  test('that have ended are left out of wait lists', () => {
    using f = kernelOf('', ['int', 'n']);
    const event = f(queue, 1, null, 1);
    f(queue, 1, null, 1, { waitFor: [event] });
    expect(event.isDone).toBe(true);
    event.close();
    expect(() => f(queue, 1, null, 1, { waitFor: [event] })).toThrow(cl.ClosedError);
  });
});

describe('Kernel.setArg() and enqueueNDRangeKernel()', () => {
  const parameters = [
    ['int*', 'a', GLOBAL],
    ['int', 'n'],
  ] as const;
  const launches = (): number => fake.calls.filter((call) => call === 'clEnqueueNDRangeKernel').length;

  test('launch with the arguments that were set, after other calls', () => {
    using f = kernelOf('', ...parameters);
    using b = new cl.Buffer(ctx, 0, 64);
    expect(f.setArgs(a, 3)).toBe(f);
    f(queue, 1, null, b, 9);
    expect(cl.enqueueNDRangeKernel(queue, f, 1, null)).toBeInstanceOf(cl.Event);
    expect(bytes(1)).toEqual([3, 0, 0, 0]);
    const first = bytes(0);
    cl.enqueueNDRangeKernel(queue, f.setArg(0, b).setArg(1, 4), [2, 2], null, { offset: [1, 0] });
    expect(bytes(1)).toEqual([4, 0, 0, 0]);
    expect(bytes(0)).not.toEqual(first);
    expect(launches()).toBe(3);
  });

  test('check as a call does', () => {
    using f = kernelOf('', ...parameters);
    expect(() => f.setArgs(a)).toThrow(/takes 2 arguments, got 1$/);
    expect(() => f.setArg(1, 1.5)).toThrow(RangeError);
    expect(() => f.setArg(0, 5)).toThrow(TypeError);
    expect(() => f.setArg(2, 5)).toThrow(/index must be an integer from 0 to 1, got 2/);
    expect(() => cl.enqueueNDRangeKernel(queue, f.setArg(0, a), 1, null)).toThrow(/argument 1 is not set/);
    f.setArg(1, 1);
    expect(() => cl.enqueueNDRangeKernel(queue, f, 0, null)).toThrow(RangeError);
    expect(() => cl.enqueueNDRangeKernel(queue, f, 1, null, { offest: 1 } as never)).toThrow(/offest/);
    expect(() => cl.enqueueNDRangeKernel(queue, 5 as never, 1, null)).toThrow(/takes a Kernel after the queue, got 5/);
    expect(() => cl.enqueueNDRangeKernel(5 as never, f, 1, null)).toThrow(/takes a CommandQueue/);
    const gone = new cl.Buffer(ctx, 0, 64);
    f.setArg(0, gone);
    gone.close();
    expect(() => cl.enqueueNDRangeKernel(queue, f, 1, null)).toThrow(cl.ClosedError);
    f.close();
    expect(() => f.setArg(0, a)).toThrow(cl.ClosedError);
    expect(launches()).toBe(0);
  });
});

testSince('2.0')('a Buffer that a driver refuses after shared memory is explained', () => {
  let status = 0;
  useOpenCL({
    ...fake.table,
    clSVMAlloc: () => 4096n,
    clSVMFree: () => undefined,
    clSetKernelArgSVMPointer: () => 0,
    clEnqueueNDRangeKernel: (...args) => (status === 0 ? fake.table.clEnqueueNDRangeKernel(...args) : status),
  });
  using f = kernelOf('', ['float*', 'a', GLOBAL]);
  using shared = new cl.SVMAllocation(ctx, cl.SvmMemFlags.READ_WRITE, 64);
  status = -52;
  expect(() => f(queue, 1, null, a)).toThrow('Set every kernel argument');
  status = 0;
  f(queue, 1, null, shared).wait();
  status = -52;
  expect(() => f(queue, 1, null, a)).toThrow('new Kernel(program, name)');
});
