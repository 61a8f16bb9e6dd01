import { nameOf } from './host-memory.ts';

/** One to three sizes: of a block or a grid in CUDA, of a global or local range in OpenCL. */
export type Dims =
  number | readonly [x: number] | readonly [x: number, y: number] | readonly [x: number, y: number, z: number];

/**
 * Write the sizes into `target`, missing ones as 1. Allocates nothing: it is on the launch path.
 *
 * @returns how many sizes were given
 * @throws TypeError neither a number nor 1 to 3 numbers
 * @throws RangeError a size is no integer from `min` to 2^32 - 1
 */
export function readDims(value: unknown, what: string, target: Uint32Array | Float64Array, at = 0, min = 1): number {
  target[at + 1] = 1;
  target[at + 2] = 1;
  if (typeof value === 'number') {
    target[at] = checkDim(value, value, what, min);
    return 1;
  }
  if (!Array.isArray(value) || value.length < 1 || value.length > 3) {
    throw new TypeError(`${what} must be a number or an array of 1 to 3 numbers; ${describe(value)} came`);
  }
  for (let i = 0; i < value.length; i++) target[at + i] = checkDim(value[i], value, what, min);
  return value.length;
}

function checkDim(size: unknown, whole: unknown, what: string, min: number): number {
  if (typeof size === 'number' && Number.isInteger(size) && size >= min && size <= 0xffff_ffff) return size;
  throw new RangeError(`${what} must hold integers >= ${min}; ${describe(whole)} came`);
}

function describe(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(String).join(', ')}]` : nameOf(value);
}
