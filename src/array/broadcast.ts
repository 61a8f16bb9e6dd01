import { lengthAt, strideAt, type Layout } from './layout.ts';
import { checkSize, shapeText } from './shape.ts';

/**
 * The shape that shapes have in common: they are aligned at their last axes, and an axis of length 1 takes any length.
 *
 * @throws RangeError they have none; the message names all of them and the axis
 */
export function broadcastShapes(shapes: readonly (readonly number[])[]): number[] {
  const rank = shapes.reduce((most, shape) => Math.max(most, shape.length), 0);
  const result = new Array<number>(rank).fill(1);
  for (let fromEnd = 1; fromEnd <= rank; fromEnd++) {
    let common = 1;
    for (const shape of shapes) {
      const length = shape[shape.length - fromEnd] ?? 1;
      if (length === 1) continue;
      if (common !== 1 && length !== common) throw mismatch(shapes, fromEnd);
      common = length;
    }
    result[rank - fromEnd] = common;
  }
  checkSize(result, 'The shape that arrays broadcast to');
  return result;
}

/**
 * The view of a layout in a larger shape, whose repeated axes have stride 0.
 *
 * @throws RangeError the layout's shape does not broadcast to it
 */
export function broadcastTo({ shape, strides, offset }: Layout, to: readonly number[]): Layout {
  const added = to.length - shape.length;
  if (added < 0) throw refusal(shape, to, `it has ${shape.length} axes, not ${to.length} or fewer`);
  const result = new Array<number>(to.length).fill(0);
  for (let axis = 0; axis < shape.length; axis++) {
    const [from, length] = [lengthAt(shape, axis), lengthAt(to, axis + added)];
    if (from === length) result[axis + added] = strideAt(strides, axis);
    else if (from !== 1)
      throw refusal(shape, to, `axis ${axis - shape.length} has ${from}, not ${length === 1 ? '' : '1 or '}${length}`);
  }
  return { shape: [...to], strides: result, offset };
}

function mismatch(shapes: readonly (readonly number[])[], fromEnd: number): RangeError {
  const lengths = new Set(shapes.map((shape) => shape[shape.length - fromEnd] ?? 1));
  lengths.delete(1);
  return new RangeError(
    `Shapes ${and(shapes.map(shapeText))} do not broadcast: axis -${fromEnd} has ${and([...lengths].map(String))}`,
  );
}

function refusal(from: readonly number[], to: readonly number[], reason: string): RangeError {
  return new RangeError(`An array of shape ${shapeText(from)} does not broadcast to ${shapeText(to)}: ${reason}`);
}

function and(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}
