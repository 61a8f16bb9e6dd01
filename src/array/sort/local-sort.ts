import { indent } from '../kernel/indent.ts';
import { keySize, keyType, type KeyForm } from './key.ts';
import { SORT_THREADS } from './work.ts';

/** Bits that a round sorts by. */
export const ROUND_BITS = 4;
const COUNTERS = 2 ** ROUND_BITS / 2;
const WARP = 32;

/** Keys of a thread: those of a group have 16 KB. */
function itemsOf(form: KeyForm): number {
  return keySize(form) === 8 ? 8 : 16;
}

/** Keys of a group. */
export function localTile(form: KeyForm): number {
  return SORT_THREADS * itemsOf(form);
}

/** How keys of a group are put in order. */
export interface LocalSort {
  readonly form: KeyForm;
  /** Whether it is to be known where a key was: `from`. */
  readonly withPlaces: boolean;
  readonly shuffles: boolean;
}

/** The text of a loop over a thread's keys. */
function eachItem(form: KeyForm, lines: string): string {
  return `UNROLL
for (u32 i = 0; i < ${itemsOf(form)}; i++) {
${indent(lines.trim())}
}`;
}

/** Shared memory and registers: `key`, and `from`, of a thread's keys, which follow each other. One place in 32 is left out. */
export function localDeclarations({ form, withPlaces, shuffles }: LocalSort): string {
  const items = itemsOf(form);
  const tile = localTile(form);
  return `
SHARED ${keyType(form)} tile_keys[${tile + tile / 32}];
SHARED u32 counters[${(COUNTERS * SORT_THREADS * 33) / 32}];
SHARED u32 sums[${shuffles ? SORT_THREADS / WARP : 2 * SORT_THREADS}];
#define PLACE(i) ((i) + ((i) >> 5))
const u32 tid = LOCAL_ID(x);
${keyType(form)} key[${items}];
u32 place[${items}];
${withPlaces ? `u32 from[${items}];` : ''}`.trim();
}

/** The lines that read keys side by side, `read` of `p`, so that each thread has those that follow each other. */
export function localReadText({ form, withPlaces }: LocalSort, read: string): string {
  const items = itemsOf(form);
  return `
${eachItem(
  form,
  `
const u32 p = tid + i * ${SORT_THREADS};
tile_keys[PLACE(p)] = ${read};`,
)}
BARRIER();
${eachItem(form, `key[i] = tile_keys[PLACE(tid * ${items} + i)];${withPlaces ? `\nfrom[i] = tid * ${items} + i;` : ''}`)}`.trim();
}

/**
 * The lines that put the keys of a group in order by a digit of 4 bits, the expression `digit` of `i`: N. Satish, M. Harris,
 * M. Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs" (2009). Each thread counts its own digits, two counters in
 * a word; the sums of the counters before are the places of keys.
 */
export function localRoundText({ form, withPlaces, shuffles }: LocalSort, digit: string): string {
  const items = itemsOf(form);
  const exchange = (name: string): string => `
${eachItem(form, `tile_keys[PLACE(place[i])] = ${name}[i];`)}
BARRIER();
${eachItem(form, `${name}[i] = ${name === 'from' ? '(u32)' : ''}tile_keys[PLACE(tid * ${items} + i)];`)}`;
  const own = `counters[PLACE((digit & ${COUNTERS - 1}u) * ${SORT_THREADS} + tid)]`;
  return `
UNROLL
for (u32 j = 0; j < ${COUNTERS}; j++) counters[PLACE(j * ${SORT_THREADS} + tid)] = 0;
BARRIER();
${eachItem(
  form,
  `
const u32 digit = ${digit}, bits = digit / ${COUNTERS} * 16;
const u32 count = ${own};
place[i] = (count >> bits) & 0xffffu;
${own} = count + (1u << bits);`,
)}
BARRIER();
u32 own_sum = 0;
UNROLL
for (u32 j = 0; j < ${COUNTERS}; j++) own_sum += counters[PLACE(tid * ${COUNTERS} + j)];
${shuffles ? shuffledText() : sharedText()}
// Higher digits come behind the lower ones, whose counters are the lower halves.
sum_before += all << 16;
UNROLL
for (u32 j = 0; j < ${COUNTERS}; j++) {
  const u32 count = counters[PLACE(tid * ${COUNTERS} + j)];
  counters[PLACE(tid * ${COUNTERS} + j)] = sum_before;
  sum_before += count;
}
BARRIER();
${eachItem(
  form,
  `
const u32 digit = ${digit}, bits = digit / ${COUNTERS} * 16;
place[i] += (${own} >> bits) & 0xffffu;`,
)}
${exchange('key').trim()}
BARRIER();${
    withPlaces
      ? `${exchange('from')}
BARRIER();`
      : ''
  }`.trim();

  function sharedText(): string {
    return `
u32 now = 0;
sums[tid] = own_sum;
BARRIER();
for (u32 distance = 1; distance < ${SORT_THREADS}; distance *= 2) {
  const u32 sum = sums[now + tid] + (tid >= distance ? sums[now + tid - distance] : 0);
  now ^= ${SORT_THREADS};
  sums[now + tid] = sum;
  BARRIER();
}
u32 sum_before = sums[now + tid] - own_sum;
const u32 all = sums[now + ${SORT_THREADS - 1}];`.trim();
  }

  function shuffledText(): string {
    return `
const u32 lane = tid % ${WARP}, warp = tid / ${WARP};
u32 sum = own_sum;
UNROLL
for (u32 distance = 1; distance < ${WARP}; distance *= 2) {
  const u32 other = __shfl_up_sync(0xffffffffu, sum, distance);
  if (lane >= distance) sum += other;
}
if (lane == ${WARP - 1}) sums[warp] = sum;
BARRIER();
u32 sum_before = sum - own_sum, all = 0;
UNROLL
for (u32 i = 0; i < ${SORT_THREADS / WARP}; i++) {
  if (i < warp) sum_before += sums[i];
  all += sums[i];
}`.trim();
  }
}

/** The lines after which the keys of a group in order, and `place` of where each was, are side by side: those of a thread at `p`. */
export function localWriteText({ form, withPlaces }: LocalSort, write: string): string {
  const items = itemsOf(form);
  const exchange = (name: string): string => `
${eachItem(form, `tile_keys[PLACE(tid * ${items} + i)] = ${name}[i];`)}
BARRIER();
${eachItem(form, `${name}[i] = ${name === 'from' ? '(u32)' : ''}tile_keys[PLACE(tid + i * ${SORT_THREADS})];`)}`;
  return `
${withPlaces ? `${exchange('from').trim()}\nBARRIER();` : ''}
${exchange('key').trim()}
${eachItem(form, `const u32 p = tid + i * ${SORT_THREADS};\n${write.trim()}`)}`.trim();
}
