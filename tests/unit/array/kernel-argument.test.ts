import { describe, expect, test } from '@jest/globals';
import { parseArguments, type ArgumentOptions } from '../../../src/array/generated/kernel-argument.ts';
import { KernelArguments } from '../../../src/array/generated/kernel-arguments.ts';
import { struct } from '../../../src/core/struct.ts';

const Point = struct({ x: 'f32', y: 'f32' });

/** What each parameter is: its name, kind, dtype, or struct, and whether it is only read. */
function read(given: unknown, options?: ArgumentOptions): unknown[] {
  return parseArguments(given, 'axpy', options).map(({ name, kind, dtype, isConst }) => {
    return [name, kind, typeof dtype === 'object' ? dtype.name : dtype, ...(kind === 'vector' ? [isConst] : [])];
  });
}

/** The declarations in both languages. */
function texts(given: unknown, options?: ArgumentOptions): string[] {
  return parseArguments(given, 'axpy', options).map(({ text }) => `${text.cuda} | ${text.opencl}`);
}

describe('parameter lists of generated kernels', () => {
  test('are read in the forms of PyCUDA, PyOpenCL and of lists', () => {
    const expected = [
      ['a', 'scalar', 'f32'],
      ['x', 'vector', 'f32', true],
      ['z', 'vector', 'f32', false],
    ];
    expect(read('float a, const float *x, float *z')).toEqual(expected);
    expect(read('float a, __global float const *restrict x, __global float *z,')).toEqual(expected);
    expect(read(['float a', 'const float *__restrict__ x', 'global float *z'])).toEqual(expected);
    expect(read('f32 a, const f32 *x, float32 *z')).toEqual(expected);
    expect(read('')).toEqual([]);
    expect(read('void')).toEqual([]);
    expect(read([])).toEqual([]);
  });

  test('know numbers by every name in either language', () => {
    const names: Readonly<Record<string, readonly string[]>> = {
      bool: ['bool'],
      i8: ['char', 'signed char', 'int8_t', 'int8', 'i8'],
      u8: ['unsigned char', 'uchar', 'uint8_t', 'u8'],
      i16: ['short', 'short int', 'int16_t', 'i16'],
      u16: ['unsigned short', 'ushort', 'uint16', 'u16'],
      i32: ['int', 'signed', 'int32_t', 'i32'],
      u32: ['unsigned', 'unsigned int', 'uint', 'uint32', 'u32'],
      i64: ['long', 'long long', 'int64_t', 'ptrdiff_t', 'i64'],
      u64: ['unsigned long', 'ulong', 'unsigned long long', 'size_t', 'u64'],
      f16: ['half', '__half', 'float16', 'f16'],
      bf16: ['__nv_bfloat16', 'bfloat16', 'bf16'],
      f32: ['float', 'f32'],
      f64: ['double', 'float64', 'f64'],
      c64: ['float2', 'cuComplex', 'cfloat_t', 'pycuda::complex<float>', 'std::complex<float>', 'complex64', 'c64'],
      c128: ['double2', 'cdouble_t', 'thrust::complex<double>', 'complex128', 'c128'],
    };
    for (const [dtype, spellings] of Object.entries(names)) {
      for (const name of spellings) {
        expect([name, ...read(`${name} *x, ${name} y`)]).toEqual([
          name,
          ['x', 'vector', dtype, false],
          ['y', 'scalar', dtype],
        ]);
      }
    }
  });

  test('are declared in both languages', () => {
    expect(texts('const unsigned int *n, long long k, volatile float *x, float2 *c, bool *m, half h, half *g')).toEqual(
      [
        'const unsigned int *n | __global const uint *n',
        'long long k | long k',
        'volatile float *x | __global volatile float *x',
        'c64 *c | __global c64 *c',
        'unsigned char *m | __global uchar *m',
        'float h | float h',
        '__half *g | __global half *g',
      ],
    );
    expect(texts('const struct Point *p, Point q', { types: { Point } })).toEqual([
      'const Point *p | __global const Point *p',
      'Point q | Point q',
    ]);
  });

  test('have short vectors with the size that each language gives them', () => {
    const [float3, uint4] = parseArguments('float3 *p, uint4 q', 'axpy');
    expect(float3?.dtype).toMatchObject({
      part: 'f32',
      extent: { cuda: { byteLength: 12, alignment: 4 }, opencl: { byteLength: 16, alignment: 16 } },
    });
    expect(uint4?.dtype).toMatchObject({
      part: 'u32',
      extent: { cuda: { byteLength: 16 }, opencl: { byteLength: 16 } },
    });
  });

  test('are refused with the name of the parameter', () => {
    const refusals: readonly (readonly [given: unknown, message: string])[] = [
      ['float **x', "axpy: parameter 'x' must be a number (float a), a complex number (float2 c), a struct"],
      ['void *x', "axpy: parameter 'x' must be"],
      ['float &x', "axpy: parameter 'x' must be"],
      ['float a, float', "axpy: parameter 1, 'float', must be"],
      ['float a, , float b', "axpy: parameter 1, '', must be"],
      ['float x = 1', 'axpy: parameter 0'],
      ['Point *p', "axpy: parameter 'p' must be"],
      ['Point *p', 'write { types: { Point } }'],
      ['float x, float *x', "axpy: each parameter must have a name of its own, got 'x' twice"],
      ['__local float *x', 'must point to global memory, got __local'],
      ['float *i', 'a parameter must have another name than i, n'],
      ['float *BARRIER', 'another name than the texts of kernels have'],
      ['float rk_x', 'another name than the texts of kernels have'],
      [7, "axpy: the parameters must be a text, 'float a, float *x', or a list, got 7"],
      [['float x, float y'], "axpy: parameter 0 must be a text such as 'float *x'"],
    ];
    for (const [given, message] of refusals) {
      expect(() => parseArguments(given, 'axpy', { reserved: ['i', 'n'] })).toThrow(message);
    }
    expect(() => parseArguments('float x', 'axpy', { types: { Point: 3 } as never })).toThrow(
      'axpy: types.Point must be a struct(…), got 3',
    );
  });

  test('stand in a kernel by other names: written memory, read memory, numbers', () => {
    const kernel = new KernelArguments('float a, const float *x, c64 w, float *z, Point q', 'axpy', {
      types: { Point },
    });
    expect(kernel.memories.map(({ name, kind }) => [name, kind])).toEqual([
      ['z_memory', 'output'],
      ['x_memory', 'input'],
    ]);
    expect(kernel.written).toBe(1);
    expect(kernel.offsets.map(({ name }) => name)).toEqual(['z_at', 'x_at']);
    expect(kernel.scalars.map(({ name }) => name)).toEqual(['a_value', 'w_re_value', 'w_im_value', 'q_value']);
    expect(kernel.formals('opencl')).toBe('float a, __global const float *x, c64 w, __global float *z, Point q');
    expect(kernel.actuals('cuda')).toBe(
      'a_value, (GLOBAL const float *)(x_memory + x_at), C64(w_re_value, w_im_value), (GLOBAL float *)(z_memory + z_at), q_value',
    );
  });
});
