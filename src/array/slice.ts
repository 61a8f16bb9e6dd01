import { nameOf } from '../core/check.ts';
import { brand } from '../core/errors.ts';

/** An end of a slice: an index, negative from the end of the axis; open where it is left out. */
export type SliceBound = number | bigint | null | undefined;

/** What a slice takes of an axis: `count` indices from `start`, each `step` after the one before. */
export interface SliceRange {
  readonly start: number;
  readonly count: number;
  readonly step: number;
}

/** A part of an axis for `at()`: every `step`-th index from `start` up to, without it, `stop`. Make one with {@link slice}. */
export class Slice {
  readonly start: number | null;
  readonly stop: number | null;
  readonly step: number;

  constructor(start?: SliceBound, stop?: SliceBound, step?: SliceBound) {
    this.start = readBound(start, 'start');
    this.stop = readBound(stop, 'stop');
    this.step = readBound(step, 'step') ?? 1;
    if (this.step === 0) throw new RangeError('The step of a slice must be an integer other than 0, got 0');
    Object.freeze(this);
  }

  /**
   * What it takes of an axis of a length. As in Python, an end beyond the axis is the axis's end.
   * @internal
   */
  rangeOf(length: number): SliceRange {
    const { step } = this;
    // Backwards, the place before the first index is an end as well.
    const [least, most] = step > 0 ? [0, length] : [-1, length - 1];
    const place = (bound: number): number => Math.min(Math.max(bound < 0 ? bound + length : bound, least), most);
    const first = this.start === null ? (step > 0 ? least : most) : place(this.start);
    const end = this.stop === null ? (step > 0 ? most : least) : place(this.stop);
    return { start: first, count: Math.max(0, Math.ceil((end - first) / step)), step };
  }

  /** The text that `at()` takes for it: `'1::2'`. */
  toString(): string {
    const ends = `${this.start ?? ''}:${this.stop ?? ''}`;
    return this.step === 1 ? ends : `${ends}:${this.step}`;
  }
}
// What only inherits from a slice has no ends.
brand(Slice, 'Slice', (value) => Object.hasOwn(value, 'step'));

/**
 * A part of an axis, for `at()`. The meaning is Python's, but a single argument is where it starts: `slice(1)` leaves out
 * index 0, `slice(null, 1)` takes nothing else, `slice(null, null, -1)` reverses the axis.
 *
 * @param start - the first index, negative from the end; left out or null, the first of the axis (the last of a negative step)
 * @param stop - the index to stop before; left out or null, there is none
 * @param step - from one index to the next, 1 where it is left out; a negative one goes backwards
 * @throws TypeError no integer
 * @throws RangeError a step of 0, or no integer
 */
export function slice(start?: SliceBound, stop?: SliceBound, step?: SliceBound): Slice {
  return new Slice(start, stop, step);
}

function readBound(bound: unknown, name: string): number | null {
  if (bound === null || bound === undefined) return null;
  const isNumber = typeof bound === 'number' || typeof bound === 'bigint';
  const number = Number(isNumber ? bound : NaN);
  // The sum makes 0 of -0.
  if (Number.isSafeInteger(number)) return number + 0;
  const message = `The ${name} of a slice must be an integer within 2^53 or left out, got ${nameOf(bound)}`;
  throw isNumber ? new RangeError(message) : new TypeError(message);
}
