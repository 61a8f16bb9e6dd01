import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { storageType, type Parameter } from '../kernel/dialect.ts';
import { indent } from '../kernel/indent.ts';
import type { KernelText } from '../kernel/source.ts';
import { DIGITS, digitText, keySize, keyType } from './key.ts';
import { countType, movedType, passParameters, passText, workName, workText, type SortWork } from './work.ts';

const WARP = 32;
/** Threads of a group. */
export const SWEEP_THREADS = 384;
const WARPS = SWEEP_THREADS / WARP;
/** Groups of a multiprocessor: without the limit a compiler takes twice the registers. */
const RESIDENTS = 2;
/** Words before the tiles' own in the state of a pass: the first one counts groups. */
const STATE_HEAD = 32;

/** Keys of a thread, by the bytes of the greater one of key and payload. */
function itemsOf(work: SortWork): number {
  const moved = movedType(work);
  const bytes = Math.max(4, keySize(work.form), moved === undefined ? 0 : arrayDTypes[moved].size);
  if (bytes === 4) return moved === undefined ? 23 : 21;
  return bytes === 8 ? 12 : 6;
}

/** Keys of a tile. */
export function sweepTile(work: SortWork): number {
  return SWEEP_THREADS * itemsOf(work);
}

/** Words of the state of a pass over so many tiles: there are two states, of which a pass clears the next one's. */
export function sweepState(tiles: number): number {
  return STATE_HEAD + tiles * DIGITS;
}

/**
 * A pass of the sort by one digit that reads and writes keys once: A. Adinets, D. Merrill, "Onesweep: A Faster Least Significant
 * Digit Radix Sort for GPUs" (2022). A tile publishes how many keys of each digit it has; then a thread for each digit looks
 * back at the tiles before it, until one says how many they all have. Meanwhile keys are put in order in shared memory, so
 * that they are written side by side.
 *
 * Tiles are numbered in the order in which groups begin, so that each waits for groups that run: a device has to promise that
 * they go on. A warp counts its own digits before it ranks its keys, so that the tile's counts are published early. In CUDA C++ alone.
 */
