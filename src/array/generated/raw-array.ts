import { nameOf } from '../../core/check.ts';
import { NDArray } from '../ndarray.ts';

/**
 * An array that a text indexes itself.
 *
 * @throws TypeError no array
 * @throws RangeError one whose elements do not follow each other
 */
export function checkRaw(name: string, value: unknown, what: string): NDArray {
  if (!(value instanceof NDArray))
    throw new TypeError(`${what}: ${name} is raw: it must be an NDArray, got ${nameOf(value)}`);
  const array = value as NDArray;
  if (array.isFlat) return array;
  throw new RangeError(
    `${what}: ${name} is raw: it must be an NDArray whose elements follow each other, got one with strides [${array.strides.join(', ')}]; write contiguous()`,
  );
}
