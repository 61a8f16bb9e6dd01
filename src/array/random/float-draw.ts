import { add, multiply } from '../function/arithmetic.ts';
import type { ArrayDType } from '../dtype.ts';
import { copyInto } from '../apply.ts';
import { NDArray } from '../ndarray.ts';
import { sharesElements } from '../sharing.ts';
import { sizeOf } from '../shape.ts';
import { draw, unitsOf } from './draw.ts';
import type { DrawText } from './draw-text.ts';
import type { ExactType } from './exact-text.ts';
import type { RandomParameter } from './parameter.ts';
import type { PhiloxStream } from './stream.ts';
import type { Target } from './target.ts';
import { laneOption } from '../lane-options.ts';

/** The dtypes of numbers that are not integers. */
export const FLOATS: readonly ArrayDType[] = ['f32', 'f64', 'f16', 'bf16'];

/** What numbers of a dtype are computed in: halves are rounded at the end. */
export function exactType(dtype: ArrayDType): ExactType {
  return dtype === 'f64' ? 'f64' : 'f32';
}

/** Numbers of a unit: two words make one of f64. */
export function floatLanes(dtype: ArrayDType): 2 | 4 {
  return dtype === 'f64' ? 2 : 4;
}

/** The place and the scale of numbers, each a number or an array of one for each element. */
export interface Scaling {
  readonly scale: RandomParameter;
  readonly offset: RandomParameter;
}

/**
 * Draw, scale and move. Numbers do it within the kernel, arrays by operations of their own, whose results are the same.
 *
 * @param textOf - the text, with the numbers `scale` and `offset`, or without
 */
export function drawScaled(
  stream: PhiloxStream,
  target: Target,
  textOf: (isScaled: boolean) => DrawText,
  { scale, offset }: Scaling,
): NDArray {
  const { lane, shape, engine } = target;
  const isPlain = scale === 1 && offset === 0;
  const hasArrays = scale instanceof NDArray || offset instanceof NDArray;
  const { out } = target;
  if (out !== undefined && [scale, offset].some((value) => value instanceof NDArray && sharesElements(out, value))) {
    // The parameters are read after the numbers are written.
    using made = drawScaled(stream, { ...target, out: undefined }, textOf, { scale, offset });
    copyInto(out, made, lane);
    return out;
  }
  const text = textOf(!isPlain && !hasArrays);
  const position = stream.take(unitsOf(sizeOf(shape), text));
  if (!hasArrays) return draw(target, text, position, isPlain ? [] : [scale, offset]);
  const made = draw(target, text, position, []);
  const options = { out: made, ...laneOption(engine, lane) };
  try {
    multiply(made, scale as NDArray, options);
    add(made, offset as NDArray, options);
  } catch (error) {
    if (made !== out) made.close();
    throw error;
  }
  return made;
}
