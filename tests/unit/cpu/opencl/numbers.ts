import { f16round, Float16Array } from '@petamoriken/float16';
import { near, ulpError, type Big } from '../../../helpers/exact-math.ts';
import { pointsIn } from '../../../helpers/math-points.ts';
import type { Data } from './bench.ts';

/** The floating-point types of OpenCL C. */
export type FloatType = 'float' | 'double' | 'half';

export const FLOAT_TYPES: readonly FloatType[] = ['float', 'double', 'half'];

/** Bits of the mantissa, least and greatest exponent, of a denormal and of a finite number. */
export const SHAPES = {
  half: { digits: 11, least: -24, most: 15 },
  float: { digits: 24, least: -149, most: 127 },
  double: { digits: 53, least: -1074, most: 1023 },
} as const;

/** The greatest finite number of a type. */
export const GREATEST: Readonly<Record<FloatType, number>> = {
  half: 65504,
  float: 3.4028234663852886e38,
  double: Number.MAX_VALUE,
};

/** A number rounded to a type. */
export function rounded(type: FloatType, x: number): number {
  return type === 'double' ? x : type === 'float' ? Math.fround(x) : f16round(x);
}

/** Numbers in a kernel's array. */
export function arrayOf(type: FloatType, numbers: readonly number[]): Data {
  if (type === 'double') return Float64Array.from(numbers);
  return type === 'float' ? Float32Array.from(numbers) : new Uint16Array(Float16Array.from(numbers).buffer);
}

/** The numbers in a kernel's array. */
export function numbersOf(type: FloatType, array: Data): number[] {
  if (type === 'half') return [...new Float16Array(array.buffer)];
  return [...(array as Float32Array | Float64Array)];
}

/** By how many units in the last place of the true value a result misses it. */
export function errorOf(type: FloatType, actual: number, exact: Big | number): number {
  if (typeof exact === 'number') return Object.is(actual, rounded(type, exact)) ? 0 : Infinity;
  if (type !== 'half') return ulpError(actual, exact, type === 'float');
  const value = near(exact);
  if (!Number.isFinite(actual)) return f16round(value) === actual ? 0 : Infinity;
  const place = Math.max(Math.floor(Math.log2(Math.abs(value))) - 10, -24);
  return value === 0 ? (actual === 0 ? 0 : Infinity) : Math.abs(actual - value) / 2 ** place;
}

/** Numbers of a type in an interval, its edges and those of the type among them. */
export function points(type: FloatType, low: number, high: number, count: number, seed = 1): number[] {
  if (type !== 'half') return pointsIn(low, high, count, type === 'float', seed);
  const [least, most] = [Math.max(low, -65504), Math.min(high, 65504)];
  const edges = [2 ** -24, -(2 ** -24), 2 ** -14, 0.5, 1.5, 2, 3, 65504, -65504, 1 + 2 ** -10, 1 - 2 ** -11, -1, 1];
  const all = [low, high, ...edges, ...pointsIn(least, most, count, true, seed)].map((x) => f16round(x));
  return all.filter((x) => x >= low && x <= high && x !== 0 && Number.isFinite(x));
}
