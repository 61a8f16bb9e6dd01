import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import type { Parameter } from '../kernel/dialect.ts';
import { indent } from '../kernel/indent.ts';
import { packTypes } from '../kernel/pack.ts';
import type { KernelText } from '../kernel/source.ts';
import { packedDeclarations, packedTileText, packLanes, writePackedText } from './packed-tile.ts';
import { SCAN_THREADS, shuffleText, tileDeclarations, tileText, writeTileText, type TileForm } from './rows-kernel.ts';
import { accumulatorType, placeTypes, scanName, scanParameters, type ScanWork } from './scan-text.ts';

/** Elements of a thread: 128 bytes, so that there are few tiles to look back at. */
export function lookBackItems(accumulator: ArrayDType): number {
  return 128 / arrayDTypes[accumulator].size;
}

/** Words of 64 bits that have the state of a tile and its sum: one for each 32 bits of the sum. */
export function stateWords(accumulator: ArrayDType): number {
  return arrayDTypes[accumulator].size / 4;
}

/**
 * The scan in one pass, for lines of many tiles: D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled
 * Look-back" (2016). A tile publishes what its own elements come to, then looks at the tiles before it until one says what all
 * up to it come to. Tiles are numbered in the order in which groups begin, so that each waits for groups that run: a device has to
 * promise that they go on. In CUDA C++ alone.
 *
 * The state is 0 at first. Behind a word that counts groups, it has for each tile a word for each 32 bits of its sum: above them
 * is 1 where the sum is the tile's, 2 where it is that of all up to it. A word is written at once, so that a sum is whole where all
 * of its words say the same, and nothing has to be fenced.
 */
export function lookBackScan(work: ScanWork, wide: boolean, isPacked: boolean): KernelText {
  const { index, stride } = placeTypes(wide);
  const type = accumulatorType(work);
  const { accumulator, operation } = work;
  const { combine } = operation;
  const [out, input, ...numbers] = scanParameters(work, 'scan', wide) as [Parameter, Parameter, ...Parameter[]];
  const words = stateWords(accumulator);
  const items = lookBackItems(accumulator);
  const form: TileForm = { items, index, shuffles: true };
  const parameters: Parameter[] = [
    out,
    { name: 'state', dtype: 'u64', kind: 'output' },
    input,
    ...numbers.filter((parameter) => parameter.name !== 'chunk_length'),
  ];
  const body = `
${isPacked ? packedDeclarations(type) : tileDeclarations(type, form)}
SHARED u32 ticket;
SHARED ${type} start;
const u32 x = LOCAL_ID(x), width = ${SCAN_THREADS}, tid = x, row_tile = 0;
typedef ${stride} place_t;
if (tid == 0) ticket = atomicAdd((u32 *)state, 1u);
BARRIER();
const ${index} number = ticket;
const ${index} line = number / chunks, tile_of_line = number % chunks;
const bool is_line = true;
const ${index} r1 = line / n0, r0 = line % n0;
const ${index} base = tile_of_line * ${SCAN_THREADS * items}, last = n;
const place_t from = (place_t)in_at + (place_t)r0 * in_step0 + (place_t)r1 * in_step1;
const place_t to = (place_t)out_at + (place_t)r0 * out_step0 + (place_t)r1 * out_step1;
volatile u64 *word = state + 1 + (u64)number * ${words};
${isPacked ? packedTileText(work, items, index) : tileText(work, form)}
if (tid < 32) {
  ${type} earlier = ${operation.neutral(accumulator)};
  if (tile_of_line > 0) {
    if (tid == 0) {
${indent(indent(publishText(accumulator, 1, 'total').trim()))}
    }
    for (i64 back = 1; ; back += 32) {
      const i64 at = (i64)tile_of_line - back - tid;
      u64 seen[${words}];
      u32 stage = 2;
      do {
        if (at >= 0) {
          UNROLL
          for (u32 i = 0; i < ${words}; i++) seen[i] = *(word - (back + tid) * ${words} + i);
          stage = (u32)(seen[0] >> 32);
          UNROLL
          for (u32 i = 1; i < ${words}; i++) if ((u32)(seen[i] >> 32) != stage) stage = 0;
        }
      } while (__any_sync(0xffffffffu, stage == 0));
      const u32 ends = __ballot_sync(0xffffffffu, stage == 2);
      const u32 nearest = ends == 0 ? 31 : __ffs(ends) - 1;
      ${type} part = ${operation.neutral(accumulator)};
      if (at >= 0 && tid <= nearest) part = ${ofWordsText(accumulator)};
      UNROLL
      for (u32 mask = 16; mask > 0; mask /= 2) {
        const ${type} other = ${shuffleText(accumulator, 'xor', 'part', 'mask')};
        part = ${combine('part', 'other', accumulator)};
      }
      earlier = ${combine('part', 'earlier', accumulator)};
      if (ends != 0) break;
    }
  }
  if (tid == 0) {
    start = earlier;
    const ${type} sum = ${combine('earlier', 'total', accumulator)};
${indent(indent(publishText(accumulator, 2, 'sum').trim()))}
  }
}
BARRIER();
const ${type} carry = start;
before = ${combine('carry', 'before', accumulator)};
${isPacked ? writePackedText(work, items, index) : writeTileText(work, form)}`;
  const name = scanName(work, isPacked ? ['once', 'packed'] : ['once'], wide);
  if (!isPacked) return { name, parameters, body };
  return { name, parameters, body, preamble: packTypes([work.input, work.output], packLanes(accumulator)) };
}

/** The lines that publish a sum. */
function publishText(accumulator: ArrayDType, stage: 1 | 2, name: string): string {
  return wordsText(accumulator, name)
    .map((bits, i) => `word[${i}] = (u64)${stage} << 32 | ${bits};`)
    .join('\n');
}

/** The bits of a sum, 32 at a time. */
function wordsText(accumulator: ArrayDType, name: string): string[] {
  const { kind, part, size } = arrayDTypes[accumulator];
  if (kind === 'complex') return ['x', 'y'].flatMap((each) => wordsText(part, `${name}.${each}`));
  if (size === 4) return [part === 'f32' ? `BITS_F32(${name})` : `(u32)${name}`];
  const bits = part === 'f64' ? `BITS_F64(${name})` : `(u64)${name}`;
  return [`(u32)${bits}`, `(u32)(${bits} >> 32)`];
}

/** The sum of the words that have been seen, from the given one on. */
function ofWordsText(accumulator: ArrayDType, first = 0): string {
  const { kind, part, size } = arrayDTypes[accumulator];
  if (kind === 'complex') {
    return `${accumulator.toUpperCase()}(${ofWordsText(part, first)}, ${ofWordsText(part, first + size / 8)})`;
  }
  const low = `(u32)seen[${first}]`;
  if (size === 4) return part === 'f32' ? `FLOAT_U32(${low})` : `(${accumulator})${low}`;
  const bits = `((u64)(u32)seen[${first + 1}] << 32 | ${low})`;
  return part === 'f64' ? `FLOAT_U64(${bits})` : `(${accumulator})${bits}`;
}
