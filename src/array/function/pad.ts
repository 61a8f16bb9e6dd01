import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import { copyPart } from '../copy-part.ts';
import { isWeakScalar, type ArrayDType, type WeakScalar } from '../dtype.ts';
import type { Lane } from '../engine.ts';
import type { Layout } from '../layout.ts';
import type { NDArray, OutOptions } from '../ndarray.ts';
import { checkOpen } from '../operand.ts';
import { resultOf } from '../result.ts';
import { asList, checkSize, listText, shapeText } from '../shape.ts';
import { narrow } from '../view.ts';
import { fill } from './transfer.ts';

/** What is put around an array: one value, its edge, its elements mirrored without or with the edge, or repeated. */
export type PadMode = 'constant' | 'edge' | 'reflect' | 'symmetric' | 'wrap';

/** The options of {@link pad}. */
export interface PadOptions extends OutOptions {
  /** What is put around the array, `'constant'` by default. */
  readonly mode?: PadMode | undefined;
  /** The value of `'constant'`, 0 by default. */
  readonly value?: WeakScalar | undefined;
}

/** How many elements come before and behind: `2`, `[1, 2]`, or a pair for each axis, `[[1, 2], [0, 0]]`. */
export type PadWidth = number | readonly [before: number, after: number] | readonly (readonly [number, number])[];

const MODES: readonly PadMode[] = ['constant', 'edge', 'reflect', 'symmetric', 'wrap'];

/**
 * An array with elements put around it.
 *
 * @param width - how many, along each axis
 * @throws RangeError another mode than `'constant'` for an axis without elements
 */
export function pad<D extends ArrayDType>(x: NDArray<D>, width: PadWidth, options?: PadOptions): NDArray<D> {
  checkOpen(x, 'pad');
  if (options !== undefined) checkOptions(options, ['mode', 'value', 'out', 'stream', 'queue'], 'pad');
  const mode = options?.mode ?? 'constant';
  if (!MODES.includes(mode)) throw new TypeError(`pad: mode must be one of ${MODES.join(', ')}, got ${nameOf(mode)}`);
  const value = options?.value ?? 0;
  if (!isWeakScalar(value)) throw new TypeError(`pad: value must be a number, got ${nameOf(value)}`);
  const widths = readWidths(width, x.ndim);
  const shape = x.shape.map((length, axis) => length + (widths[axis]?.[0] ?? 0) + (widths[axis]?.[1] ?? 0));
  checkSize(shape, 'pad: the result');
  const empty = x.shape.findIndex((length, axis) => length === 0 && shape[axis] !== 0);
  if (mode !== 'constant' && empty >= 0) {
    throw new RangeError(
      `pad: axis ${empty} of shape ${shapeText(x.shape)} must have elements for mode '${mode}'; write mode: 'constant'`,
    );
  }
  return resultOf('pad', { shape, dtype: x.dtype, operands: [x], options }, (out, lane) => {
    if (mode === 'constant') fill(out, value, lane);
    let inside: Layout = out;
    for (const [axis, [before]] of widths.entries()) inside = narrow(inside, axis, before, x.shape[axis] as number);
    copyPart(out, inside, x, x, lane);
    if (mode === 'constant') return;
    for (const [axis, [before, after]] of widths.entries()) {
      // What this axis is padded with has been padded along the axes before.
      let source = out as Layout;
      for (let next = axis; next < x.ndim; next++) {
        source = narrow(source, next, widths[next]?.[0] ?? 0, x.shape[next] as number);
      }
      padAxis(out, source, axis, before, after, mode, lane);
    }
  });
}

/** Fill what is before and behind the elements of one axis by runs of elements that follow each other, either way. */
function padAxis(
  out: NDArray,
  source: Layout,
  axis: number,
  before: number,
  after: number,
  mode: PadMode,
  lane: Lane,
): void {
  const length = source.shape[axis] as number;
  const stride = source.strides[axis] as number;
  const place = (i: number): number => sourceOf(i, length, mode);
  for (const [first, end] of [
    [-before, 0],
    [length, length + after],
  ] as const) {
    for (let i = first; i < end;) {
      const step = i + 1 < end ? place(i + 1) - place(i) : 0;
      let stop = i + 1;
      while (stop < end && place(stop) - place(stop - 1) === step && Math.abs(step) <= 1) stop++;
      const shape = source.shape.with(axis, stop - i);
      const to = { shape, strides: source.strides, offset: source.offset + i * stride };
      const from = {
        shape,
        strides: source.strides.with(axis, step * stride),
        offset: source.offset + place(i) * stride,
      };
      copyPart(out, to, out, from, lane);
      i = stop;
    }
  }
}

/** The index of the element that a place before or behind an axis repeats. */
function sourceOf(i: number, length: number, mode: PadMode): number {
  if (mode === 'edge') return i < 0 ? 0 : length - 1;
  if (mode === 'wrap') return modulo(i, length);
  if (mode === 'symmetric') {
    const at = modulo(i, 2 * length);
    return at < length ? at : 2 * length - 1 - at;
  }
  if (length === 1) return 0;
  const at = modulo(i, 2 * length - 2);
  return at < length ? at : 2 * length - 2 - at;
}

function modulo(a: number, b: number): number {
  return ((a % b) + b) % b;
}

function readWidths(width: unknown, rank: number): [before: number, after: number][] {
  const check = (each: unknown): number => checkInteger(each, 'pad: a width', 0);
  const pair = (value: unknown): [number, number] => {
    const list = asList(value);
    if (!list) return [check(value), check(value)];
    if (list.length === 1) return [check(list[0]), check(list[0])];
    if (list.length === 2) return [check(list[0]), check(list[1])];
    throw new RangeError(`pad: a width must be a number or a pair [before, after], got ${listText(value)}`);
  };
  const list = asList(width);
  if (!list || !Array.from(list).some((each) => asList(each))) return Array.from({ length: rank }, () => pair(width));
  if (list.length === 1) return Array.from({ length: rank }, () => pair(list[0]));
  if (list.length === rank) return Array.from(list, pair);
  throw new RangeError(`pad: width must have a pair for each axis of rank ${rank}, got ${list.length} of them`);
}