export function sweepPass(work: SortWork): KernelText {
  const { form, payload } = work;
  const type = keyType(form);
  const moved = movedType(work);
  const items = itemsOf(work);
  const tile = sweepTile(work);
  const count = countType(work);
  const bytes = Math.max(arrayDTypes[type].size, moved === undefined ? 0 : arrayDTypes[moved].size);
  const words = Math.max((tile * bytes) / 4, WARPS * DIGITS);
  const each = (lines: string): string => `UNROLL
for (u32 i = 0; i < ${items}; i++) {
${indent(lines.trim())}
}`;
  const digit = digitText('key[i]', 'shift');
  const stageShift = work.wide ? 62 : 30;
  const body = `
SHARED ALIGNED(16) u32 memory[${words}];
SHARED count_t bases[${DIGITS}];
SHARED u32 totals[${DIGITS / WARP}];
SHARED u32 ticket;
const u32 tid = LOCAL_ID(x), lane = tid % ${WARP}, warp = tid / ${WARP};
const u64 state_words = ${STATE_HEAD} + (u64)GROUPS(x) * ${DIGITS};
GLOBAL count_t *mine = state + pass % 2 * state_words, *next = state + (pass + 1) % 2 * state_words;
if (tid < ${DIGITS}) next[${STATE_HEAD} + (u64)GROUP_ID(x) * ${DIGITS} + tid] = 0;
if (GROUP_ID(x) == 0 && tid == 0) next[0] = 0;
if (tid == 0) ticket = atomicAdd((u32 *)mine, 1u);
BARRIER();
const u32 number = ticket, line = number / tiles, tile = number % tiles;
${passText(work)}
const count_t base = (count_t)tile * ${tile};
const u32 count = n - base < ${tile} ? (u32)(n - base) : ${tile};
const u32 own = warp * ${WARP * items} + lane;
${type} key[${items}];
if (count == ${tile}) {
${indent(each(`key[i] = keys_from[base + own + i * ${WARP}];`))}
  if (first) {
${indent(indent(each('key[i] = encode_key(key[i], flip);')))}
  }
} else {
  // Behind the keys are some with the highest digit, which come behind all keys.
${indent(
  each(`
key[i] = ~(${type})0;
if (own + i * ${WARP} < count) {
  key[i] = keys_from[base + own + i * ${WARP}];
  if (first) key[i] = encode_key(key[i], flip);
}`),
)}
}
u32 *row = memory + warp * ${DIGITS};
UNROLL
for (u32 i = lane; i < ${DIGITS}; i += ${WARP}) row[i] = 0;
__syncwarp();
${each(`atomicAdd(row + ${digit}, 1u);`)}
BARRIER();
volatile ${count} *words = mine + ${STATE_HEAD} + (u64)number * ${DIGITS} + tid;
u32 total = 0, sum = 0, before = 0;
count_t earlier = 0;
if (tid < ${DIGITS}) {
  UNROLL
  for (u32 i = 0; i < ${WARPS}; i++) total += memory[i * ${DIGITS} + tid];
  if (tile == 0) earlier = starts[tid];
  *words = (count_t)(tile == 0 ? 2 : 1) << ${stageShift} | (earlier + total);
  sum = total;
  UNROLL
  for (u32 distance = 1; distance < ${WARP}; distance *= 2) {
    const u32 other = __shfl_up_sync(0xffffffffu, sum, distance);
    if (lane >= distance) sum += other;
  }
  if (lane == ${WARP - 1}) totals[warp] = sum;
}
BARRIER();
if (tid < ${DIGITS}) {
  before = sum - total;
  UNROLL
  for (u32 i = 0; i < ${DIGITS / WARP}; i++) if (i < warp) before += totals[i];
  // Where each warp's first key of the digit comes in the tile.
  u32 place = before;
  UNROLL
  for (u32 i = 0; i < ${WARPS}; i++) {
    const u32 of_warp = memory[i * ${DIGITS} + tid];
    memory[i * ${DIGITS} + tid] = place;
    place += of_warp;
  }
}
BARRIER();
u32 place[${items}];
const u32 below = (1u << lane) - 1;
${each(`
const u32 digit = ${digit};
u32 same = 0xffffffffu;
UNROLL
for (u32 bit = 1; bit < ${DIGITS}; bit *= 2) same &= like_bit_u32(digit, bit);
const u32 rank = __popc(same & below);
const u32 from = ((volatile u32 *)row)[digit];
__syncwarp();
if (rank == 0) ((volatile u32 *)row)[digit] = from + __popc(same);
__syncwarp();
place[i] = from + rank;`)}
BARRIER();
${type} *tile_keys = (${type} *)memory;
${each('tile_keys[place[i]] = key[i];')}
${moved === undefined ? '' : readValuesText(moved)}
if (tid < ${DIGITS}) {
  if (tile > 0) {
    for (volatile ${count} *other = words - ${DIGITS};;) {
      const count_t seen = *other;
      const u32 stage = (u32)(seen >> ${stageShift});
      if (stage == 0) continue;
      earlier += seen & (((count_t)1 << ${stageShift}) - 1);
      if (stage == 2) break;
      other -= ${DIGITS};
    }
    *words = (count_t)2 << ${stageShift} | (earlier + total);
  }
  bases[tid] = earlier - before;
}
BARRIER();
${moved === undefined ? '' : `count_t to[${items}];\n`}${each(`
const u32 p = tid + i * ${SWEEP_THREADS};
if (p < count) {
  const ${type} k = tile_keys[p];
  const count_t at = bases[${digitText('k', 'shift')}] + p;
  if (writes_keys) keys_to[at] = last ? decode_key(k, flip) : k;
${moved === undefined ? '' : '  to[i] = at;\n'}}`)}
${moved === undefined ? '' : writeValuesText(moved)}`;
  const own: Parameter[] = [
    { name: 'state', dtype: count, kind: 'output' },
    { name: 'tiles', dtype: 'u32', kind: 'number' },
  ];
  const parameters = passParameters(work, own);
  return {
    name: workName('sweep', work),
    parameters,
    body,
    preamble: workText(work),
    threads: SWEEP_THREADS,
    residents: RESIDENTS,
  };

  function readValuesText(dtype: ArrayDType): string {
    const value = `values_from[base + own + i * ${WARP}]`;
    const read = `if (own + i * ${WARP} < count) value[i] = ${value};`;
    return `${storageType(dtype)} value[${items}];
${
  payload === 'index'
    ? `if (first) {
${indent(each(`value[i] = (${dtype})(base + own + i * ${WARP});`))}
} else {
${indent(each(read))}
}`
    : each(read)
}`;
  }

  function writeValuesText(dtype: ArrayDType): string {
    const write = (line: string): string => each(`if (tid + i * ${SWEEP_THREADS} < count) ${line}`);
    const read = `tile_values[tid + i * ${SWEEP_THREADS}]`;
    return `BARRIER();
${storageType(dtype)} *tile_values = (${storageType(dtype)} *)memory;
${each('tile_values[place[i]] = value[i];')}
BARRIER();
${
  payload === 'index'
    ? `GLOBAL i64 *indices = values_out + values_out_at + line_at;
if (last) {
${indent(write(`indices[to[i]] = (i64)${read};`))}
} else {
${indent(write(`values_to[to[i]] = ${read};`))}
}`
    : write(`values_to[to[i]] = ${read};`)
}`;
  }
}
