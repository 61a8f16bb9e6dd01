import { nameOf } from '../core/check.ts';
import { dtypes, type DType, type Element } from '../core/dtype.ts';
import type { ElementName } from '../core/element-table.ts';

/** The element type of an array: `'f32'`, `'i64'`, `'bool'`, `'c64'`. */
export type ArrayDType = ElementName;

/** What the elements of a dtype are: the Array API's kinds. */
export type DTypeKind = 'bool' | 'int' | 'uint' | 'float' | 'complex';

/** The facts of one dtype of arrays. */
export interface ArrayDTypeInfo {
  readonly name: ArrayDType;
  readonly kind: DTypeKind;
  /** Bytes of one element. */
  readonly size: number;
  /** NumPy's name: `'float32'`. */
  readonly numpy: string;
  /** NumPy's type string, little-endian: `'<f4'`. */
  readonly typestr: string;
  /** The dtype of its parts: a complex number has two, every other element is its own. */
  readonly part: DType;
}

function info(name: ArrayDType, kind: DTypeKind, numpy: string, part: DType): ArrayDTypeInfo {
  const size = dtypes[part].size * (kind === 'complex' ? 2 : 1);
  const letter = { bool: 'b', int: 'i', uint: 'u', float: 'f', complex: 'c' }[kind];
  // NumPy has no bfloat16 of its own; ml_dtypes stores it as two bytes without a meaning.
  const typestr = name === 'bf16' ? '<V2' : `${size === 1 ? '|' : '<'}${letter}${size}`;
  return { name, kind, size, numpy, typestr, part };
}

/** Every dtype of arrays by name. */
export const arrayDTypes: Readonly<Record<ArrayDType, ArrayDTypeInfo>> = {
  bool: info('bool', 'bool', 'bool', 'u8'),
  i8: info('i8', 'int', 'int8', 'i8'),
  u8: info('u8', 'uint', 'uint8', 'u8'),
  i16: info('i16', 'int', 'int16', 'i16'),
  u16: info('u16', 'uint', 'uint16', 'u16'),
  i32: info('i32', 'int', 'int32', 'i32'),
  u32: info('u32', 'uint', 'uint32', 'u32'),
  i64: info('i64', 'int', 'int64', 'i64'),
  u64: info('u64', 'uint', 'uint64', 'u64'),
  f16: info('f16', 'float', 'float16', 'f16'),
  bf16: info('bf16', 'float', 'bfloat16', 'bf16'),
  f32: info('f32', 'float', 'float32', 'f32'),
  f64: info('f64', 'float', 'float64', 'f64'),
  c64: info('c64', 'complex', 'complex64', 'f32'),
  c128: info('c128', 'complex', 'complex128', 'f64'),
};

const byOtherName: Readonly<Record<string, ArrayDType>> = Object.fromEntries(
  Object.values(arrayDTypes).flatMap(({ name, numpy, typestr }) =>
    [numpy, typestr, typestr.slice(1)]
      .filter((other) => other !== 'V2' && other !== '<V2' && !(other in arrayDTypes))
      .map((other) => [other, name]),
  ),
);

/**
 * The dtype of a name: rawkernel's own (`'f32'`), or NumPy's (`'float32'`, `'<f4'`).
 *
 * @throws TypeError it names none; the message lists them
 */
export function readDType(value: unknown, what: string): ArrayDType {
  if (typeof value === 'string') {
    if (Object.hasOwn(arrayDTypes, value)) return value as ArrayDType;
    if (Object.hasOwn(byOtherName, value)) return byOtherName[value] as ArrayDType;
  }
  throw new TypeError(`${what} must be one of ${Object.keys(arrayDTypes).join(', ')}, got ${nameOf(value)}`);
}

/** A complex number. */
export interface Complex {
  readonly re: number;
  readonly im: number;
}

/** What takes the place of an array in an operation: its dtype follows the arrays' (it is weak, in the Array API's word). */
export type WeakScalar = Element | boolean | Complex;

/** Whether a value may stand for an array. */
export function isWeakScalar(value: unknown): value is WeakScalar {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' || isComplex(value);
}

/** Whether a value is a {@link Complex}. */
export function isComplex(value: unknown): value is Complex {
  if (typeof value !== 'object' || value === null) return false;
  const { re, im } = value as { readonly re?: unknown; readonly im?: unknown };
  return typeof re === 'number' && typeof im === 'number';
}

const INT_BITS = (name: ArrayDType): number => arrayDTypes[name].size * 8;
const INTS = { 8: ['i8', 'u8'], 16: ['i16', 'u16'], 32: ['i32', 'u32'], 64: ['i64', 'u64'] } as const;

/**
 * The dtype that elements of two dtypes have in common: the Array API's table, and NumPy's where that has none (integers with
 * floats, `bool` with numbers, `i64` with `u64`). `bf16` with `f16` is `f32`.
 */
export function promote(a: ArrayDType, b: ArrayDType): ArrayDType {
  if (a === b) return a;
  const [one, other] = [arrayDTypes[a], arrayDTypes[b]];
  if (one.kind === 'bool') return b;
  if (other.kind === 'bool') return a;
  if (one.kind === 'complex' || other.kind === 'complex') {
    const part = promote(floatPart(one), floatPart(other));
    return part === 'f64' ? 'c128' : 'c64';
  }
  if (one.kind === 'float' || other.kind === 'float') return promoteFloats(a, b);
  return promoteIntegers(a, b);
}

