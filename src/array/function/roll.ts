import { checkOptions } from '../../core/check.ts';
import { normalizeAxis } from '../axes.ts';
import { copyPart } from '../copy-part.ts';
import type { ArrayDType } from '../dtype.ts';
import type { Lane, LaneOptions } from '../engine.ts';
import type { Layout } from '../layout.ts';
import type { NDArray } from '../ndarray.ts';
import { checkOpen } from '../operand.ts';
import { resultOf } from '../result.ts';
import { asList, listText } from '../shape.ts';
import { narrow } from '../view.ts';
import { ravel, reshape } from './shape.ts';
import { lanesOf } from '../lane-options.ts';

/** The options of {@link roll}. */
export interface RollOptions extends LaneOptions {
  /** The axis, or one for each shift; by default the elements are shifted as if they were along one. */
  readonly axis?: number | readonly number[] | undefined;
}

/**
 * Move elements along axes; those beyond the last place come in at the first.
 *
 * @param shift - how far towards the end, or one number for each axis
 */
export function roll<D extends ArrayDType>(
  x: NDArray<D>,
  shift: number | readonly number[],
  options?: RollOptions,
): NDArray<D> {
  checkOpen(x, 'roll');
  if (options !== undefined) checkOptions(options, ['axis', 'stream', 'queue'], 'roll');
  const lane = lanesOf(options);
  const shifts = readList(shift, 'shift');
  if (options?.axis !== undefined) return rolled(x, shiftsByAxis(x, shifts, options.axis), lane);
  const flat = ravel(x, lane);
  try {
    const by = shifts.reduce((sum, each) => sum + each, 0);
    const made = rolled(flat, [within(by, flat.size)], lane);
    try {
      return reshape(made, x.shape);
    } finally {
      made.close();
    }
  } finally {
    flat.close();
  }
}

function rolled<D extends ArrayDType>(x: NDArray<D>, shifts: readonly number[], options: LaneOptions): NDArray<D> {
  const { shape, dtype } = x;
  return resultOf('roll', { shape, dtype, operands: [x], options }, (out, lane) => {
    rollAxes(out, out, x, x, shifts, 0, lane);
  });
}

/** Copy the two parts of each axis that is shifted. */
function rollAxes(
  out: NDArray,
  to: Layout,
  from: NDArray,
  part: Layout,
  shifts: readonly number[],
  axis: number,
  lane: Lane,
): void {
  const by = shifts[axis];
  if (by === undefined) copyPart(out, to, from, part, lane);
  else if (by === 0) rollAxes(out, to, from, part, shifts, axis + 1, lane);
  else {
    const rest = (part.shape[axis] as number) - by;
    rollAxes(out, narrow(to, axis, by, rest), from, narrow(part, axis, 0, rest), shifts, axis + 1, lane);
    rollAxes(out, narrow(to, axis, 0, by), from, narrow(part, axis, rest, by), shifts, axis + 1, lane);
  }
}

/** How far each axis is shifted. One shift serves all axes, one axis takes all shifts. */
function shiftsByAxis({ shape }: Layout, shifts: readonly number[], axis: number | readonly number[]): number[] {
  const axes = readList(axis, 'axis').map((each) => normalizeAxis(each, shape.length, 'roll: axis'));
  const count = Math.max(shifts.length, axes.length);
  if (![1, count].includes(shifts.length) || ![1, count].includes(axes.length)) {
    throw new RangeError(`roll: there must be one shift for each axis, got ${listText(shifts)} for ${listText(axis)}`);
  }
  const sums = shape.map(() => 0);
  for (let i = 0; i < count; i++) {
    const at = axes[axes.length === 1 ? 0 : i] as number;
    sums[at] = (sums[at] as number) + (shifts[shifts.length === 1 ? 0 : i] as number);
  }
  return sums.map((by, at) => within(by, shape[at] as number));
}

function within(by: number, length: number): number {
  return length === 0 ? 0 : ((by % length) + length) % length;
}

function readList(value: unknown, name: string): number[] {
  const list = asList(value) ?? [value];
  return Array.from(list, (each) => {
    if (Number.isSafeInteger(each)) return each as number;
    throw new (typeof each === 'number' ? RangeError : TypeError)(
      `roll: ${name} must be an integer or a list of them, got ${listText(value)}`,
    );
  });
}
