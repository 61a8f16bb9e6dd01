import { checkInteger, checkOptions } from '../../core/check.ts';
import { applied } from '../applied.ts';
import { normalizeAxis } from '../axes.ts';
import type { ArrayDType } from '../dtype.ts';
import type { LaneOptions } from '../engine.ts';
import { viewOf, type NDArray } from '../ndarray.ts';
import { checkOpen } from '../operand.ts';
import { narrow } from '../view.ts';

/** The options of {@link diff}. */
export interface DiffOptions extends LaneOptions {
  /** How often differences are taken, 1 by default. */
  readonly n?: number | undefined;
  /** The axis, the last by default. */
  readonly axis?: number | undefined;
}

/** The differences of each element and the one before along an axis; of truth values, whether they differ. */
export function diff<D extends ArrayDType>(x: NDArray<D>, options?: DiffOptions): NDArray<D> {
  checkOpen(x, 'diff');
  if (options !== undefined) checkOptions(options, ['n', 'axis', 'stream', 'queue'], 'diff');
  const times = checkInteger(options?.n ?? 1, 'diff: n', 0);
  const axis = normalizeAxis(options?.axis ?? -1, x.ndim, 'diff: axis');
  const lane = { stream: options?.stream, queue: options?.queue };
  const operation = x.dtype === 'bool' ? applied.notEqual : applied.subtract;
  let result: NDArray = viewOf(x, x);
  for (let i = 0; i < times && (result.shape[axis] as number) > 0; i++) {
    const length = (result.shape[axis] as number) - 1;
    using whole = result;
    using later = viewOf(whole, narrow(whole, axis, 1, length));
    using earlier = viewOf(whole, narrow(whole, axis, 0, length));
    result = operation.run([later, earlier], lane);
  }
  return result as unknown as NDArray<D>;
}
