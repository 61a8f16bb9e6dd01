import type { Dialect, Parameter } from '../kernel/dialect.ts';
import type { KernelText } from '../kernel/source.ts';
import { DIGITS, digitsOf, keyStorage, keyType } from './key.ts';
import { addShared, countType, PLAN, planWords, SORT_THREADS, workName, workText, type SortWork } from './work.ts';

/** Keys of a thread that are read at once. */
const ITEMS = 16;
/** Bytes of shared memory for counts: as many copies of them fit as keep threads off each other's. */
const COUNT_BYTES = 16 * 1024;

/** Keys that a group of {@link countGroups} counts at once. */
export const COUNT_TILE: number = SORT_THREADS * ITEMS;

function countParameters(work: SortWork): Parameter[] {
  const { form } = work;
  const count = countType(work);
  return [
    { name: 'plan', dtype: count, kind: 'output' },
    { name: 'keys_in', dtype: keyStorage(form), kind: 'input' },
    { name: 'keys_in_at', dtype: 'u64', kind: 'number' },
    { name: 'n', dtype: count, kind: 'number' },
    { name: 'chunks', dtype: 'u32', kind: 'number' },
    { name: 'chunk_length', dtype: count, kind: 'number' },
    { name: 'flip', dtype: keyType(form), kind: 'number' },
  ];
}

/** The lines that have the chunk of a line that a thread or a group goes over. */
function chunkText(work: SortWork, number: string): string {
  return `
const u32 line = ${number} / chunks, chunk = ${number} % chunks;
const count_t begin = chunk * chunk_length;
const count_t end = begin + chunk_length < n ? begin + chunk_length : n;
GLOBAL const ${keyStorage(work.form)} *from = keys_in + keys_in_at + (u64)line * n;`.trim();
}

/**
 * How often each digit of each pass is there, in one read of the keys: a group counts a chunk of a line in shared memory, where
 * neighbouring threads have copies of their own, then adds to the line's counts.
 */
export function countGroups(work: SortWork, dialect: Dialect): KernelText {
  const { form } = work;
  const type = keyType(form);
  const passes = digitsOf(form);
  const copies = Math.min(8, COUNT_BYTES / (passes * DIGITS * 4));
  const count = `
k = key_of(encode_key(k, flip));
UNROLL
for (u32 p = 0; p < ${passes}; p++) {
  ${addShared(dialect, `counts + (p * ${DIGITS} + ((u32)(k >> (8 * p)) & ${DIGITS - 1}u)) * ${copies} + tid % ${copies}`, '1u')};
}`;
  const body = `
SHARED u32 counts[${passes * DIGITS * copies}];
const u32 tid = LOCAL_ID(x);
${chunkText(work, 'GROUP_ID(x)')}
for (u32 i = tid; i < ${passes * DIGITS * copies}; i += ${SORT_THREADS}) counts[i] = 0;
BARRIER();
for (count_t base = begin; base < end; base += ${COUNT_TILE}) {
  if (end - base >= ${COUNT_TILE}) {
    ${type} keys[${ITEMS}];
    UNROLL
    for (u32 i = 0; i < ${ITEMS}; i++) keys[i] = from[base + i * ${SORT_THREADS} + tid];
    UNROLL
    for (u32 i = 0; i < ${ITEMS}; i++) {
      ${type} k = keys[i];
${count.trim().replace(/^/gm, '      ')}
    }
  } else {
    for (count_t i = base + tid; i < end; i += ${SORT_THREADS}) {
      ${type} k = from[i];
${count.trim().replace(/^/gm, '      ')}
    }
  }
}
BARRIER();
for (u32 i = tid; i < ${passes * DIGITS}; i += ${SORT_THREADS}) {
  u32 sum = 0;
  UNROLL
  for (u32 copy = 0; copy < ${copies}; copy++) sum += counts[i * ${copies} + copy];
  if (sum > 0) scatter_add_${countType(work)}(plan, (u64)line * ${planWords(form)} + i, sum);
}`;
  return { name: workName('count', work), parameters: countParameters(work), body, preamble: workText(work) };
}

