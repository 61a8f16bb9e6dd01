import type { Parameter } from '../kernel/dialect.ts';
import type { KernelText } from '../kernel/source.ts';
import type { Accumulator } from './accumulator.ts';
import {
  lineElement,
  lineWrite,
  SCAN_THREADS,
  tileDeclarations,
  tileText,
  writeTileText,
  type TileForm,
} from './rows-kernel.ts';
import { accumulatorOfWork, placeTypes, preambleOf, scanName, scanParameters, type ScanWork } from './scan-text.ts';
import { carryText, stateWords } from './tile-state.ts';

/** Elements of a thread: 128 bytes, so that there are few tiles to look back at. */
export function lookBackItems({ size }: Pick<Accumulator, 'size'>): number {
  return Math.max(1, Math.floor(128 / size));
}

/** Elements of a tile of {@link lookBackScan}. */
export function lookBackTile(accumulator: Pick<Accumulator, 'size'>): number {
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
  const accumulator = accumulatorOfWork(work);
  const { type } = accumulator;
  const { isExclusive = false } = work.operation;
  const write = (i: string, sum: string, previous: string): string => lineWrite(work, i, isExclusive ? previous : sum);
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
${tileText(accumulator, form, (at) => lineElement(work, at))}
${carryText(accumulator)}
${writeTileText(accumulator, form, isExclusive, write)}`;
  const name = scanName(work, ['once'], wide);
  return { name, parameters: lookBackParameters(work, wide), body, ...preambleOf(work) };
}
