import { broadcastTo } from './broadcast.ts';
import { collapse } from './collapse.ts';
import type { Engine, Lane } from './engine.ts';
import { kernelFor, PerEngine } from './kernel-cache.ts';
import { LEAST_TILE, tiledCopyKernel, tileSize } from './kernel/tiled-copy.ts';
import { launchPlanned, type LaunchPlan } from './launch-plan.ts';
import { lengthAt, NARROW, needsWide, strideAt, type Layout } from './layout.ts';
import { engineOf, memoryOf, type NDArray } from './ndarray.ts';
import { pushLayout, Recent } from './recent.ts';

/** Axes that are shorter leave most of a tile empty. */
const LEAST = LEAST_TILE / 2;

/** The key of the plan that is looked for. */
const key: number[] = [];
/** Launches by the layouts of both arrays; null where tiles do not help. */
const plans = new PerEngine(() => new Recent<LaunchPlan | null>());

/**
 * Copy elements between arrays of one dtype by tiles, where their fastest axes differ.
 *
 * @returns whether it did; other arrays are copied as well element by element
 */
export function copyTiled(out: NDArray, from: NDArray, lane: Lane): boolean {
  if (out.size < LEAST * LEAST || (out.isFlat && from.isFlat)) return false;
  const engine = engineOf(out);
  key.length = 0;
  key.push(out.itemsize);
  pushLayout(key, out);
  pushLayout(key, from);
  const recent = plans.of(engine);
  let plan = recent.find(key);
  if (plan === undefined) {
    plan = planOf(engine, out, from, out.itemsize) ?? null;
    recent.add(key, plan);
  }
  if (plan === null) return false;
  launchPlanned(plan, lane, [memoryOf(out), memoryOf(from)]);
  return true;
}

function planOf(engine: Engine, out: Layout, from: Layout, bytes: number): LaunchPlan | undefined {
  const source = broadcastTo(from, out.shape);
  const walk = collapse(out.shape, [out.strides, source.strides]);
  const [outSteps, inSteps] = walk.strides as [number[], number[]];
  const b = walk.shape.length - 1;
  const a = fastestAxis(inSteps);
  if (a === b || a < 0 || inSteps[b] === 0) return undefined;
  const [aLength, bLength] = [lengthAt(walk.shape, a), lengthAt(walk.shape, b)];
  if (aLength < LEAST || bLength < LEAST) return undefined;
  const batches: number[] = [];
  for (let axis = b - 1; axis >= 0; axis--) if (axis !== a) batches.push(axis);
  const tile = engine.facts.packBytes > 0 ? tileSize(bytes, Math.min(aLength, bLength)) : LEAST_TILE;
  const [aTiles, bTiles] = [Math.ceil(aLength / tile), Math.ceil(bLength / tile)];
  const groups = batches.reduce((count, axis) => count * lengthAt(walk.shape, axis), aTiles * bTiles);
  const rows = Math.floor(engine.facts.groupSize / LEAST_TILE);
  if (groups > NARROW || rows === 0) return undefined;
  const wide = needsWide([out, source]);
  const numbers = [out.offset, source.offset, aLength, bLength, aTiles, bTiles];
  for (const axis of batches.slice(0, -1)) numbers.push(lengthAt(walk.shape, axis));
  numbers.push(strideAt(inSteps, a), strideAt(inSteps, b), strideAt(outSteps, a), strideAt(outSteps, b));
  for (const axis of batches) numbers.push(strideAt(inSteps, axis), strideAt(outSteps, axis));
  const name = `tiled ${bytes} ${tile} ${batches.length} ${wide ? 'wide' : ''}`;
  const form = { bytes, tile, batches: batches.length, rows, wide };
  const kernel = kernelFor(engine, name, () => tiledCopyKernel(form));
  return { kernel, groups, width: LEAST_TILE, height: rows, numbers, written: 1 };
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
