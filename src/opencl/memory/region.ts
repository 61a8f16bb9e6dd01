import { checkInteger, nameOf } from '../../core/check.ts';

/** A place or a size in up to three directions, x first. Missing numbers are 0 in a place and 1 in a size. */
export type Extent =
  number | readonly [x: number] | readonly [x: number, y: number] | readonly [x: number, y: number, z: number];

/** Bytes from row to row, and from slice to slice. */
export type Pitches = number | readonly [row: number] | readonly [row: number, slice: number];

/** Three numbers, x first. */
export type Triple = readonly [x: number, y: number, z: number];

/** Rows and slices of bytes in memory. */
export interface Layout {
  readonly row: number;
  readonly slice: number;
}

/** Read a place; missing numbers are 0. */
export function readOrigin(value: unknown, what: string): Triple {
  return readTriple(value, what, 0, 0);
}

/** Read a size; missing numbers are 1. */
export function readRegion(value: unknown, what: string): Triple {
  return readTriple(value, what, 1, 1);
}

/** Three numbers as C's `size_t[3]`. */
export function sizes(triple: Triple): BigUint64Array {
  return BigUint64Array.from(triple, BigInt);
}

/**
 * The pitches of a region in memory; without any there are no gaps.
 *
 * @param region - x in bytes
 */
export function readPitches(value: unknown, [width, height]: Triple, what: string): Layout {
  if (value === undefined) return { row: width, slice: width * height };
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length < 1 || list.length > 2) {
    throw new TypeError(`${what} must be [row] or [row, slice], in bytes, got ${nameOf(value)}`);
  }
  // 0 stands for no gaps, as in C.
  const row = checkInteger(list[0], `${what}: row`) || width;
  if (row < width) throw new RangeError(`${what}: the row pitch must be at least ${width} bytes, got ${row}`);
  const slice = checkInteger(list[1] ?? 0, `${what}: slice`) || row * height;
  if (slice < row * height || slice % row !== 0) {
    throw new RangeError(
      `${what}: the slice pitch must be a multiple of the row pitch ${row} and at least ${row * height}, got ${slice}`,
    );
  }
  return { row, slice };
}

/** The end of a region, in bytes. */
export function endOf({ row, slice }: Layout, [x, y, z]: Triple, [width, height, depth]: Triple): number {
  return (z + depth - 1) * slice + (y + height - 1) * row + x + width;
}

function readTriple(value: unknown, what: string, missing: number, min: number): Triple {
  if (value === undefined) return [missing, missing, missing];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length < 1 || list.length > 3 || (typeof value !== 'number' && !Array.isArray(value))) {
    throw new TypeError(`${what} must be a number or an array of 1 to 3 numbers, got ${nameOf(value)}`);
  }
  const at = (i: number): number => (i < list.length ? checkInteger(list[i], `${what}[${i}]`, min) : missing);
  return [at(0), at(1), at(2)];
}
