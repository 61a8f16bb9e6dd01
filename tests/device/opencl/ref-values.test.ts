import { afterAll, beforeAll, expect } from '@jest/globals';
import * as flat from '../../../src/node-opencl/index.ts';
import * as cl from '../../../src/opencl/index.ts';
import { openclRows } from '../../helpers/opencl-devices.ts';
import { refTest, useRef } from '../../helpers/ref.ts';
import { needs } from '../../helpers/require.ts';

const SOURCE = `
typedef struct { float x; int n; } Pair;
__kernel void sum(__global float *out, Pair pair, int add, double times) { out[0] = (pair.x * pair.n + add) * times; }
`;

needs.opencl().describe.each(openclRows)('values of ref-napi on %s', (_, device) => {
  let ctx: cl.Context;
  let queue: cl.CommandQueue;
  beforeAll(() => {
    ctx = new cl.Context(device);
    queue = new cl.CommandQueue(ctx);
  });
  afterAll(() => {
    queue.close();
    ctx.close();
  });
  const { READ_WRITE, COPY_HOST_PTR } = cl.MemFlags;

  refTest('arrays, structs and numbers are host memory', () => {
    const { array, struct, alloc } = useRef();
    const Ints = array('int');
    const ints = new Ints([1, 2, 3]);
    using buffer = new cl.Buffer(ctx, READ_WRITE | COPY_HOST_PTR, ints);
    const back = new Ints([0, 0, 0]);
    cl.enqueueCopy(queue, back, buffer);
    expect([...new Int32Array(Uint8Array.from(back.buffer).buffer)]).toEqual([1, 2, 3]);
    const pair = new (struct({ x: 'float', n: 'int' }))({ x: 0, n: 7 });
    cl.enqueueCopy(queue, buffer, pair);
    const number = alloc('int', 0);
    cl.enqueueCopy(queue, number, buffer, { srcOffset: 4 });
    expect(number.readInt32LE()).toBe(7);
  });

  refTest('structs and numbers are arguments by value, of the size and kind of the parameter', () => {
    const { struct, alloc } = useRef();
    using program = new cl.Program(ctx, SOURCE);
    program.build();
    using kernel = program.kernel('sum');
    using out = new cl.Buffer(ctx, READ_WRITE, 4);
    const pair = new (struct({ x: 'float', n: 'int' }))({ x: 1.5, n: 4 });
    kernel(queue, 1, null, out, pair, alloc('int', 10), alloc('double', 2));
    const result = new Float32Array(1);
    cl.enqueueCopy(queue, result, out);
    expect(result[0]).toBe(32);
    const untyped: cl.Kernel = kernel;
    const call = (...args: readonly unknown[]): void => {
      untyped(queue, 1, null, ...(args as [cl.Buffer]));
    };
    expect(() => call(out, pair, alloc('float', 10), alloc('double', 2))).toThrow(TypeError);
    expect(() => call(out, pair, alloc('int', 10), alloc('float', 2))).toThrow(TypeError);
    expect(() => call(pair, pair, 10, 2)).toThrow(TypeError);
  });

  refTest('node-opencl takes them too', () => {
    const { array } = useRef();
    const platform = flat
      .getPlatformIDs()
      .find((id) => flat.getPlatformInfo(id, flat.PLATFORM_NAME) === device.platform.name);
    const context = flat.createContextFromType(
      [flat.CONTEXT_PLATFORM, platform ?? 0],
      flat.DEVICE_TYPE_ALL,
      null,
      null,
    );
    const ints = new (array('int'))([4, 5]);
    const buffer = flat.createBuffer(context, flat.MEM_COPY_HOST_PTR, 8, ints as never);
    expect(flat.getMemObjectInfo(buffer, flat.MEM_SIZE)).toBe(8);
    flat.releaseMemObject(buffer);
    flat.releaseContext(context);
  });
});
