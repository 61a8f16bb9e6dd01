import { nameOf } from '../../core/check.ts';
import { asList } from '../shape.ts';
import { Slice, type SliceRange } from '../slice.ts';

/** Which indices a kernel goes over, beside those of all elements. */
export interface RangeOptions {
  /** The indices from a start up to, without it, a stop, by a step: they are used as they are. */
  readonly range?: Slice | readonly [start: number, stop: number, step?: number] | undefined;
  /** The indices that a slice takes of the first array. */
  readonly slice?: Slice | undefined;
}

/**
 * The indices that options ask for; undefined where they do not.
 *
 * @param length - of the first array; undefined where there is none
 * @throws TypeError neither a slice nor a list
 * @throws RangeError a range without an end, or both options
 */
export function rangeOf(
  { range, slice }: RangeOptions,
  length: number | undefined,
  what: string,
): SliceRange | undefined {
  if (slice !== undefined) {
    if (range !== undefined) throw new RangeError(`${what} must be given a range or a slice, got both`);
    if (!(slice instanceof Slice)) {
      throw new TypeError(`${what}: slice must be one of xp.slice(start, stop, step), got ${nameOf(slice)}`);
    }
    if (length === undefined)
      throw new RangeError(`${what}: slice must be of an array, got numbers alone; write { range }`);
    return slice.rangeOf(length);
  }
  if (range === undefined) return undefined;
  const ends = range instanceof Slice ? range : sliceOf(range, what);
  const { start, stop, step } = ends;
  if (stop === null)
    throw new RangeError(`${what}: range must have a stop, got ${ends.toString()}; write [start, stop]`);
  const first = start ?? 0;
  return { start: first, count: Math.max(0, Math.ceil((stop - first) / step)), step };
}

function sliceOf(range: unknown, what: string): Slice {
  const list = asList(range);
  if (list && (list.length === 2 || list.length === 3))
    return new Slice(list[0] as number, list[1] as number, list[2] as number);
  throw new TypeError(
    `${what}: range must be [start, stop, step] or xp.slice(start, stop, step), got ${nameOf(range)}`,
  );
}
