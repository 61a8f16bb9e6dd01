import { Callable } from '../../core/callable.ts';
import { checkInteger, checkOptions } from '../../core/check.ts';
import { checkEngine } from '../apply.ts';
import { arange } from '../creation/arange.ts';
import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import type { LaneOptions } from '../engine.ts';
import { take } from '../function/gather.ts';
import { searchsorted } from '../function/searchsorted.ts';
import { argsort } from '../function/sort.ts';
import { engineOf, type NDArray } from '../ndarray.ts';
import { checkOpen } from '../operand.ts';
import { shapeText } from '../shape.ts';
import { lanesOf } from '../lane-options.ts';

/** The options of {@link sortByKey}. */
export interface SortByKeyOptions extends LaneOptions {
  /** Begin with the greatest key. */
  readonly descending?: boolean | undefined;
}

/**
 * Keys in order, and values in the order of their keys. The order is stable, and that of {@link sort}.
 *
 * Host: does not block.
 *
 * @param keys - of one axis
 * @param values - as many
 * @throws RangeError arrays of different lengths or of more axes
 */
export function sortByKey<K extends ArrayDType, V extends ArrayDType>(
  keys: NDArray<K>,
  values: NDArray<V>,
  options: SortByKeyOptions = {},
): [keys: NDArray<K>, values: NDArray<V>] {
  checkOptions(options, ['descending', 'stream', 'queue'], 'sortByKey');
  checkPair(keys, values, 'sortByKey');
  const { descending, stream, queue } = options;
  using order = argsort(keys, { descending, stream, queue });
  const sorted = take(keys, order as unknown as NDArray, { stream, queue });
  try {
    return [sorted, take(values, order as unknown as NDArray, { stream, queue })];
  } catch (error) {
    sorted.close();
    throw error;
  }
}

/**
 * Call it with keys from 0 up to their number, values, and that number: gives where the values of each key begin, with their end behind
 * them, and the values in the order of their keys. Host: does not block.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is called
export interface KeyValueSorter {
  <V extends ArrayDType>(
    keys: NDArray,
    values: NDArray<V>,
    keyCount: number,
    options?: LaneOptions,
  ): [starts: NDArray<'i64'>, values: NDArray<V>];
}

/** Lists of values by keys: PyOpenCL's. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is called
export class KeyValueSorter extends Callable {
  constructor() {
    super((keys: NDArray, values: NDArray, keyCount: number, options?: LaneOptions) => {
      const what = 'KeyValueSorter';
      if (options !== undefined) checkOptions(options, ['stream', 'queue'], what);
      checkPair(keys, values, what);
      checkInteger(keyCount, `${what}: the number of keys`, 0);
      const { kind } = arrayDTypes[keys.dtype];
      if (kind !== 'int' && kind !== 'uint') {
        throw new TypeError(
          `${what}: keys must be integers from 0 to ${keyCount - 1}, got ${keys.dtype}; write astype('i32')`,
        );
      }
      const lanes = lanesOf(options);
      const [sorted, lists] = sortByKey(keys, values, lanes);
      using inOrder = sorted;
      try {
        const engine = engineOf(keys);
        using all = arange(engine, keyCount + 1, { dtype: keys.dtype, ...lanes });
        return [searchsorted(inOrder, all, lanes), lists];
      } catch (error) {
        lists.close();
        throw error;
      }
    }, 'KeyValueSorter');
  }
}

function checkPair(keys: NDArray, values: NDArray, what: string): void {
  checkOpen(keys, what, 'keys');
  checkOpen(values, what, 'values');
  checkEngine(keys, engineOf(values), what);
  if (keys.ndim !== 1 || values.ndim !== 1 || keys.size !== values.size) {
    throw new RangeError(
      `${what}: keys and values must have one axis of the same length, got ${shapeText(keys.shape)} and ${shapeText(values.shape)}`,
    );
  }
}
