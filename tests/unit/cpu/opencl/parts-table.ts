import { rounded, SHAPES, type FloatType } from './numbers.ts';
import { exponentOf } from './several-table.ts';

/** A function that is exact, perhaps with a second result. */
export interface Part {
  readonly name: string;
  readonly floats: 1 | 2;
  readonly second?: 'float' | 'int';
  readonly wanted: (args: readonly number[], type: FloatType) => readonly [first: number, second?: number];
}

const INF = Infinity;
const isFinite = Number.isFinite;
const negative = (x: number): boolean => x < 0 || Object.is(x, -0);
const like = (size: number, x: number): number => (negative(x) ? -size : size);
const one = (name: string, of: (x: number, type: FloatType) => number): Part => ({
  name,
  floats: 1,
  wanted: ([x = 0], type) => [of(x, type)],
});

/** To the nearest integer; `ties` says what becomes of a half. */
function nearest(x: number, ties: 'even' | 'away'): number {
  const size = Math.abs(x);
  if (!isFinite(x) || size >= 2 ** 52) return x;
  const below = Math.floor(size);
  const rest = size - below;
  const up = rest > 0.5 || (rest === 0.5 && (ties === 'away' || below % 2 === 1));
  return like(below + (up ? 1 : 0), x);
}

/** The last seven binary digits of x / y to the nearest integer, with its sign; x - r is its multiple of y. */
function lastDigits(x: number, y: number): number {
  if (!isFinite(x) || Number.isNaN(y) || y === 0 || Math.abs(y) === INF || x === 0) return 0;
  const [a, b] = [wholeOf(x), wholeOf(y)];
  const e = Math.min(a.e, b.e);
  const [m, d] = [a.m << BigInt(a.e - e), b.m << BigInt(b.e - e)];
  let quotient = m / d;
  const rest = 2n * (m % d);
  if (rest > d || (rest === d && (quotient & 1n) === 1n)) quotient++;
  const digits = Number(quotient & 127n);
  return negative(x) === negative(y) ? digits : -digits;
}

function wholeOf(x: number): { m: bigint; e: number } {
  const size = Math.abs(x);
  const e = Math.max(exponentOf(size), -1022) - 52;
  return { m: BigInt(size / 2 ** (e >> 1) / 2 ** (e - (e >> 1))), e };
}

function remainderOf(x: number, y: number): number {
  if (!isFinite(x) || Number.isNaN(y) || y === 0) return NaN;
  if (Math.abs(y) === INF || x === 0) return x;
  const size = Math.abs(x) % Math.abs(y);
  const other = Math.abs(y) - size;
  const r = size > other || (size === other && isOddBelow(x, y)) ? -other : size;
  return r === 0 ? like(0, x) : x < 0 ? -r : r;
}

/** Whether the quotient rounded down is odd. */
function isOddBelow(x: number, y: number): boolean {
  const [a, b] = [wholeOf(x), wholeOf(y)];
  const e = Math.min(a.e, b.e);
  return (((a.m << BigInt(a.e - e)) / (b.m << BigInt(b.e - e))) & 1n) === 1n;
}

/** Functions whose results are exact. */
export const PARTS: readonly Part[] = [
  one('ceil', (x) => Math.ceil(x)),
  one('floor', (x) => Math.floor(x)),
  one('trunc', (x) => Math.trunc(x)),
  one('rint', (x) => nearest(x, 'even')),
  one('round', (x) => nearest(x, 'away')),
  one('fabs', (x) => Math.abs(x)),
  one('logb', (x) => (Number.isNaN(x) ? NaN : x === 0 ? -INF : Math.abs(x) === INF ? INF : exponentOf(Math.abs(x)))),
  one('sign', (x) => (Number.isNaN(x) ? 0 : Math.sign(x))),
  {
    name: 'fract',
    floats: 1,
    second: 'float',
    wanted: ([x = 0]: readonly number[], type: FloatType): readonly [number, number] => {
      if (!isFinite(x) || x === 0) return [Number.isNaN(x) ? NaN : like(0, x), x];
      const below = 1 - 2 ** -SHAPES[type].digits;
      return [Math.min(rounded(type, x - Math.floor(x)), below), Math.floor(x)];
    },
  },
  {
    name: 'modf',
    floats: 1,
    second: 'float',
    wanted: ([x = 0]) => [Math.abs(x) === INF ? like(0, x) : like(Math.abs(x - Math.trunc(x)), x), Math.trunc(x)],
  },
  {
    name: 'frexp',
    floats: 1,
    second: 'int',
    wanted: ([x = 0]: readonly number[]): readonly [number, number] => {
      if (!isFinite(x) || x === 0) return [x, 0];
      const e = exponentOf(Math.abs(x)) + 1;
      return [x / 2 ** (e >> 1) / 2 ** (e - (e >> 1)), e];
    },
  },
  {
    name: 'remquo',
    floats: 2,
    second: 'int',
    wanted: ([x = 0, y = 0]) => [remainderOf(x, y), lastDigits(x, y)],
  },
];
