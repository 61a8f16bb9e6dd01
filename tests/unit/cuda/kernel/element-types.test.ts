import { afterEach, describe, expect, test } from '@jest/globals';
import { sweepFlights } from '../../../../src/core/in-flight.ts';
import { float32, int32 } from '../../../../src/core/value.ts';
import { memcpyDtoD, memcpyHtoD, memcpyHtoDAsync, toDevice } from '../../../../src/cuda/copy/memcpy.ts';
import { Memcpy2D } from '../../../../src/cuda/copy/memcpy-2d.ts';
import { memsetD32, memsetD8 } from '../../../../src/cuda/copy/memset.ts';
import { In, InOut, Out } from '../../../../src/cuda/copy/transfer.ts';
import { Graph } from '../../../../src/cuda/graph/graph.ts';
import { TensorView, type TensorDType } from '../../../../src/cuda/interop/tensor-view.ts';
import type { KernelFunction } from '../../../../src/cuda/kernel/function.ts';
import { managedEmpty } from '../../../../src/cuda/managed/managed-memory.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { moduleFromBuffer } from '../../../../src/cuda/module/module.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import { ARRAYS, BYTES, pairsOf } from '../../../helpers/element-types.ts';

const fake = withFakeDriver();
const shape = { block: 4 };

afterEach(() => {
  sweepFlights();
  expect(fake.live.memory).toBe(0);
});

/** The kernel `f` with pointers to these types, as a symbol has them. */
function withKernel<T>(symbol: string, use: (f: KernelFunction) => T): T {
  using module = moduleFromBuffer(`.version 7.0\n.target sm_80\n.address_size 64
.visible .entry _Z1fP${symbol}(.param .u64 a) { ret; }`);
  return use(module.getFunction('f'));
}

const floats = <T>(use: (f: KernelFunction) => T): T => withKernel('f', use);

const REFUSED = /^f: argument 0 .* must be memory of /;

describe('a host array for a pointer', () => {
  test.each(pairsOf('cuda'))('%s * and %s: %s', (_, name, taken, { symbol = '' }) => {
    withKernel(symbol, (f) => {
      const array = ARRAYS[name] as Float32Array;
      using memory = toDevice(array);
      const arguments_ = [In(array), Out(array), InOut(array), memory, memory.slice(8, 16)];
      for (const argument of arguments_) {
        const launch = (): void => f(argument, shape);
        if (taken) expect(launch).not.toThrow();
        else expect(launch).toThrow(REFUSED);
      }
    });
  });

  test.each(Object.keys(BYTES))('a %s is bytes', (name) => {
    for (const symbol of ['f', 'd', 'i', '6float4', '6Params']) {
      withKernel(symbol, (f) => {
        const bytes = BYTES[name] as Uint8Array;
        using memory = toDevice(bytes);
        f(In(bytes), shape);
        f(memory, shape);
      });
    }
  });

  test('the error names kernel, parameter, both types and the ways out', () => {
    floats((f) => {
      expect(() => f(InOut(new Float64Array(4)), shape)).toThrow(
        new TypeError(
          'f: argument 0 (float *) must be memory of float, got a Float64Array: convert it, Float32Array.from(array); ' +
            'to pass its bytes as they are: new Uint8Array(array.buffer, array.byteOffset, array.byteLength)',
        ),
      );
      using memory = toDevice(new Int32Array(4));
      expect(() => f(memory, shape)).toThrow(
        new TypeError(
          'f: argument 0 (float *) must be memory of float, got a DeviceAllocation of int32: make it from a Float32Array; ' +
            'to pass its bytes as they are: its address, memory.ptr',
        ),
      );
      f(memory.ptr, shape);
      expect(() => f(In(new BigInt64Array(4)), shape)).toThrow('Float32Array.from(array, Number)');
    });
    withKernel('x', (f) =>
      expect(() => f(In(new Float64Array(4)), shape)).toThrow('BigInt64Array.from(array, BigInt)'),
    );
    withKernel('6__half', (f) =>
      expect(() => f(In(new Float32Array(4)), shape)).toThrow('pass a Uint16Array of the bits'),
    );
  });

  test('nothing is allocated and nothing launched for what is refused', () => {
    floats((f) => {
      const before = fake.launches.length;
      expect(() => f(Out(new Int32Array(4)), shape)).toThrow(TypeError);
      expect([fake.launches.length, fake.live.memory]).toEqual([before, 0]);
    });
  });
});

