import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as cl from '../../../../src/opencl/index.ts';
import { useOpenCL } from '../../../../src/opencl/select.ts';
import { ARRAYS, BYTES, pairsOf } from '../../../helpers/element-types.ts';
import { fakeOpenCL, type FakeOpenCL } from '../../../helpers/fake-opencl.ts';

const GLOBAL = 0x119b;
const FLAGS = cl.MemFlags.READ_WRITE | cl.MemFlags.COPY_HOST_PTR;
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
  for (const resource of [queue, ctx]) resource.close();
  useOpenCL(undefined);
});

/** The kernel `f` with a pointer to this type. */
function withKernel<T>(pointee: string, use: (f: cl.Kernel) => T, source = '// not told'): T {
  fake.parameters = [[`${pointee}*`, 'a', GLOBAL]];
  using program = new cl.Program(ctx, source).build('', { cache: false });
  using f = new cl.Kernel(program, 'f');
  return use(f);
}

const bufferOf = (array: ArrayBufferView | ArrayBufferLike): cl.Buffer => new cl.Buffer(ctx, FLAGS, array);

const REFUSED = /^f: argument 0 .* must be memory of /;

describe('a Buffer of a host array for a pointer', () => {
  test.each(pairsOf('opencl'))('%s * and %s: %s', (pointee, name, taken) => {
    withKernel(pointee, (f) => {
      using buffer = bufferOf(ARRAYS[name] as Float32Array);
      for (const give of [() => f(queue, 1, null, buffer), () => f.setArg(0, buffer), () => f.setArgs(buffer)]) {
        if (taken) expect(give).not.toThrow();
        else expect(give).toThrow(REFUSED);
      }
    });
  });

  test.each(Object.keys(BYTES))('a %s is bytes', (name) => {
    for (const pointee of ['float', 'double', 'int', 'float4', 'struct P']) {
      withKernel(pointee, (f) => {
        using buffer = bufferOf(BYTES[name] as Uint8Array);
        f(queue, 1, null, buffer);
      });
    }
  });

  test('the error names kernel, parameter, both types and the ways out', () => {
    withKernel('float', (f) => {
      using buffer = bufferOf(new Float64Array(4));
      expect(() => f(queue, 1, null, buffer)).toThrow(
        new TypeError(
          'f: argument 0 (float *a) must be memory of float, got a Buffer of float64: make it from a Float32Array; ' +
            'to pass its bytes as they are: make it from new Uint8Array(array.buffer, array.byteOffset, array.byteLength)',
        ),
      );
    });
  });
});

describe('memory remembers its element type', () => {
  test('a Buffer of a size has none, also after copies', () => {
    withKernel('float', (f) => {
      using buffer = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 64);
      f(queue, 1, null, buffer);
      cl.enqueueCopy(queue, buffer, new Float64Array(8));
      f(queue, 1, null, buffer);
    });
  });

  test('a part has its whole', () => {
    using buffer = bufferOf(new Float64Array(64));
    using part = buffer.subRegion(0, 64);
    withKernel('float', (f) => expect(() => f(queue, 1, null, part)).toThrow(TypeError));
    withKernel('double', (f) => f(queue, 1, null, part));
  });

  test('the name that a typedef of the source gives is seen through, that of a struct is not', () => {
    using buffer = bufferOf(new Float64Array(8));
    const real = 'typedef float real;\nkernel void f(global real *a) {}';
    withKernel('real', (f) => expect(() => f(queue, 1, null, buffer)).toThrow(/must be memory of float/), real);
    const struct = 'typedef struct { float x; } P;\nkernel void f(global P *a) {}';
    withKernel('P', (f) => f(queue, 1, null, buffer), struct);
  });

  test('a kernel that took it takes it again without another call of the driver', () => {
    withKernel('float', (f) => {
      using buffer = bufferOf(new Float32Array(16));
      f(queue, 1, null, buffer);
      const before = fake.calls.filter((call) => call === 'clSetKernelArg').length;
      f(queue, 1, null, buffer);
      expect(fake.calls.filter((call) => call === 'clSetKernelArg')).toHaveLength(before);
    });
  });

  test.each<[string, (buffer: cl.Buffer) => void]>([
    ['a copy of another type', (buffer) => cl.enqueueCopy(queue, buffer, new Int32Array(4))],
    ['a copy of bytes', (buffer) => cl.enqueueCopy(queue, buffer, new Uint8Array(16))],
    ['a fill with another type', (buffer) => cl.enqueueFill(queue, buffer, cl.int32(1))],
    [
      'a copy of a Buffer without a type',
      (buffer) => {
        using other = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 64);
        cl.enqueueCopy(queue, buffer, other);
      },
    ],
    [
      'a copy into a part',
      (buffer) => {
        using part = buffer.subRegion(0, 16);
        cl.enqueueCopy(queue, part, new Int32Array(4));
      },
    ],
  ])('%s makes it forget', (_, write) => {
    withKernel('int', (f) => {
      using buffer = bufferOf(new Float32Array(16));
      expect(() => f(queue, 1, null, buffer)).toThrow(TypeError);
      write(buffer);
      f(queue, 1, null, buffer);
    });
  });

  test.each<[string, (buffer: cl.Buffer) => void]>([
    ['a copy of the same type', (buffer) => cl.enqueueCopy(queue, buffer, new Float32Array(4))],
    ['a fill with 0', (buffer) => cl.enqueueFill(queue, buffer, 0)],
    ['a fill with its own type', (buffer) => cl.enqueueFill(queue, buffer, cl.float4(1, 2, 3, 4))],
    [
      'a copy of a Buffer of the same type',
      (buffer) => {
        using other = bufferOf(new Float32Array(16));
        cl.enqueueCopy(queue, buffer, other);
      },
    ],
  ])('%s does not', (_, write) => {
    withKernel('int', (f) => {
      using buffer = bufferOf(new Float32Array(16));
      write(buffer);
      expect(() => f(queue, 1, null, buffer)).toThrow(TypeError);
    });
  });
});
