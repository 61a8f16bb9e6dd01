import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { indent } from '../kernel/indent.ts';
import { packType, packTypes } from '../kernel/pack.ts';
import type { KernelText } from '../kernel/source.ts';
import { lookBackParameters } from './look-back-kernel.ts';
import { WARP } from './rows-kernel.ts';
import {
  accumulatorOfWork,
  placeTypes,
  preambleOf,
  readText,
  scanName,
  writeText,
  type ScanWork,
} from './scan-text.ts';
import { lookBackText, publishText, stateWords } from './tile-state.ts';

/** Threads of a group: with as many, one group has all registers of a multiprocessor. */
export const PIPELINE_THREADS = 512;
const WARPS = PIPELINE_THREADS / WARP;

/** Elements that a thread reads at once: 16 bytes as they are accumulated. */
export function packLanes(accumulator: ArrayDType): number {
  return 16 / arrayDTypes[accumulator].size;
}

/** Packs of a thread: with those of three tiles they take 96 or 108 of its 128 registers; measured on an H200. */
function packsOf(accumulator: ArrayDType): number {
  return accumulator === 'f32' ? 9 : 8;
}

/** Elements of a tile of {@link pipelinedScan}. */
export function pipelinedTile(accumulator: ArrayDType): number {
  return PIPELINE_THREADS * packsOf(accumulator) * packLanes(accumulator);
}

/**
 * The scan of {@link lookBackScan} where elements follow each other. A group goes from tile to tile, and has three under way: it
 * reads one, publishes what another one's elements come to, and only then looks back for the one before that. So the tiles that a
 * group looks at have been published when it does, nobody waits for a slow neighbour, and memory is never without reads.
 *
 * A warp has a piece of a tile, each thread a pack after a pack of it, so that elements never leave registers: sums of packs are
 * put together by shuffles, those of warps through shared memory. Tiles are taken in the order of tickets, the next one while the
 * one before is put together: a group waits for lower tickets alone, which running groups have.
 */
