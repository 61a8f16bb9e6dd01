import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  arrayDTypes,
  complexOf,
  dtypeOfScalar,
  floatOf,
  isWeakScalar,
  promote,
  promoteWeak,
  readDType,
  type ArrayDType,
  type WeakScalar,
} from '../../../src/array/dtype.ts';
import { root } from '../../helpers/root.ts';
import { thrown } from '../../helpers/thrown.ts';

const NAMES = Object.keys(arrayDTypes) as ArrayDType[];

// The Array API's table of integers and floats, and NumPy's where that has none. bf16 has no row in either.
const ORDER = [
  'bool',
  'i8',
  'u8',
  'i16',
  'u16',
  'i32',
  'u32',
  'i64',
  'u64',
  'f16',
  'f32',
  'f64',
  'c64',
  'c128',
] as const;
const TABLE: Readonly<Record<(typeof ORDER)[number], string>> = {
  bool: 'bool i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64 c64 c128',
  i8: 'i8 i8 i16 i16 i32 i32 i64 i64 f64 f16 f32 f64 c64 c128',
  u8: 'u8 i16 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64 c64 c128',
  i16: 'i16 i16 i16 i16 i32 i32 i64 i64 f64 f32 f32 f64 c64 c128',
  u16: 'u16 i32 u16 i32 u16 i32 u32 i64 u64 f32 f32 f64 c64 c128',
  i32: 'i32 i32 i32 i32 i32 i32 i64 i64 f64 f64 f64 f64 c128 c128',
  u32: 'u32 i64 u32 i64 u32 i64 u32 i64 u64 f64 f64 f64 c128 c128',
  i64: 'i64 i64 i64 i64 i64 i64 i64 i64 f64 f64 f64 f64 c128 c128',
  u64: 'u64 f64 u64 f64 u64 f64 u64 f64 u64 f64 f64 f64 c128 c128',
  f16: 'f16 f16 f16 f32 f32 f64 f64 f64 f64 f16 f32 f64 c64 c128',
  f32: 'f32 f32 f32 f32 f32 f64 f64 f64 f64 f32 f32 f64 c64 c128',
  f64: 'f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 c128 c128',
  c64: 'c64 c64 c64 c64 c64 c128 c128 c128 c128 c64 c64 c128 c64 c128',
  c128: 'c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128',
};

describe('promotion', () => {
  test.each(ORDER)('%s with every other dtype', (a) => {
    expect(ORDER.map((b) => promote(a, b)).join(' ')).toBe(TABLE[a]);
  });

  test('bf16 holds small integers; with f16 neither holds the other', () => {
    const found = (['bool', 'i8', 'u8', 'i16', 'i32', 'f16', 'f32', 'f64', 'c64'] as const).map((b) =>
      promote('bf16', b),
    );
    expect(found).toEqual(['bf16', 'bf16', 'bf16', 'f32', 'f64', 'f32', 'f32', 'f64', 'c64']);
  });

  test('the order of the two does not matter', () => {
    for (const a of NAMES) for (const b of NAMES) expect([a, b, promote(a, b)]).toEqual([a, b, promote(b, a)]);
  });
});

describe('the tables for the type checker', () => {
  const text = readFileSync(join(root, 'src/array/promotion.ts'), 'utf8');
  const rows = new Map(
    [...text.matchAll(/^ {2}(\w+): \{(.*)\};$/gm)].map(([, name = '', row = '']) => [
      name,
      Object.fromEntries([...row.matchAll(/(\w+): '(\w+)'/g)].map(([, from = '', to = '']) => [from, to])),
    ]),
  );
  const expected = (of: (dtype: ArrayDType) => ArrayDType): object =>
    Object.fromEntries(NAMES.map((name) => [name, of(name)]));

  test.each(NAMES)('%s with every dtype is what promote() gives', (a) => {
    expect(rows.get(a)).toEqual(expected((b) => promote(a, b)));
  });

  test('floats and parts are those of floatOf() and of the dtypes', () => {
    expect(rows.get('float')).toEqual(expected(floatOf));
    const part = (name: ArrayDType): ArrayDType =>
      arrayDTypes[name].kind === 'complex' ? arrayDTypes[name].part : name;
    expect(rows.get('real')).toEqual(expected(part));
  });
});

describe('scalars are weak', () => {
  test.each<readonly [ArrayDType, WeakScalar, ArrayDType]>([
    ['u8', 255, 'u8'],
    ['i8', -128, 'i8'],
    ['i32', 2, 'i32'],
    ['i32', 2.5, 'f64'],
    ['i16', 0.5, 'f32'],
    ['u64', 18446744073709551615n, 'u64'],
    ['f16', 1e30, 'f16'],
    ['f32', 3n, 'f32'],
    ['bf16', 0.1, 'bf16'],
    ['c64', 2.5, 'c64'],
    ['f32', { re: 0, im: 1 }, 'c64'],
    ['i32', { re: 0, im: 1 }, 'c128'],
    ['bool', true, 'bool'],
    ['bool', 3, 'i32'],
    ['bool', 0.5, 'f32'],
    ['i64', false, 'i64'],
  ])('%s with %p is %s', (dtype, scalar, wanted) => {
    expect(promoteWeak(dtype, scalar)).toBe(wanted);
  });

  test.each<readonly [ArrayDType, WeakScalar, string]>([
    ['u8', 256, '256 is not in 0 to 255, the range of u8'],
    ['u8', -1, '-1 is not in 0 to 255, the range of u8'],
    ['i8', 128n, '128 is not in -128 to 127, the range of i8'],
    ['u64', -1n, '-1 is not in 0 to 18446744073709551615, the range of u64'],
  ])('%s does not hold %p', (dtype, scalar, message) => {
    expect(thrown(() => promoteWeak(dtype, scalar))).toBe(
      `RangeError: ${message}; write astype() to compute in another dtype`,
    );
  });

  test('among themselves', () => {
    const scalars: readonly WeakScalar[] = [true, 1, 2 ** 31, 0.5, NaN, 1n, { re: 1, im: 0 }];
    expect(scalars.map(dtypeOfScalar)).toEqual(['bool', 'i32', 'f32', 'f32', 'f32', 'i64', 'c64']);
    expect(scalars.every(isWeakScalar)).toBe(true);
    expect(['1', null, undefined, [], {}, { re: 1 }].some(isWeakScalar)).toBe(false);
  });
});

test('quotients and roots of integers are floats, complex numbers keep their width', () => {
  expect(NAMES.map(floatOf).join(' ')).toBe('f32 f32 f32 f32 f32 f64 f64 f64 f64 f16 bf16 f32 f64 c64 c128');
  expect(NAMES.map(complexOf).join(' ')).toBe('c64 c64 c64 c64 c64 c128 c128 c128 c128 c64 c64 c64 c128 c64 c128');
});

test('names of NumPy are taken, and unknown ones refused', () => {
  for (const { name, numpy, typestr } of Object.values(arrayDTypes)) {
    expect(readDType(name, 'dtype')).toBe(name);
    expect(readDType(numpy, 'dtype')).toBe(name);
    if (name !== 'bf16') expect(readDType(typestr, 'dtype')).toBe(name);
  }
  const list = NAMES.join(', ');
  expect(thrown(() => readDType('float', 'dtype'))).toBe(
    `TypeError: dtype must be one of ${list}, got the string "float"`,
  );
  expect(thrown(() => readDType(5, 'dtype'))).toBe(`TypeError: dtype must be one of ${list}, got 5`);
});
