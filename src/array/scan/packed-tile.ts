import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { packType } from '../kernel/pack.ts';
import { SCAN_THREADS, shuffleText, WARP } from './rows-kernel.ts';
import { accumulatorType, readText, writeText, type ScanWork } from './scan-text.ts';

/** Elements that a thread reads at once: 16 bytes as they are accumulated. */
export function packLanes(accumulator: ArrayDType): number {
  return 16 / arrayDTypes[accumulator].size;
}

/** Shared memory of a tile: the sums of warps alone. */
export function packedDeclarations(type: string): string {
  return `SHARED ${type} totals[${SCAN_THREADS / WARP}];`;
}

/**
 * The lines that read a tile of elements that follow each other, and accumulate them. A warp reads a piece after a piece of the
 * tile, each thread a pack of it, so that elements never leave registers: sums of packs are put together by shuffles, those of
 * warps through shared memory. Then `v[r][l]` has what the elements of a pack come to, `packs[r]` what the packs before it in the
 * warp do, `before` the warps before, `total` the tile.
 */
export function packedTileText(work: ScanWork, items: number, index: string): string {
  const type = accumulatorType(work);
  const { accumulator, operation, input } = work;
  const { combine } = operation;
  const neutral = operation.neutral(accumulator);
  const lanes = packLanes(accumulator);
  const rounds = items / lanes;
  const pack = packType(input, lanes);
  const each = (lines: string): string => `UNROLL
for (u32 r = 0; r < ${rounds}; r++) {
${lines}
}`;
  return `
const u32 lane = tid % ${WARP}, warp = tid / ${WARP};
const ${index} own = base + warp * ${WARP * items} + lane * ${lanes};
${type} v[${rounds}][${lanes}];
if (base + ${SCAN_THREADS * items} <= last) {
  ${pack} read[${rounds}];
  ${each(`    read[r] = *(GLOBAL const ${pack} *)(in + from + own + r * ${WARP * lanes});`)}
  ${each(`    UNROLL
    for (u32 l = 0; l < ${lanes}; l++) v[r][l] = ${readText(work, 'l', 'read[r].v')};`)}
} else {
  ${each(`    UNROLL
    for (u32 l = 0; l < ${lanes}; l++) {
      const ${index} i = own + r * ${WARP * lanes} + l;
      v[r][l] = i < last ? ${readText(work, 'from + i')} : ${neutral};
    }`)}
}
${type} packs[${rounds}];
${type} total = ${neutral};
${each(`  UNROLL
  for (u32 l = 1; l < ${lanes}; l++) {
    const ${type} sum = v[r][l - 1], next = v[r][l];
    v[r][l] = ${combine('sum', 'next', accumulator)};
  }
  ${type} sums = v[r][${lanes - 1}];
  UNROLL
  for (u32 distance = 1; distance < ${WARP}; distance *= 2) {
    const ${type} other = ${shuffleText(accumulator, 'up', 'sums', 'distance')};
    if (lane >= distance) sums = ${combine('other', 'sums', accumulator)};
  }
  ${type} others = ${shuffleText(accumulator, 'up', 'sums', '1')};
  if (lane == 0) others = ${neutral};
  packs[r] = ${combine('total', 'others', accumulator)};
  const ${type} piece = ${shuffleText(accumulator, '', 'sums', String(WARP - 1))};
  total = ${combine('total', 'piece', accumulator)};`)}
if (lane == 0) totals[warp] = total;
BARRIER();
${type} before = ${neutral};
total = ${neutral};
UNROLL
for (u32 i = 0; i < ${SCAN_THREADS / WARP}; i++) {
  if (i == warp) before = total;
  const ${type} next = totals[i];
  total = ${combine('total', 'next', accumulator)};
}`.trim();
}

/** The lines that write what a tile comes to, behind `before`. */
export function writePackedText(work: ScanWork, items: number, index: string): string {
  const type = accumulatorType(work);
  const { accumulator, output } = work;
  const { combine } = work.operation;
  const lanes = packLanes(accumulator);
  const pack = packType(output, lanes);
  const each = (lines: string): string => `UNROLL
for (u32 r = 0; r < ${items / lanes}; r++) {
  const ${type} start = ${combine('before', 'packs[r]', accumulator)};
${lines}
}`;
  const sum = combine('start', 'v[r][l]', accumulator);
  return `
if (base + ${SCAN_THREADS * items} <= last) {
  ${each(`    ${pack} written;
    UNROLL
    for (u32 l = 0; l < ${lanes}; l++) {
      const ${type} sum = ${sum};
      written.v[l] = ${writeText(work, 'sum')};
    }
    *(GLOBAL ${pack} *)(out + to + own + r * ${WARP * lanes}) = written;`)}
} else {
  ${each(`    UNROLL
    for (u32 l = 0; l < ${lanes}; l++) {
      const ${index} i = own + r * ${WARP * lanes} + l;
      const ${type} sum = ${sum};
      if (i < last) out[to + i] = ${writeText(work, 'sum')};
    }`)}
}`;
}
