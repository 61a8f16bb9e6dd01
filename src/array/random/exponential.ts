import type { ArrayDType } from '../dtype.ts';
import { stored } from '../kernel/conversion.ts';
import { literal } from '../kernel/literal.ts';
import type { NDArray } from '../ndarray.ts';
import type { DrawText } from './draw-text.ts';
import { exactMacros, logText } from './exact-text.ts';
import { drawScaled, exactType, floatLanes, FLOATS } from './float-draw.ts';
import { checkParameter, type RandomParameter } from './parameter.ts';
import type { PhiloxStream } from './stream.ts';
import { targetOf, type FindEngine, type RandomOptions } from './target.ts';

/** A text of the negative logarithms of numbers above 0 and up to 1. */
function exponentialText(dtype: ArrayDType, isScaled: boolean): DrawText {
  const t = exactType(dtype);
  const lanes = floatLanes(dtype);
  const values = Array.from({ length: lanes }, (_, k) => {
    const x =
      t === 'f64'
        ? `ADD(MUL((f64)w.v[${2 * k + 1}], ${literal(2 ** 21, t)}), (f64)(w.v[${2 * k}] >> 11))`
        : `(f32)w.v[${k}]`;
    const number = `minus_log(ADD(${x}, ${literal(0.5, t)}))`;
    // The sum makes 0 of -0.
    return `value[${k}] = ${stored(dtype, isScaled ? `ADD(MUL(${number}, scale), offset)` : `ADD(${number}, 0)`)};`;
  });
  return {
    name: `exponential_${dtype}${isScaled ? '_scaled' : ''}`,
    dtype,
    lanes,
    numbers: isScaled ? (['scale', 'offset'] as const).map((name) => ({ name, dtype: t, kind: 'number' })) : [],
    preamble: `${exactMacros(t)}${logText('minus_log', t, -1, t === 'f32' ? 32 : 53)}`,
    lines: `const words w = DRAW(0);\n${values.join('\n')}`,
  };
}

/** Numbers of an exponential distribution, of which `scale` is the mean. */
export function exponential(
  find: FindEngine,
  stream: PhiloxStream,
  scale: RandomParameter,
  options: RandomOptions | undefined,
): NDArray {
  checkParameter(scale, 'exponential: scale', (value) => value >= 0, 'a number >= 0');
  const target = targetOf(find, 'exponential', options, FLOATS, [scale]);
  return drawScaled(stream, target, (isScaled) => exponentialText(target.dtype, isScaled), { scale, offset: 0 });
}
