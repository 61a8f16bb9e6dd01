import type { Parameter } from '../kernel/dialect.ts';
import type { Accumulator } from './accumulator.ts';

/** A scan of items that an expression gives for the numbers from 0 to n - 1, and what a statement does with each result. */
export interface ItemScanText {
  /** The name of kernels. */
  readonly name: string;
  /** Memories that are written, then those that are read. */
  readonly memories: readonly Parameter[];
  readonly numbers: readonly Parameter[];
  /** Types and functions that the texts name. */
  readonly preamble: string;
  /** What comes before everything else. */
  readonly head?: string;
  readonly accumulator: Accumulator;
  /** The item of a number. */
  readonly item: (i: string) => string;
  /**
   * The statement for a result: what the items up to `i` come to, those before it, and all.
   */
  readonly write: (i: string, item: string, previous: string, last: string) => string;
  readonly needsPrevious: boolean;
  /** Whether the statement takes what all items come to: then they are gone through twice. */
  readonly needsLast: boolean;
}

/** The type of the numbers that items have. */
export type ItemIndex = 'i32' | 'i64';

/** What a kernel does: all in one pass, the sums of parts, or the results behind the sums of the parts before. */
export type ItemScanMode = 'once' | 'reduce' | 'write';

/** The parameters of a kernel. Sums are bytes, of which the kernel makes items. */
export function itemScanParameters(text: ItemScanText, mode: ItemScanMode, index: ItemIndex): Parameter[] {
  const inputs = text.memories.filter(({ kind }) => kind === 'input');
  const outputs = text.memories.filter(({ kind }) => kind === 'output');
  const n: Parameter = { name: 'item_count', dtype: index, kind: 'number' };
  const chunk: Parameter = { name: 'chunk_length', dtype: index, kind: 'number' };
  const parts: Parameter = { name: 'parts', dtype: 'u32', kind: 'number' };
  if (mode === 'once') {
    return [...outputs, { name: 'state', dtype: 'u64', kind: 'output' }, ...inputs, n, ...text.numbers];
  }
  if (mode === 'reduce') {
    return [{ name: 'sums', dtype: 'u8', kind: 'output' }, ...text.memories, n, chunk, parts, ...text.numbers];
  }
  return [...outputs, { name: 'sums', dtype: 'u8', kind: 'input' }, ...inputs, n, chunk, parts, ...text.numbers];
}
