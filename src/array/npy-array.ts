import { checkOptions, nameOf } from '../core/check.ts';
import { empty } from './apply.ts';
import { closeOnError } from './create.ts';
import type { Engine, LaneOptions } from './engine.ts';
import { get } from './function/transfer.ts';
import { bytesOf } from './host-data.ts';
import { memoryOf, viewOf, type NDArray } from './ndarray.ts';
import { decodeNpy, encodeNpy, type DecodeNpyOptions } from './npy.ts';
import { decodeNpz, encodeNpz, type Deflate, type Inflate } from './npz.ts';
import { checkArray } from './operand.ts';
import { checkRank, checkSize } from './shape.ts';
import { transpose } from './view.ts';

/** How arrays are made of files. */
export interface FromNpyOptions extends LaneOptions, DecodeNpyOptions {}

/**
 * The bytes of a `.npy` file with an array's elements. An array in column-major order is written in that order, as NumPy does.
 *
 * Host: blocks.
 */
export function toNpy(array: NDArray): Uint8Array<ArrayBuffer> {
  checkArray(array, 'toNpy: the array');
  array.use('toNpy');
  const { shape, dtype, flags } = array;
  const fortranOrder = flags.fContiguous && !flags.cContiguous;
  const stored = fortranOrder ? viewOf(array, transpose(array)) : viewOf(array, array);
  try {
    return encodeNpy({ dtype, shape, fortranOrder }, bytesOf(get(stored)));
  } finally {
    stored.close();
  }
}

/**
 * The array of a `.npy` file's bytes. One in column-major order is a view with such strides.
 *
 * Host: blocks until the bytes have been read.
 *
 * @throws TypeError elements other than numbers and booleans
 * @throws SyntaxError it is no `.npy` file, or its header cannot be read
 * @throws RangeError the file is cut off, or has more axes than an array
 */
export function fromNpy(engine: Engine, bytes: Uint8Array, options?: FromNpyOptions, what = 'fromNpy'): NDArray {
  if (options !== undefined) checkOptions(options, ['void2', 'stream', 'queue'], what);
  const lane = engine.laneOf(options, what) ?? engine.defaultLane;
  const void2 = options?.void2;
  const { dtype, shape, fortranOrder, data } = decodeNpy(bytes, void2 === undefined ? {} : { void2 });
  checkRank(shape.length, `${what}: the array of the file`);
  checkSize(shape, `${what}: the array of the file`);
  const made = empty(engine, fortranOrder ? [...shape].reverse() : shape, dtype, lane);
  closeOnError(made, () => {
    if (data.length > 0) engine.write(memoryOf(made), 0, data, lane);
  });
  if (!fortranOrder) return made;
  try {
    return viewOf(made, transpose(made));
  } finally {
    made.close();
  }
}

/**
 * The bytes of a `.npz` file with arrays by name.
 *
 * Host: blocks.
 *
 * @param deflate - compresses each of them; they are stored as they are where it is left out
 */
export function toNpz(arrays: Readonly<Record<string, NDArray>>, deflate?: Deflate): Uint8Array<ArrayBuffer> {
  if (typeof arrays !== 'object' || (arrays as unknown) === null || Array.isArray(arrays)) {
    throw new TypeError(`toNpz must be given an object of arrays by name, got ${nameOf(arrays)}`);
  }
  const members = Object.entries(arrays).map(([name, array]): [string, Uint8Array] => {
    checkArray(array, `toNpz: ${name}`);
    return [name, toNpy(array)];
  });
  return encodeNpz(members, deflate);
}

/**
 * The arrays of a `.npz` file's bytes, by name.
 *
 * Host: blocks until the bytes have been read.
 *
 * @param inflate - undoes the compression of members
 * @throws what {@link fromNpy} throws; SyntaxError for what is no zip archive, or a damaged one
 */
export function fromNpz(
  engine: Engine,
  bytes: Uint8Array,
  inflate: Inflate,
  options?: FromNpyOptions,
  what = 'fromNpz',
): Record<string, NDArray> {
  const arrays = new Map<string, NDArray>();
  try {
    for (const [name, npy] of decodeNpz(bytes, inflate)) arrays.set(name, fromNpy(engine, npy, options, what));
  } catch (error) {
    for (const array of arrays.values()) array.close();
    throw error;
  }
  // No name of a file is a property that objects have.
  return Object.assign(Object.create(null), Object.fromEntries(arrays)) as Record<string, NDArray>;
}
