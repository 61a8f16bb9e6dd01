import { checkOptions, nameOf } from '../../core/check.ts';
import { array as makeArray } from '../create.ts';
import type { LaneOptions } from '../engine.ts';
import { take } from '../function/gather.ts';
import { engineOf, laneOf, NDArray } from '../ndarray.ts';
import { normalizeAxis } from '../axes.ts';
import { asList, readShape, sizeOf } from '../shape.ts';
import { draw, unitsOf } from './draw.ts';
import type { DrawText } from './draw-text.ts';
import { integers } from './integers.ts';
import { permuted } from './permutation.ts';
import { philox } from './philox.ts';
import type { PhiloxStream } from './stream.ts';
import { targetOf, type FindEngine, type Target } from './target.ts';
import { wideWord } from './words.ts';
import { laneOption } from '../lane-options.ts';

/** The options of {@link RandomGenerator.choice}. */
export interface ChoiceOptions extends LaneOptions {
  /** The shape of what is chosen; one by default, of rank 0. */
  readonly shape?: number | readonly number[] | undefined;
  /** Whether the same may be chosen again: it may by default. */
  readonly replace?: boolean | undefined;
  /** The probability of each; all have the same by default. Of an array the host waits for it. */
  readonly p?: NDArray | ArrayLike<number> | undefined;
  /** The axis of which elements are chosen, the first by default. */
  readonly axis?: number | undefined;
}

/** How far the sum of probabilities may be from 1. */
const TOLERANCE = 1e-6;

/**
 * The places that words of 64 bits have among thresholds: the least one whose threshold is above the word, by bisection. The last of
 * them has no threshold.
 */
const WEIGHTED: DrawText = {
  name: 'choice_weighted',
  dtype: 'i64',
  lanes: 2,
  numbers: [{ name: 'last', dtype: 'u32', kind: 'number' }],
  inputs: [{ name: 'thresholds', dtype: 'u64', kind: 'input', isTable: true }],
  lines: `\
const words w = DRAW(0);
for (u32 k = 0; k < 2; k++) {
  const u64 x = k == 0 ? ${wideWord(0)} : ${wideWord(1)};
  u32 least = 0, most = last;
  while (least < most) {
    const u32 middle = (least + most) / 2;
    if (x < thresholds[middle]) most = middle;
    else least = middle + 1;
  }
  value[k] = (i64)least;
}`,
};

/** Elements of an array, or integers below a number. */
export function choice(
  find: FindEngine,
  stream: PhiloxStream,
  from: unknown,
  options: ChoiceOptions | undefined,
): NDArray {
  const what = 'choice';
  checkOptions(options, ['shape', 'replace', 'p', 'axis', 'stream', 'queue'], what);
  const { replace = true, p, axis = 0, ...rest } = options ?? {};
  if (typeof replace !== 'boolean') {
    throw new TypeError(`${what}: replace must be true or false, got ${nameOf(replace)}`);
  }
  if (!(from instanceof NDArray)) {
    if (typeof from !== 'number' || !Number.isSafeInteger(from) || from < 1) {
      throw new RangeError(`${what} must be given an NDArray or an integer > 0 to choose from, got ${nameOf(from)}`);
    }
    return places(find, stream, from, replace, p, rest);
  }
  from.use(what);
  const at = normalizeAxis(axis, from.ndim, `${what}: axis`);
  const engine = engineOf(from as NDArray);
  const lane = engine.laneOf(options, what) ?? laneOf(from as NDArray);
  const lanes = laneOption(engine, lane);
  using chosen = places(() => engine, stream, from.shape[at] as number, replace, p, { ...lanes, shape: rest.shape });
  return take(from as NDArray, chosen, { axis: at, ...lanes });
}

