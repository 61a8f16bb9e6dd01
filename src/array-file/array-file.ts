import { readFileSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Engine } from '../array/engine.ts';
import type { NDArray } from '../array/ndarray.ts';
import { fromNpy, fromNpz, toNpy, toNpz, type FromNpyOptions } from '../array/npy-array.ts';
import { isNpy } from '../array/npy-header.ts';
import { checkOptions, nameOf } from '../core/check.ts';
import { pathOf } from '../core/file-path.ts';
import { writeWhole } from '../core/write-whole.ts';

/** How archives are written. */
export interface SavezOptions {
  /** Whether the arrays are compressed: false. */
  readonly compressed?: boolean | undefined;
}

/** The array of a `.npy` file, as `numpy.load` reads it. */
export function load(engine: Engine, file: string | URL, options?: FromNpyOptions): NDArray {
  const bytes = readFileSync(pathOf(file));
  if (isZip(bytes)) {
    throw new TypeError('load must be given an .npy file, got an .npz archive; write loadz(file)');
  }
  return fromNpy(engine, bytes, options, 'load');
}

/** The arrays of a `.npz` file by name, as `numpy.load` reads it. */
export function loadz(engine: Engine, file: string | URL, options?: FromNpyOptions): Record<string, NDArray> {
  const bytes = readFileSync(pathOf(file));
  if (isNpy(bytes)) {
    throw new TypeError('loadz must be given an .npz archive, got an .npy file; write load(file)');
  }
  return fromNpz(engine, bytes, (data, size) => inflateRawSync(data, { maxOutputLength: size }), options, 'loadz');
}

/**
 * Write an array to a `.npy` file, as `numpy.save` does: all of it, or what was there stays.
 *
 * Host: blocks.
 */
export function save(file: string | URL, array: NDArray): void {
  const path = pathOf(file);
  writeWhole(path, toNpy(array));
}

/**
 * Write arrays to a `.npz` file by name, as `numpy.savez` does, or `numpy.savez_compressed`: all of it, or what was there stays.
 *
 * Host: blocks.
 */
export function savez(file: string | URL, arrays: Readonly<Record<string, NDArray>>, options?: SavezOptions): void {
  checkOptions(options, ['compressed'], 'savez');
  const path = pathOf(file);
  const compressed: unknown = options?.compressed ?? false;
  if (typeof compressed !== 'boolean') {
    throw new TypeError(`savez: compressed must be true or false, got ${nameOf(compressed)}`);
  }
  writeWhole(path, toNpz(arrays, compressed ? deflateRawSync : undefined));
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}
