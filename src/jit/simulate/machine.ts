import { atomic } from './atomic.ts';
import { brev, clz, ffs, popc } from './bits.ts';
import { bf16, cut, f16, wideToF32 } from './conversion.ts';
import { fma } from './fma.ts';
import { abs, difference, floorQuotient, integerPower, product, quotient, remainder, sum } from './integer.ts';
import { places } from './kernel-view.ts';
import { print, shown } from './print.ts';
import { bytes, cell, records } from './record.ts';

/** Values of structs and lists are copied where they are given on, as C does. */
function copy<T>(value: T): T {
  if (Array.isArray(value)) return (value as unknown[]).map(copy) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, copy(field as unknown)])) as T;
}

/** What the text of a kernel in JavaScript calls: `$m`. */
export const machine: object = {
  ...places,
  atomic,
  popc,
  clz,
  ffs,
  brev,
  cut,
  wideToF32,
  f16,
  bf16,
  fma,
  sum,
  difference,
  product,
  quotient,
  remainder,
  floorQuotient,
  integerPower,
  square: (x: number): number => x * x,
  abs,
  copy,
  bytes,
  cell,
  records,
  print,
  shown,
  /** Of integers. */
  max: <T extends number | bigint>(a: T, b: T): T => (a > b ? a : b),
  min: <T extends number | bigint>(a: T, b: T): T => (a < b ? a : b),
  /** `i++`: the value before, where the second one is computed for what it does. */
  first: <T>(...[before]: readonly [before: T, after: unknown]): T => before,
};
