import type { ArrayDType } from '../dtype.ts';
import type { Helper } from './helper-definition.ts';
import { literal } from './literal.ts';

/** What C's functions of real numbers do not have, or have otherwise than the Array API. `t` is f32 or f64. */
export const floatHelpers: Readonly<Record<string, Helper>> = {
  float_floor_div: (t) => `
FN ${t} float_floor_div_${t}(${t} a, ${t} b) {
  if (b == 0) return a / b;
  ${t} r = fmod(a, b);
  ${t} q = (a - r) / b;
  if (r != 0 && (b < 0) != (r < 0)) q -= 1;
  if (q == 0) return copysign((${t})0, a / b);
  ${t} whole = floor(q);
  return q - whole > ${literal(0.5, t)} ? whole + 1 : whole;
}`,
  float_mod: (t) => `
FN ${t} float_mod_${t}(${t} a, ${t} b) {
  ${t} r = fmod(a, b);
  if (b == 0) return r;
  if (r == 0) return copysign((${t})0, b);
  return (b < 0) != (r < 0) ? r + b : r;
}`,
  // The square is exact to the last bit, and much faster; the exponent is mostly the same for all elements.
  float_pow: (t) => `
FN ${t} float_pow_${t}(${t} a, ${t} b) {
  return b == 2 ? a * a : pow(a, b);
}`,
  // NaN is the result where one is NaN; of two zeros the greater is the positive one.
  float_max: (t) => `
FN ${t} float_max_${t}(${t} a, ${t} b) {
  return a != a ? a : b != b ? b : a > b ? a : b > a ? b : signbit(a) ? b : a;
}`,
  float_min: (t) => `
FN ${t} float_min_${t}(${t} a, ${t} b) {
  return a != a ? a : b != b ? b : a < b ? a : b < a ? b : signbit(a) ? a : b;
}`,
  // NaN is the result only where both are NaN.
  number_max: (t) => `
FN ${t} number_max_${t}(${t} a, ${t} b) {
  return a != a ? b : b != b ? a : float_max_${t}(a, b);
}`,
  number_min: (t) => `
FN ${t} number_min_${t}(${t} a, ${t} b) {
  return a != a ? b : b != b ? a : float_min_${t}(a, b);
}`,
  float_sign: (t) => `
FN ${t} float_sign_${t}(${t} x) {
  return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x;
}`,
  heaviside: (t) => `
FN ${t} heaviside_${t}(${t} x, ${t} middle) {
  return x != x ? x : x == 0 ? middle : x > 0 ? 1 : 0;
}`,
  // The greater comes out of the logarithm, so that nothing overflows; equal infinities have no difference.
  log_add_exp: (t) => `
FN ${t} log_add_exp_${t}(${t} a, ${t} b) {
  if (a == b) return a + ${literal(Math.LN2, t)};
  return a > b ? a + log1p(exp(b - a)) : a < b ? b + log1p(exp(a - b)) : a - b;
}`,
  log_add_exp2: (t) => `
FN ${t} log_add_exp2_${t}(${t} a, ${t} b) {
  if (a == b) return a + 1;
  const ${t} bits = ${literal(Math.LOG2E, t)};
  return a > b ? a + bits * log1p(exp2(b - a)) : a < b ? b + bits * log1p(exp2(a - b)) : a - b;
}`,
  sinc: (t) => `
FN ${t} sinc_${t}(${t} x) {
  return x == 0 ? 1 : sinpi(x) / (${literal(Math.PI, t)} * x);
}`,
  // A product that no sum takes up into one rounding: the rest of the product is computed beside it.
  rounded_mul: (t) => `
FN ${t} rounded_mul_${t}(${t} a, ${t} b) {
  return a * b;
}`,
  // A sum that takes up no product, for numbers that must be the same on every device.
  rounded_add: (t) => `
FN ${t} rounded_add_${t}(${t} a, ${t} b) {
  return a + b;
}`,
  // The root of a positive normal number, rounded correctly.
  rounded_root: (t) => `
FN ${t} rounded_root_${t}(${t} x) {
  return sqrt(x);
}`,
};

/** How far functions that sum up series must go. */
const epsilon = (t: ArrayDType): string => literal(t === 'f32' ? 2 ** -25 : 2 ** -54, t);

/** Functions that C does not have at all. */
export const specialHelpers: Readonly<Record<string, Helper>> = {
  // Left of 0 by reflection, up to 10 by recurrence, from there by the asymptotic series with Bernoulli's numbers.
  digamma: (t) => `
FN ${t} digamma_${t}(${t} x) {
  ${t} result = 0;
  if (x <= 0) {
    if (x == 0) return -1 / x;
    ${t} part = x - floor(x);
    if (!(part > 0)) return (x - x) / (x - x);
    result = -${literal(Math.PI, t)} * cospi(part) / sinpi(part);
    x = 1 - x;
  }
  for (; x < 10; x += 1) result -= 1 / x;
  ${t} inverse = 1 / x, w = inverse * inverse;
  ${t} tail = ${literal(691 / 32760, t)} - w * ${literal(1 / 12, t)};
  tail = ${literal(1 / 240, t)} - w * (${literal(1 / 132, t)} - w * tail);
  tail = ${literal(1 / 12, t)} - w * (${literal(1 / 120, t)} - w * (${literal(1 / 252, t)} - w * tail));
  return result + (log(x) - inverse / 2 - w * tail);
}`,
  // The power series has no negative terms; from some size on the asymptotic series is as exact and shorter.
  bessel_i0: (t) => `
FN ${t} bessel_i0_${t}(${t} x) {
  ${t} a = fabs(x), sum = 1, term = 1;
  if (a - a != 0) return a;
  if (a <= ${t === 'f32' ? 12 : 22}) {
    ${t} square = a * a / 4;
    for (int k = 1; term > sum * ${epsilon(t)}; k++) {
      term *= square / (${t})(k * k);
      sum += term;
    }
    return sum;
  }
  for (int k = 1; term > sum * ${epsilon(t)}; k++) {
    term *= (${t})((2 * k - 1) * (2 * k - 1)) / (8 * a * (${t})k);
    sum += term;
  }
  ${t} root = exp(a / 2);
  return root * (sum / sqrt(${literal(2 * Math.PI, t)} * a)) * root;
}`,
};
