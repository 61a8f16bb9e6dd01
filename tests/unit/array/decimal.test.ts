import { describe, expect, test } from '@jest/globals';
import { decimalOf, roundTo, type Decimal, type FloatPart } from '../../../src/array/decimal.ts';
import { randomOf } from '../../helpers/math-points.ts';

/** As toExponential() writes it, but for zeros at the end. */
function text({ digits, exponent }: Decimal): string {
  return `${digits.replace(/(?<=^.)(?=.)/, '.')}e${exponent < 0 ? '' : '+'}${exponent}`;
}

/** Whether two decimals of a length are equally near: toExponential() takes the greater one, NumPy the even one. */
function isTie(value: number, length: number): boolean {
  return /^50*e/.test(value.toExponential(100).replace('.', '').slice(length));
}

/** Another way to the shortest decimal: JavaScript's, or the first length at which the nearest decimal, or one beside it, reads back. */
function naive(value: number, part: FloatPart): string {
  if (part === 'f64') return value.toExponential();
  for (let length = 1; ; length++) {
    const [near = '', power = ''] = value.toExponential(length - 1).split('e');
    const whole = Number(near.replace('.', ''));
    const nearest = isTie(value, length) && whole % 2 === 1 ? whole - 1 : whole;
    for (const candidate of [nearest, whole, whole + 1, whole - 1]) {
      const decimal = Number(`${candidate}e${Number(power) - length + 1}`);
      if (roundTo(part, decimal) === value) return decimal.toExponential();
    }
  }
}

/** The numbers of a dtype with random bits, and its powers of two. */
function* numbersOf(part: FloatPart, count: number): Generator<number> {
  const random = randomOf(11);
  const view = new DataView(new ArrayBuffer(8));
  for (let i = 0; i < count; i++) {
    view.setUint32(0, random() * 2 ** 32);
    view.setUint32(4, random() * 2 ** 32);
    // The bits of a 16-bit float would mostly be those of others: any number of its range is rounded to it.
    const wide = part === 'f64' ? view.getFloat64(0) : part === 'f32' ? view.getFloat32(0) : 2 ** (random() * 40 - 24);
    const value = Math.abs(roundTo(part, wide));
    if (value > 0 && value < Infinity) yield value;
  }
  for (let power = -1074; power < 1024; power++) {
    const value = roundTo(part, 2 ** power);
    if (value > 0 && value < Infinity) yield value;
  }
}

test.each<[FloatPart, number]>([
  ['f16', 2000],
  ['bf16', 2000],
  ['f32', 5000],
  ['f64', 5000],
])('the shortest decimals of %s are those that a search finds', (part, count) => {
  const wrong: string[] = [];
  let seen = 0;
  for (const value of numbersOf(part, count)) {
    const [found, expected] = [text(decimalOf(value, part)), naive(value, part)];
    if (found !== expected) wrong.push(`${value} is ${found}, not ${expected}`);
    seen++;
  }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(count / 2);
});

describe('limits', () => {
  test.each<[number, FloatPart, object, string]>([
    [0, 'f64', {}, '0e+0'],
    [-2.5, 'f64', {}, '2.5e+0'],
    [1200, 'f32', {}, '1.2e+3'],
    [123456, 'f64', { digits: 3 }, '1.23e+5'],
    [999999, 'f64', { digits: 3 }, '1e+6'],
    // Halves go to the even digit.
    [0.125, 'f64', { fraction: 2 }, '1.2e-1'],
    [0.375, 'f64', { fraction: 2 }, '3.8e-1'],
    [2.5, 'f32', { fraction: 0 }, '2e+0'],
    [0.5, 'f32', { fraction: 0 }, '0e+0'],
    [0.6, 'f32', { fraction: 0 }, '1e+0'],
    // Its text ends in 5, the number is less.
    [1.005, 'f64', { fraction: 2 }, '1e+0'],
    [0.0004, 'f64', { fraction: 3 }, '0e+0'],
    [0.0006, 'f64', { fraction: 3 }, '1e-3'],
    [1e-300, 'f64', { fraction: 3 }, '0e+0'],
    [9.9996, 'f64', { fraction: 3 }, '1e+1'],
    [0.1, 'f64', { digits: 20, isExact: true }, '1.0000000000000000555e-1'],
    [0.1, 'f64', { digits: 10, isExact: true }, '1e-1'],
    [0.5, 'f64', { digits: 20, isExact: true }, '5e-1'],
  ])('%d of %s within %j is %s', (value, part, limit, expected) => {
    expect(text(decimalOf(roundTo(part, value), part, limit))).toBe(expected);
  });

  test('exact digits are those of toExponential()', () => {
    const wrong: string[] = [];
    let seen = 0;
    for (const value of numbersOf('f64', 2000)) {
      if (isTie(value, 80)) continue;
      const expected = value.toExponential(79).replace(/\.?0*e/, 'e');
      const found = text(decimalOf(value, 'f64', { digits: 80, isExact: true }));
      if (found !== expected) wrong.push(`${value} is ${found}, not ${expected}`);
      seen++;
    }
    expect(wrong).toEqual([]);
    expect(seen).toBeGreaterThan(2000);
  });
});
