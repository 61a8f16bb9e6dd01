import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { subtract } from '../function/arithmetic.ts';
import { stored } from '../kernel/conversion.ts';
import { literal } from '../kernel/literal.ts';
import { type NDArray } from '../ndarray.ts';
import type { DrawText } from './draw-text.ts';
import { exactMacros } from './exact-text.ts';
import { drawScaled, exactType, floatLanes, FLOATS } from './float-draw.ts';
import { checkParameter, type RandomParameter } from './parameter.ts';
import type { PhiloxStream } from './stream.ts';
import { targetOf, type FindEngine, type RandomOptions } from './target.ts';

/** Bits of a word that a number takes: as many as it has exactly. */
const BITS: Partial<Record<ArrayDType, number>> = { f32: 24, f16: 11, bf16: 8 };

/** A text of numbers from 0 below 1: the highest bits of a word as a fraction. */
function uniformText(dtype: ArrayDType, isScaled: boolean): DrawText {
  const t = exactType(dtype);
  const lanes = floatLanes(dtype);
  const bits = BITS[dtype] ?? 0;
  const values = Array.from({ length: lanes }, (_, k) => {
    const fraction =
      t === 'f64'
        ? `ADD(MUL((f64)w.v[${2 * k + 1}], ${literal(2 ** -32, t)}), MUL((f64)(w.v[${2 * k}] >> 11), ${literal(2 ** -53, t)}))`
        : `MUL((f32)(w.v[${k}] >> ${32 - bits}), ${literal(2 ** -bits, t)})`;
    return `value[${k}] = ${stored(dtype, isScaled ? `ADD(MUL(${fraction}, scale), offset)` : fraction)};`;
  });
  return {
    name: `uniform_${dtype}${isScaled ? '_scaled' : ''}`,
    dtype,
    lanes,
    numbers: isScaled ? (['scale', 'offset'] as const).map((name) => ({ name, dtype: t, kind: 'number' })) : [],
    preamble: exactMacros(t),
    lines: `const words w = DRAW(0);\n${values.join('\n')}`,
  };
}

/** Numbers from `low` below `high`. */
export function uniform(
  find: FindEngine,
  stream: PhiloxStream,
  [low, high]: readonly [RandomParameter, RandomParameter],
  options: RandomOptions | undefined,
  what = 'uniform',
): NDArray {
  checkParameter(low, `${what}: low`, Number.isFinite, 'a finite number');
  checkParameter(high, `${what}: high`, Number.isFinite, 'a finite number');
  const target = targetOf(find, what, options, FLOATS, [low, high]);
  const textOf = (isScaled: boolean): DrawText => uniformText(target.dtype, isScaled);
  if (typeof low === 'number' && typeof high === 'number') {
    const max = arrayDTypes[target.dtype].name === 'f64' ? Number.MAX_VALUE : 3.4028234e38;
    if (high < low) throw new RangeError(`${what}: high must be at least low, ${low}, got ${high}`);
    if (high - low > max) {
      throw new RangeError(`${what}: high - low must be at most ${max} for ${target.dtype}, got ${high - low}`);
    }
    return drawScaled(stream, target, textOf, { scale: high - low, offset: low });
  }
  using scale = subtract(high as NDArray, low as NDArray);
  return drawScaled(stream, target, textOf, { scale, offset: low });
}
