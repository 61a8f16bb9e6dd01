import { SCALARS, type ScalarType } from './kernel-type.ts';

/**
 * A value of a program in a type of kernels, by the conversion of a typed array's element: integers keep their lowest bits, a
 * fraction is cut off, and NaN is 0. What callers give is looked at before: see `fitted` in `argument.ts`.
 */
export function scalarValue(value: number | bigint | boolean, { name }: ScalarType): number | bigint | boolean {
  if (name === 'bool') return Boolean(value);
  const { kind, bits, signed } = SCALARS[name];
  if (kind === 'float') return name === 'f32' ? Math.fround(Number(value)) : Number(value);
  const integer = typeof value === 'number' ? toInteger(value) : BigInt(value);
  const wrapped = signed ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer);
  return bits === 64 ? wrapped : Number(wrapped);
}

function toInteger(value: number): bigint {
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
}