describe('memory remembers its element type', () => {
  test('prepared launches and graphs compare too', () => {
    floats((f) => {
      using memory = toDevice(new Float64Array(4));
      expect(() => f.prepare(shape)(memory)).toThrow(/must be memory of float/);
      using graph = new Graph();
      expect(() => graph.addKernel(f, [memory], shape)).toThrow(/must be memory of float/);
      expect(() => graph.addKernel(f, [In(new Float64Array(4))], shape)).toThrow(/must be memory of float/);
    });
  });

  test('a plain allocation has none, after copies too', () => {
    floats((f) => {
      using memory = memAlloc(64);
      f(memory, shape);
      memcpyHtoD(memory, new Float64Array(8));
      f(memory, shape);
    });
  });

  test('a managed array has its own', () => {
    floats((f) => {
      using right = managedEmpty(4, 'f32');
      using wrong = managedEmpty(4, Float64Array);
      using bytes = managedEmpty(4, 'u8');
      f(right, shape);
      f(bytes, shape);
      expect(() => f(wrong, shape)).toThrow(/got a Float64Array/);
    });
    using half = managedEmpty(4, 'f16');
    withKernel('6__half', (f) => f(half, shape));
    withKernel('s', (f) => expect(() => f(half, shape)).toThrow(TypeError));
  });

  test.each<[TensorDType, string, boolean]>([
    ['f32', 'f', true],
    ['c64', 'f', true],
    ['c64', '6float2', true],
    ['c128', 'f', false],
    ['bf16', '13__nv_bfloat16', true],
    ['bf16', '6__half', false],
    ['bool', 'b', true],
    ['bool', 'i', false],
    ['u8', 'd', true],
    ['i64', 'x', true],
    ['i64', 'i', false],
  ])('a TensorView of %s for %s *: %s', (dtype, symbol, taken) => {
    using memory = memAlloc(64);
    const view = new TensorView(memory, { shape: [4], dtype });
    withKernel(symbol, (f) => {
      if (taken) f(view, shape);
      else expect(() => f(view, shape)).toThrow(/a TensorView of/);
    });
  });

  test.each([
    ['<f4', true],
    ['<f8', false],
    ['|u1', true],
    ['<i4', false],
    ['<c8', true],
    ['|V4', true],
  ])("another library's array of %s for float *: %s", (typestr, taken) => {
    const array = { cudaArrayInterface: { version: 3, shape: [4], typestr, data: [4096, false] as const } };
    floats((f) => {
      if (taken) f(array, shape);
      else expect(() => f(array, shape)).toThrow(/must be memory of float, got an Object of/);
    });
  });

  test.each<[string, (memory: ReturnType<typeof toDevice>) => void]>([
    ['memcpyHtoD of another type', (memory) => memcpyHtoD(memory, new Int32Array(4))],
    ['memcpyHtoD of bytes', (memory) => memcpyHtoD(memory, new Uint8Array(16))],
    ['memcpyHtoDAsync', (memory) => memcpyHtoDAsync(memory, new Int32Array(4))],
    ['a copy into a slice', (memory) => memcpyHtoD(memory.slice(16, 16).slice(0, 8), new Int32Array(2))],
    ['memsetD32 of bits', (memory) => memsetD32(memory, 0x3f80_0000, 4)],
    ['memsetD32 of an int32', (memory) => memsetD32(memory, int32(-1), 4)],
    ['a 2D copy', (memory) => copyRows(memory, new Int32Array(4))],
    [
      'memcpyDtoD of memory without a type',
      (memory) => {
        using other = memAlloc(64);
        memcpyDtoD(memory, other);
      },
    ],
  ])('%s makes it forget', (_, write) => {
    withKernel('d', (f) => {
      using memory = toDevice(new Float32Array(16));
      expect(() => f(memory, shape)).toThrow(TypeError);
      write(memory);
      f(memory, shape);
      f(memory.slice(8), shape);
    });
  });

  test.each<[string, (memory: ReturnType<typeof toDevice>) => void]>([
    ['memcpyHtoD of the same type', (memory) => memcpyHtoD(memory, new Float32Array(4))],
    ['memsetD32 of 0', (memory) => memsetD32(memory, 0, 4)],
    ['memsetD8 of 0', (memory) => memsetD8(memory, 0, 4)],
    ['memsetD32 of a float32', (memory) => memsetD32(memory, float32(2), 4)],
    ['a 2D copy of the same type', (memory) => copyRows(memory, new Float32Array(4))],
    [
      'memcpyDtoD of memory of the same type',
      (memory) => {
        using other = toDevice(new Float32Array(16));
        memcpyDtoD(memory, other);
      },
    ],
  ])('%s does not', (_, write) => {
    withKernel('d', (f) => {
      using memory = toDevice(new Float32Array(16));
      write(memory);
      expect(() => f(memory, shape)).toThrow(TypeError);
    });
  });
});

function copyRows(memory: ReturnType<typeof toDevice>, rows: Int32Array | Float32Array): void {
  const copy = new Memcpy2D().setSrcHost(rows).setDstDevice(memory);
  copy.widthInBytes = 8;
  copy.height = 2;
  copy.run();
}
