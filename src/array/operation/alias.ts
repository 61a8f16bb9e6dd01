import type { OperationName } from './table.ts';

/** Short names, of methods too. */
export const shortNames = {
  sub: 'subtract',
  mul: 'multiply',
  div: 'divide',
  mod: 'remainder',
  neg: 'negative',
} as const;

/** All other names of operations: short ones, NumPy's where the Array API has another, and C's of PyCUDA's `cumath`. */
export const aliases: Readonly<Record<string, OperationName>> = {
  ...shortNames,
  power: 'pow',
  absolute: 'abs',
  fabs: 'abs',
  conjugate: 'conj',
  arcsin: 'asin',
  arccos: 'acos',
  arctan: 'atan',
  arctan2: 'atan2',
  arcsinh: 'asinh',
  arccosh: 'acosh',
  arctanh: 'atanh',
};
