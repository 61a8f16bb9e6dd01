import { arrayDTypes, type ArrayDType, type DTypeKind } from '../dtype.ts';
import { ALL, REAL_OR_BOOL } from '../operation/operation.ts';
import { operations, type OperationName } from '../operation/table.ts';

/** What is accumulated along an axis. */
export interface ScanOperation {
  readonly name: string;
  readonly kinds: readonly DTypeKind[];
  /** Whether integers accumulate in 64 bits. */
  readonly isWide: boolean;
  /** The element that changes nothing, in C. Of a float sum it is -0, beside which even -0 stays as it is. */
  readonly neutral: (accumulator: ArrayDType) => string;
  /** The elements of two parts together, in C. Operands are names. */
  readonly combine: (a: string, b: string, accumulator: ArrayDType) => string;
  /** Whether an element is left out of its own result. */
  readonly isExclusive?: boolean;
  /** Functions that it calls, and what comes before everything else. */
  readonly preamble?: string;
  readonly head?: string;
}

function combineBy(name: OperationName): ScanOperation['combine'] {
  return (a, b, t) => operations[name].text([a, b], t);
}

/** A real number as an element of the accumulator. */
function literal(value: string): ScanOperation['neutral'] {
  return (t) => {
    const { kind, part } = arrayDTypes[t];
    return kind === 'complex' ? `${t.toUpperCase()}((${part})${value}, (${part})0)` : `(${t})${value}`;
  };
}

function sumNeutral(t: ArrayDType): string {
  const { kind, part } = arrayDTypes[t];
  if (kind === 'complex') return `${t.toUpperCase()}(-(${part})0, -(${part})0)`;
  return kind === 'float' ? `(-(${t})0)` : `(${t})0`;
}

const LEAST: Readonly<Record<string, string>> = {
  i32: '((i32)0x80000000u)',
  i64: '((i64)((u64)1 << 63))',
  u32: '0u',
  u64: '((u64)0)',
  f32: 'FLOAT_U32(0xff800000u)',
  f64: 'FLOAT_U64((u64)0xfff00000u << 32)',
};
const GREATEST: Readonly<Record<string, string>> = {
  i32: '((i32)0x7fffffff)',
  i64: '((i64)(~(u64)0 >> 1))',
  u32: '0xffffffffu',
  u64: '(~(u64)0)',
  f32: 'FLOAT_U32(0x7f800000u)',
  f64: 'FLOAT_U64((u64)0x7ff00000u << 32)',
};

/** Every operation that accumulates. */
export const scanOperations: Readonly<Record<'cumsum' | 'cumprod' | 'cummax' | 'cummin', ScanOperation>> = {
  cumsum: { name: 'cumsum', kinds: ALL, isWide: true, neutral: sumNeutral, combine: combineBy('add') },
  cumprod: { name: 'cumprod', kinds: ALL, isWide: true, neutral: literal('1'), combine: combineBy('multiply') },
  cummax: {
    name: 'cummax',
    kinds: REAL_OR_BOOL,
    isWide: false,
    neutral: (t) => LEAST[t] ?? '0',
    combine: combineBy('maximum'),
  },
  cummin: {
    name: 'cummin',
    kinds: REAL_OR_BOOL,
    isWide: false,
    neutral: (t) => GREATEST[t] ?? '0',
    combine: combineBy('minimum'),
  },
};

/** The dtype of sums and products of elements: integers up to 64 bits have 64, floats and complex numbers stay. */
export function sumDType(dtype: ArrayDType): ArrayDType {
  const { kind } = arrayDTypes[dtype];
  if (kind === 'bool' || kind === 'int') return 'i64';
  return kind === 'uint' ? 'u64' : dtype;
}

/** The dtype that a result is computed in: of four bytes or more. */
export function accumulatorOf(result: ArrayDType): ArrayDType {
  const { kind, size } = arrayDTypes[result];
  if (size >= 4) return result;
  if (kind === 'float') return 'f32';
  return kind === 'int' ? 'i32' : 'u32';
}