/** The same where the threads of a group run one after another: a thread counts a chunk. */
export function countChunks(work: SortWork): KernelText {
  const { form } = work;
  const passes = digitsOf(form);
  const body = `
u32 counts[${passes * DIGITS}];
${chunkText(work, 'GROUP_ID(x)')}
for (u32 i = 0; i < ${passes * DIGITS}; i++) counts[i] = 0;
for (count_t i = begin; i < end; i++) {
  const ${keyType(form)} k = key_of(encode_key(from[i], flip));
  UNROLL
  for (u32 p = 0; p < ${passes}; p++) counts[p * ${DIGITS} + ((u32)(k >> (8 * p)) & ${DIGITS - 1}u)]++;
}
for (u32 i = 0; i < ${passes * DIGITS}; i++) {
  if (counts[i] > 0) scatter_add_${countType(work)}(plan, (u64)line * ${planWords(form)} + i, counts[i]);
}`;
  return { name: workName('count_chunks', work), parameters: countParameters(work), body, preamble: workText(work) };
}

function planParameters(work: SortWork): Parameter[] {
  const count = countType(work);
  return [
    { name: 'plan', dtype: count, kind: 'output' },
    { name: 'n', dtype: count, kind: 'number' },
    { name: 'lines', dtype: 'u32', kind: 'number' },
  ];
}

/**
 * The lines that write what each pass does: `single` says of which digit all keys have one value. Passes write to the output and to
 * the other memory in turns, the last one to the output. At least one pass is there, to convert keys.
 */
function flagsText(passes: number): string {
  return `
u32 wanted = 0, done = 0;
for (u32 p = 0; p < ${passes}; p++) wanted += single[p] == 0 ? 1 : 0;
if (wanted == 0) {
  single[0] = 0;
  wanted = 1;
}
for (u32 p = 0; p < ${passes}; p++) {
  u32 flags = 0;
  if (single[p] == 0) {
    flags = ${PLAN.active} | (done == 0 ? ${PLAN.first} : 0) | (done == wanted - 1 ? ${PLAN.last} : 0);
    if ((wanted - 1 - done) % 2 == 0) flags |= ${PLAN.toOut};
    done++;
  }
  mine[${passes * DIGITS} + p] = flags;
}`.trim();
}

/** Counts become the places where digits begin, and passes are planned: a group for each line. */
export function planGroups(work: SortWork): KernelText {
  const { form } = work;
  const passes = digitsOf(form);
  const body = `
SHARED count_t sums[${2 * DIGITS}];
SHARED u32 single[${passes}];
const u32 tid = LOCAL_ID(x), line = GROUP_ID(x);
GLOBAL count_t *mine = plan + (u64)line * ${planWords(form)};
if (tid < ${passes}) single[tid] = 0;
BARRIER();
for (u32 p = 0; p < ${passes}; p++) {
  const count_t count = mine[p * ${DIGITS} + tid];
  if (count == n) single[p] = 1;
  u32 now = 0;
  sums[tid] = count;
  BARRIER();
  for (u32 distance = 1; distance < ${DIGITS}; distance *= 2) {
    const count_t sum = sums[now + tid] + (tid >= distance ? sums[now + tid - distance] : 0);
    now ^= ${DIGITS};
    sums[now + tid] = sum;
    BARRIER();
  }
  mine[p * ${DIGITS} + tid] = sums[now + tid] - count;
  BARRIER();
}
if (tid == 0) {
${flagsText(passes).replace(/^/gm, '  ')}
}`;
  return { name: workName('plan', work), parameters: planParameters(work), body, preamble: workText(work) };
}

/** The same by a thread for each line. */
export function planLines(work: SortWork): KernelText {
  const { form } = work;
  const passes = digitsOf(form);
  const body = `
u32 single[${passes}];
const u32 line = GROUP_ID(x) * LOCAL_SIZE(x) + LOCAL_ID(x);
if (line >= lines) return;
GLOBAL count_t *mine = plan + (u64)line * ${planWords(form)};
for (u32 p = 0; p < ${passes}; p++) {
  count_t sum = 0;
  single[p] = 0;
  for (u32 digit = 0; digit < ${DIGITS}; digit++) {
    const count_t count = mine[p * ${DIGITS} + digit];
    if (count == n) single[p] = 1;
    mine[p * ${DIGITS} + digit] = sum;
    sum += count;
  }
}
${flagsText(passes)}`;
  return { name: workName('plan_lines', work), parameters: planParameters(work), body, preamble: workText(work) };
}
