import { arrayDTypes, type ArrayDType } from '../dtype.ts';

/** Dtypes whose elements are keys by the same rule: unsigned and signed integers are one, but for a number that is passed. */
export type KeyForm = 'u8' | 'u16' | 'u32' | 'u64' | 'f16' | 'bf16' | 'f32' | 'f64';

/** Bits of a digit. */
export const DIGIT_BITS = 8;
/** Values of a digit. */
export const DIGITS = 256;

/** The rule by which a real dtype is ordered. */
export function keyFormOf(dtype: ArrayDType): KeyForm {
  const { kind, size } = arrayDTypes[dtype];
  return (kind === 'float' ? dtype : `u${8 * size}`) as KeyForm;
}

/** Bytes of a key. */
export function keySize(form: KeyForm): number {
  return arrayDTypes[form].size;
}

/** Digits of a key. */
export function digitsOf(form: KeyForm): number {
  return (8 * keySize(form)) / DIGIT_BITS;
}

/** The type of a key in memory. */
export function keyStorage(form: KeyForm): 'u8' | 'u16' | 'u32' | 'u64' {
  return `u${8 * keySize(form)}` as 'u8';
}

/** The type of a key in a register. */
export function keyType(form: KeyForm): 'u32' | 'u64' {
  return keySize(form) === 8 ? 'u64' : 'u32';
}

/**
 * The number that kernels are passed as `flip`: of integers the bits that are inverted, which are the sign, and the others where
 * the order is descending; of floats whether it is.
 */
export function flipOf(dtype: ArrayDType, descending: boolean): number | bigint {
  const { kind, size } = arrayDTypes[dtype];
  if (kind === 'float') return descending ? 1 : 0;
  const bits = BigInt(8 * size);
  const sign = kind === 'int' ? 1n << (bits - 1n) : 0n;
  const flip = descending ? ((1n << bits) - 1n) ^ sign : sign;
  return size === 8 ? flip : Number(flip);
}

/** The bits of a form of floats: of the exponent, and of all. */
const FLOATS: Readonly<Partial<Record<KeyForm, readonly [exponent: bigint, bits: bigint]>>> = {
  f16: [5n, 16n],
  bf16: [8n, 16n],
  f32: [8n, 32n],
  f64: [11n, 64n],
};

/**
 * The functions of keys in C: `encode_key` makes a number of an element's bits whose order is the elements', `decode_key` the
 * element of it, `key_of` puts elements together that are equal.
 *
 * The negative floats are inverted, and all are moved so that the least, -Infinity, is 0: then NaN of either sign is above all
 * others. NaN is one number, behind the others in a descending order, too. The numbers of -0 and 0 differ by 1 in the first digit
 * alone, so that both keep their sign and are one to `key_of`.
 */
export function keyText(form: KeyForm): string {
  const type = keyType(form);
  const float = FLOATS[form];
  if (float === undefined) {
    return `
FN ${type} encode_key(${type} x, ${type} flip) {
  return x ^ flip;
}
FN ${type} decode_key(${type} k, ${type} flip) {
  return k ^ flip;
}
FN ${type} key_of(${type} k) {
  return k;
}
`.trimStart();
  }
  const [exponent, bits] = float;
  const hex = (value: bigint): string => `0x${value.toString(16)}u`;
  const all = (1n << bits) - 1n;
  const sign = 1n << (bits - 1n);
  const infinity = ((1n << exponent) - 1n) << (bits - 1n - exponent);
  const least = all ^ (sign | infinity);
  const most = (sign | infinity) - least;
  const nan = infinity | (1n << (bits - 2n - exponent));
  const within = (text: string): string => (bits === 16n ? `(${text}) & ${hex(all)}` : text);
  return `
FN ${type} encode_key(${type} x, ${type} flip) {
  ${type} k = (x & ${hex(sign)}) != 0 ? ${within('~x')} : x | ${hex(sign)};
  k = ${within(`k - ${hex(least)}`)};
  if (k > ${hex(most)}) return ${hex(most + 1n)};
  return flip != 0 ? ${hex(most)} - k : k;
}
FN ${type} decode_key(${type} k, ${type} flip) {
  if (k > ${hex(most)}) return ${hex(nan)};
  const ${type} x = (flip != 0 ? ${hex(most)} - k : k) + ${hex(least)};
  return (x & ${hex(sign)}) != 0 ? x ^ ${hex(sign)} : ${within('~x')};
}
FN ${type} key_of(${type} k) {
  return k + (k == ${hex(sign - 1n - least)} ? 1 : 0);
}
`.trimStart();
}

/** A digit of a key, in C. */
export function digitText(key: string, shift: string): string {
  return `((u32)(key_of(${key}) >> (${shift})) & ${DIGITS - 1}u)`;
}