function places(
  find: FindEngine,
  stream: PhiloxStream,
  length: number,
  replace: boolean,
  p: ChoiceOptions['p'],
  options: LaneOptions & { readonly shape?: ChoiceOptions['shape'] },
): NDArray {
  const what = 'choice';
  const count = options.shape === undefined ? 1 : sizeOf(readShape(options.shape, `${what}: shape`));
  if (length < 1 && count > 0) throw new RangeError(`${what} must be given elements to choose from, got none`);
  if (!replace && count > length) {
    throw new RangeError(
      `${what}: shape must have at most ${length} elements without replacement, got ${count}; write { replace: true }`,
    );
  }
  if (p === undefined && replace) return integers(find, stream, [0, Math.max(length, 1)], options);
  const target = targetOf(find, what, options, ['i64']);
  if (p === undefined) return permuted(stream, target, length);
  const weights = readWeights(p, length);
  return replace ? weighted(stream, target, weights) : weightedApart(stream, target, weights, count);
}

function readWeights(p: NDArray | ArrayLike<number>, length: number): number[] {
  const what = 'choice: p';
  const list = p instanceof NDArray ? hostList(p) : asList(p);
  if (!list) throw new TypeError(`${what} must be a list of numbers or an NDArray, got ${nameOf(p)}`);
  const weights = Array.from(list, Number);
  if (weights.length !== length) {
    throw new RangeError(`${what} must have a probability for each of ${length}, got ${weights.length}`);
  }
  const bad = weights.find((weight) => !(weight >= 0 && weight <= 1 + TOLERANCE));
  if (bad !== undefined) throw new RangeError(`${what} must hold numbers from 0 to 1, got ${nameOf(bad)}`);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (!(Math.abs(sum - 1) <= TOLERANCE)) {
    throw new RangeError(`${what} must add up to 1, got a sum of ${sum}; divide them by it`);
  }
  return weights.map((weight) => weight / sum);
}

function hostList(p: NDArray): ArrayLike<number> {
  using wide = p.astype(engineOf(p).facts.hasDoubles ? 'f64' : 'f32');
  return wide.get();
}

/** With replacement: the sums of the probabilities, as fractions of 2^64. */
function weighted(stream: PhiloxStream, target: Target, weights: readonly number[]): NDArray {
  const last = weights.findLastIndex((weight) => weight > 0);
  const thresholds = new BigUint64Array(Math.max(last, 1));
  let sum = 0;
  for (let i = 0; i < last; i++) {
    sum += weights[i] as number;
    thresholds[i] = BigInt(Math.min(Math.floor(sum * 2 ** 53), 2 ** 53 - 1)) << 11n;
  }
  using table = makeArray(target.engine, thresholds, laneOption(target.engine, target.lane)) as unknown as NDArray;
  return draw(target, WEIGHTED, stream.take(unitsOf(sizeOf(target.shape), WEIGHTED)), [last], [table]);
}

/**
 * Without replacement, on the host: the least of exponential numbers over the probabilities.
 * P. Efraimidis, P. Spirakis: Weighted random sampling with a reservoir (2006).
 */
function weightedApart(stream: PhiloxStream, target: Target, weights: readonly number[], count: number): NDArray {
  const some = weights.flatMap((weight, i) => (weight > 0 ? [{ i, weight }] : []));
  if (some.length < count) {
    throw new RangeError(
      `choice: p must have at least ${count} numbers above 0 without replacement, got ${some.length}`,
    );
  }
  const { counter, jumps, key } = stream.take(some.length);
  const keys = some.map(({ i, weight }, n) => {
    const at = BigInt.asUintN(64, counter + BigInt(n));
    const [low, high] = philox([Number(at & 0xffff_ffffn), Number(at >> 32n), 0, jumps], key);
    const unit = (high * 2 ** 21 + (low >>> 11) + 0.5) / 2 ** 53;
    return { i, time: -Math.log(unit) / weight };
  });
  keys.sort((a, b) => a.time - b.time);
  const chosen = BigInt64Array.from(keys.slice(0, count), ({ i }) => BigInt(i));
  return makeArray(target.engine, chosen, { ...laneOption(target.engine, target.lane), shape: target.shape });
}
