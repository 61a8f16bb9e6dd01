import { Limits } from './limits.ts';

/** Three sizes; 1 in dimensions that are not used. */
export type Sizes = [x: number, y: number, z: number];

/** A part of a range with groups of equal size. */
export interface Piece {
  /** The number of its first group, in each dimension. */
  readonly base: Sizes;
  readonly groups: Sizes;
  readonly local: Sizes;
}

/** The most items of a chosen group, and the least groups for each worker, so that all workers are busy. */
const GOOD_GROUP = 256;
const GROUPS_PER_UNIT = 4;
/** Below this size, small even groups are slower than uneven ones. */
const MIN_GROUP = 16;

/** The numbers of groups of a range, including the smaller groups at its ends. */
export function groupsOf(global: Sizes, local: Sizes): Sizes {
  return [Math.ceil(global[0] / local[0]), Math.ceil(global[1] / local[1]), Math.ceil(global[2] / local[2])];
}

/** Split a range into pieces of equal groups: one piece where the local size divides the range. */
export function piecesOf(global: Sizes, local: Sizes): Piece[] {
  let pieces: Piece[] = [{ base: [0, 0, 0], groups: [1, 1, 1], local: [1, 1, 1] }];
  for (const at of [0, 1, 2] as const) {
    const whole = Math.floor(global[at] / local[at]);
    const rest = global[at] - whole * local[at];
    pieces = pieces.flatMap((piece) => [
      ...(whole > 0 ? [changed(piece, at, 0, whole, local[at])] : []),
      ...(rest > 0 ? [changed(piece, at, whole, 1, rest)] : []),
    ]);
  }
  return pieces;
}

function changed(piece: Piece, at: 0 | 1 | 2, base: number, groups: number, local: number): Piece {
  const put = (sizes: Sizes, value: number): Sizes => sizes.with(at, value) as Sizes;
  return { base: put(piece.base, base), groups: put(piece.groups, groups), local: put(piece.local, local) };
}

/**
 * A local size for a launch that gives none.
 *
 * @param most - items of a group
 * @param even - the local size must divide the range
 */
export function chooseLocal(global: Sizes, most: number, units: number, even: boolean): Sizes {
  const items = global[0] * global[1] * global[2];
  let room = Math.max(1, Math.min(most, GOOD_GROUP, Math.ceil(items / (units * GROUPS_PER_UNIT))));
  const local: Sizes = [1, 1, 1];
  for (const at of [0, 1, 2] as const) {
    const limit = Math.min(room, global[at], Limits.ITEMS[at]);
    const divisor = largestDivisor(global[at], limit);
    local[at] = !even && divisor < MIN_GROUP && divisor * 2 < limit ? limit : divisor;
    room = Math.floor(room / local[at]);
  }
  return local;
}

function largestDivisor(value: number, limit: number): number {
  for (let divisor = limit; divisor > 1; divisor--) if (value % divisor === 0) return divisor;
  return 1;
}
