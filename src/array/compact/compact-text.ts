import type { Parameter } from '../kernel/dialect.ts';

/** Which elements are taken, and what becomes of them. Elements are numbered from 0 in one line. */
export interface CompactText {
  /** The name of kernels. */
  readonly name: string;
  /** Memories that are written, then those that are read. */
  readonly memories: readonly Parameter[];
  readonly numbers: readonly Parameter[];
  /** Functions that the texts call, and what comes before everything else. */
  readonly preamble?: string;
  readonly head?: string;
  /** Whether an element is taken. */
  readonly holds: (i: string) => string;
  /** The memory of bytes, and the number of its first place, by which `holds` decides: it is not 0. */
  readonly bytes?: readonly [memory: string, at: string];
  /** What is read of an element that is taken, before it is written: the type and the text. */
  readonly value?: readonly [type: string, text: (i: string) => string];
  /** The statements for an element that is taken; its number among those is `rank`. `value` is what was read of it. */
  readonly write: (i: string, rank: string, value: string) => string;
  /** The same for one that is not taken; `rank` is how many before it are. */
  readonly writeOther?: (i: string, rank: string, value: string) => string;
}

/** How elements are counted: `u64` where there are more than 32 bits can say. */
export type CountType = 'u32' | 'u64';
