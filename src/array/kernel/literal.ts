import type { ArrayDType } from '../dtype.ts';

/** A finite number as C has it in a dtype of floats: `0.5f`, `0.5`. A literal without its letter would make doubles of floats. */
export function literal(value: number, t: ArrayDType): string {
  const isSingle = t === 'f32' || t === 'c64';
  const digits = String(isSingle ? Number(Math.fround(value).toPrecision(9)) : value);
  return `${/[.e]/.test(digits) ? digits : `${digits}.0`}${isSingle ? 'f' : ''}`;
}
