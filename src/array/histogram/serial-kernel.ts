import { indent } from '../kernel/indent.ts';
import type { KernelText } from '../kernel/source.ts';
import { binFunctions, NO_BIN } from './bin-rule.ts';
import {
  countName,
  countParameters,
  edgeLines,
  elementLines,
  noteLines,
  placeType,
  threadNotes,
  type CountWork,
} from './count-text.ts';

/** The numbers of {@link serialCounts} behind those of bins. */
const SERIAL_NUMBERS: readonly string[] = ['bins', 'copies', 'chunks', 'chunk_length'];
/** Elements whose bins are found before they are counted. */
const BLOCK = 128;

/**
 * Counts by threads that each go along a chunk, with counters of their own in memory, for processors, whose cache has them, and
 * devices without atomic operations on sums. The bins of a block are found first, in a loop that compilers put together. Then they
 * are counted by turns in `copies` rows, 1 or 4: a counter that has just been changed need not be waited for.
 *
 * A row has a place behind its bins for elements that have none.
 */
export function serialCounts(work: CountWork, copies: 1 | 4): KernelText {
  const { weights, counter } = work;
  const index = placeType(work);
  const weighted = weights !== undefined;
  const found = (i: string, at: string): string => `
${elementLines(work, i)}
found[${at}] = bin == ${NO_BIN} ? bins : bin;
${weighted ? `by[${at}] = weight;` : ''}`;
  const counts = Array.from({ length: copies }, (_, copy) => {
    const place = copy === 0 ? 'j' : `j + ${copy}`;
    const row = copy === 0 ? '' : `${copy} * row_length + `;
    return weighted ? `own[${row}found[${place}]] += by[${place}];` : `own[${row}found[${place}]]++;`;
  });
  const body = `
const u32 chunk = GROUP_ID(x) * LOCAL_SIZE(x) + LOCAL_ID(x);
if (chunk >= chunks) return;
const ${index} begin = (${index})chunk * chunk_length;
const ${index} end = n - begin < chunk_length ? n : begin + chunk_length;
const u64 row_length = (u64)bins + 1;
GLOBAL ${counter} *own = rows + (u64)chunk * copies * row_length;
for (u64 i = 0; i < copies * row_length; i++) own[i] = 0;
${edgeLines(work)}${noteLines(work)}u32 found[${BLOCK}];
${weighted ? `${counter} by[${BLOCK}];\n` : ''}${index} i = begin;
for (; end - i >= ${BLOCK}; i += ${BLOCK}) {
  for (u32 j = 0; j < ${BLOCK}; j++) {
${indent(indent(found('i + j', 'j').trim()))}
  }
  for (u32 j = 0; j < ${BLOCK}; j += ${copies}) {
${indent(indent(counts.join('\n')))}
  }
}
for (; i < end; i++) {
${indent(found('i', '0').trim())}
  ${weighted ? 'own[found[0]] += by[0];' : 'own[found[0]]++;'}
}
${threadNotes(work)}`;
  const name = countName(work, copies === 1 ? 'serial' : `serial${copies}`);
  return { name, parameters: countParameters(work, SERIAL_NUMBERS), body, preamble: binFunctions(work.axes, false) };
}