export function pipelinedScan(work: ScanWork, wide: boolean): KernelText {
  const { index, stride } = placeTypes(wide);
  const accumulator = accumulatorOfWork(work);
  const { type, neutral, combine, shuffle } = accumulator;
  const { operation, input, output } = work;
  const lanes = packLanes(work.accumulator);
  const rounds = packsOf(work.accumulator);
  const items = rounds * lanes;
  const tile = pipelinedTile(work.accumulator);
  const [inPack, outPack] = [packType(input, lanes), packType(output, lanes)];
  const packs = (lines: string): string => `UNROLL
for (u32 r = 0; r < ${rounds}; r++) {
${indent(lines.trim())}
}`;
  const elements = (lines: string): string => `UNROLL
for (u32 l = 0; l < ${lanes}; l++) {
${indent(lines.trim())}
}`;
  /** Where a tile begins, and its line in an array. */
  const place = (number: string, array: 'in' | 'out'): string =>
    `
const ${index} line = (${index})${number} / chunks, base = (${index})${number} % chunks * ${tile};
const place_t first = (place_t)${array}_at + (place_t)(line % n0) * ${array}_step0 + (place_t)(line / n0) * ${array}_step1;`.trim();
  const reads = (number: string): string =>
    `
if (${number} < tiles) {
${indent(place(number, 'in'))}
  if (base + ${tile} <= n) {
${indent(indent(packs(`read[r] = *(GLOBAL const ${inPack} *)(in + first + base + own + r * ${WARP * lanes});`)))}
  }
}`.trim();
  const body = `
SHARED ${type} totals[${2 * WARPS}];
SHARED u32 tickets[2];
SHARED ${type} start;
typedef ${stride} place_t;
const u32 tid = LOCAL_ID(x), lane = tid % ${WARP}, warp = tid / ${WARP};
const u32 tiles = (u32)(lines * chunks), none = 0xffffffffu;
const ${index} own = warp * ${WARP * items} + lane * ${lanes};
if (tid == 0) tickets[1] = atomicAdd((u32 *)state, 1u);
BARRIER();
// Of three tiles: what is read of the next, what this one's elements come to, and the previous one's.
${inPack} read[${rounds}];
${type} v[${rounds}][${lanes}], old[${rounds}][${lanes}];
${type} old_before = ${neutral}, old_total = ${neutral};
u32 number = tickets[1], previous = none;
${reads('number')}
for (u32 turn = 0; number < tiles || previous < tiles; turn ^= 1) {
  ${type} before = ${neutral}, total = ${neutral};
  u32 next = none, ticket = none;
  if (tid == 0 && number < tiles) ticket = atomicAdd((u32 *)state, 1u);
  if (number < tiles) {
${indent(indent(accumulateText()))}
    if (lane == 0) totals[turn * ${WARPS} + warp] = total;
  }
  if (tid == 0) tickets[turn] = ticket;
  BARRIER();
  if (number < tiles) {
    next = tickets[turn];
${indent(indent(reads('next')))}
    total = ${neutral};
    UNROLL
    for (u32 i = 0; i < ${WARPS}; i++) {
      if (i == warp) before = total;
      const ${type} one = totals[turn * ${WARPS} + i];
      total = ${combine('total', 'one')};
    }
    if (tid == 0) {
      const u32 stage = number % chunks == 0 ? 2 : 1;
      volatile u64 *word = state + 1 + (u64)number * ${stateWords(accumulator)};
${indent(indent(indent(publishText(accumulator, 'stage', 'total'))))}
    }
  }
  if (previous < tiles) {
    const ${index} tile_of_line = (${index})previous % chunks;
    if (tid < ${WARP}) {
      ${type} earlier = ${neutral};
      if (tile_of_line > 0) {
        volatile u64 *word = state + 1 + (u64)previous * ${stateWords(accumulator)};
${indent(indent(indent(indent(lookBackText(accumulator)))))}
        if (tid == 0) {
          const ${type} sum = ${combine('earlier', 'old_total')};
${indent(indent(indent(indent(indent(publishText(accumulator, '2', 'sum'))))))}
        }
      }
      if (tid == 0) start = earlier;
    }
    BARRIER();
    const ${type} carry = start;
    const ${type} base_sum = ${combine('carry', 'old_before')};
${indent(indent(writeLines()))}
  }
${indent(packs(elements('old[r][l] = v[r][l];')))}
  old_before = before;
  old_total = total;
  previous = number;
  number = next;
}`;
  const { preamble: own, head } = preambleOf(work);
  const preamble = packTypes([input, output], lanes) + own;
  const name = scanName(work, ['pipelined'], wide);
  return { name, parameters: lookBackParameters(work, wide), body, preamble, head, threads: PIPELINE_THREADS };

  /** The lines that make, of what is read, what the elements of a warp up to each come to; `total` is what the warp's do. */
  function accumulateText(): string {
    return `
${place('number', 'in')}
if (base + ${tile} <= n) {
${indent(packs(elements(`v[r][l] = ${readText(work, 'l', 'read[r].v')};`)))}
} else {
${indent(
  packs(
    elements(`
const ${index} i = base + own + r * ${WARP * lanes} + l;
v[r][l] = i < n ? ${readText(work, 'first + i')} : ${neutral};`),
  ),
)}
}
${packs(`
UNROLL
for (u32 l = 1; l < ${lanes}; l++) {
  const ${type} sum = v[r][l - 1], one = v[r][l];
  v[r][l] = ${combine('sum', 'one')};
}
${type} sums = v[r][${lanes - 1}];
UNROLL
for (u32 distance = 1; distance < ${WARP}; distance *= 2) {
  const ${type} other = ${shuffle('up', 'sums', 'distance')};
  if (lane >= distance) sums = ${combine('other', 'sums')};
}
${type} others = ${shuffle('up', 'sums', '1')};
if (lane == 0) others = ${neutral};
const ${type} earlier = ${combine('total', 'others')};
${operation.isExclusive === true ? `${type} last = earlier;` : ''}
${elements(`
const ${type} sum = v[r][l];
${
  operation.isExclusive === true
    ? `v[r][l] = last;\nlast = ${combine('earlier', 'sum')};`
    : `v[r][l] = ${combine('earlier', 'sum')};`
}`)}
const ${type} piece = ${shuffle('', 'sums', String(WARP - 1))};
total = ${combine('total', 'piece')};`)}`.trim();
  }

  /** The lines that write the previous tile. */
  function writeLines(): string {
    const sum = `
const ${type} own_sum = old[r][l];
const ${type} sum = ${combine('base_sum', 'own_sum')};`;
    return `
${place('previous', 'out')}
if (base + ${tile} <= n) {
${indent(
  packs(`
${outPack} written;
${elements(`${sum}\nwritten.v[l] = ${writeText(work, 'sum')};`)}
*(GLOBAL ${outPack} *)(out + first + base + own + r * ${WARP * lanes}) = written;`),
)}
} else {
${indent(
  packs(
    elements(`
const ${index} i = base + own + r * ${WARP * lanes} + l;
${sum}
if (i < n) out[first + i] = ${writeText(work, 'sum')};`),
  ),
)}
}`.trim();
  }
}
