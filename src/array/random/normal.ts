import type { ArrayDType } from '../dtype.ts';
import { exp } from '../function/float.ts';
import { stored } from '../kernel/conversion.ts';
import { literal } from '../kernel/literal.ts';
import { NDArray } from '../ndarray.ts';
import type { DrawText } from './draw-text.ts';
import { exactMacros, expText, logText, turnLines, type ExactType } from './exact-text.ts';
import { drawScaled, exactType, floatLanes, FLOATS, type Scaling } from './float-draw.ts';
import { checkParameter, type RandomParameter } from './parameter.ts';
import type { PhiloxStream } from './stream.ts';
import { targetOf, type FindEngine, type RandomOptions } from './target.ts';

/**
 * The function `normal_pair` of kernels: two normal numbers. The method of G. Box and M. Muller (1958): the logarithm of a number
 * above 0 and up to 1 is the square of a radius, and other bits are an angle. The two highest of them choose one of four quarters, the
 * lowest the place within it.
 */
export function normalPairText(t: ExactType): string {
  const head = t === 'f32' ? 'u32 a, u32 b' : 'u32 a0, u32 a1, u32 b0, u32 b';
  const radius =
    t === 'f32'
      ? `\
  const f32 square_radius = minus_two_log(ADD((f32)a, 0.5f));
  // Never 0, nor -0: the steps of the root are those of normal numbers.
  const i32 bits = (i32)BITS_F32(square_radius);
  const f32 radius = rounded_root_f32(FLOAT_U32((u32)(bits > 0x32800000 ? bits : 0x32800000)));`
      : `\
  const f64 x = ADD(ADD(MUL((f64)a1, ${literal(2 ** 21, t)}), (f64)(a0 >> 11)), 0.5);
  const f64 radius = sqrt(minus_two_log(x));`;
  const angle =
    t === 'f32'
      ? 'const f32 t = ADD(FLOAT_U32((b & 0x7fffffu) | 0x3f800000u), -1.5f);'
      : 'const f64 t = ADD(FLOAT_U64(((u64)((b & 0xfffffu) | 0x3ff00000u) << 32) | b0), -1.5);';
  const signed =
    t === 'f32'
      ? 'FLOAT_U32(BITS_F32(radius) ^ (b & 0x80000000u))'
      : 'FLOAT_U64(BITS_F64(radius) ^ ((u64)(b & 0x80000000u) << 32))';
  return `${logText('minus_two_log', t, -2, t === 'f32' ? 32 : 53)}
INLINE FN void normal_pair(${head}, ${t} *z) {
${radius}
  ${angle}
  ${turnLines(t)}
  const ${t} x0 = MUL(${signed}, c), x1 = MUL(radius, s);
  const bool swap = (b & 0x40000000u) != 0;
  z[0] = swap ? x1 : x0;
  z[1] = swap ? x0 : x1;
}
`;
}

function normalText(dtype: ArrayDType, isScaled: boolean, isLog: boolean): DrawText {
  const t = exactType(dtype);
  const lanes = floatLanes(dtype);
  const pairs =
    t === 'f64'
      ? ['normal_pair(w.v[0], w.v[1], w.v[2], w.v[3], z);']
      : ['normal_pair(w.v[0], w.v[1], z);', 'normal_pair(w.v[2], w.v[3], z + 2);'];
  const values = Array.from({ length: lanes }, (_, k) => {
    const normal = isScaled ? `ADD(MUL(z[${k}], scale), offset)` : `z[${k}]`;
    return `value[${k}] = ${stored(dtype, isLog ? `exp_of(${normal})` : normal)};`;
  });
  return {
    name: `${isLog ? 'log' : ''}normal_${dtype}${isScaled ? '_scaled' : ''}`,
    dtype,
    lanes,
    numbers: isScaled ? (['scale', 'offset'] as const).map((name) => ({ name, dtype: t, kind: 'number' })) : [],
    preamble: `${exactMacros(t)}${isLog ? expText('exp_of', t) : ''}${normalPairText(t)}`,
    lines: ['const words w = DRAW(0);', `${t} z[${lanes}];`, ...pairs, ...values].join('\n'),
  };
}

/** Numbers of a normal distribution. */
export function normal(
  find: FindEngine,
  stream: PhiloxStream,
  [loc, scale]: readonly [RandomParameter, RandomParameter],
  options: RandomOptions | undefined,
  what = 'normal',
): NDArray {
  checkParameter(loc, `${what}: loc`, (value) => !Number.isNaN(value), 'a number');
  checkParameter(scale, `${what}: scale`, (value) => value >= 0, 'a number >= 0');
  const target = targetOf(find, what, options, FLOATS, [loc, scale]);
  const textOf = (isScaled: boolean): DrawText => normalText(target.dtype, isScaled, false);
  return drawScaled(stream, target, textOf, { scale, offset: loc });
}

/** Numbers whose logarithms have a normal distribution. */
export function lognormal(
  find: FindEngine,
  stream: PhiloxStream,
  [mean, sigma]: readonly [RandomParameter, RandomParameter],
  options: RandomOptions | undefined,
): NDArray {
  const what = 'lognormal';
  checkParameter(mean, `${what}: mean`, (value) => !Number.isNaN(value), 'a number');
  checkParameter(sigma, `${what}: sigma`, (value) => value >= 0, 'a number >= 0');
  const target = targetOf(find, what, options, FLOATS, [mean, sigma]);
  const scaling: Scaling = { scale: sigma, offset: mean };
  const hasArrays = mean instanceof NDArray || sigma instanceof NDArray;
  const made = drawScaled(stream, target, (isScaled) => normalText(target.dtype, isScaled, !hasArrays), scaling);
  if (!hasArrays) return made;
  try {
    return exp(made, { out: made });
  } catch (error) {
    if (made !== target.out) made.close();
    throw error;
  }
}
