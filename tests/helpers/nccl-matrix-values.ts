import type { MatrixCase, Op } from './nccl-matrix-cases.ts';
import { seeded, type Numbers } from './nccl-reference.ts';

type Value = number | bigint;

/** Bits of each float type's significand, the hidden one included. */
const PRECISION: Readonly<Record<string, number>> = { f64: 53, f32: 24, f16: 11, bf16: 8, f8e4m3: 4, f8e5m2: 3 };
/** Types of 8 bits: there is little room for sums with different factors, and a number that is too large is the largest one. */
const TINY = 4;

/** What a rank gives, number by number, and what the ranks' numbers become. */
export interface MatrixValues {
  /** The numbers of each rank's send memory. */
  readonly sent: readonly (readonly Value[])[];
  /** The factor of a rank for `preMulSum`. */
  readonly factors: readonly Value[];
}

/**
 * The numbers of all ranks in a case. Floats are chosen so that each partial result is exact in whatever order NCCL combines
 * them: only `avg` among ranks that are not a power of two is rounded. Integers wrap around, but for `avg`.
 *
 * @param lengths - how many numbers each rank gives
 */
export function valuesOf(one: MatrixCase, size: number, lengths: readonly number[]): MatrixValues {
  const { numbers } = one.dtype;
  const make = numbers.isFloat ? floats(numbers, one.op, size) : integers(numbers, one.op, size);
  const sent = lengths.map((length, rank) => {
    const random = seeded(one.index * 64 + rank);
    return Array.from({ length }, (_, i) => make(rank, i, random));
  });
  return { sent, factors: lengths.map((_, rank) => factorOf(numbers, rank)) };
}

type Maker = (rank: number, i: number, random: () => number) => Value;

function integers({ name, bytes }: Numbers, op: Op | undefined, size: number): Maker {
  const isSigned = name.startsWith('i');
  const bits = bytes * 8;
  const wrap = (value: bigint): bigint => (isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value));
  // The sum of an average must not wrap: NCCL does not say what is divided then.
  const share = op === 'avg' ? BigInt(size) : 1n;
  return (_, __, random) => wrap((word(random) << 32n) | word(random)) / share;
}

function word(random: () => number): bigint {
  return BigInt(Math.floor(random() * 2 ** 32));
}

function floats({ name }: Numbers, op: Op | undefined, size: number): Maker {
  const precision = PRECISION[name] as number;
  const room = 2 ** precision;
  if (op === 'prod') {
    return (rank, i, random) => {
      const fraction = rank === i % size ? Math.floor(random() * (room / 2)) / (room / 2) : 0;
      return (random() < 0.5 ? -1 : 1) * (1 + fraction) * 2 ** (((i + rank) % 3) - 1);
    };
  }
  const isSum = op === 'sum' || op === 'avg' || op === 'preMulSum';
  // Factors of 1/2, 1 and 2 need two more bits.
  const most = isSum ? Math.floor(room / size / (op === 'preMulSum' && precision > TINY ? 4 : 1)) : room - 1;
  return (_, i, random) => {
    if (!isSum && precision > TINY && random() < 0.02) return random() < 0.5 ? -Infinity : Infinity;
    const whole = Math.floor(random() * (most + 1));
    // Zero has one sign here: NCCL does not say which one is larger.
    return whole === 0 ? 0 : (random() < 0.5 ? -whole : whole) * 2 ** ((i % 7) - 3);
  };
}

function factorOf({ name, isFloat }: Numbers, rank: number): Value {
  if (!isFloat) return BigInt(rank + 2);
  return (PRECISION[name] as number) > TINY ? 2 ** ((rank % 3) - 1) : 0.5;
}

/** A number that was combined, exactly; `error`: how far a correct result may be from it. */
export interface Expected {
  readonly value: Value;
  readonly error: number;
}

/** What the numbers of all ranks at one place become. */
export function combine(numbers: Numbers, op: Op, values: readonly Value[], factors: readonly Value[]): Expected {
  const size = values.length;
  if (op === 'max' || op === 'min') {
    return { value: values.reduce((a, b) => ((op === 'max') === a > b ? a : b)), error: 0 };
  }
  const parts = op === 'preMulSum' ? values.map((value, rank) => times(value, factors[rank] as Value)) : values;
  const whole = parts.reduce((a, b) => (op === 'prod' ? times(a, b) : plus(a, b)));
  if (op !== 'avg') return { value: whole, error: 0 };
  if (typeof whole === 'bigint') return { value: whole / BigInt(size), error: 0 };
  return { value: whole / size, error: averageError(numbers, values as readonly number[]) };
}

function times(a: Value, b: Value): Value {
  return typeof a === 'bigint' ? a * BigInt(b) : a * Number(b);
}

function plus(a: Value, b: Value): Value {
  return typeof a === 'bigint' ? a + BigInt(b) : a + Number(b);
}

/**
 * NCCL multiplies by 1/n, rounded, and adds. So 1/n, each product and n - 1 sums lose up to half of the last bit; others add
 * first and divide once, which is nearer.
 */
function averageError({ name }: Numbers, values: readonly number[]): number {
  const size = values.length;
  if (Number.isInteger(Math.log2(size))) return 0;
  const half = 2 ** -(PRECISION[name] as number);
  // (1 + half) ** (size + 1) - 1, which would be 0 of f64.
  return Math.expm1((size + 1) * Math.log1p(half)) * values.reduce((sum, value) => sum + Math.abs(value) / size, 0);
}
