import { indent } from '../kernel/indent.ts';
import type { KernelText } from '../kernel/source.ts';
import type { Accumulator } from './accumulator.ts';
import {
  accumulatorOfWork,
  placeTypes,
  preambleOf,
  readText,
  scanName,
  scanParameters,
  writeText,
  type ScanMode,
  type ScanWork,
} from './scan-text.ts';

/** How a group of {@link rowsScan} goes along its lines. */
export interface RowsScan {
  readonly mode: ScanMode;
  readonly wide: boolean;
  /** Elements that a thread has of a tile. */
  readonly items: number;
  /** Whether threads of a warp read each other's registers, in CUDA C++. */
  readonly shuffles: boolean;
}

/** Threads of a group. */
export const SCAN_THREADS = 256;
/** Threads that read each other's registers. */
export const WARP = 32;

/** Elements of a thread for lines that are longer than a group: 32 bytes. */
export function itemsOf({ size }: Pick<Accumulator, 'size'>): number {
  return Math.max(1, 32 / size);
}

/** How {@link tileText} puts together what the threads of a line have. */
export interface TileForm {
  readonly items: number;
  /** The type of places. */
  readonly index: string;
  /** Whether threads of a warp read each other's registers, in CUDA C++; else all goes through shared memory. */
  readonly shuffles: boolean;
}

/** Shared memory of a tile. A place in 32 is left out, so that a thread's neighbours lie in other banks. */
export function tileDeclarations(type: string, { items, shuffles }: TileForm): string {
  const tile = items > 1 ? `SHARED ${type} tile[${(SCAN_THREADS * items * 33) / 32}];\n` : '';
  return `${tile}${totalsDeclaration(type, shuffles)}\n#define PLACE(i) ((i) + ((i) >> 5))`;
}

/** Shared memory of {@link threadsText}. */
export function totalsDeclaration(type: string, shuffles: boolean): string {
  return `SHARED ${type} totals[${shuffles ? SCAN_THREADS / WARP : 2 * SCAN_THREADS}];`;
}

/**
 * The lines that read a tile from `base`, accumulate the elements of each thread in `v` and have in `before` what the threads
 * before it come to, in `total` what the tile does. Threads that share a line are `width` ones, `x` is the thread's number among
 * them, `tid` in the group.
 *
 * @param read - the text of an element, or of the neutral one where there is no more
 */
export function tileText(accumulator: Accumulator, form: TileForm, read: (at: string) => string): string {
  const { items, index } = form;
  const { type, combine } = accumulator;
  const load =
    items === 1
      ? `v[0] = ${read('(base + x)')};`
      : `UNROLL
for (u32 k = 0; k < ${items}; k++) {
  const ${index} i = base + k * width + x;
  tile[PLACE(row_tile + k * width + x)] = ${read('i')};
}
BARRIER();
v[0] = tile[PLACE(row_tile + x * ${items})];
UNROLL
for (u32 k = 1; k < ${items}; k++) {
  const ${type} sum = v[k - 1], next = tile[PLACE(row_tile + x * ${items} + k)];
  v[k] = ${combine('sum', 'next')};
}`;
  return `
${type} v[${items}];
${load}
${threadsText(accumulator, form)}`;
}

/**
 * The lines that put together what threads have, the last of `v`: `before` is what the threads before come to, `total` what all
 * of a line do.
 */
export function threadsText(
  accumulator: Accumulator,
  { items, shuffles }: Pick<TileForm, 'items' | 'shuffles'>,
): string {
  return shuffles ? shuffledText(accumulator, items) : sharedText(accumulator, items);
}

/** In shared memory: W. D. Hillis, G. L. Steele, "Data Parallel Algorithms" (1986). */
function sharedText({ type, neutral, combine }: Accumulator, items: number): string {
  return `
u32 now = 0;
totals[tid] = v[${items - 1}];
BARRIER();
for (u32 distance = 1; distance < width; distance *= 2) {
  ${type} sum = totals[now + tid];
  if (x >= distance) {
    const ${type} other = totals[now + tid - distance];
    sum = ${combine('other', 'sum')};
  }
  now = ${SCAN_THREADS} - now;
  totals[now + tid] = sum;
  BARRIER();
}
${type} before = ${neutral};
if (x > 0) before = totals[now + tid - 1];
const ${type} total = totals[now + tid - x + width - 1];`.trim();
}

/** The same within warps, whose sums alone go through shared memory. */
function shuffledText({ type, neutral, combine, shuffle }: Accumulator, items: number): string {
  return `
const u32 segment = width < ${WARP} ? width : ${WARP}, lane = x % segment;
${type} own_sum = v[${items - 1}];
for (u32 distance = 1; distance < segment; distance *= 2) {
  const ${type} other = ${shuffle('up', 'own_sum', 'distance, segment')};
  if (lane >= distance) own_sum = ${combine('other', 'own_sum')};
}
${type} before = ${shuffle('up', 'own_sum', '1, segment')};
if (lane == 0) before = ${neutral};
${type} total;
if (width > ${WARP}) {
  if (lane == ${WARP - 1}) totals[tid / ${WARP}] = own_sum;
  BARRIER();
  total = ${neutral};
  UNROLL
  for (u32 i = 0; i < ${SCAN_THREADS / WARP}; i++) {
    if (i == x / ${WARP}) before = ${combine('total', 'before')};
    if (i < width / ${WARP}) {
      const ${type} next = totals[(tid - x) / ${WARP} + i];
      total = ${combine('total', 'next')};
    }
  }
} else {
  total = ${shuffle('', 'own_sum', 'segment - 1, segment')};
}`.trim();
}

