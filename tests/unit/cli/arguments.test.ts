import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { checkArguments, numberFor, readArgument } from '../../../src/cli/run/argument.ts';
import { arraySource } from '../../../src/cli/run/array-source.ts';
import { ELEMENTS, generate, numbersOf } from '../../../src/cli/run/element-type.ts';
import { parametersOf } from '../../../src/cli/run/parameter.ts';
import * as cuda from '../../../src/cuda/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'rawkernel-arguments-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('arrays', () => {
  test.each([
    ['zeros:3:f32', 'f32', [3], [0, 0, 0]],
    ['ones:2x2:i8', 'i8', [2, 2], [1, 1, 1, 1]],
    ['range:0:4:i32', 'i32', [4], [0, 1, 2, 3]],
    ['range:4:0:-2:i64', 'i64', [2], [4n, 2n]],
    ['range:0:1:0.25:f16', 'f16', [4], [0, 0.25, 0.5, 0.75]],
    ['range:1:3:bf16', 'bf16', [2], [1, 2]],
    ['ones:2:u64', 'u64', [2], [1n, 1n]],
    ['ones:2:f16', 'f16', [2], [1, 1]],
    ['ones:2:bf16', 'bf16', [2], [1, 1]],
  ])('%s', (text, type, shape, numbers) => {
    const { kind, array, shape: found } = arraySource(text);
    expect({ type: kind.name, shape: found, numbers: numbersOf(kind, array) }).toEqual({ type, shape, numbers });
  });

  test('random numbers are the same each time, and others with another seed', () => {
    const [first, again, other] = ['random:1000:f32', 'random:1000:f32:0', 'random:1000:f32:1'].map((text) => {
      const { kind, array } = arraySource(text);
      return numbersOf(kind, array).map(Number);
    });
    expect(first).toEqual(again);
    expect(first).not.toEqual(other);
    expect(first?.every((x) => x >= 0 && x < 1)).toBe(true);
    expect(new Set(first).size).toBeGreaterThan(990);
    const { kind, array } = arraySource('random:1000:i32');
    expect(new Set(numbersOf(kind, array)).size).toBe(100);
  });

  test('hundreds of millions of zeros are not written, and elements of one value are made once', () => {
    const set = jest.spyOn(DataView.prototype, 'setFloat32');
    try {
      const before = process.memoryUsage.rss();
      const { array } = arraySource('zeros:300000000:f32');
      expect(process.memoryUsage.rss() - before).toBeLessThan(300_000_000);
      expect(array).toHaveLength(300_000_000);
      expect(numbersOf(ELEMENTS.f32, arraySource('ones:1000:f32').array)).toEqual(new Array(1000).fill(1));
      expect(set).toHaveBeenCalledTimes(2);
    } finally {
      set.mockRestore();
    }
  });

  test('raw files', () => {
    const file = join(folder, 'a:b.bin');
    writeFileSync(file, new Uint8Array(new Float32Array([1.5, 2]).buffer));
    expect(arraySource(`raw:${file}:f32`).array).toEqual(new Float32Array([1.5, 2]));
  });

  test('bfloat16 is rounded to the nearest', () => {
    const values = [1.00390625, 1.01171875, NaN, -Infinity, 3e38];
    const kind = ELEMENTS.bf16;
    expect(
      numbersOf(
        kind,
        generate(kind, 5, (i) => values[i] ?? 0),
      ),
    ).toEqual([1, 1.015625, NaN, -Infinity, 3.00405527047391e38]);
  });
});

describe('parameters', () => {
  test.each([
    ['add(float *a, const float *b, int n)', ['float *|a', 'const float *|b', 'int|n']],
    ['none()', []],
    ['scale<float, 3>(float *, unsigned int)', ['float *|', 'unsigned int|']],
    ['f(const float2, float4 v, Pair<int, int> p)', ['const float2|', 'float4|v', 'Pair<int, int>|p']],
    ['k(__global const int *a, __local int *s)', ['__global const int *|a', '__local int *|s']],
  ])('%s', (signature, expected) => {
    expect(parametersOf(signature)?.map(({ type, name = '' }) => `${type}|${name}`)).toEqual(expected);
  });

  test('a name alone tells nothing', () => {
    expect(parametersOf('add')).toBeUndefined();
  });
});

