import { arrayDTypes } from '../dtype.ts';
import { indent } from '../kernel/indent.ts';
import { packTypes } from '../kernel/pack.ts';
import type { KernelText } from '../kernel/source.ts';
import { binFunctions, sharedEdges } from './bin-rule.ts';
import {
  countedArrays,
  countName,
  countParameters,
  declarePacks,
  edgeLines,
  elementLines,
  groupNotes,
  groupNotesEnd,
  hasIntegers,
  noteLines,
  NOTES,
  packedLines,
  placeType,
  readPacks,
  type CountWork,
} from './count-text.ts';

/** The numbers of {@link sharedCounts} behind those of bins. */
const SHARED_NUMBERS: readonly string[] = ['bins', 'ranges', 'width', 'copies'];
/** Copies of the counters of a group at most: as many as shared memory has banks. */
export const MAX_COPIES = 32;

/** How {@link sharedCounts} is written. */
export interface SharedCounts {
  /** Threads of a group. */
  readonly threads: number;
  /** Counters that a group has in shared memory. */
  readonly words: number;
  /** Whether explicit edges fit shared memory, too. */
  readonly areEdgesShared: boolean;
  /** Whether a thread counts elements of one bin that follow each other in a register. */
  readonly hasRuns: boolean;
}

/**
 * Counts by groups that each have counters of their own in shared memory, and go on from pack to pack until all is read: each
 * leaves a row, which are then added up, so that no group waits for another one's counters in memory.
 *
 * Few bins have several copies of their counters, side by side: threads of a warp whose elements are equal change different ones,
 * which are in different banks. With 32 copies no two of them ever wait for each other, whatever the elements are; J. Gomez-Luna et
 * al., "An optimized approach to histogram computation on GPU" (2013). Where there is room for few copies, a thread adds up
 * equal neighbours first.
 *
 * More bins than shared memory has room for are counted in `ranges`, `width` bins each. Groups of all ranges read the same elements
 * at about the same time: they are next to each other in the order in which groups begin, so that all but one read the cache.
 */
export function sharedCounts(work: CountWork, form: SharedCounts): KernelText {
  const { counter, weights, lanes } = work;
  const { threads, words, areEdgesShared, hasRuns } = form;
  const index = placeType(work);
  const rounds = Math.max(1, Math.min(4, 16 / lanes));
  const edges = work.axes.flatMap(({ rule, compare }, i) => (rule === 'edges' ? [{ i, compare }] : []));
  const add = (bin: string, value: string): string =>
    `shared_add_${counter}(counters, (${bin}) * copies + copy, ${value});`;
  const one =
    weights !== undefined
      ? `const u32 slot = bin - low;\nif (slot < bin_count) ${add('slot', 'weight')}`
      : hasRuns
        ? `const u32 slot = bin - low;
if (slot != held) {
  if (held < bin_count) ${add('held', 'run')}
  held = slot;
  run = 0;
}
run++;`
        : `const u32 slot = bin - low;\nif (slot < bin_count) ${add('slot', '1')}`;
  const single = (i: string): string => `${elementLines(work, i)}\n${one}`;
  const packed = (rounds: number, step: string): string => `
${declarePacks(work, rounds)}
UNROLL
for (u32 r = 0; r < ${rounds}; r++) {
${indent(readPacks(work, step))}
}
UNROLL
for (u32 r = 0; r < ${rounds}; r++) {
  UNROLL
  for (u32 k = 0; k < ${lanes}; k++) {
${indent(indent(`${packedLines(work, 'k')}\n${one}`))}
  }
}`;
  const loops =
    lanes === 1
      ? `
for (; p < n; p += step) {
${indent(single('p'))}
}`
      : `
const ${index} packs = n / ${lanes};
for (; p + ${rounds - 1} * step < packs; p += ${rounds} * step) {${indent(packed(rounds, 'p + r * step'))}
}
${
  rounds === 1
    ? ''
    : `for (; p < packs; p += step) {${indent(packed(1, 'p'))}
}`
}
for (${index} i = packs * ${lanes} + (${index})chunk * ${threads} + tid; i < n; i += step) {
${indent(single('i'))}
}`;
  const shared = edges.map(({ i, compare }) =>
    areEdgesShared ? `SHARED ${compare} edges${i}[${sharedEdges(compare)}];\n` : '',
  );
  const copied = edges.map(({ i }) =>
    areEdgesShared ? `for (u32 i = tid; i <= bins${i}; i += ${threads}) edges${i}[i] = edges_in${i}[i];\n` : '',
  );
  const [declaration, first] = groupNotes(work);
  const body = `
SHARED ${counter} counters[${words}];
${shared.join('')}${declaration}const u32 tid = LOCAL_ID(x);
const u32 range = GROUP_ID(x) % ranges, chunk = GROUP_ID(x) / ranges;
const u32 low = range * width, bin_count = bins - low < width ? bins - low : width;
const u32 copy = tid & (copies - 1);
for (u32 i = tid; i < bin_count * copies; i += ${threads}) counters[i] = 0;
${copied.join('')}${first}${areEdgesShared ? '' : edgeLines(work)}${noteLines(work)}BARRIER();
const ${index} step = (${index})(GROUPS(x) / ranges) * ${threads};
${index} p = (${index})chunk * ${threads} + tid;
${hasRuns ? 'u32 held = bin_count, run = 0;\n' : ''}${loops.trim()}
${hasRuns ? `if (held < bin_count) ${add('held', 'run')}\n` : ''}${hasIntegers(work) ? groupNotesEnd(work) : 'BARRIER();\n'}
for (u32 bin = tid; bin < bin_count; bin += ${threads}) {
  ${counter} sum = 0;
  // Neighbouring threads begin with different copies, which are in different banks.
  for (u32 c = 0; c < copies; c++) sum += counters[bin * copies + ((c + tid) & (copies - 1))];
  rows[(u64)chunk * bins + low + bin] = sum;
}`;
  const functions = binFunctions(work.axes, areEdgesShared);
  const packs =
    lanes === 1
      ? ''
      : packTypes(
          countedArrays(work).map(({ dtype }) => dtype),
          lanes,
        );
  const name = countName(
    work,
    ['shared', ...(areEdgesShared ? [] : ['edges']), ...(hasRuns ? ['runs'] : [])].join('_'),
  );
  return { name, parameters: countParameters(work, SHARED_NUMBERS), body, preamble: packs + functions, threads };
}

/** Counters that a group has room for beside explicit edges. */
export function sharedWords(work: CountWork, sharedBytes: number, areEdgesShared: boolean): number {
  const edges = work.axes.reduce((bytes, { rule, compare }) => {
    return bytes + (rule === 'edges' && areEdgesShared ? sharedEdges(compare) * arrayDTypes[compare].size : 0);
  }, 0);
  const notes = hasIntegers(work) ? 4 * NOTES : 0;
  return Math.floor((Math.min(sharedBytes, 49152) - edges - notes) / arrayDTypes[work.counter].size);
}
