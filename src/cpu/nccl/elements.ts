import { ReduceOp } from './numbers.ts';
import { BFLOAT16, FLOAT16, FLOAT8E4M3, FLOAT8E5M2, type SmallFloat } from './small-float.ts';

type Numbers = Int8Array | Uint8Array | Int32Array | Uint32Array | Float32Array | Float64Array;
type Wides = BigInt64Array | BigUint64Array;
type Fold<T> = (into: T, other: T) => void;

/** What can be done with elements of a type. Views have as many bytes as the elements. */
export interface ElementType {
  readonly bytes: number;
  /** Combine each element with that of another view. */
  readonly fold: (op: number, into: Uint8Array, other: Uint8Array) => void;
  /** Divide by the number of ranks. */
  readonly divide: (into: Uint8Array, by: number) => void;
  /** Multiply by a scalar of the type. */
  readonly scale: (into: Uint8Array, scalar: Uint8Array) => void;
}

interface NumbersType {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, at: number, length: number): Numbers;
}

interface WidesType {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, at: number, length: number): Wides;
}

/** The element types, by their `ncclDataType_t`. */
export const ELEMENTS: readonly ElementType[] = [
  numbers(Int8Array, false),
  numbers(Uint8Array, false),
  numbers(Int32Array, false),
  numbers(Uint32Array, false),
  wides(BigInt64Array, (value) => BigInt.asIntN(64, value)),
  wides(BigUint64Array, (value) => BigInt.asUintN(64, value)),
  small(Uint16Array, FLOAT16),
  numbers(Float32Array, true),
  numbers(Float64Array, true),
  small(Uint16Array, BFLOAT16),
  small(Uint8Array, FLOAT8E4M3),
  small(Uint8Array, FLOAT8E5M2),
];

function numbers(Type: NumbersType, isFloat: boolean): ElementType {
  const view = (bytes: Uint8Array): Numbers => viewAs(Type, bytes);
  const folds: Readonly<Record<number, Fold<Numbers>>> = {
    [ReduceOp.SUM]: add,
    [ReduceOp.AVG]: add,
    [ReduceOp.PROD]: isFloat ? multiply : multiplyIntegers,
    [ReduceOp.MAX]: isFloat ? greaterFloats : greater,
    [ReduceOp.MIN]: isFloat ? lesserFloats : lesser,
  };
  return {
    bytes: Type.BYTES_PER_ELEMENT,
    fold: (op, into, other) => folds[op]?.(view(into), view(other)),
    divide: (bytes, by) => {
      const into = view(bytes);
      // Storing into integers drops the fraction.
      for (let i = 0; i < into.length; i++) into[i] = (into[i] as number) / by;
    },
    scale: (bytes, scalar) => {
      const into = view(bytes);
      const factor = view(scalar)[0] as number;
      if (isFloat) for (let i = 0; i < into.length; i++) into[i] = (into[i] as number) * factor;
      else for (let i = 0; i < into.length; i++) into[i] = Math.imul(into[i] as number, factor);
    },
  };
}

function viewAs<T>(
  Type: { readonly BYTES_PER_ELEMENT: number; new (buffer: ArrayBufferLike, at: number, length: number): T },
  bytes: Uint8Array,
): T {
  return new Type(bytes.buffer, bytes.byteOffset, bytes.length / Type.BYTES_PER_ELEMENT);
}

function add(into: Numbers, other: Numbers): void {
  for (let i = 0; i < into.length; i++) into[i] = (into[i] as number) + (other[i] as number);
}

function multiply(into: Numbers, other: Numbers): void {
  for (let i = 0; i < into.length; i++) into[i] = (into[i] as number) * (other[i] as number);
}

function multiplyIntegers(into: Numbers, other: Numbers): void {
  for (let i = 0; i < into.length; i++) into[i] = Math.imul(into[i] as number, other[i] as number);
}

