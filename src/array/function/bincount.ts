import { checkInteger, checkOptions } from '../../core/check.ts';
import { checkEngine, empty } from '../apply.ts';
import type { Engine, Lane, LaneOptions } from '../engine.ts';
import { sumDType } from '../histogram/axis.ts';
import { countBins, MAX_BINS } from '../histogram/count.ts';
import { NOTES } from '../histogram/count-text.ts';
import { limitsKernel } from '../histogram/limits-kernel.ts';
import { kernelFor } from '../kernel-cache.ts';
import { engineOf, laneOf, memoryOf, viewOf, type NDArray } from '../ndarray.ts';
import { checkOpen } from '../operand.ts';
import { REAL_OR_BOOL } from '../operation/operation.ts';
import { checkKind } from '../operation/typing.ts';
import { shapeText } from '../shape.ts';
import { narrow } from '../view.ts';
import { max, min } from './reduce.ts';
import { fill } from './transfer.ts';

/** The options of {@link bincount}. */
export interface BincountOptions extends LaneOptions {
  /** What each element counts, of the shape of the array: 1 by default. */
  readonly weights?: NDArray | undefined;
  /** The least number of bins: 0. */
  readonly minlength?: number | undefined;
}

/** Elements that are looked at first, to know about how many bins there are. */
const SAMPLE = 16384;

/**
 * How often each integer from 0 to the greatest one occurs; with weights, the sum of the weights of its elements, in f64 (f32 where
 * the device has no doubles). Elements are counted in groups with counters of their own; the order of sums is not
 * fixed, so that those of weights may differ in the last bits from one run to the next on a GPU.
 *
 * Host: blocks until the greatest element is known, which the number of bins follows from.
 *
 * @param x - integers or truth values, along one axis
 * @throws TypeError elements of another dtype
 * @throws RangeError a negative element, another rank than 1, weights of another shape
 */
export function bincount(x: NDArray, options?: BincountOptions & { readonly weights?: undefined }): NDArray<'i64'>;
export function bincount(x: NDArray, options: BincountOptions): NDArray<'i64' | 'f32' | 'f64'>;
export function bincount(x: NDArray, options?: BincountOptions): NDArray {
  checkOpen(x, 'bincount');
  if (options !== undefined) checkOptions(options, ['weights', 'minlength', 'stream', 'queue'], 'bincount');
  checkKind('bincount', x.dtype, ['bool', 'int', 'uint']);
  if (x.ndim !== 1) {
    throw new RangeError(
      `bincount must be given an array of rank 1, got shape ${shapeText(x.shape)}; write ravel() first`,
    );
  }
  const engine = engineOf(x);
  const weights = options?.weights;
  checkWeights(weights, x, engine, 'bincount');
  const minlength = checkInteger(options?.minlength ?? 0, 'bincount: minlength', 0, MAX_BINS);
  const lane = engine.laneOf(options, 'bincount') ?? laneOf(x);
  if (x.size === 0) {
    const none = empty(engine, [minlength], weights ? sumDType(engine) : 'i64', lane) as NDArray;
    fill(none, 0, lane);
    return none;
  }
  const [greatest, least] = sampled(engine, lane, x);
  checkNegative(least);
  const isExact = x.size <= SAMPLE;
  // Elements that have not been looked at may be somewhat greater.
  const guess = isExact ? binsFor(greatest) : 2 ** Math.ceil(Math.log2(binsFor(greatest)));
  const counted = countAll(engine, lane, x, weights, Math.min(Math.max(guess, minlength), MAX_BINS));
  if (counted !== undefined) return trimmed(counted.counts, Math.max(counted.top, minlength));
  using all = max(x);
  const exact = countAll(engine, lane, x, weights, Math.max(binsFor(Number(all.item())), minlength));
  return trimmed((exact as Counted).counts, Math.max((exact as Counted).top, minlength));
}

/** Throw for weights that are not those of the elements of an array. */
export function checkWeights(weights: unknown, x: NDArray, engine: Engine, what: string): void {
  if (weights === undefined) return;
  checkOpen(weights, what, 'weights');
  const array = weights as NDArray;
  checkEngine(array, engine, what);
  if (what === 'bincount') checkKind(`${what}: weights`, array.dtype, REAL_OR_BOOL);
  if (array.ndim === x.ndim && array.shape.every((length, axis) => length === x.shape[axis])) return;
  throw new RangeError(`${what}: weights must have the shape ${shapeText(x.shape)}, got ${shapeText(array.shape)}`);
}

interface Counted {
  readonly counts: NDArray;
  /** The greatest element, and 1. */
  readonly top: number;
}

/** Count by a number of bins; undefined where an element is beyond them. */
function countAll(
  engine: Engine,
  lane: Lane,
  x: NDArray,
  weights: NDArray | undefined,
  bins: number,
): Counted | undefined {
  const axis = { dtype: x.dtype, rule: 'integer', compare: x.dtype } as const;
  const { counts, notes } = countBins(engine, lane, [{ axis, x, bins, edges: undefined, numbers: [] }], weights);
  const words = new Uint32Array(NOTES);
  try {
    if (notes) engine.read(memoryOf(notes), 0, new Uint8Array(words.buffer), lane);
    const [isNegative = 0, isBeyond = 0, top = 0] = words;
    if (isNegative !== 0) {
      using least = min(x);
      checkNegative(Number(least.item()));
    }
    if (isBeyond === 0) return { counts, top };
    counts.close();
    return undefined;
  } catch (error) {
    counts.close();
    throw error;
  } finally {
    notes?.close();
  }
}

function trimmed(counts: NDArray, length: number): NDArray {
  if (length === counts.size) return counts;
  using whole = counts;
  using part = viewOf(whole, narrow(whole, 0, 0, length));
  return part.copy();
}

/** The greatest and the least of some elements. Host: blocks. */
function sampled(engine: Engine, lane: Lane, x: NDArray): [greatest: number, least: number] {
  const distance = Math.ceil(x.size / SAMPLE);
  const m = Math.ceil(x.size / distance);
  const threads = engine.facts.packBytes === 0 ? 1 : engine.facts.groupSize;
  using limits = empty(engine, [2], 'i64', lane);
  kernelFor(engine, `count limits ${x.dtype} ${threads}`, () => limitsKernel(x.dtype, threads)) //
    .launch(lane, 1, threads, 1, [memoryOf(limits), memoryOf(x), x.offset, x.size, x.strides[0] ?? 0, m, distance], 1);
  const [greatest, least] = limits.get();
  return [Number(greatest), Number(least)];
}

function checkNegative(least: number): void {
  if (least >= 0) return;
  throw new RangeError(`bincount must be given no negative elements, got ${least}; subtract the least one first`);
}

/** How many bins there are up to an element. */
function binsFor(greatest: number): number {
  if (greatest < MAX_BINS) return greatest + 1;
  throw new RangeError(
    `bincount must be given elements up to ${MAX_BINS - 1}, got ${greatest}; write unique() for the counts of few different ones`,
  );
}
