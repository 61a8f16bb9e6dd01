import { checkOptions } from '../../core/check.ts';
import { checkEngine, checkOut, duplicate, empty, writtenAside } from '../apply.ts';
import type { ArrayDType } from '../dtype.ts';
import { storageType } from '../kernel/dialect.ts';
import { lanesOf } from '../lane-options.ts';
import { engineOf, laneOf, viewOf, type NDArray, type OutOptions } from '../ndarray.ts';
import { checkArray } from '../operand.ts';
import { shapeText } from '../shape.ts';
import { narrow } from '../view.ts';
import { runScan } from './generic-scan-kernel.ts';
import { scanOfRuns, type RunOptions } from './run-scan.ts';

/** The options of {@link reduceByKey}. */
export type ByKeyOptions = RunOptions;

/** The options of {@link scanByKey}. */
export interface ScanByKeyOptions extends ByKeyOptions, OutOptions {
  /** Leave each element out of its own result: the first one of a key has the neutral element. */
  readonly exclusive?: boolean | undefined;
}

const OPTIONS = ['neutral', 'preamble', 'stream', 'queue'];
const IS_START = 'i == 0 || keys[i] != keys[i - 1]';

/**
 * What the values of each run of equal keys come to by an expression of two, `a` before `b`: sums of groups, where keys are sorted.
 *
 * Host: blocks until the number of runs is known.
 *
 * @param keys - of one axis without gaps
 * @param values - as many, of a dtype that kernels compute in
 * @param expression - C, associative: `'a + b'`
 * @returns the key of each run, and what its values come to
 * @throws RangeError arrays of different lengths, of more axes, or with gaps
 *
 * @example
 * ```ts
 * import * as xp from 'rawkernel/cuda/array';
 * import 'rawkernel/cuda/autoinit';
 *
 * const [keys, sums] = xp.reduceByKey(xp.array([1, 1, 4, 4, 4]), xp.array([1, 2, 3, 4, 5]), 'a + b');
 * keys; // [1, 4]
 * sums; // [3, 12]
 * ```
 */
export function reduceByKey<K extends ArrayDType, V extends ArrayDType>(
  keys: NDArray<K>,
  values: NDArray<V>,
  expression = 'a + b',
  options: ByKeyOptions = {},
): [keys: NDArray<K>, values: NDArray<V>] {
  const what = 'reduceByKey';
  checkOptions(options, OPTIONS, what);
  check(keys, values, what);
  const engine = engineOf(values);
  const lane = engine.laneOf(options, what) ?? laneOf(values);
  const n = keys.size;
  using firsts = empty(engine, [n], keys.dtype, lane);
  using sums = empty(engine, [n], values.dtype, lane);
  using count = empty(engine, [1], 'u32', lane);
  if (n > 0) {
    const [key, value] = [storageType(keys.dtype), storageType(values.dtype)];
    const { scan, writing } = scanOfRuns(what, values.dtype, expression, options, {
      parameters: `const ${key} *keys, const ${value} *values, ${key} *firsts, ${value} *sums, u32 *count`,
      isStart: IS_START,
      statement: `if (i + 1 == N || keys[i + 1] != keys[i]) {
  firsts[rk_segment] = keys[i];
  sums[rk_segment] = item;
  if (i + 1 == N) count[0] = rk_segment + 1;
}`,
    });
    runScan(scan, writing, [keys, values, firsts, sums, count, lanesOf(options)]);
  }
  const runs = n === 0 ? 0 : Number(count.item());
  using foundKeys = viewOf(firsts, narrow(firsts, 0, 0, runs));
  using foundSums = viewOf(sums, narrow(sums, 0, 0, runs));
  const madeKeys = duplicate(foundKeys, lane);
  try {
    return [madeKeys as unknown as NDArray<K>, duplicate(foundSums, lane) as unknown as NDArray<V>];
  } catch (error) {
    madeKeys.close();
    throw error;
  }
}

/**
 * What the values up to each one come to within its run of equal keys, by an expression of two, `a` before `b`.
 *
 * Host: does not block.
 *
 * @param keys - of one axis without gaps
 * @param values - as many, of a dtype that kernels compute in
 * @throws RangeError arrays of different lengths, of more axes, or with gaps
 */
export function scanByKey<V extends ArrayDType>(
  keys: NDArray,
  values: NDArray<V>,
  expression = 'a + b',
  options: ScanByKeyOptions = {},
): NDArray<V> {
  const what = 'scanByKey';
  checkOptions(options, [...OPTIONS, 'exclusive', 'out'], what);
  check(keys, values, what);
  const { exclusive = false, out } = options;
  if (exclusive && options.neutral === undefined) {
    throw new TypeError(`${what}: an exclusive scan must be given a neutral element, which begins each run, got none`);
  }
  const engine = engineOf(values);
  const lane = engine.laneOf(options, what) ?? laneOf(values);
  if (out !== undefined) {
    checkArray(out, `${what}: out`);
    checkOut(out, values.shape, engine, what);
  }
  return writtenAside({ engine, shape: values.shape, dtype: values.dtype }, out, lane, (made) => {
    if (made.size === 0) return;
    const [key, value] = [storageType(keys.dtype), storageType(values.dtype)];
    const { scan, writing } = scanOfRuns(what, values.dtype, expression, options, {
      parameters: `const ${key} *keys, const ${value} *values, ${value} *scanned`,
      isStart: IS_START,
      statement: `scanned[i] = ${exclusive ? 'prev_item' : 'item'}`,
    });
    runScan(scan, writing, [keys, values, made, lanesOf(options)]);
  }) as unknown as NDArray<V>;
}

function check(keys: NDArray, values: NDArray, what: string): void {
  checkArray(keys, `${what}: keys`);
  checkArray(values, `${what}: values`);
  keys.use(what);
  values.use(what);
  checkEngine(keys, engineOf(values), what);
  if (keys.ndim !== 1 || values.ndim !== 1 || keys.size !== values.size) {
    throw new RangeError(
      `${what}: keys and values must have one axis of the same length, got ${shapeText(keys.shape)} and ${shapeText(values.shape)}`,
    );
  }
}
