import type { ArrayDType } from '../dtype.ts';
import { stored } from '../kernel/conversion.ts';
import { literal } from '../kernel/literal.ts';
import type { NDArray } from '../ndarray.ts';
import type { DrawText } from './draw-text.ts';
import { elementText } from './element-text.ts';
import type { ExactType } from './exact-text.ts';
import { exactType, FLOATS } from './float-draw.ts';
import { normalPairText } from './normal.ts';
import { checkParameter, drawWith, parameterText, type RandomParameter } from './parameter.ts';
import type { PhiloxStream } from './stream.ts';
import { targetOf, type FindEngine, type RandomOptions } from './target.ts';

/**
 * The function `gamma_parts` of kernels: a number of a gamma distribution, without the factor whose logarithm it sets, which shapes
 * below 1 need. It rejects some cubes of normal numbers. G. Marsaglia, W. Tsang: A simple method for generating gamma variables (2000).
 */
function gammaPartsText(t: ExactType): string {
  const number = (value: number): string => literal(value, t);
  const words =
    t === 'f32'
      ? `\
    const words w = DRAW((*block)++);
    normal_pair(w.v[0], w.v[1], z);
    const f32 u = open_unit(0, w.v[2]), boost = open_unit(0, w.v[3]);`
      : `\
    const words w = DRAW((*block)++), more = DRAW((*block)++);
    normal_pair(w.v[0], w.v[1], w.v[2], w.v[3], z);
    const f64 u = open_unit(more.v[0], more.v[1]), boost = open_unit(more.v[2], more.v[3]);`;
  return `${elementText(t)}${normalPairText(t)}
FN ${t} gamma_parts(STREAM_PARAMETERS, u32 *block, ${t} shape, ${t} *log_factor) {
  *log_factor = 0;
  // What is not a shape ends here: nothing would be accepted.
  if (!(shape > 0)) return shape == 0 ? 0 : (shape - shape) / (shape - shape);
  const ${t} d = ADD(shape < 1 ? ADD(shape, 1) : shape, ${number(-1 / 3)});
  const ${t} c = ${number(1 / 3)} / sqrt(d);
  for (;;) {
    ${t} z[2];
${words}
    const ${t} x = z[0], root = ADD(1, MUL(c, x));
    if (root <= 0) continue;
    const ${t} v = MUL(MUL(root, root), root), square = MUL(x, x);
    const bool is_inside = u < ADD(1, MUL(${number(-0.0331)}, MUL(square, square)));
    if (is_inside || log_of(u) < ADD(MUL(${number(0.5)}, square), MUL(d, ADD(ADD(1, -v), log_of(v))))) {
      if (shape < 1) *log_factor = log_of(boost) / shape;
      return MUL(d, v);
    }
  }
}
`;
}

/** Numbers of a gamma distribution. */
export function gamma(
  find: FindEngine,
  stream: PhiloxStream,
  [shape, scale]: readonly [RandomParameter, RandomParameter],
  options: RandomOptions | undefined,
): NDArray {
  checkParameter(shape, 'gamma: shape', (value) => value >= 0, 'a number >= 0');
  checkParameter(scale, 'gamma: scale', (value) => value >= 0, 'a number >= 0');
  const target = targetOf(find, 'gamma', options, FLOATS, [shape, scale]);
  const t = exactType(target.dtype);
  return drawWith(stream, target, gammaText(target.dtype, [shape, scale]), [shape, scale], t);
}

function gammaText(dtype: ArrayDType, values: readonly RandomParameter[]): DrawText {
  const t = exactType(dtype);
  const { numbers, inputs, lines, suffix } = parameterText(['shape', 'scale'], values, t);
  return {
    name: `gamma_${dtype}${suffix}`,
    dtype,
    lanes: 1,
    numbers,
    inputs,
    preamble: gammaPartsText(t),
    lines: `${lines}\
u32 block = 0;
${t} log_factor;
const ${t} part = gamma_parts(STREAM, &block, shape, &log_factor);
const ${t} number = shape < 1 ? MUL(part, exp_of(log_factor)) : part;
value[0] = ${stored(dtype, 'MUL(number, scale)')};`,
  };
}

/** Numbers of a beta distribution. */
export function beta(
  find: FindEngine,
  stream: PhiloxStream,
  values: readonly [RandomParameter, RandomParameter],
  options: RandomOptions | undefined,
): NDArray {
  checkParameter(values[0], 'beta: a', (value) => value > 0, 'a number > 0');
  checkParameter(values[1], 'beta: b', (value) => value > 0, 'a number > 0');
  const target = targetOf(find, 'beta', options, FLOATS, values);
  const t = exactType(target.dtype);
  return drawWith(stream, target, betaText(target.dtype, values), values, t);
}

/** Of two gamma numbers x and y, x / (x + y). Small shapes have numbers so small that only their logarithms are in the type. */
function betaText(dtype: ArrayDType, values: readonly RandomParameter[]): DrawText {
  const t = exactType(dtype);
  const { numbers, inputs, lines, suffix } = parameterText(['a', 'b'], values, t);
  return {
    name: `beta_${dtype}${suffix}`,
    dtype,
    lanes: 1,
    numbers,
    inputs,
    preamble: gammaPartsText(t),
    lines: `${lines}\
u32 block = 0;
${t} x_factor, y_factor;
const ${t} x = gamma_parts(STREAM, &block, a, &x_factor);
const ${t} y = gamma_parts(STREAM, &block, b, &y_factor);
const ${t} ratio = ADD(ADD(log_of(y), y_factor), -ADD(log_of(x), x_factor));
value[0] = ${stored(dtype, '1 / ADD(1, exp_of(ratio))')};`,
  };
}
