import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as cl from '../../../src/opencl/index.ts';
import { openclRows } from '../../helpers/opencl-devices.ts';
import { needs } from '../../helpers/require.ts';

const mf = cl.MemFlags;
const SOURCE = `
__kernel void f(__global int *a, int n, float x, __local int *s, int4 v) { a[0] = n; }
__kernel void g(__global int *a) { a[0] = 1; }`;

/** Anything, where the types would not let it through. */
const wrong = (value: unknown): never => value as never;

needs.opencl().describe.each(openclRows)('Bad input never crashes: %s', (_, device) => {
  let ctx: cl.Context;
  let other: cl.Context;
  let queue: cl.CommandQueue;
  let a: cl.Buffer;
  let foreign: cl.Buffer;
  let closed: cl.Buffer;
  let prg: cl.Program<typeof SOURCE>;
  let f: cl.Kernel;
  let good: [cl.Buffer, number, number, cl.LocalMemory, cl.Vector];

  beforeAll(() => {
    ctx = new cl.Context(device);
    other = new cl.Context(device);
    queue = new cl.CommandQueue(ctx);
    a = new cl.Buffer(ctx, mf.READ_WRITE, 64);
    foreign = new cl.Buffer(other, mf.READ_WRITE, 64);
    closed = new cl.Buffer(ctx, mf.READ_WRITE, 64);
    closed.release();
    prg = new cl.Program(ctx, SOURCE).build();
    f = prg.kernels.f;
    good = [a, 1, 1, new cl.LocalMemory(16), cl.int4(1, 2, 3, 4)];
  });
  afterAll(() => {
    for (const resource of [prg, a, foreign, queue, ctx, other]) resource.close();
  });

  const detached = (): Int32Array => {
    const array = new Int32Array(4);
    structuredClone(array.buffer, { transfer: [array.buffer] });
    return array;
  };

  test('arguments of a kernel', () => {
    const call = (index: number, value: unknown) => () => f(queue, 1, null, ...good.with(index, wrong(value)));
    for (const value of [1, 1n, 'a', undefined, {}, [], Int32Array.of(1), new cl.LocalMemory(4), cl.int32(1), f, ctx]) {
      expect(call(0, value)).toThrow(/argument 0 \(int \*a\)/);
    }
    expect(call(0, Int32Array.of(1))).toThrow('COPY_HOST_PTR');
    expect(call(0, closed)).toThrow(cl.ClosedError);
    expect(call(0, foreign)).toThrow('another context');
    for (const value of [null, undefined, '1', {}, a, cl.float32(1), cl.int64(1n), [1]]) {
      expect(call(1, value)).toThrow(TypeError);
    }
    for (const value of [1.5, NaN, Infinity, 2 ** 31, -(2 ** 31) - 1, 2 ** 40, 2n ** 40n]) {
      expect(call(1, value)).toThrow(RangeError);
    }
    for (const value of ['1', null, 1n, cl.int32(1), a]) expect(call(2, value)).toThrow(/argument 2 \(float x\)/);
    for (const value of [16, null, a, Int32Array.of(1)]) expect(call(3, value)).toThrow(/argument 3 .*LocalMemory/);
    for (const value of [1, null, [1, 2, 3, 4], cl.int2(1, 2), cl.float4(1, 2, 3, 4), cl.uint4(1, 2, 3, 4)]) {
      expect(call(4, value)).toThrow(/argument 4 \(int4 v\)/);
    }
    expect(call(3, new cl.LocalMemory(2 ** 40))).toThrow();
    f(queue, 1, null, ...good).wait();
  });

  test('counts and sizes of a kernel call', () => {
    const args = good;
    expect(() => f(queue, 1, null)).toThrow(/takes 5 arguments, got 0/);
    expect(() => f(queue, 1, null, ...args.slice(1))).toThrow(/takes 5 arguments, got 4/);
    expect(() => f(queue, 1, null, ...args, 1)).toThrow(/takes 5 arguments, got 6/);
    expect(() => f(queue, 1, null, ...args, {}, {})).toThrow(/takes 5 arguments, got 7/);
    expect(() => f(queue, 1, null, ...args, wrong({ waitfor: [] }))).toThrow("no option 'waitfor'");
    for (const waitFor of [1, null, [1], [null], [a], {}]) {
      expect(() => f(queue, 1, null, ...args, wrong({ waitFor }))).toThrow('takes an array of Events');
    }
    for (const size of [0, -1, 1.5, NaN, Infinity, 2 ** 40, [0], [1, NaN]]) {
      expect(() => f(queue, wrong(size), null, ...args)).toThrow(RangeError);
      expect(() => f(queue, 4, wrong(size), ...args)).toThrow();
    }
    for (const size of [null, undefined, '1', [], [1, 1, 1, 1], {}, Uint32Array.of(1), 1n]) {
      expect(() => f(queue, wrong(size), null, ...args)).toThrow(TypeError);
    }
    expect(() => f(queue, [4, 4], [2], ...args)).toThrow('has 1 dimension, the global size 2');
    expect(() => f(queue, [4], null, ...args, { offset: [1, 1] })).toThrow('The offset has 2 dimensions');
    expect(() => f(queue, 4, null, ...args, { offset: -1 })).toThrow(RangeError);
    const tooMany = device.maxWorkGroupSize * 2;
    expect(() => f(queue, tooMany, tooMany, ...args)).toThrow(RangeError);
    expect(() => f(queue, 10, 3, ...args)).toThrow(/(10.*3|INVALID_WORK_GROUP_SIZE)/s);
    for (const value of [null, undefined, ctx, a, {}, 1n]) {
      expect(() => f(wrong(value), 1, null, ...args)).toThrow('takes a CommandQueue');
    }
  });

  test('closed objects', () => {
    const q = new cl.CommandQueue(ctx);
    q.close();
    q.close();
    const uses = [
      () => q.finish(),
      () => q.flush(),
      () => q.referenceCount,
      () => cl.enqueueMarker(q),
      () => cl.enqueueCopy(q, a, Int32Array.of(1)),
      () => prg.kernels.g(q, 1, null, a),
      () => cl.enqueueCopy(queue, closed, Int32Array.of(1)),
      () => cl.enqueueCopy(queue, Int32Array.of(1), closed),
      () => cl.enqueueCopy(queue, a, closed),
      () => cl.enqueueFill(queue, closed, 0),
      () => cl.enqueueMapBuffer(queue, closed, cl.MapFlags.READ),
      () => cl.enqueueMigrate(queue, [closed]),
      () => closed.subRegion(0, 4),
      () => closed.referenceCount,
      () => closed.release(),
    ];
    for (const use of uses) expect(use).toThrow(cl.ClosedError);
    expect(closed.byteLength).toBe(64);
    const c = new cl.Context(device);
    c.close();
    expect(() => new cl.CommandQueue(c)).toThrow(cl.ClosedError);
    expect(() => new cl.Buffer(c, mf.READ_WRITE, 4)).toThrow(cl.ClosedError);
    expect(() => new cl.Program(c, 'a')).toThrow(cl.ClosedError);
    expect(() => new cl.UserEvent(c)).toThrow(cl.ClosedError);
    using p = new cl.Program(ctx, SOURCE).build('', { cache: false });
    const k = p.kernels.g;
    k.close();
    expect(() => k(queue, 1, null, a)).toThrow(cl.ClosedError);
    expect(() => k.workGroupInfo()).toThrow(cl.ClosedError);
    expect(p.kernels.g).not.toBe(k);
  });

  test('copies', () => {
    const host = new Int32Array(4);
    for (const value of [null, undefined, 1, 'a', {}, [1], ctx]) {
      expect(() => cl.enqueueCopy(queue, a, wrong(value))).toThrow(TypeError);
      expect(() => cl.enqueueCopy(queue, wrong(value), a)).toThrow(TypeError);
      expect(() => cl.enqueueCopy(queue, wrong(value), host)).toThrow(TypeError);
    }
    expect(() => cl.enqueueCopy(queue, host, host)).toThrow('two host arrays');
    expect(() => cl.enqueueCopy(queue, a, foreign)).toThrow('another context');
    expect(() => cl.enqueueCopy(queue, host, foreign)).toThrow('another context');
    expect(() => cl.enqueueCopy(queue, a, new Int32Array(17))).toThrow(/68 bytes.*64 bytes/);
    expect(() => cl.enqueueCopy(queue, new Int32Array(17), a)).toThrow(/68 bytes.*64 bytes/);
    expect(() => cl.enqueueCopy(queue, a, host, { byteLength: 17 })).toThrow(/17 bytes.*16 bytes/);
    expect(() => cl.enqueueCopy(queue, a, host, { dstOffset: 60 })).toThrow(/16 bytes.*64 bytes, 4 of them/);
    for (const array of [detached(), new Int32Array(0)]) {
      expect(() => cl.enqueueCopy(queue, a, array)).toThrow(/detached|empty/);
      expect(() => cl.enqueueCopy(queue, array, a)).toThrow(/detached|empty/);
      expect(() => new cl.Buffer(ctx, mf.COPY_HOST_PTR, array)).toThrow(/detached|empty/);
      expect(() => cl.enqueueFill(queue, a, array)).toThrow(/detached|empty/);
    }
    for (const name of ['dstOffset', 'srcOffset', 'byteLength'] as const) {
      for (const value of [NaN, -1, 1.5, 65, 2 ** 60, Infinity]) {
        expect(() => cl.enqueueCopy(queue, a, host, { [name]: value })).toThrow(RangeError);
        expect(() => cl.enqueueCopy(queue, host, a, { [name]: value })).toThrow(RangeError);
        expect(() => cl.enqueueCopy(queue, a, a, { [name]: value })).toThrow(RangeError);
      }
      expect(() => cl.enqueueCopy(queue, a, host, wrong({ [name]: '1' }))).toThrow(TypeError);
    }
    expect(() => cl.enqueueCopy(queue, a, a)).toThrow('overlap');
    expect(() => cl.enqueueCopy(queue, a, host, wrong({ is_blocking: false }))).toThrow('no option');
    expect(() => cl.enqueueCopy(wrong(ctx), a, host)).toThrow('takes a CommandQueue');
  });

  test('buffers', () => {
    expect(() => new cl.Buffer(wrong(queue), mf.READ_WRITE, 4)).toThrow('takes a Context');
    for (const size of [0, -1, 1.5, NaN, Infinity, 2 ** 53, device.maxMemAllocSize + 1]) {
      expect(() => new cl.Buffer(ctx, mf.READ_WRITE, size)).toThrow(RangeError);
    }
    for (const size of [null, undefined, '4', [4], {}]) {
      expect(() => new cl.Buffer(ctx, mf.READ_WRITE, wrong(size))).toThrow(TypeError);
    }
    expect(() => new cl.Buffer(ctx, mf.READ_WRITE, Int32Array.of(1))).toThrow('needs the flag COPY_HOST_PTR');
    expect(() => new cl.Buffer(ctx, mf.COPY_HOST_PTR, 4)).toThrow('need a host array');
    expect(() => new cl.Buffer(ctx, mf.READ_ONLY | mf.WRITE_ONLY, 4)).toThrow('exclude each other');
    expect(() => new cl.Buffer(ctx, mf.USE_HOST_PTR | mf.COPY_HOST_PTR, Int32Array.of(1))).toThrow('excludes');
    for (const flags of [-1, 0x40, 2 ** 40, NaN]) expect(() => new cl.Buffer(ctx, flags, 4)).toThrow(RangeError);
    expect(() => new cl.Buffer(ctx, wrong('rw'), 4)).toThrow(TypeError);
    for (const [offset, length] of [[-1], [64], [NaN], [0, 65], [0, 0], [0, NaN]]) {
      expect(() => a.subRegion(offset ?? 0, length)).toThrow(RangeError);
    }
  });

  test('fills, maps and migrations', () => {
    for (const pattern of [1, NaN, null, undefined, 'a', {}, [1]]) {
      expect(() => cl.enqueueFill(queue, a, wrong(pattern))).toThrow('the pattern needs a type');
    }
    expect(() => cl.enqueueFill(queue, a, new Uint8Array(3))).toThrow('got 3');
    expect(() => cl.enqueueFill(queue, a, new Uint8Array(256))).toThrow('got 256');
    expect(() => cl.enqueueFill(queue, a, cl.int32(1), { offset: 2 })).toThrow('must divide');
    expect(() => cl.enqueueFill(queue, a, cl.int32(1), { offset: 64 })).toThrow(RangeError);
    expect(() => cl.enqueueFill(queue, a, cl.int32(1), { byteLength: 68 })).toThrow(RangeError);
    const map = (flags: unknown, options?: object) => () => cl.enqueueMapBuffer(queue, a, wrong(flags), wrong(options));
    for (const flags of [8, -1, NaN, 5]) expect(map(flags)).toThrow(RangeError);
    expect(map('r')).toThrow(TypeError);
    expect(map(1, { type: 'f31' })).toThrow(TypeError);
    expect(map(1, { type: 'f64', offset: 4 })).toThrow('the element size 8');
    expect(map(1, { offset: 64 })).toThrow(RangeError);
    expect(map(1, { byteLength: 65 })).toThrow(RangeError);
    for (const buffers of [null, a, [], [1], [foreign]]) {
      expect(() => cl.enqueueMigrate(queue, wrong(buffers))).toThrow(TypeError);
    }
  });

  test('contexts, queues, events and programs', () => {
    for (const value of [null, undefined, [], {}, [null], 1n, [device.platform]]) {
      expect(() => new cl.Context(wrong(value))).toThrow(TypeError);
    }
    expect(() => new cl.CommandQueue(wrong(null))).toThrow(TypeError);
    expect(() => new cl.CommandQueue(ctx, wrong({ profile: true }))).toThrow('no option');
    expect(() => new cl.CommandQueue(ctx, wrong({ device: {} }))).toThrow(TypeError);
    expect(() => new cl.UserEvent(wrong({}))).toThrow(TypeError);
    using event = new cl.UserEvent(ctx);
    for (const status of [1, NaN, 0.5, -(2 ** 40)]) expect(() => event.setStatus(status)).toThrow(RangeError);
    expect(() => event.setStatus(wrong('0'))).toThrow(TypeError);
    expect(() => cl.waitForEvents(wrong([1]))).toThrow(TypeError);
    for (const source of [null, undefined, 1, {}]) expect(() => new cl.Program(ctx, wrong(source))).toThrow(TypeError);
    using empty = new cl.Program(ctx, '');
    expect(() => empty.build()).toThrow('the source is empty');
    using p = new cl.Program(ctx, SOURCE);
    expect(() => p.kernel('f')).toThrow('build() the program first');
    expect(() => p.binaries).toThrow('build() the program first');
    const build = (options: unknown, settings?: object) => () =>
      new cl.Program(ctx, SOURCE).build(wrong(options), wrong(settings));
    for (const options of [1, null, {}, [1], '-D\0']) expect(build(options)).toThrow(TypeError);
    for (const devices of [[], [{}], {}]) expect(build('', { devices })).toThrow(TypeError);
    for (const name of ['', 'h', 'F', '\0']) {
      expect(() => prg.kernel(name)).toThrow(expect.objectContaining({ code: 'CL_INVALID_KERNEL_NAME' }));
    }
    for (const name of [1, null, undefined]) {
      const error = new TypeError(`Kernel: the name must be a string, got ${name}`);
      expect(() => prg.kernel(wrong(name))).toThrow(error);
    }
    expect(() => prg.kernel(wrong({}))).toThrow(new TypeError('Kernel: the name must be a string, got an Object'));
    expect(() => device.getInfo(wrong('NO_SUCH'))).toThrow(TypeError);
    expect(() => device.getInfo(0x102b, wrong('text'))).toThrow(TypeError);
  });

  test('after all that, the objects still work', () => {
    prg.kernels.g(queue, 1, null, a);
    const result = new Int32Array(1);
    cl.enqueueCopy(queue, result, a, { byteLength: 4 });
    expect(result[0]).toBe(1);
  });
});
