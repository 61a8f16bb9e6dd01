import { allAxes, normalizeAxes, readAxes } from './axes.ts';
import { lengthAt, strideAt, type Layout } from './layout.ts';
import { asList, checkRank, listText, shapeText, sizeOf } from './shape.ts';

/**
 * The view whose axes are the given ones of a layout.
 *
 * @throws RangeError not every axis once
 */
export function permute(layout: Layout, axes: readonly number[]): Layout {
  const rank = layout.shape.length;
  const order = readAxes(axes, rank, 'axes');
  if (order.length === rank) return pick(layout, order);
  throw new RangeError(`axes must name every axis of an array of rank ${rank}, got ${listText(axes)}`);
}

/** The view with the axes in reverse. */
export function transpose({ shape, strides, offset }: Layout): Layout {
  return { shape: [...shape].reverse(), strides: [...strides].reverse(), offset };
}

/**
 * The view with the last two axes swapped: the transposed of each matrix.
 *
 * @throws RangeError fewer than two axes
 */
export function swapLastTwo(layout: Layout): Layout {
  const rank = layout.shape.length;
  if (rank < 2) throw new RangeError(`The array of matrices must have a rank of at least 2, got ${rank}`);
  return pick(layout, [...allAxes(rank - 2), rank - 1, rank - 2]);
}

/**
 * The view without axes of length 1: the given ones, or all.
 *
 * @throws RangeError an axis of another length
 */
export function squeeze(layout: Layout, axis?: number | readonly number[]): Layout {
  const { shape } = layout;
  const dropped = axis === undefined ? undefined : normalizeAxes(axis, shape.length, 'axis');
  const wide = dropped?.find((each) => shape[each] !== 1);
  if (wide !== undefined) {
    throw new RangeError(
      `axis must name axes of length 1, got ${wide} of length ${shape[wide]} of ${shapeText(shape)}`,
    );
  }
  const kept = allAxes(shape.length).filter((each) => (dropped ? !dropped.includes(each) : shape[each] !== 1));
  return pick(layout, kept);
}

/**
 * The view with axes of length 1 added, which are named by their place in the result.
 *
 * @throws RangeError not an axis of the result, an axis twice, or too many of them
 */
export function expandDims(layout: Layout, axis: number | readonly number[]): Layout {
  const rank = layout.shape.length + (asList(axis)?.length ?? 1);
  checkRank(rank, 'The result');
  const added = readAxes(axis, rank, 'axis', 'a result');
  const shape: number[] = [];
  const strides: number[] = [];
  for (let each = 0, from = 0; each < rank; each++) {
    const isNew = added.includes(each);
    shape.push(isNew ? 1 : lengthAt(layout.shape, from));
    strides.push(isNew ? 0 : strideAt(layout.strides, from));
    if (!isNew) from++;
  }
  return { shape, strides, offset: layout.offset };
}

/** The view that runs backwards along the given axes, or along all. */
export function flip({ shape, strides, offset }: Layout, axis?: number | readonly number[]): Layout {
  const flipped = [...strides];
  let start = offset;
  for (const each of normalizeAxes(axis, shape.length, 'axis')) {
    const stride = strideAt(strides, each);
    // A difference makes 0 of 0, a minus sign -0.
    flipped[each] = 0 - stride;
    start += (lengthAt(shape, each) - 1) * stride;
  }
  // Where there is no element, there is no last one to begin at.
  return { shape: [...shape], strides: flipped, offset: sizeOf(shape) === 0 ? offset : start };
}

/**
 * The view with axes moved to other places; the rest keeps its order.
 *
 * @throws RangeError not as many places as axes
 */
export function moveaxis(layout: Layout, from: number | readonly number[], to: number | readonly number[]): Layout {
  const rank = layout.shape.length;
  const sources = readAxes(from, rank, 'The axis to move');
  const places = readAxes(to, rank, 'The place of an axis');
  if (sources.length !== places.length) {
    throw new RangeError(`There must be as many places as axes to move, got ${listText(to)} for ${listText(from)}`);
  }
  const rest = allAxes(rank).filter((axis) => !sources.includes(axis));
  const order: number[] = [];
  for (let place = 0; place < rank; place++) {
    const source = sources[places.indexOf(place)] ?? rest.shift();
    if (source !== undefined) order.push(source);
  }
  return pick(layout, order);
}

/** The view of a part of one axis that lies within it. */
export function narrow({ shape, strides, offset }: Layout, axis: number, start: number, length: number): Layout {
  const at = length === 0 ? offset : offset + start * strideAt(strides, axis);
  return { shape: shape.with(axis, length), strides, offset: at };
}

function pick({ shape, strides, offset }: Layout, axes: readonly number[]): Layout {
  return {
    shape: axes.map((axis) => lengthAt(shape, axis)),
    strides: axes.map((axis) => strideAt(strides, axis)),
    offset,
  };
}