function greater(into: Numbers, other: Numbers): void {
  for (let i = 0; i < into.length; i++) if ((other[i] as number) > (into[i] as number)) into[i] = other[i] as number;
}

function lesser(into: Numbers, other: Numbers): void {
  for (let i = 0; i < into.length; i++) if ((other[i] as number) < (into[i] as number)) into[i] = other[i] as number;
}

function greaterFloats(into: Numbers, other: Numbers): void {
  for (let i = 0; i < into.length; i++) into[i] = greaterOf(into[i] as number, other[i] as number);
}

function lesserFloats(into: Numbers, other: Numbers): void {
  for (let i = 0; i < into.length; i++) into[i] = lesserOf(into[i] as number, other[i] as number);
}

/** The larger number, as C's fmax: a number wins over a NaN. */
function greaterOf(a: number, b: number): number {
  if (a !== a) return b;
  return b !== b ? a : Math.max(a, b);
}

function lesserOf(a: number, b: number): number {
  if (a !== a) return b;
  return b !== b ? a : Math.min(a, b);
}

function wides(Type: WidesType, wrap: (value: bigint) => bigint): ElementType {
  const view = (bytes: Uint8Array): Wides => viewAs(Type, bytes);
  const folds: Readonly<Record<number, (a: bigint, b: bigint) => bigint>> = {
    [ReduceOp.SUM]: (a, b) => wrap(a + b),
    [ReduceOp.AVG]: (a, b) => wrap(a + b),
    [ReduceOp.PROD]: (a, b) => wrap(a * b),
    [ReduceOp.MAX]: (a, b) => (b > a ? b : a),
    [ReduceOp.MIN]: (a, b) => (b < a ? b : a),
  };
  return {
    bytes: 8,
    fold: (op, bytes, others) => {
      const fold = folds[op] as (a: bigint, b: bigint) => bigint;
      const [into, other] = [view(bytes), view(others)];
      for (let i = 0; i < into.length; i++) into[i] = fold(into[i] as bigint, other[i] as bigint);
    },
    divide: (bytes, by) => {
      const into = view(bytes);
      for (let i = 0; i < into.length; i++) into[i] = (into[i] as bigint) / BigInt(by);
    },
    scale: (bytes, scalar) => {
      const into = view(bytes);
      const factor = view(scalar)[0] as bigint;
      for (let i = 0; i < into.length; i++) into[i] = wrap((into[i] as bigint) * factor);
    },
  };
}

/** Each operation is done in doubles and rounded once, which is the format's own arithmetic. */
function small(Type: typeof Uint16Array | typeof Uint8Array, { decode, encode }: SmallFloat): ElementType {
  const view = (bytes: Uint8Array): Uint16Array | Uint8Array => viewAs<Uint16Array | Uint8Array>(Type, bytes);
  const folds: Readonly<Record<number, (a: number, b: number) => number>> = {
    [ReduceOp.SUM]: (a, b) => a + b,
    [ReduceOp.AVG]: (a, b) => a + b,
    [ReduceOp.PROD]: (a, b) => a * b,
    [ReduceOp.MAX]: greaterOf,
    [ReduceOp.MIN]: lesserOf,
  };
  return {
    bytes: Type.BYTES_PER_ELEMENT,
    fold: (op, bytes, others) => {
      const fold = folds[op] as (a: number, b: number) => number;
      const [into, other] = [view(bytes), view(others)];
      for (let i = 0; i < into.length; i++) {
        into[i] = encode(fold(decode(into[i] as number), decode(other[i] as number)));
      }
    },
    divide: (bytes, by) => {
      const into = view(bytes);
      for (let i = 0; i < into.length; i++) into[i] = encode(decode(into[i] as number) / by);
    },
    scale: (bytes, scalar) => {
      const into = view(bytes);
      const factor = decode(view(scalar)[0] as number);
      for (let i = 0; i < into.length; i++) into[i] = encode(decode(into[i] as number) * factor);
    },
  };
}
