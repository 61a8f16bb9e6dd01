import { checkInteger, checkOptions } from '../../core/check.ts';
import { applied } from '../applied.ts';
import { empty } from '../apply.ts';
import { normalizeAxis } from '../axes.ts';
import { broadcastTo } from '../broadcast.ts';
import { closeOnError } from '../create.ts';
import { promoteWeak, type ArrayDType, type WeakScalar } from '../dtype.ts';
import type { LaneOptions } from '../engine.ts';
import { engineOf, laneOf, NDArray, viewOf } from '../ndarray.ts';
import { checkOpen, checkOperand } from '../operand.ts';
import { narrow } from '../view.ts';
import { concat } from './join.ts';
import { fill } from './transfer.ts';
import { lanesOf } from '../lane-options.ts';

/** The options of {@link diff}. */
export interface DiffOptions extends LaneOptions {
  /** How often differences are taken, 1 by default. */
  readonly n?: number | undefined;
  /** The axis, the last by default. */
  readonly axis?: number | undefined;
  /** What stands before the elements along the axis: an array, or a number, which stands before each line. */
  readonly prepend?: NDArray | WeakScalar | undefined;
  /** What stands behind them. */
  readonly append?: NDArray | WeakScalar | undefined;
}

/**
 * The differences of each element and the one before along an axis; of truth values, whether they differ. Elements that are put
 * before or behind them may have another dtype: the result has the one that all have in common.
 *
 * @throws RangeError not an axis, or elements to put there whose shape differs along another axis
 */
export function diff<D extends ArrayDType>(
  x: NDArray<D>,
  options?: DiffOptions & { readonly prepend?: undefined; readonly append?: undefined },
): NDArray<D>;
export function diff(x: NDArray, options?: DiffOptions): NDArray;
export function diff(x: NDArray, options?: DiffOptions): NDArray {
  checkOpen(x, 'diff');
  if (options !== undefined) checkOptions(options, ['n', 'axis', 'prepend', 'append', 'stream', 'queue'], 'diff');
  const times = checkInteger(options?.n ?? 1, 'diff: n', 0);
  const axis = normalizeAxis(options?.axis ?? -1, x.ndim, 'diff: axis');
  const lane = lanesOf(options);
  // Without a difference to take, NumPy gives the array itself.
  let result: NDArray = times === 0 ? viewOf(x, x) : surrounded(x, axis, options, lane);
  const operation = result.dtype === 'bool' ? applied.notEqual : applied.subtract;
  for (let i = 0; i < times && (result.shape[axis] as number) > 0; i++) {
    const length = (result.shape[axis] as number) - 1;
    using whole = result;
    using later = viewOf(whole, narrow(whole, axis, 1, length));
    using earlier = viewOf(whole, narrow(whole, axis, 0, length));
    result = operation.run([later, earlier], lane);
  }
  return result;
}

/** An array between what is put before and behind it along an axis. */
function surrounded(x: NDArray, axis: number, options: DiffOptions | undefined, lane: LaneOptions): NDArray {
  const { prepend, append } = options ?? {};
  if (prepend === undefined && append === undefined) return viewOf(x, x);
  const opened: NDArray[] = [];
  const asPart = (value: NDArray | WeakScalar | undefined, name: string): NDArray[] => {
    if (value === undefined) return [];
    opened.push(partOf(value, x, axis, name, lane));
    return opened.slice(-1);
  };
  try {
    return concat([...asPart(prepend, 'prepend'), x, ...asPart(append, 'append')], { axis, ...lane });
  } finally {
    for (const array of opened) array.close();
  }
}

/** An array as it is; a number, or an array of rank 0, as one element of each line. */
function partOf(value: NDArray | WeakScalar, x: NDArray, axis: number, name: string, options: LaneOptions): NDArray {
  checkOperand(value, `diff: ${name}`);
  const shape = x.shape.with(axis, 1);
  if (value instanceof NDArray) {
    const array = value;
    array.use('diff');
    return viewOf(array, array.ndim === 0 ? broadcastTo(array, shape) : array);
  }
  const engine = engineOf(x);
  const made: NDArray = empty(engine, shape, promoteWeak(x.dtype, value), engine.laneOf(options, 'diff') ?? laneOf(x));
  return closeOnError(made, () => {
    fill(made, value, laneOf(made));
  });
}
