import { nameOf } from '../core/check.ts';
import { asList, listText } from './shape.ts';

/**
 * An axis counted from the first: a negative one counts from the end.
 *
 * @param owner - what has the axes, in a message
 * @throws TypeError no number
 * @throws RangeError not an axis of the rank; the message names both
 */
export function normalizeAxis(axis: unknown, rank: number, what: string, owner = 'an array'): number {
  const number = typeof axis === 'bigint' ? Number(axis) : axis;
  if (typeof number !== 'number') throw new TypeError(`${what} must be an integer, got ${nameOf(axis)}`);
  // The sum makes 0 of -0.
  if (Number.isInteger(number) && number >= -rank && number < rank) return number < 0 ? number + rank : number + 0;
  if (rank === 0) throw new RangeError(`${what} must be left out for ${owner} of rank 0, got ${nameOf(axis)}`);
  throw new RangeError(`${what} must be in ${-rank} to ${rank - 1} for ${owner} of rank ${rank}, got ${nameOf(axis)}`);
}

/**
 * The same for one axis or several, in the order in which they are given. Undefined is all of them.
 *
 * @throws TypeError neither a number nor a list of them
 * @throws RangeError not an axis of the rank, or an axis twice
 */
export function normalizeAxes(axes: number | readonly number[] | undefined, rank: number, what: string): number[] {
  return axes === undefined ? allAxes(rank) : readAxes(axes, rank, what);
}

/** Like {@link normalizeAxes}, of axes that must be given. */
export function readAxes(axes: unknown, rank: number, what: string, owner = 'an array'): number[] {
  if (typeof axes === 'number' || typeof axes === 'bigint') return [normalizeAxis(axes, rank, what, owner)];
  const list = asList(axes);
  if (!list) throw new TypeError(`${what} must be an integer or a list of them, got ${nameOf(axes)}`);
  const found: number[] = [];
  for (let i = 0; i < list.length; i++) {
    const axis = normalizeAxis(list[i], rank, what, owner);
    if (found.includes(axis)) {
      throw new RangeError(`${what} must name an axis once, got ${listText(axes)} for ${owner} of rank ${rank}`);
    }
    found.push(axis);
  }
  return found;
}

/** Every axis of a rank, in order. */
export function allAxes(rank: number): number[] {
  return Array.from({ length: rank }, (_, axis) => axis);
}
