import type { Parameter } from '../kernel/dialect.ts';
import { indent } from '../kernel/indent.ts';
import { packTypes } from '../kernel/pack.ts';
import type { KernelText } from '../kernel/source.ts';
import { accumulatorFor, type Accumulator } from '../scan/accumulator.ts';
import { SCAN_THREADS, threadsText, totalsDeclaration, WARP } from '../scan/rows-kernel.ts';
import { scanOperations } from '../scan/scan-operation.ts';
import type { CompactText, CountType } from './compact-text.ts';

/** Threads of a group. */
export const COMPACT_THREADS: number = SCAN_THREADS;
/** Elements of a thread where each is looked at, and where 32 are looked at together. */
const ITEMS = 16;
const BYTE_ITEMS = 64;
/** Elements that a thread reads before it writes the first of them. */
const READS = 8;

/** What a kernel does with its tiles: it counts what is taken, and notes a bit for each element; or it writes where that is known. */
export type CompactMode = 'count' | 'write';

/** How a tile is gone through. */
export interface TileWay {
  readonly mode: CompactMode;
  readonly count: CountType;
  /** Whether threads of a warp vote, and read each other's registers, in CUDA C++. */
  readonly votes: boolean;
  /** Whether 16 bytes of the memory that decides are read at once. */
  readonly packed: boolean;
}

/** Words of bits of a tile. */
export function tileWords(packed: boolean): number {
  return compactTile(packed) / WARP;
}

/** Elements of a tile. */
export function compactTile(packed: boolean): number {
  return COMPACT_THREADS * (packed ? BYTE_ITEMS : ITEMS);
}

/** How many are taken: as the words of a tile's state have it. */
export function countAccumulator(count: CountType): Accumulator {
  return accumulatorFor(scanOperations.cumsum, count);
}

/** The parameters of a kernel. */
export function compactParameters(
  { memories, numbers }: CompactText,
  mode: CompactMode,
  count: CountType,
): Parameter[] {
  const inputs = memories.filter(({ kind }) => kind === 'input');
  const outputs = memories.filter(({ kind }) => kind === 'output');
  const n: Parameter = { name: 'n', dtype: count, kind: 'number' };
  const flags = (kind: 'output' | 'input'): Parameter => ({ name: 'flags_of_tiles', dtype: 'u32', kind });
  if (mode === 'count') {
    return [{ name: 'counts', dtype: 'u64', kind: 'output' }, flags('output'), ...inputs, ...numbers, n];
  }
  return [...outputs, { name: 'offsets', dtype: 'u64', kind: 'input' }, flags('input'), ...inputs, ...numbers, n];
}

/**
 * Groups go through tiles: which elements are taken becomes a bit for each, in shared memory, where the number of an element among
 * those is the count of the bits before it. The first pass leaves the bits to the second one. On an H200 that took less time than
 * one pass of groups that look back for how many the tiles before them take (0.73 ms for 0.80, half of 2^28 elements of four bytes).
 */
export function compactTiles(text: CompactText, way: TileWay): KernelText {
  const { mode, count, votes, packed } = way;
  const tile = compactTile(packed);
  const words = tileWords(packed);
  const accumulator = countAccumulator('u32');
  const each = Math.max(1, words / COMPACT_THREADS);
  const isAll = words >= COMPACT_THREADS;
  const body = `
SHARED u32 bits[${words}];
${mode === 'count' ? '' : `SHARED u32 ranks[${words}];`}
${votes || packed || mode === 'write' ? '' : `SHARED u8 flags[${tile}];`}
${totalsDeclaration('u32', votes)}
const u32 tid = LOCAL_ID(x), x = tid, width = ${COMPACT_THREADS};
const u32 number = GROUP_ID(x);
const ${count} base = (${count})number * ${tile};
${
  mode === 'write'
    ? `for (u32 w = tid; w < ${words}; w += ${COMPACT_THREADS}) bits[w] = flags_of_tiles[(u64)number * ${words} + w];`
    : bitsText(text, way)
}
BARRIER();
${
  mode === 'count'
    ? `for (u32 w = tid; w < ${words}; w += ${COMPACT_THREADS}) flags_of_tiles[(u64)number * ${words} + w] = bits[w];`
    : ''
}
u32 v[1];
v[0] = 0;
${ownWords('v[0] += ones_u32(bits[w]);')}
${threadsText(accumulator, { items: 1, shuffles: votes })}
${mode === 'count' ? 'if (tid == 0) counts[number] = total;' : writeText()}`;
  const name = [text.name, mode, ...(packed ? ['packed'] : []), ...(count === 'u64' ? ['wide'] : [])].join('_');
  const preamble = (packed ? packTypes(['u32'], 4) : '') + (text.preamble ?? '');
  return { name, parameters: compactParameters(text, mode, count), body, preamble, head: text.head ?? '' };

  /** A loop over the words that are a thread's. */
  function ownWords(step: string): string {
    const loop = `for (u32 w = tid * ${each}; w < (tid + 1) * ${each}; w++) {\n${indent(step)}\n}`;
    return isAll ? loop : `if (tid < ${words}) {\n${indent(loop)}\n}`;
  }

  function writeText(): string {
    return `
${ownWords('ranks[w] = before;\nbefore += ones_u32(bits[w]);')}
const ${count} first = (${count})offsets[number];
BARRIER();
${elementsText(text, way)}`.trim();
  }
}