/** The dtype of a real number in an operation with complex ones. */
function floatPart({ name, kind, part }: ArrayDTypeInfo): ArrayDType {
  return kind === 'complex' || kind === 'float' ? part : floatOf(name);
}

function promoteFloats(a: ArrayDType, b: ArrayDType): ArrayDType {
  const [one, other] = [arrayDTypes[a], arrayDTypes[b]];
  if (one.kind !== 'float') return withInteger(b, a);
  if (other.kind !== 'float') return withInteger(a, b);
  // f16 and bf16 do not hold each other's values.
  return one.size === other.size ? 'f32' : one.size > other.size ? a : b;
}

/** As in NumPy: the smallest float that is not below the given one and holds the integers exactly, up to f64. */
function withInteger(float: ArrayDType, integer: ArrayDType): ArrayDType {
  const bits = INT_BITS(integer);
  const least: ArrayDType = bits === 8 ? float : bits === 16 ? 'f32' : 'f64';
  return arrayDTypes[least].size > arrayDTypes[float].size ? least : float;
}

function promoteIntegers(a: ArrayDType, b: ArrayDType): ArrayDType {
  const [one, other] = [arrayDTypes[a], arrayDTypes[b]];
  if (one.kind === other.kind) return one.size > other.size ? a : b;
  const [signed, unsigned] = one.kind === 'int' ? [a, b] : [b, a];
  if (INT_BITS(signed) > INT_BITS(unsigned)) return signed;
  const bits = (2 * INT_BITS(unsigned)) as 16 | 32 | 64 | 128;
  return bits === 128 ? 'f64' : INTS[bits][0];
}

/** The float of a real number's quotients and roots: `f32` of integers up to 16 bits, `f64` above; floats stay. */
export function floatOf(dtype: ArrayDType): ArrayDType {
  const { kind, size } = arrayDTypes[dtype];
  if (kind === 'float' || kind === 'complex') return dtype;
  return size <= 2 ? 'f32' : 'f64';
}

/** The dtype of a complex number whose parts are of a dtype. */
export function complexOf(dtype: ArrayDType): ArrayDType {
  const { kind, part } = arrayDTypes[dtype];
  if (kind === 'complex') return dtype;
  return (kind === 'float' ? part : floatOf(dtype)) === 'f64' ? 'c128' : 'c64';
}

/**
 * The dtype of an array of this dtype together with a scalar (weak: an integer leaves every number's dtype as it is, a
 * fraction every float's).
 *
 * @throws RangeError an integer that the array's dtype cannot hold
 */
export function promoteWeak(dtype: ArrayDType, scalar: WeakScalar): ArrayDType {
  const { kind } = arrayDTypes[dtype];
  if (typeof scalar === 'boolean') return dtype;
  if (typeof scalar === 'object') return complexOf(dtype);
  if (kind === 'float' || kind === 'complex') return dtype;
  const isInteger = typeof scalar === 'bigint' || Number.isInteger(scalar);
  if (!isInteger) return floatOf(dtype);
  if (kind === 'bool') return dtypeOfScalar(scalar);
  checkHolds(dtype, scalar);
  return dtype;
}

/** The dtype of a scalar among scalars alone. */
export function dtypeOfScalar(scalar: WeakScalar): ArrayDType {
  if (typeof scalar === 'boolean') return 'bool';
  if (typeof scalar === 'bigint') return 'i64';
  if (typeof scalar === 'object') return 'c64';
  return Number.isInteger(scalar) && scalar === (scalar | 0) ? 'i32' : 'f32';
}

/** The least and the greatest integer of a dtype of integers. */
function rangeOf(dtype: ArrayDType): [min: bigint, max: bigint] {
  const isSigned = arrayDTypes[dtype].kind === 'int';
  const bits = INT_BITS(dtype);
  return [isSigned ? -(1n << BigInt(bits - 1)) : 0n, (1n << BigInt(isSigned ? bits - 1 : bits)) - 1n];
}

/** Whether a dtype of integers holds an integer. */
export function isHeld(dtype: ArrayDType, scalar: Element | Complex | boolean): boolean {
  if (typeof scalar === 'number' && scalar >= 0 && scalar <= 127) return true;
  const [min, max] = rangeOf(dtype);
  return BigInt(scalar as Element) >= min && BigInt(scalar as Element) <= max;
}

/** Throw for an integer that a dtype of integers cannot hold. */
export function checkHolds(dtype: ArrayDType, scalar: Element): void {
  if (isHeld(dtype, scalar)) return;
  const [min, max] = rangeOf(dtype);
  throw new RangeError(
    `${String(scalar)} is not in ${min} to ${max}, the range of ${dtype}; write astype() to compute in another dtype`,
  );
}

/** Whether a scalar is other than 0. NaN is. */
export function isTrue(value: WeakScalar): boolean {
  // Not by JavaScript's rules: NaN is false there, and every object true.
  return isComplex(value) ? value.re !== 0 || value.im !== 0 : value !== false && value != 0;
}
