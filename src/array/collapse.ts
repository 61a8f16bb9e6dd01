import { lengthAt, strideAt } from './layout.ts';

/** The axes of an iteration, and the strides of every operand along them. */
export interface Iteration {
  readonly shape: number[];
  readonly strides: number[][];
}

/** How {@link collapse} may change an iteration. */
export interface CollapseOptions {
  /** Visit the elements in the order of the given axes. */
  readonly keepOrder?: boolean;
}

/**
 * Visit the same elements of all operands along fewer axes. Axes of length 1 go, the rest are sorted to suit the memory of
 * the first operand, the output, and neighbours that are one axis to every operand become one. Without an element to visit,
 * there is one axis of length 0; with a single one there is none.
 *
 * @param shape - of the iteration
 * @param operands - strides of every operand over that shape
 */
export function collapse(
  shape: readonly number[],
  operands: readonly (readonly number[])[],
  { keepOrder = false }: CollapseOptions = {},
): Iteration {
  const axes: number[] = [];
  for (let axis = 0; axis < shape.length; axis++) {
    const length = lengthAt(shape, axis);
    if (length === 0) return { shape: [0], strides: operands.map(() => [0]) };
    if (length !== 1) axes.push(axis);
  }
  if (!keepOrder) sortAxes(axes, operands);
  const result: Iteration = { shape: [], strides: [] };
  for (let i = 0; i < operands.length; i++) result.strides.push([]);
  for (const axis of axes) append(result, operands, axis, lengthAt(shape, axis));
  return result;
}

/** Longer strides first. Written out since it is on the launch path, and there are two or three axes. */
function sortAxes(axes: number[], operands: readonly (readonly number[])[]): void {
  for (let i = 1; i < axes.length; i++) {
    const axis = lengthAt(axes, i);
    let place = i;
    for (; place > 0; place--) {
      const before = lengthAt(axes, place - 1);
      if (!isInner(operands, before, axis)) break;
      axes[place] = before;
    }
    axes[place] = axis;
  }
}

/** Whether an axis belongs behind another one. Where the first operand has no preference, the next one has. */
function isInner(operands: readonly (readonly number[])[], axis: number, other: number): boolean {
  for (const strides of operands) {
    const difference = Math.abs(strideAt(strides, other)) - Math.abs(strideAt(strides, axis));
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** Add an axis behind the others, or make the last one longer where both are one to every operand. */
function append(
  { shape, strides }: Iteration,
  operands: readonly (readonly number[])[],
  axis: number,
  length: number,
): void {
  let last = shape.length - 1;
  let isOne = last >= 0;
  for (let i = 0; isOne && i < operands.length; i++) {
    isOne = strides[i]?.[last] === length * strideAt(operandAt(operands, i), axis);
  }
  if (isOne) shape[last] = lengthAt(shape, last) * length;
  else last = shape.push(length) - 1;
  for (let i = 0; i < operands.length; i++) {
    (strides[i] as number[])[last] = strideAt(operandAt(operands, i), axis);
  }
}

function operandAt(operands: readonly (readonly number[])[], i: number): readonly number[] {
  return operands[i] as readonly number[];
}