/** The lines that have a bit for each element of a tile, 1 where it is taken. */
function bitsText(text: CompactText, { votes, packed, count }: TileWay): string {
  if (packed && text.bytes !== undefined) return bytesText(text.bytes, count);
  const place = `
const u32 p = k * ${COMPACT_THREADS} + tid;
const ${count} i = base + p;`.trim();
  const holds = `${place}
const bool is_taken = i < n && ${text.holds('i')};`;
  if (votes) {
    // Where nobody asks whether an element is there, all are read before the first vote.
    return `
bool taken_here[${ITEMS}];
if (n - base >= ${compactTile(false)}) {
  UNROLL
  for (u32 k = 0; k < ${ITEMS}; k++) {
${indent(indent(place))}
    taken_here[k] = ${text.holds('i')};
  }
} else {
  UNROLL
  for (u32 k = 0; k < ${ITEMS}; k++) {
${indent(indent(holds))}
    taken_here[k] = is_taken;
  }
}
UNROLL
for (u32 k = 0; k < ${ITEMS}; k++) {
  const u32 votes = __ballot_sync(0xffffffffu, taken_here[k]);
  if (tid % ${WARP} == 0) bits[(k * ${COMPACT_THREADS} + tid) / ${WARP}] = votes;
}`.trim();
  }
  return `
for (u32 k = 0; k < ${ITEMS}; k++) {
${indent(holds)}
  flags[p] = is_taken;
}
BARRIER();
if (tid < ${compactTile(false) / WARP}) {
  u32 word = 0;
  for (u32 k = 0; k < ${WARP}; k++) word |= (u32)flags[tid * ${WARP} + k] << k;
  bits[tid] = word;
}`.trim();
}

/** The same of bytes in memory, 32 of them by one thread. The product moves the lowest bits of four bytes side by side. */
function bytesText([memory, at]: readonly [string, string], count: CountType): string {
  return `
UNROLL
for (u32 k = 0; k < ${BYTE_ITEMS / WARP}; k++) {
  const u32 w = k * ${COMPACT_THREADS} + tid;
  const ${count} i = base + w * ${WARP};
  u32 word = 0;
  if (i + ${WARP} <= n) {
    UNROLL
    for (u32 part = 0; part < 2; part++) {
      const u32x4 four = *(GLOBAL const u32x4 *)(${memory} + ${at} + i + part * 16);
      UNROLL
      for (u32 b = 0; b < 4; b++) {
        const u32 lowest = ((((four.v[b] & 0x7f7f7f7fu) + 0x7f7f7f7fu) | four.v[b]) >> 7) & 0x01010101u;
        word |= (lowest * 0x10204080u) >> 28 << (part * 16 + b * 4);
      }
    }
  } else {
    for (u32 b = 0; b < ${WARP} && i + b < n; b++) word |= (u32)(${memory}[${at} + i + b] != 0) << b;
  }
  bits[w] = word;
}`.trim();
}

/** The lines that write the elements of a tile, a warp's width of neighbours at once. */
function elementsText({ value, write, writeOther }: CompactText, { packed, count }: TileWay): string {
  const rounds = packed ? BYTE_ITEMS : ITEMS;
  const [type, read] = value ?? [];
  const place = `
const u32 p = k * ${COMPACT_THREADS} + tid, word = bits[p / ${WARP}];
const ${count} i = base + p;`.trim();
  const other =
    writeOther === undefined
      ? ''
      : `
 else if (i < n) {
  ${writeOther('i', 'rank', 'value')}
}`;
  const written = (of: string): string => `
const ${count} rank = first + ranks[p / ${WARP}] + ones_u32(word & ((1u << bit) - 1));
${of}if (word >> bit & 1) {
  ${write('i', 'rank', 'value')}
}${other.trimStart() === '' ? '' : ` ${other.trim()}`}`;
  if (type === undefined || read === undefined) {
    return `
const u32 bit = tid % ${WARP};
for (u32 some = 0; some < ${rounds}; some += ${READS}) {
  UNROLL
  for (u32 r = 0; r < ${READS}; r++) {
    const u32 k = some + r;
${indent(indent(`${place}${written('')}`))}
  }
}`.trim();
  }
  return `
const u32 bit = tid % ${WARP};
for (u32 some = 0; some < ${rounds}; some += ${READS}) {
  ${type} read[${READS}];
  UNROLL
  for (u32 r = 0; r < ${READS}; r++) {
    const u32 k = some + r;
${indent(indent(place))}
    if (${writeOther === undefined ? 'word >> bit & 1' : 'i < n'}) read[r] = ${read('i')};
  }
  UNROLL
  for (u32 r = 0; r < ${READS}; r++) {
    const u32 k = some + r;
${indent(indent(`${place}${written(`const ${type} value = read[r];\n`)}`))}
  }
}`.trim();
}
