import type { ArrayDType } from '../dtype.ts';
import { conversion, load, stored } from '../kernel/conversion.ts';
import type { Parameter } from '../kernel/dialect.ts';
import { accumulatorFor, type Accumulator } from './accumulator.ts';
import type { ScanOperation } from './scan-operation.ts';

/** A scan of elements of given dtypes. */
export interface ScanWork {
  readonly operation: ScanOperation;
  readonly input: ArrayDType;
  readonly accumulator: ArrayDType;
  readonly output: ArrayDType;
}

/**
 * What a kernel does with the chunks that a line is cut into.
 *
 * - `scan`: each starts anew
 * - `carry`: each starts with what the chunks before it come to, which it reads
 * - `reduce`: it writes what its elements come to
 */
export type ScanMode = 'scan' | 'carry' | 'reduce';

/** The names of a kernel's types: of places, and of distances. */
export interface PlaceTypes {
  readonly index: 'u32' | 'u64';
  readonly stride: 'i32' | 'i64';
}

/** The types of places. */
export function placeTypes(wide: boolean): PlaceTypes {
  return wide ? { index: 'u64', stride: 'i64' } : { index: 'u32', stride: 'i32' };
}

/**
 * The parameters of a kernel over lines: the memories, the places of the arrays' first elements, the length of a line, how many
 * lines there are and how many follow each other with one distance, steps along a line and from line to line, chunks.
 */
export function scanParameters({ input, accumulator, output }: ScanWork, mode: ScanMode, wide: boolean): Parameter[] {
  const { index, stride } = placeTypes(wide);
  const number = (name: string, dtype: ArrayDType = index): Parameter => ({ name, dtype, kind: 'number' });
  const steps = (name: string): Parameter[] =>
    ['step', 'step0', 'step1'].map((step) => number(`${name}_${step}`, stride));
  const chunks = [number('chunks'), number('chunk_length')];
  const lines = [number('n'), number('lines'), number('n0')];
  if (mode === 'reduce') {
    return [
      { name: 'sums', dtype: accumulator, kind: 'output' },
      { name: 'in', dtype: input, kind: 'input' },
      number('in_at'),
      ...lines,
      ...steps('in'),
      ...chunks,
    ];
  }
  return [
    { name: 'out', dtype: output, kind: 'output' },
    { name: 'in', dtype: input, kind: 'input' },
    ...(mode === 'carry' ? [{ name: 'sums', dtype: accumulator, kind: 'input' } as const] : []),
    number('out_at'),
    number('in_at'),
    ...lines,
    ...steps('in'),
    ...steps('out'),
    ...chunks,
  ];
}

/** The text of an element as it is accumulated. */
export function readText({ input, accumulator, output }: ScanWork, at: string, memory = 'in'): string {
  const element = load(input, memory, at);
  // Of truth values every number but 0 counts as 1.
  if (output === 'bool') return `(${accumulator})${conversion(element, input, 'bool')}`;
  return conversion(element, input, accumulator);
}

/** The text of a result as memory has it. */
export function writeText({ accumulator, output }: ScanWork, name: string): string {
  return stored(output, conversion(name, accumulator, output));
}

/** What a kernel of an operation needs before it. */
export function preambleOf({ operation }: ScanWork): { readonly preamble: string; readonly head: string } {
  const { preamble = '', head = '' } = operation;
  return { preamble, head };
}

/** The name of a kernel. */
export function scanName(work: ScanWork, parts: readonly string[], wide: boolean): string {
  const { operation, input, accumulator, output } = work;
  const types = [input, ...(accumulator === output ? [] : [accumulator]), output];
  return [operation.name, ...types, ...parts, ...(wide ? ['wide'] : [])].join('_');
}

/** How a scan accumulates. */
export function accumulatorOfWork({ operation, accumulator }: ScanWork): Accumulator {
  return accumulatorFor(operation, accumulator);
}