describe('arguments against parameters', () => {
  const SIGNATURE = 'k(float *a, int n, const unsigned char *b, void *c, Thing t)';
  const good = ['zeros:2:f32', '3', 'zeros:2:i8', 'zeros:2:f64', '1:i32'];
  const check = (texts: readonly string[]) => (): void => {
    checkArguments(texts.map(readArgument), parametersOf(SIGNATURE), SIGNATURE);
  };
  const but = (index: number, text: string): string[] => good.map((one, i) => (i === index ? text : one));

  test('half floats as their bits', () => {
    const signature = 'k(__nv_bfloat16 *a, __half *b, unsigned short *c, unsigned short *d)';
    const fits =
      (...texts: string[]) =>
      (): void => {
        checkArguments(texts.map(readArgument), parametersOf(signature), signature);
      };
    expect(fits('zeros:2:u16', 'zeros:2:u16', 'zeros:2:bf16', 'zeros:2:f16')).not.toThrow();
    expect(fits('zeros:2:f16', 'zeros:2:u16', 'zeros:2:bf16', 'zeros:2:f16')).toThrow(/points to bf16; zeros:2:f16/);
  });

  test('that fit', () => {
    expect(check(good)).not.toThrow();
    expect(check(but(0, 'null'))).not.toThrow();
  });

  test.each([
    [good.slice(1), /takes 5 arguments, got 4: one --arg for each/],
    [but(0, '7'), /argument 0 \(float \*a\) is a pointer: write an array/],
    [but(0, 'zeros:2:i32'), /argument 0 \(float \*a\) points to f32; zeros:2:i32 has i32/],
    [but(2, 'zeros:2:u16'), /points to u8; zeros:2:u16 has u16/],
    [but(1, 'zeros:2:i32'), /argument 1 \(int n\) is a number, got 'zeros:2:i32'/],
    [but(1, 'null'), /argument 1 \(int n\) is a number, got 'null'/],
  ])('%j', (texts, message) => {
    expect(check(texts)).toThrow(message);
  });
});

describe('numbers', () => {
  const of = (text: string, type: string): unknown => numberFor(text, 0, { name: 'x', type }, cuda);

  test.each<[string, string, unknown]>([
    ['3', 'int', 3],
    ['-0x10', 'int', -16],
    ['0b101', 'unsigned int', 5],
    ['1.5', 'float', 1.5],
    ['1.5f', 'float', 1.5],
    ['-1e-3', 'double', -0.001],
    ['inf', 'float', Infinity],
    ['-inf', 'float', -Infinity],
    ['nan', 'float', NaN],
    ['-0', 'float', -0],
    ['true', 'bool', true],
    ['true', 'int', 1],
    ['18446744073709551616', 'float', 2 ** 64],
  ])('%s as %s', (text, type, expected) => {
    expect(of(text, type)).toBe(expected);
  });

  test('64-bit integers are exact; vectors and typed numbers are values', () => {
    expect(of('9223372036854775807', 'long long')).toEqual(cuda.int64(9223372036854775807n));
    expect(of('18446744073709551615', 'unsigned long')).toEqual(cuda.uint64(18446744073709551615n));
    expect(of('1,2', 'float2')).toEqual(cuda.float2(1, 2));
    expect(of('2.5:f32', 'Thing')).toEqual(cuda.float32(2.5));
  });

  test.each([
    ['many', 'int', /argument 0 \(int x\): 'many' is neither a number nor an array/],
    ['1,2', 'int', /is not a vector, got 2 numbers/],
    ['1:f8', 'int', /'f8' is not a type of a number/],
    ['', 'int', /neither a number/],
  ])('%j as %s', (text, type, message) => {
    expect(() => of(text, type)).toThrow(message);
  });
});
test('where nobody tells a type it has to be written', () => {
  expect(() => numberFor('2', 0, undefined, cuda)).toThrow(/^argument 0: .* write 2:i32, 2:f32 or what it is$/);
  expect(numberFor('2:f32', 0, undefined, cuda)).toEqual(cuda.float32(2));
});
