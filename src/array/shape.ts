import { nameOf } from '../core/check.ts';

/** The most axes that an array has. */
export const MAX_RANK = 32;

/**
 * The lengths of a shape: of one integer, or of a list of them (an array, a typed array or what is like one).
 *
 * @throws TypeError neither
 * @throws RangeError a length that is not an integer from 0, too many axes, or more elements than can be counted
 */
export function readShape(value: unknown, what: string): number[] {
  const shape: number[] = [];
  const list = asList(value);
  if (list) {
    checkRank(list.length, what);
    for (let i = 0; i < list.length; i++) shape.push(readLength(list[i], value, what));
  } else {
    shape.push(readLength(value, value, what));
  }
  checkSize(shape, what);
  return shape;
}

/** How many elements an array of a shape has. */
export function sizeOf(shape: readonly number[]): number {
  let size = 1;
  for (const length of shape) size *= length;
  return size;
}

/** A shape in a message: `[2, 3]`. */
export function shapeText(shape: readonly number[]): string {
  return `[${shape.join(', ')}]`;
}

/** Throw for more axes than an array has. */
export function checkRank(rank: number, what: string): void {
  if (rank > MAX_RANK) throw new RangeError(`${what} must have at most ${MAX_RANK} axes, got ${rank}`);
}

/** Throw for a shape whose elements, or whose strides where it has none, are too many to be counted exactly. */
export function checkSize(shape: readonly number[], what: string): void {
  let size = 1;
  for (const length of shape) size *= Math.max(length, 1);
  if (size <= Number.MAX_SAFE_INTEGER) return;
  throw new RangeError(`${what} must have at most 2^53 - 1 elements, got ${shapeText(shape)}`);
}

/** What is a list to JavaScript: it has a length, and is no text. */
export function asList(value: unknown): ArrayLike<unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { length } = value as { readonly length?: unknown };
  return typeof length === 'number' && Number.isInteger(length) && length >= 0
    ? (value as ArrayLike<unknown>)
    : undefined;
}

/** A value that should be a number or a list of them, in a message. */
export function listText(value: unknown): string {
  const list = asList(value);
  if (!list) return nameOf(value);
  const shown = Array.from({ length: Math.min(list.length, MAX_RANK) }, (_, i) => nameOf(list[i]));
  return `[${shown.join(', ')}${list.length > MAX_RANK ? ', ...' : ''}]`;
}

/** One length of a shape; `whole` is what was given for the shape. */
export function readLength(length: unknown, whole: unknown, what: string): number {
  const isNumber = typeof length === 'number' || typeof length === 'bigint';
  const number = Number(isNumber ? length : NaN);
  // The sum makes 0 of -0.
  if (Number.isSafeInteger(number) && number >= 0) return number + 0;
  const message = asList(whole)
    ? `${what} must hold integers >= 0 below 2^53, got ${listText(whole)}`
    : `${what} must be an integer >= 0 below 2^53 or a list of them, got ${nameOf(whole)}`;
  throw isNumber ? new RangeError(message) : new TypeError(message);
}
