import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import type { Parameter } from '../kernel/dialect.ts';
import { indent } from '../kernel/indent.ts';
import type { KernelText } from '../kernel/source.ts';
import { SCAN_THREADS, tileDeclarations, tileText, writeTileText, type TileForm } from './rows-kernel.ts';
import { accumulatorType, placeTypes, scanName, scanParameters, type ScanWork } from './scan-text.ts';
import { lookBackText, publishText, stateWords } from './tile-state.ts';

/** Elements of a thread: 128 bytes, so that there are few tiles to look back at. */
function lookBackItems(accumulator: ArrayDType): number {
  return 128 / arrayDTypes[accumulator].size;
}

/** Elements of a tile of {@link lookBackScan}. */
export function lookBackTile(accumulator: ArrayDType): number {
  return SCAN_THREADS * lookBackItems(accumulator);
}

/** The parameters of kernels that look back: those of a scan, and the state of tiles behind the output. */
export function lookBackParameters(work: ScanWork, wide: boolean): Parameter[] {
  const [out, ...others] = scanParameters(work, 'scan', wide) as [Parameter, ...Parameter[]];
  return [
    out,
    { name: 'state', dtype: 'u64', kind: 'output' },
    ...others.filter((parameter) => parameter.name !== 'chunk_length'),
  ];
}

/**
 * The scan in one pass, for lines of many tiles: D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled
 * Look-back" (2016). A tile publishes what its own elements come to, then looks at the tiles before it until one says what all
 * up to it come to. Tiles are numbered in the order in which groups begin, so that each waits for groups that run: a device has to
 * promise that they go on. In CUDA C++ alone.
 *
 * The state is 0 at first: a word that counts groups, then the words of each tile.
 */
export function lookBackScan(work: ScanWork, wide: boolean): KernelText {
  const { index, stride } = placeTypes(wide);
  const type = accumulatorType(work);
  const { accumulator, operation } = work;
  const { combine } = operation;
  const items = lookBackItems(accumulator);
  const form: TileForm = { items, index, shuffles: true };
  const body = `
${tileDeclarations(type, form)}
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
const ${index} base = tile_of_line * ${lookBackTile(accumulator)}, last = n;
const place_t from = (place_t)in_at + (place_t)r0 * in_step0 + (place_t)r1 * in_step1;
const place_t to = (place_t)out_at + (place_t)r0 * out_step0 + (place_t)r1 * out_step1;
volatile u64 *word = state + 1 + (u64)number * ${stateWords(accumulator)};
${tileText(work, form)}
if (tid < 32) {
  ${type} earlier = ${operation.neutral(accumulator)};
  if (tile_of_line > 0) {
    if (tid == 0) {
${indent(indent(indent(publishText(accumulator, '1', 'total'))))}
    }
${indent(indent(lookBackText(work)))}
  }
  if (tid == 0) {
    start = earlier;
    const ${type} sum = ${combine('earlier', 'total', accumulator)};
${indent(indent(publishText(accumulator, '2', 'sum')))}
  }
}
BARRIER();
const ${type} carry = start;
before = ${combine('carry', 'before', accumulator)};
${writeTileText(work, form)}`;
  return { name: scanName(work, ['once'], wide), parameters: lookBackParameters(work, wide), body };
}
