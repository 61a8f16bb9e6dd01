import { lengthAt, strideAt, type Layout } from './layout.ts';
import { sizeOf } from './shape.ts';

/** What two views of one memory share: nothing, each element at the same index, or perhaps something. */
export type Overlap = 'none' | 'same' | 'maybe';

/** How many steps the search for a common element may take. Those of usual views end within a few. */
const SEARCH_LIMIT = 200;

/** A sum may have this stride 0 to `most` times. */
interface Term {
  readonly stride: number;
  most: number;
  /** The greatest sum of this term and the smaller ones. */
  reach: number;
  /** The greatest common divisor of the strides of this term and the smaller ones. */
  divisor: number;
}

/**
 * What two views share of the same memory, whose elements have one size. `'same'` is safe for an elementwise operation in
 * place, `'none'` for any.
 */
export function overlap(a: Layout, b: Layout): Overlap {
  if (sizeOf(a.shape) === 0 || sizeOf(b.shape) === 0) return 'none';
  if (isSame(a, b)) return 'same';
  return mayMeet(a, b) ? 'maybe' : 'none';
}

/**
 * Whether two indices of a view may be the same element, so that what is assigned to it depends on the order. It errs on
 * the safe side for strides that no slice, reshape or permutation makes.
 */
export function hasInternalOverlap({ shape, strides }: Layout): boolean {
  if (sizeOf(shape) === 0) return false;
  const wide: { stride: number; length: number }[] = [];
  for (let axis = 0; axis < shape.length; axis++) {
    const length = lengthAt(shape, axis);
    if (length > 1) wide.push({ stride: Math.abs(strideAt(strides, axis)), length });
  }
  wide.sort((a, b) => a.stride - b.stride);
  let extent = 0;
  for (const { stride, length } of wide) {
    if (stride <= extent) return true;
    extent += stride * (length - 1);
  }
  return false;
}

function isSame(a: Layout, b: Layout): boolean {
  if (a.offset !== b.offset || a.shape.length !== b.shape.length) return false;
  return a.shape.every((length, axis) => {
    return length === b.shape[axis] && (length === 1 || a.strides[axis] === b.strides[axis]);
  });
}

/**
 * Whether an offset of one view can be one of the other. Counted from the first element of `a` upwards and from the last one
 * of `b` downwards, the strides of both add up to the distance of these two: a sum that is searched for with bounds.
 */
function mayMeet(a: Layout, b: Layout): boolean {
  const bounds = new Map<number, number>();
  let distance = b.offset - a.offset;
  for (const [view, sign] of [
    [a, 1],
    [b, -1],
  ] as const) {
    for (let axis = 0; axis < view.shape.length; axis++) {
      const stride = strideAt(view.strides, axis);
      const most = lengthAt(view.shape, axis) - 1;
      if (stride === 0 || most === 0) continue;
      const size = Math.abs(stride);
      bounds.set(size, (bounds.get(size) ?? 0) + most);
      if (stride * sign < 0) distance += size * most;
    }
  }
  return canAddUp(termsOf(bounds), distance);
}

/** The terms, longest stride first: they leave the fewest choices. */
function termsOf(bounds: ReadonlyMap<number, number>): readonly Term[] {
  const terms = Array.from(bounds, ([stride, most]): Term => ({ stride, most, reach: 0, divisor: 0 }));
  terms.sort((a, b) => a.stride - b.stride);
  let reach = 0;
  let divisor = 0;
  for (const term of terms) {
    reach += term.stride * term.most;
    divisor = greatestDivisor(term.stride, divisor);
    Object.assign(term, { reach, divisor });
  }
  return terms.reverse();
}

/** Whether terms can have a sum; true, too, where the search takes too long. */
function canAddUp(terms: readonly Term[], sum: number): boolean {
  let steps = 0;
  const search = (at: number, rest: number): boolean => {
    const term = terms[at];
    if (!term) return rest === 0;
    if (rest < 0 || rest > term.reach || rest % term.divisor !== 0) return false;
    if (++steps > SEARCH_LIMIT) return true;
    const below = terms[at + 1]?.reach ?? 0;
    const least = Math.max(0, Math.ceil((rest - below) / term.stride));
    for (let times = Math.min(term.most, Math.floor(rest / term.stride)); times >= least; times--) {
      if (search(at + 1, rest - times * term.stride)) return true;
    }
    return false;
  };
  return search(0, sum);
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
