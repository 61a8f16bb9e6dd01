import { nameOf } from '../core/check.ts';
import { isWeakScalar, type WeakScalar } from './dtype.ts';
import { checkRank, listText } from './shape.ts';

/** The elements of nested JavaScript arrays, in order, and their shape. */
export interface NestedElements {
  readonly shape: readonly number[];
  readonly elements: readonly WeakScalar[];
}

/**
 * Read arrays of arrays of scalars; a scalar alone has the shape [].
 *
 * @throws TypeError an element that is no scalar
 * @throws RangeError arrays of different lengths beside each other
 */
export function readNested(value: unknown, what: string): NestedElements {
  const shape: number[] = [];
  for (let inner = value; Array.isArray(inner); inner = inner[0] as unknown) {
    shape.push(inner.length);
    checkRank(shape.length, what);
  }
  const elements: WeakScalar[] = [];
  const walk = (part: unknown, depth: number): void => {
    const length = shape[depth];
    if (length === undefined) {
      if (!isWeakScalar(part)) {
        throw Array.isArray(part)
          ? ragged(shape, depth, part)
          : new TypeError(`${what} must hold numbers, bigints, booleans or { re, im }, got ${nameOf(part)}`);
      }
      elements.push(part);
      return;
    }
    if (!Array.isArray(part) || part.length !== length) throw ragged(shape, depth, part);
    for (const inner of part) walk(inner, depth + 1);
  };
  walk(value, 0);
  return { shape, elements };
}

function ragged(shape: readonly number[], depth: number, part: unknown): RangeError {
  const wanted = shape[depth] === undefined ? 'a scalar' : `an Array of ${shape[depth]}`;
  const got = Array.isArray(part) ? `an Array of ${part.length}` : nameOf(part);
  return new RangeError(
    `Nested arrays must have one length at each depth, got ${got} beside ${wanted} (shape ${listText(shape)})`,
  );
}
