import { broadcastTo } from './broadcast.ts';
import { collapse } from './collapse.ts';
import type { Lane, LaunchArgument } from './engine.ts';
import { kernelFor } from './kernel-cache.ts';
import { TILE, tiledCopyKernel } from './kernel/tiled-copy.ts';
import { extentOf, lengthAt, strideAt } from './layout.ts';
import { engineOf, memoryOf, type NDArray } from './ndarray.ts';

/** Beyond this, places need 64 bits. */
const NARROW = 0x7fff_ffff;
/** Axes that are shorter leave most of a tile empty. */
const LEAST = TILE / 2;

/**
 * Copy elements between arrays of one dtype by tiles, where their fastest axes differ.
 *
 * @returns whether it did; other arrays are copied as well element by element
 */
export function copyTiled(out: NDArray, from: NDArray, lane: Lane): boolean {
  if (out.size < TILE * TILE || (out.isFlat && from.isFlat)) return false;
  const source = broadcastTo(from, out.shape);
  const walk = collapse(out.shape, [out.strides, source.strides]);
  const [outSteps, inSteps] = walk.strides as [number[], number[]];
  const b = walk.shape.length - 1;
  const a = fastestAxis(inSteps);
  if (a === b || a < 0 || inSteps[b] === 0) return false;
  const [aLength, bLength] = [lengthAt(walk.shape, a), lengthAt(walk.shape, b)];
  if (aLength < LEAST || bLength < LEAST) return false;
  const batches: number[] = [];
  for (let axis = b - 1; axis >= 0; axis--) if (axis !== a) batches.push(axis);
  const [aTiles, bTiles] = [Math.ceil(aLength / TILE), Math.ceil(bLength / TILE)];
  const groups = batches.reduce((count, axis) => count * lengthAt(walk.shape, axis), aTiles * bTiles);
  const rows = Math.floor(engineOf(out).facts.groupSize / TILE);
  if (groups > NARROW || rows === 0) return false;
  const wide = out.size > NARROW || [out, source].some((layout) => (extentOf(layout)?.[1] ?? 0) > NARROW);
  const args: LaunchArgument[] = [memoryOf(out), memoryOf(from), out.offset, source.offset, aLength, bLength];
  args.push(aTiles, bTiles);
  for (const axis of batches.slice(0, -1)) args.push(lengthAt(walk.shape, axis));
  args.push(strideAt(inSteps, a), strideAt(inSteps, b), strideAt(outSteps, a), strideAt(outSteps, b));
  for (const axis of batches) args.push(strideAt(inSteps, axis), strideAt(outSteps, axis));
  const bytes = out.itemsize;
  const key = `tiled ${bytes} ${batches.length} ${wide ? 'wide' : ''}`;
  const kernel = kernelFor(engineOf(out), key, () => tiledCopyKernel(bytes, batches.length, rows, wide));
  kernel.launch(lane, groups, TILE, rows, args, 1);
  return true;
}

/** The axis whose neighbours are closest in memory; -1 where an array repeats one element. */
function fastestAxis(strides: readonly number[]): number {
  let fastest = -1;
  for (let axis = strides.length - 1; axis >= 0; axis--) {
    const step = Math.abs(strideAt(strides, axis));
    if (step !== 0 && (fastest < 0 || step < Math.abs(strideAt(strides, fastest)))) fastest = axis;
  }
  return fastest;
}