/**
 * The lines that write what a tile comes to, each thread's elements behind `before`, the tile's behind `carry`.
 *
 * @param write - the statement for an element, which there is only where `i` is below `last`
 * @param needsPrevious - whether the statement takes the sum before the element too
 */
export function writeTileText(
  { type, combine }: Accumulator,
  { items, index }: TileForm,
  needsPrevious: boolean,
  write: (i: string, sum: string, previous: string) => string,
): string {
  const sum = combine('before', 'own');
  if (items === 1) {
    return `
const ${type} own = v[0];
const ${type} sum = ${sum};
${write('(base + x)', 'sum', 'before')}`;
  }
  const previous = `
  const ${type} previous = k * width + x == 0 ? carry : tile[PLACE(row_tile + k * width + x - 1)];`;
  return `
UNROLL
for (u32 k = 0; k < ${items}; k++) {
  const ${type} own = v[k];
  tile[PLACE(row_tile + x * ${items} + k)] = ${sum};
}
BARRIER();
UNROLL
for (u32 k = 0; k < ${items}; k++) {
  const ${index} i = base + k * width + x;
  const ${type} sum = tile[PLACE(row_tile + k * width + x)];${needsPrevious ? previous : ''}
${indent(write('i', 'sum', 'previous'))}
}`;
}

/**
 * The scan in which the threads of a group go along a line together, tile by tile: `LOCAL_SIZE(x)` threads, a power of 2, share a
 * line, and `LOCAL_SIZE(y)` lines a group. Groups are counted chunk by chunk, then line by line.
 */
export function rowsScan(work: ScanWork, { mode, wide, items, shuffles }: RowsScan): KernelText {
  const { index, stride } = placeTypes(wide);
  const accumulator = accumulatorOfWork(work);
  const { type, neutral, combine } = accumulator;
  const { isExclusive = false } = work.operation;
  const isReduced = mode === 'reduce';
  const form: TileForm = { items, index, shuffles };
  const name = scanName(work, ['rows', mode, ...(items > 1 ? [`by${items}`] : [])], wide);
  const carried = combine('carry', 'before');
  const write = (i: string, sum: string, previous: string): string => lineWrite(work, i, isExclusive ? previous : sum);
  const body = `
${tileDeclarations(type, form)}
const u32 x = LOCAL_ID(x), width = LOCAL_SIZE(x), tid = LOCAL_ID(y) * width + x;
${items > 1 ? `const u32 row_tile = LOCAL_ID(y) * width * ${items};` : ''}
const ${index} chunk = GROUP_ID(x) % chunks;
const ${index} line = (${index})(GROUP_ID(x) / chunks) * LOCAL_SIZE(y) + LOCAL_ID(y);
const bool is_line = line < lines;
const ${index} r1 = line / n0, r0 = line % n0;
const ${index} first = chunk * chunk_length;
const ${index} last = first + chunk_length < n ? first + chunk_length : n;
typedef ${stride} place_t;
const place_t from = (place_t)in_at + (place_t)r0 * in_step0 + (place_t)r1 * in_step1;
${isReduced ? '' : 'const place_t to = (place_t)out_at + (place_t)r0 * out_step0 + (place_t)r1 * out_step1;'}
${type} carry = ${neutral};
${mode === 'carry' ? 'if (is_line && chunk > 0) carry = sums[(chunk - 1) * lines + line];' : ''}
for (${index} base = first; base < last; base += width * ${items}) {
${indent(tileText(accumulator, form, (at) => lineElement(work, at)).trim())}
${isReduced ? '' : indent(`before = ${carried};${writeTileText(accumulator, form, isExclusive, write)}`.trim())}
  carry = ${combine('carry', 'total')};
  BARRIER();
}
${isReduced ? 'if (is_line && x == 0) sums[chunk * lines + line] = carry;' : ''}`;
  return { name, parameters: scanParameters(work, mode, wide), body, ...preambleOf(work) };
}

/** An element of a line, or the neutral one behind its end. */
export function lineElement(work: ScanWork, at: string): string {
  const element = readText(work, `from + (place_t)${at} * in_step`);
  return `(is_line && ${at} < last ? ${element} : ${accumulatorOfWork(work).neutral})`;
}

/** The statement that writes a result of a line. */
export function lineWrite(work: ScanWork, i: string, result: string): string {
  return `if (is_line && ${i} < last) out[to + (place_t)${i} * out_step] = ${writeText(work, result)};`;
}
