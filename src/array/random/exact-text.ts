import { literal } from '../kernel/literal.ts';

/** What random numbers are computed in. */
export type ExactType = 'f32' | 'f64';

/*
 * Functions of kernels that give the same bits on every device: of sums and products that are rounded one by one, of divisions and
 * roots that are rounded correctly. The polynomials of f32 are the best ones for their degrees, those of f64 are the series.
 */

/** log(1 + f) / f for 1 + f between the roots of 1/2 and 2: to 2^-22. */
const LOG: readonly number[] = [
  0.9999999403953552, -0.5000036358833313, 0.33335059881210327, -0.24969908595085144, 0.19900165498256683,
  -0.17250829935073853, 0.16222578287124634, -0.10106893628835678,
];
/** sin(pi / 2 * t) / t and cos(pi / 2 * t), of the square of t up to 1/2: to 2^-24. */
const SIN: readonly number[] = [1.5707963705062866, -0.6459634900093079, 0.07968022674322128, -0.004602177068591118];
const COS: readonly number[] = [1, -1.2336970567703247, 0.2535986304283142, -0.020408352836966515];
/** exp(x) for x up to log(2) / 2. */
const EXP: readonly number[] = [
  1, 1, 0.49999991059303284, 0.16666419804096222, 0.04166822507977486, 0.008374815806746483, 0.0013836845755577087,
];

/** The logarithm of 2 in two parts, of which the first has so few bits that its products with exponents are exact. */
const LN2 = { f32: [0.693359375, -2.1219444005469057e-4], f64: [0.6931471803691238, 1.9082149292705877e-10] } as const;

const TERMS = 10;
/** The coefficients of series in f64, as many as there are above 2^-56. */
const SIN_SERIES = turning(1, (Math.PI / 2) ** 2);
const COS_SERIES = turning(0, (Math.PI / 2) ** 2);
const EXP_SERIES = Array.from({ length: 15 }, (_, k) => 1 / factorial(k));
/** 2 atanh(s) / s, of the square of s. */
const LOG_SERIES = Array.from({ length: 11 }, (_, k) => 2 / (2 * k + 1));

/** The terms of a sine (from 1) or a cosine (from 0) of pi / 2 * t, by the square of t. */
function turning(from: 0 | 1, square: number): number[] {
  const first = from === 1 ? Math.PI / 2 : 1;
  return Array.from({ length: TERMS }, (_, k) => ((-1) ** k * first * square ** k) / factorial(2 * k + from));
}

function factorial(n: number): number {
  let product = 1;
  for (let k = 2; k <= n; k++) product *= k;
  return product;
}

/** The macros that texts use for sums and products of a type. */
export function exactMacros(t: ExactType): string {
  return `\
#define MUL(a, b) rounded_mul_${t}(a, b)
#define ADD(a, b) rounded_add_${t}(a, b)
`;
}

/** The lines that make a polynomial of `x`, by Horner's rule. */
function polynomial(name: string, coefficients: readonly number[], x: string, t: ExactType): string {
  const [last = 0, ...rest] = coefficients.toReversed();
  return [
    `${t} ${name} = ${literal(last, t)};`,
    ...rest.map((coefficient) => `${name} = ADD(MUL(${name}, ${x}), ${literal(coefficient, t)});`),
  ].join('\n  ');
}

/**
 * A function of the logarithm of a positive normal number.
 *
 * @param scale - a power of two, or its negative, by which the logarithm is multiplied: that is exact
 * @param shift - a power of two by which the number is divided first
 */
export function logText(name: string, t: ExactType, scale = 1, shift = 0): string {
  if (t === 'f32') {
    const half = 0x3f3504f3 + shift * 2 ** 23;
    return `
INLINE FN f32 ${name}(f32 x) {
  // The exponent in its place in the bits, so that the rest is between the roots of 1/2 and 2.
  const u32 exponent = (BITS_F32(x) - 0x${half.toString(16)}u) & 0xff800000u;
  const f32 f = ADD(FLOAT_U32(BITS_F32(x) - exponent - 0x${(shift * 2 ** 23).toString(16)}u), -1.0f);
  ${polynomial(
    'p',
    LOG.map((coefficient) => scale * coefficient),
    'f',
    t,
  )}
  return ADD(MUL((f32)(i32)exponent, ${literal((scale * Math.LN2) / 2 ** 23, t)}), MUL(p, f));
}
`;
  }
  return `
INLINE FN f64 ${name}(f64 x) {
  const u32 high = (u32)(BITS_F64(x) >> 32), exponent = (high - 0x3fe6a09eu) & 0xfff00000u;
  const f64 f = ADD(FLOAT_U64(BITS_F64(x) - ((u64)exponent << 32)), -1.0);
  const f64 s = f / ADD(f, 2.0), square = MUL(s, s);
  ${polynomial('p', LOG_SERIES, 'square', t)}
  const f64 e = (f64)((i32)exponent / (1 << 20)${shift === 0 ? '' : ` - ${shift}`});
  return MUL(${literal(scale, t)}, ADD(MUL(e, ${literal(LN2.f64[0], t)}), ADD(MUL(e, ${literal(LN2.f64[1], t)}), MUL(p, s))));
}
`;
}

/** A function of the powers of e: infinity and 0 where they are beyond the type. */
export function expText(name: string, t: ExactType): string {
  const isSingle = t === 'f32';
  const [limit, magic, bits, bias] = isSingle ? [104, 12_582_912, 23, 127] : [746, 6_755_399_441_055_744, 52, 1023];
  const [high, low] = LN2[t];
  const [integer, power] = isSingle ? ['u32', 'FLOAT_U32'] : ['u64', 'FLOAT_U64'];
  const scaled = (by: string): string => `${power}((${integer})(${by} + ${bias}) << ${bits})`;
  return `
INLINE FN ${t} ${name}(${t} x) {
  if (x != x) return x;
  if (x > ${literal(limit, t)}) x = ${literal(limit, t)};
  if (x < ${literal(-limit, t)}) x = ${literal(-limit, t)};
  // The nearest multiple of log(2), by the rounding of a sum; its power of 2 comes in two factors.
  const ${t} n = ADD(ADD(MUL(x, ${literal(Math.LOG2E, t)}), ${literal(magic, t)}), ${literal(-magic, t)});
  const ${t} r = ADD(ADD(x, -MUL(n, ${literal(high, t)})), -MUL(n, ${literal(low, t)}));
  ${polynomial('p', isSingle ? EXP : EXP_SERIES, 'r', t)}
  const i32 first = (i32)n / 2, second = (i32)n - first;
  return MUL(MUL(p, ${scaled('first')}), ${scaled('second')});
}
`;
}

/** The text that sets `s` and `c` to the sine and cosine of pi / 2 * t. */
export function turnLines(t: ExactType): string {
  return `\
const ${t} square = MUL(t, t);
  ${polynomial('s', t === 'f32' ? SIN : SIN_SERIES, 'square', t)}
  s = MUL(s, t);
  ${polynomial('c', t === 'f32' ? COS : COS_SERIES, 'square', t)}`;
}
