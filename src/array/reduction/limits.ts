import { arrayDTypes, type ArrayDType } from '../dtype.ts';

/** The text of the least value of a dtype of real numbers: what a maximum begins with. */
export function lowest(t: ArrayDType): string {
  if (t === 'f32') return 'FLOAT_U32(0xff800000u)';
  if (t === 'f64') return 'FLOAT_U64(0xfff0000000000000)';
  const { kind, size } = arrayDTypes[t];
  if (kind !== 'int') return '0';
  return size === 8 ? `(${t})((u64)1 << 63)` : `(${t})(-${2 ** (size * 8 - 1) - 1} - 1)`;
}

/** The text of the greatest value of a dtype of real numbers: what a minimum begins with. */
export function highest(t: ArrayDType): string {
  if (t === 'f32') return 'FLOAT_U32(0x7f800000u)';
  if (t === 'f64') return 'FLOAT_U64(0x7ff0000000000000)';
  const { kind, size } = arrayDTypes[t];
  const bits = kind === 'int' ? size * 8 - 1 : size * 8;
  return `(${t})0x${((1n << BigInt(bits)) - 1n).toString(16)}`;
}

/** The text of NaN. */
export function notANumber(t: 'f32' | 'f64'): string {
  return t === 'f32' ? 'FLOAT_U32(0x7fc00000u)' : 'FLOAT_U64(0x7ff8000000000000)';
}
