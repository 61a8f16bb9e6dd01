import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { conversion, load } from '../kernel/conversion.ts';
import type { Parameter } from '../kernel/dialect.ts';
import { indent } from '../kernel/indent.ts';
import type { KernelText } from '../kernel/source.ts';

/** Blocks of the sorted elements whose last ones a group has in shared memory, at most. */
export const SEARCH_BLOCKS = 1024;

/** Values that a processor's thread looks for at once: their steps go side by side. */
const SERIAL_BLOCK = 16;

/** What is searched. */
export interface SearchWork {
  /** The dtype of the sorted elements. */
  readonly sorted: ArrayDType;
  /** The dtype of what is looked for. */
  readonly value: ArrayDType;
  /** The dtype that both are compared in. */
  readonly compare: ArrayDType;
  /** The dtype of the indices that sort the elements, if there are some. */
  readonly sorter: ArrayDType | undefined;
  /** Whether a place is behind elements that are equal. */
  readonly isRight: boolean;
  readonly wide: boolean;
  /** Threads of a group; a thread of its own has a chunk of what is looked for where that is 1. */
  readonly threads: number;
}

/**
 * The places in sorted elements where others would be put in: a binary search for each.
 *
 * The sorted elements are cut into at most 1,024 blocks, whose last elements a group has in shared memory: the first ten steps
 * of a search are there, and all of them where there are no more elements. Groups go on from value to value, so that this is
 * worthwhile. Processors have a cache for it, and search in memory, for some values side by side.
 */
export function searchKernel(work: SearchWork): KernelText {
  const { sorted, value, compare, sorter, isRight, wide, threads } = work;
  const [index, stride] = wide ? (['u64', 'i64'] as const) : (['u32', 'i32'] as const);
  const number = (name: string, dtype: ArrayDType = index): Parameter => ({ name, dtype, kind: 'number' });
  const place = (name: string, at: string): string =>
    `${name}[(${stride})${name}_at + (${stride})(${at}) * ${name}_step]`;
  const read = (name: string, dtype: ArrayDType, at: string): string => {
    return conversion(load(dtype, name, `(${stride})${name}_at + (${stride})(${at}) * ${name}_step`), dtype, compare);
  };
  const parameters: Parameter[] = [
    { name: 'out', dtype: 'i64', kind: 'output' },
    { name: 'a', dtype: sorted, kind: 'input' },
    { name: 'v', dtype: value, kind: 'input' },
    ...(sorter === undefined ? [] : [{ name: 'sorter', dtype: sorter, kind: 'input' } as const]),
    ...['a', 'v', ...(sorter === undefined ? [] : ['sorter'])].flatMap((name) => [
      number(`${name}_at`),
      number(`${name}_step`, stride),
    ]),
    number('n'),
    number('length'),
    number('reversed', 'u32'),
    number(threads === 1 ? 'chunk_length' : 'block_length'),
  ];
  const order = (at: string): string =>
    sorter === undefined ? at : `index_in_i64((i64)${place('sorter', at)}, (i64)length, 0)`;
  /** As many steps for all values, without a branch: which way a search goes is not to be foreseen. */
  const search = (type: string, left: string, low: string, x: string, element: (at: string) => string): string => `
const ${type} middle = ${left} / 2;
const bool is_behind = precedes(${element(`${low} + middle - 1`)}, ${x});
${low} = is_behind ? ${low} + middle : ${low};`;
  const inMemory = (at: string): string => read('a', sorted, order(at));
  const result = (i: string, low: string): string => `out[${i}] = (i64)(reversed ? length - ${low} : ${low});`;
  const last = (low: string, x: string): string =>
    `if (length > 0) ${low} += precedes(${inMemory(low)}, ${x}) ? 1 : 0;`;
  const serial = `
const ${index} first = ((${index})GROUP_ID(x) * LOCAL_SIZE(x) + LOCAL_ID(x)) * chunk_length;
const ${index} end = first >= n ? first : n - first < chunk_length ? n : first + chunk_length;
${compare} x[${SERIAL_BLOCK}];
${index} low[${SERIAL_BLOCK}];
for (${index} i = first; i < end; i += ${SERIAL_BLOCK}) {
  const u32 count = (u32)(end - i < ${SERIAL_BLOCK} ? end - i : ${SERIAL_BLOCK});
  for (u32 j = 0; j < ${SERIAL_BLOCK}; j++) {
    x[j] = ${read('v', value, '(j < count ? i + j : i)')};
    low[j] = 0;
  }
  for (${index} left = length; left > 1; left -= left / 2) {
    for (u32 j = 0; j < ${SERIAL_BLOCK}; j++) {
${indent(indent(indent(search(index, 'left', 'low[j]', 'x[j]', inMemory).trim())))}
    }
  }
  for (u32 j = 0; j < count; j++) {
    ${last('low[j]', 'x[j]')}
    ${result('i + j', 'low[j]')}
  }
}`;
  const grouped = `
SHARED ${compare} ends[${SEARCH_BLOCKS}];
const u32 tid = LOCAL_ID(x);
const u32 blocks = (u32)((length + block_length - 1) / block_length);
for (u32 b = tid; b < blocks; b += ${threads}) {
  const ${index} end = b + 1 < blocks ? (b + 1) * block_length : length;
  ends[b] = ${inMemory('end - 1')};
}
BARRIER();
for (${index} i = (${index})GROUP_ID(x) * ${threads} + tid; i < n; i += (${index})GROUPS(x) * ${threads}) {
  const ${compare} x = ${read('v', value, 'i')};
  u32 block = 0;
  for (u32 left = blocks; left > 1; left -= left / 2) {
${indent(indent(search('u32', 'left', 'block', 'x', (at) => `ends[${at}]`).trim()))}
  }
  if (blocks > 0) block += precedes(ends[block], x) ? 1 : 0;
  // The last element of a block is known not to precede: one fewer is left to search.
  const ${index} start = block * block_length;
  ${index} low = block < blocks ? start : length;
  const ${index} count = block < blocks ? (length - start < block_length ? length - start : block_length) - 1 : 0;
  for (${index} left = count; left > 1; left -= left / 2) {
${indent(indent(search(index, 'left', 'low', 'x', inMemory).trim()))}
  }
  if (count > 0) low += precedes(${inMemory('low')}, x) ? 1 : 0;
  ${result('i', 'low')}
}`;
  const types = [sorted, value, ...(compare === sorted && sorted === value ? [] : [compare])];
  const name = ['search', isRight ? 'right' : 'left', ...types, ...(sorter === undefined ? [] : ['by', sorter])];
  return {
    name: [...name, ...(threads === 1 ? ['serial'] : []), ...(wide ? ['wide'] : [])].join('_'),
    parameters,
    body: threads === 1 ? serial : grouped,
    preamble: precedes(compare, isRight),
  };
}

/** Whether an element is before the place of a value. NaN is behind all numbers. */
function precedes(t: ArrayDType, isRight: boolean): string {
  const isFloat = arrayDTypes[t].kind === 'float';
  const less = (a: string, b: string): string =>
    isFloat ? `(${a} < ${b} || (${b} != ${b} && ${a} == ${a}))` : `(${a} < ${b})`;
  return `FN bool precedes(${t} a, ${t} b) {\n  return ${isRight ? `!${less('b', 'a')}` : less('a', 'b')};\n}\n\n`;
}
