import type { ArrayDType } from '../dtype.ts';
import { itemType } from '../kernel/item.ts';
import { DIGITS, digitsOf, keyStorage, keyText, type KeyForm } from './key.ts';
import { storageType, type Dialect, type Parameter } from '../kernel/dialect.ts';

/**
 * What follows its key: nothing; the place that the key had, which is made by the first pass and is an i64 in the end; or an
 * element of so many bytes.
 */
export type Payload = 'none' | 'index' | 1 | 2 | 4 | 8 | 16;

/** A sort of keys of one form. */
export interface SortWork {
  readonly form: KeyForm;
  readonly payload: Payload;
  /** Whether counts need 64 bits. */
  readonly wide: boolean;
}

/** Passes are told by these bits of a word of the plan: whether there is one, where it reads and writes. */
export const PLAN = { active: 1, first: 2, last: 4, toOut: 8 } as const;

/** Threads of a group where a text does not say otherwise. */
export const SORT_THREADS = 256;

/** The type of counts. */
export function countType({ wide }: SortWork): 'u32' | 'u64' {
  return wide ? 'u64' : 'u32';
}

/** The type of a payload on its way: indices are i64 in the end alone. */
export function movedType({ payload, wide }: SortWork): ArrayDType | undefined {
  if (payload === 'none') return undefined;
  return payload === 'index' ? (wide ? 'u64' : 'u32') : itemType(payload);
}

/** Words of a line in the plan: where each digit of each pass begins, then a word for each pass. */
export function planWords(form: KeyForm): number {
  return digitsOf(form) * (DIGITS + 1);
}

/** A name for kernels and their keys. */
export function workName(kind: string, { form, payload, wide }: SortWork): string {
  return `sort_${kind}_${form}${payload === 'none' ? '' : `_with_${payload}`}${wide ? '_wide' : ''}`;
}

/** Compilers for processors unroll what is worth it. All loops would make a text that takes them twice as long. */
const LOOPS = `\
#ifdef __clang__
#undef UNROLL
#define UNROLL
#endif
`;

/** The functions and types that the texts of a work have in common. */
export function workText(work: SortWork): string {
  return `${LOOPS}typedef ${countType(work)} count_t;\n${keyText(work.form)}\n`;
}

/** How a number is added to one in shared memory, whose sum nobody reads yet. */
export function addShared(dialect: Dialect, at: string, value: string): string {
  return `${dialect.name === 'cuda' ? 'atomicAdd' : 'atomic_add'}(${at}, ${value})`;
}

/**
 * The parameters of a pass: the memories that keys go to in turns, those of payloads, what the pass has of its own, the memories
 * that are sorted, and the plan.
 */
export function passParameters(work: SortWork, own: readonly Parameter[]): Parameter[] {
  const { form, payload } = work;
  const key = keyStorage(form);
  const moved = movedType(work);
  const input = payload === 'index' ? undefined : moved;
  const memory = (name: string, dtype: ArrayDType, kind: 'output' | 'input'): Parameter => ({ name, dtype, kind });
  const number = (name: string, dtype: ArrayDType): Parameter => ({ name, dtype, kind: 'number' });
  const outer: ArrayDType | undefined = payload === 'index' ? 'i64' : moved;
  return [
    memory('keys_out', key, 'output'),
    memory('keys_tmp', key, 'output'),
    ...(moved && outer ? [memory('values_out', outer, 'output'), memory('values_tmp', moved, 'output')] : []),
    ...own.filter(({ kind }) => kind === 'output'),
    memory('keys_in', key, 'input'),
    ...(input ? [memory('values_in', input, 'input')] : []),
    memory('plan', countType(work), 'input'),
    ...own.filter(({ kind }) => kind === 'input'),
    number('keys_in_at', 'u64'),
    number('keys_out_at', 'u64'),
    ...(moved ? [number('values_out_at', 'u64')] : []),
    ...(input ? [number('values_in_at', 'u64')] : []),
    number('n', countType(work)),
    number('pass', 'u32'),
    number('flip', key === 'u64' ? 'u64' : 'u32'),
    number('keeps_keys', 'u32'),
    ...own.filter(({ kind }) => kind === 'number'),
  ];
}

/**
 * The lines that have, of the pass of a line, where each digit begins (`starts`), `first` and `last`, what keys and payloads are read
 * from and written to; a pass whose digit all keys have in common ends here.
 */
export function passText(work: SortWork): string {
  const { form, payload } = work;
  const key = keyStorage(form);
  const moved = movedType(work);
  const words = planWords(form);
  const hasInput = moved !== undefined && payload !== 'index';
  return `
GLOBAL const count_t *starts = plan + (u64)line * ${words} + pass * ${DIGITS};
const u32 flags = (u32)plan[(u64)line * ${words} + ${digitsOf(form) * DIGITS} + pass];
if ((flags & ${PLAN.active}) == 0) return;
const bool first = (flags & ${PLAN.first}) != 0, last = (flags & ${PLAN.last}) != 0, to_out = (flags & ${PLAN.toOut}) != 0;
const u32 shift = pass * 8;
const u64 line_at = (u64)line * n;
GLOBAL ${key} *keys_here = keys_out + keys_out_at + line_at;
GLOBAL ${key} *keys_there = keys_tmp + line_at;
GLOBAL const ${key} *keys_from = first ? keys_in + keys_in_at + line_at : to_out ? keys_there : keys_here;
GLOBAL ${key} *keys_to = to_out ? keys_here : keys_there;
const bool writes_keys = !last || keeps_keys != 0;${
    moved === undefined
      ? ''
      : `
GLOBAL ${storageType(moved)} *values_here = (GLOBAL ${storageType(moved)} *)(values_out + values_out_at + line_at);
GLOBAL ${storageType(moved)} *values_there = values_tmp + line_at;
GLOBAL const ${storageType(moved)} *values_from = ${hasInput ? 'first ? values_in + values_in_at + line_at : ' : ''}to_out ? values_there : values_here;
GLOBAL ${storageType(moved)} *values_to = to_out ? values_here : values_there;`
  }`.trim();
}
