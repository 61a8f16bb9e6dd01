import { dtypes } from '../../src/core/dtype.ts';
import { arrayDTypes, isComplex, type ArrayDType, type Complex } from '../../src/array/dtype.ts';
import type { Operation, Typing } from '../../src/array/operation/operation.ts';
import { complexReference } from './elementwise-reference-complex.ts';
import { floatReference } from './elementwise-reference-float.ts';
import { integerReference } from './elementwise-reference-integer.ts';

/** An element as JavaScript has it: 64-bit integers are bigints. */
export type Value = number | bigint | boolean | Complex;

/** What an operation should give, and how far from it a device may be. */
export interface Expected {
  /** In f64 where the device computes in f32: it is rounded when it is compared. */
  readonly value: Value;
  /** Units in the last place, of a float; of a complex number, of its absolute value. 0: the exact number, rounded. */
  readonly ulps: number;
  /** Numbers whose units count where they are greater than the result. */
  readonly scale?: number;
}

const bits = new DataView(new ArrayBuffer(8));

/** A number as a dtype of floats holds it. */
export function rounded(value: number, dtype: ArrayDType): number {
  const { part } = arrayDTypes[dtype];
  dtypes[part].write(bits, 0, value);
  return Number(dtypes[part].read(bits, 0));
}

/** An integer as f32, rounded once. */
function singleOf(value: bigint): number {
  const isOdd = (value & 0x7ffn) !== 0n;
  const high = value >> 11n;
  return value === BigInt.asIntN(53, value)
    ? Math.fround(Number(value))
    : Math.fround(Number(isOdd ? high | 1n : high)) * 2048;
}

function integer(value: bigint, dtype: ArrayDType): number | bigint {
  const width = arrayDTypes[dtype].size * 8;
  const held = arrayDTypes[dtype].kind === 'int' ? BigInt.asIntN(width, value) : BigInt.asUintN(width, value);
  return width === 64 ? held : Number(held);
}

/** An element of one dtype as another: what astype() does. Halves are computed with as f32, which `register` asks for. */
export function converted(value: Value, to: ArrayDType, register = false): Value {
  const { kind, part } = arrayDTypes[to];
  if (kind === 'bool') return isComplex(value) ? value.re !== 0 || value.im !== 0 : Boolean(value) || value !== value;
  if (kind === 'complex') {
    const { re, im } = isComplex(value) ? value : { re: value, im: 0 };
    return { re: converted(re, part) as number, im: converted(im, part) as number };
  }
  const real = isComplex(value) ? value.re : value;
  if (kind === 'float') {
    const isHalf = to === 'f16' || to === 'bf16';
    if (typeof real === 'bigint')
      return to === 'f64' ? Number(real) : isHalf && !register ? rounded(singleOf(real), to) : singleOf(real);
    const number = Number(real);
    return isHalf && register ? Math.fround(number) : rounded(number, to);
  }
  if (typeof real !== 'number') return integer(BigInt(real), to);
  if (Number.isNaN(real)) return integer(0n, to);
  const width = arrayDTypes[to].size * 8;
  const [least, beyond] = kind === 'int' ? [-(2 ** (width - 1)), 2 ** (width - 1)] : [0, 2 ** width];
  if (real >= beyond) return integer(BigInt(beyond) - 1n, to);
  return integer(real < least ? BigInt(least) : BigInt(Math.trunc(real)), to);
}

/** What an operation gives of elements that have been converted to the dtypes of its operands. */
export function referenceOf(operation: Operation, operands: readonly Value[], typing: Typing): Expected {
  const { name } = operation;
  const first = typing.operands[0] ?? 'f32';
  const [a = 0, b = 0, c = 0] = operands;
  if (name === 'where') return { value: a === true ? b : c, ulps: 0 };
  const { kind } = arrayDTypes[first];
  if (kind === 'complex') return complexReference(name, operands as readonly Complex[], first);
  if (kind === 'float') return floatReference(name, operands, first);
  return { value: integerReference(name, operands as readonly (number | bigint | boolean)[], typing), ulps: 0 };
}

/**
 * Whether a device's element is what was expected.
 *
 * @param computed - the dtype in which it is computed; halves are computed as f32
 * @param dtype - the dtype in which it is stored
 */
export function isExpected(
  got: Value,
  { value, ulps, scale = 0 }: Expected,
  computed: ArrayDType,
  dtype: ArrayDType,
): boolean {
  const register = converted(value, computed, true);
  // Integers wrap around, where floats end at the limits.
  const isInteger = ['int', 'uint'].includes(arrayDTypes[computed].kind);
  const held = converted(isInteger ? BigInt(register as number) : register, dtype);
  // The units are those of the coarser dtype. Where it is the stored one, the last rounding may hang on a last bit before.
  const [from, to] = [formatOf(computed, true), formatOf(dtype)];
  const isRounded = from[0] > to[0];
  const [format, most] = isRounded ? [to, Math.min(ulps, 1)] : [from, ulps];
  if (isComplex(held)) {
    if (!isComplex(got)) return false;
    const want = most === 0 ? held : isComplex(value) ? value : { re: Number(value), im: 0 };
    const size = Math.max(Math.hypot(want.re, want.im), scale);
    return (
      isNear(got.re, want.re, most, size, format) && isNear(got.im, want.im, isComplex(value) ? most : 0, size, format)
    );
  }
  if (arrayDTypes[dtype].kind !== 'float' || typeof got !== 'number') return got === held;
  const want = Number(most === 0 ? held : value);
  return isNear(got, want, most, Math.max(Math.abs(Number(value)), scale), format);
}

/** Bits of the significand, the least exponent and the greatest. */
type Format = readonly [bits: number, least: number, greatest: number];

const FORMATS: Readonly<Partial<Record<ArrayDType, Format>>> = {
  f16: [11, -14, 15],
  bf16: [8, -126, 127],
  f32: [24, -126, 127],
  f64: [53, -1022, 1023],
};

/** The format of a dtype's numbers; `register` asks for the one that halves are computed in. */
function formatOf(dtype: ArrayDType, register = false): Format {
  const { part, size } = arrayDTypes[dtype];
  return FORMATS[register && size === 2 ? 'f32' : part] ?? [53, -1022, 1023];
}

function isNear(got: number, want: number, ulps: number, size: number, [digits, least, greatest]: Format): boolean {
  if (Object.is(got, want) || (Number.isNaN(want) && Number.isNaN(got))) return true;
  if (ulps === 0 || Number.isNaN(got) || Number.isNaN(want)) return false;
  const most = 2 ** greatest * (2 - 2 ** (1 - digits));
  // Beyond the greatest number everything is infinite.
  if (Math.abs(got) === Infinity) return Math.abs(want) >= most * (1 - ulps * 2 ** -digits) && got > 0 === want > 0;
  if (Math.abs(want) === Infinity) return false;
  const exponent = Math.max(Math.floor(Math.log2(Math.max(size, Number.MIN_VALUE))), least);
  return Math.abs(got - want) <= (ulps + 0.5) * 2 ** (exponent - digits + 1);
}
