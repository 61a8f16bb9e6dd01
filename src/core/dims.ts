import { nameOf } from './check.ts';

/**
 * One to three sizes, x first: of a block or a grid in CUDA, of a global or local range in OpenCL. A number is x alone. How
 * many an array has is checked when it is used, so that one that was computed needs no cast.
 */
export type Dims = number | readonly number[];

const MAX = 0xffff_ffff;

/**
 * Write the sizes into `target`, missing ones as 1. Allocates nothing: it is on the launch path.
 *
 * @returns how many sizes were given
 * @throws TypeError neither a number nor 1 to 3 numbers
 * @throws RangeError a size is not an integer from `min` to 2^32 - 1
 */
export function readDims(value: unknown, what: string, target: Uint32Array | Float64Array, at = 0, min = 1): number {
  target[at + 1] = 1;
  target[at + 2] = 1;
  if (typeof value === 'number') {
    target[at] = checkDim(value, value, what, min);
    return 1;
  }
  if (!Array.isArray(value) || value.length < 1 || value.length > 3) {
    throw new TypeError(`${what} must be a number or an array of 1 to 3 numbers, got ${describe(value)}`);
  }
  for (let i = 0; i < value.length; i++) target[at + i] = checkDim(value[i], value, what, min);
  return value.length;
}

function checkDim(size: unknown, whole: unknown, what: string, min: number): number {
  if (typeof size === 'number' && Number.isInteger(size) && size >= min && size <= MAX) return size;
  const limit = typeof size === 'number' && size > MAX ? `<= ${MAX}` : `>= ${min}`;
  throw new RangeError(`${what} must hold integers ${limit}, got ${describe(whole)}`);
}

function describe(value: unknown): string {
  if (!Array.isArray(value)) return nameOf(value);
  if (value.length > 4) return `an array of ${value.length}`;
  return `[${Array.from(value, nameOf).join(', ')}]`;
}
