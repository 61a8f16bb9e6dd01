import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { registerType } from '../kernel/dialect.ts';
import type { ScanOperation } from './scan-operation.ts';

/** What is accumulated: its type in kernels, how two become one, and its way from thread to thread. */
export interface Accumulator {
  /** The type of a register. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** The element that changes nothing. */
  readonly neutral: string;
  /** The elements of two parts together. Operands are names. */
  readonly combine: (a: string, b: string) => string;
  /** Its bits, 32 at a time. */
  readonly words: (name: string) => readonly string[];
  /** The element of such bits. */
  readonly ofWords: (words: readonly string[]) => string;
  /** Another thread's value of a warp, in CUDA C++. */
  readonly shuffle: (way: ShuffleWay, name: string, from: string) => string;
}

/** Which thread of a warp is read: one so many before, one so many behind, or a given one. */
export type ShuffleWay = 'up' | 'down' | '';

/** How elements of a dtype are accumulated. */
export function accumulatorFor(operation: ScanOperation, dtype: ArrayDType): Accumulator {
  return {
    type: registerType(dtype),
    size: arrayDTypes[dtype].size,
    neutral: operation.neutral(dtype),
    combine: (a, b) => operation.combine(a, b, dtype),
    words: (name) => wordsText(dtype, name),
    ofWords: (words) => ofWordsText(dtype, words),
    shuffle: (way, name, from) => {
      if (arrayDTypes[dtype].kind !== 'complex') return shuffleText(way, name, from);
      const parts = ['x', 'y'].map((part) => shuffleText(way, `${name}.${part}`, from));
      return `${dtype.toUpperCase()}(${parts.join(', ')})`;
    },
  };
}

/** The text of another thread's number of a warp. */
export function shuffleText(way: ShuffleWay, name: string, from: string): string {
  return `__shfl_${way === '' ? '' : `${way}_`}sync(0xffffffffu, ${name}, ${from})`;
}

function wordsText(dtype: ArrayDType, name: string): string[] {
  const { kind, part, size } = arrayDTypes[dtype];
  if (kind === 'complex') return ['x', 'y'].flatMap((each) => wordsText(part, `${name}.${each}`));
  if (size === 4) return [part === 'f32' ? `BITS_F32(${name})` : `(u32)${name}`];
  const bits = part === 'f64' ? `BITS_F64(${name})` : `(u64)${name}`;
  return [`(u32)${bits}`, `(u32)(${bits} >> 32)`];
}

function ofWordsText(dtype: ArrayDType, words: readonly string[]): string {
  const { kind, part, size } = arrayDTypes[dtype];
  if (kind === 'complex') {
    const half = words.length / 2;
    return `${dtype.toUpperCase()}(${ofWordsText(part, words.slice(0, half))}, ${ofWordsText(part, words.slice(half))})`;
  }
  const [low = '', high = ''] = words;
  if (size === 4) return part === 'f32' ? `FLOAT_U32(${low})` : `(${dtype})${low}`;
  const bits = `((u64)${high} << 32 | ${low})`;
  return part === 'f64' ? `FLOAT_U64(${bits})` : `(${dtype})${bits}`;
}
