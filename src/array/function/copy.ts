import { checkOptions } from '../../core/check.ts';
import { checkDType, copyInto, duplicate } from '../apply.ts';
import { arrayDTypes, readDType, type ArrayDType } from '../dtype.ts';
import type { LaneOptions } from '../engine.ts';
import type { Layout } from '../layout.ts';
import { engineOf, laneOf, viewAs, viewOf, type NDArray, type OutOptions } from '../ndarray.ts';
import { checkOpen } from '../operand.ts';
import { resultOf } from '../result.ts';
import { shapeText } from '../shape.ts';

const OPTIONS = ['out', 'stream', 'queue'];

/** The elements in a new array without gaps, or in the one that is given. */
export function copy<D extends ArrayDType>(x: NDArray<D>, options?: OutOptions): NDArray<D> {
  checkOpen(x, 'copy');
  if (options !== undefined) checkOptions(options, OPTIONS, 'copy');
  const { shape, dtype } = x;
  return resultOf('copy', { shape, dtype, operands: [x], options }, (out, lane) => {
    copyInto(out, x, lane);
  });
}

/** The elements in row-major order without gaps: a view of them where they lie so, else a copy. Both are to be closed. */
export function contiguous<D extends ArrayDType>(x: NDArray<D>, options?: LaneOptions): NDArray<D> {
  checkOpen(x, 'contiguous');
  if (options !== undefined) checkOptions(options, ['stream', 'queue'], 'contiguous');
  if (x.isFlat) return viewOf(x, x);
  const lane = engineOf(x).laneOf(options, 'contiguous') ?? laneOf(x);
  return duplicate(x, lane) as unknown as NDArray<D>;
}

/**
 * The elements as another dtype, in a new array: fractions are cut off, floats beyond an integer's range end at its limits, NaN
 * is 0, integers wrap around.
 *
 * @throws TypeError of complex numbers real ones; or the device does not have the dtype
 */
export function astype<D extends ArrayDType, E extends ArrayDType>(
  x: NDArray<D>,
  dtype: E,
  options?: OutOptions,
): NDArray<E> {
  checkOpen(x, 'astype');
  if (options !== undefined) checkOptions(options, OPTIONS, 'astype');
  const to = readDType(dtype, 'astype: dtype') as E;
  const [from, target] = [arrayDTypes[x.dtype].kind, arrayDTypes[to].kind];
  if (from === 'complex' && target !== 'complex' && target !== 'bool') {
    throw new TypeError(
      `astype: dtype must be complex or bool for elements of ${x.dtype}, got ${to}; write real() or abs() first`,
    );
  }
  return resultOf('astype', { shape: x.shape, dtype: to, operands: [x], options }, (out, lane) => {
    copyInto(out, x, lane);
  });
}

/**
 * The same bytes as elements of another dtype. Of another size, the last axis becomes longer or shorter, and its elements must
 * follow each other.
 *
 * @throws RangeError the bytes of the last axis are no whole number of elements, or other axes do not begin at one
 */
export function view<D extends ArrayDType, E extends ArrayDType>(x: NDArray<D>, dtype: E): NDArray<E> {
  checkOpen(x, 'view');
  const to = readDType(dtype, 'view: dtype') as E;
  checkDType(engineOf(x), to);
  return viewAs(x, to, resized(x, arrayDTypes[x.dtype].size, arrayDTypes[to].size, `${x.dtype} as ${to}`));
}

function resized(layout: Layout, from: number, to: number, what: string): Layout {
  const { shape, strides, offset } = layout;
  if (from === to) return layout;
  const last = shape.length - 1;
  if (last < 0) {
    throw new RangeError(
      `view: an array of rank 0 has no axis for elements of another size, got ${what}; write reshape(1) first`,
    );
  }
  const length = shape[last] as number;
  if (strides[last] !== 1 && length !== 1) {
    throw new RangeError(
      `view: the elements of the last axis must follow each other for ${what}, got shape ${shapeText(shape)} with strides ${shapeText(strides)}; write contiguous() first`,
    );
  }
  if ((length * from) % to !== 0) {
    throw new RangeError(
      `view: the last axis must have a multiple of ${to} bytes for ${what}, got ${length} elements of ${from}`,
    );
  }
  const places = [offset, ...strides.slice(0, -1).filter((_, axis) => shape[axis] !== 1)];
  if (places.some((place) => (place * from) % to !== 0)) {
    throw new RangeError(
      `view: every row must begin at a multiple of ${to} bytes for ${what}, got strides ${shapeText(strides)} and offset ${offset} of ${from} bytes each; write copy() first`,
    );
  }
  return {
    shape: shape.with(last, (length * from) / to),
    strides: strides.map((stride, axis) => (axis === last ? 1 : Math.floor((stride * from) / to))),
    offset: (offset * from) / to,
  };
}
