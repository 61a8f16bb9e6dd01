import type { ArrayDType } from '../dtype.ts';
import type { Helper } from './helper-definition.ts';
import { literal } from './literal.ts';

/** The dtype of the parts. */
export const part = (t: ArrayDType): string => (t === 'c64' ? 'f32' : 'f64');
/** What puts two parts together. */
export const make = (t: ArrayDType): string => t.toUpperCase();
/** One of two numbers as a literal, for c64 or for c128. */
export const either = (t: ArrayDType, single: number, double: number): string =>
  literal(t === 'c64' ? single : double, t);

/** Arithmetic of complex numbers, roots, powers, logarithms. Infinities and NaN as in C99's Annex G. `t` is c64 or c128. */
export const complexHelpers: Readonly<Record<string, Helper>> = {
  complex_add: (t) => `
FN ${t} complex_add_${t}(${t} a, ${t} b) {
  return ${make(t)}(a.x + b.x, a.y + b.y);
}`,
  complex_sub: (t) => `
FN ${t} complex_sub_${t}(${t} a, ${t} b) {
  return ${make(t)}(a.x - b.x, a.y - b.y);
}`,
  complex_mul: (t) => `
FN ${t} complex_mul_${t}(${t} a, ${t} b) {
  return ${make(t)}(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}`,
  // R. L. Smith, Algorithm 116: the larger part of the divisor is divided by first, so that nothing overflows on the way.
  complex_div: (t) => `
FN ${t} complex_div_${t}(${t} a, ${t} b) {
  if (fabs(b.x) >= fabs(b.y)) {
    if (b.x == 0 && b.y == 0) return ${make(t)}(a.x / fabs(b.x), a.y / fabs(b.x));
    ${part(t)} ratio = b.y / b.x, scale = 1 / (b.x + b.y * ratio);
    return ${make(t)}((a.x + a.y * ratio) * scale, (a.y - a.x * ratio) * scale);
  }
  ${part(t)} ratio = b.x / b.y, scale = 1 / (b.y + b.x * ratio);
  return ${make(t)}((a.x * ratio + a.y) * scale, (a.y * ratio - a.x) * scale);
}`,
  complex_reciprocal: (t) => `
FN ${t} complex_reciprocal_${t}(${t} z) {
  if (fabs(z.x) >= fabs(z.y)) {
    ${part(t)} ratio = z.y / z.x, divisor = z.x + z.y * ratio;
    return ${make(t)}(1 / divisor, -ratio / divisor);
  }
  ${part(t)} ratio = z.x / z.y, divisor = z.x * ratio + z.y;
  return ${make(t)}(ratio / divisor, -1 / divisor);
}`,
  // Of an infinite number its direction along the one axis that is infinite. hypot() lets infinity win over NaN.
  complex_sign: (t) => `
FN ${t} complex_sign_${t}(${t} z) {
  if (z.x != z.x || z.y != z.y) return ${make(t)}(z.x + z.y, z.x + z.y);
  ${part(t)} size = hypot(z.x, z.y);
  if (size == 0) return ${make(t)}(0, 0);
  if (size - size == 0) return ${make(t)}(z.x / size, z.y / size);
  if (fabs(z.x) != size && fabs(z.y) == size) return ${make(t)}(0, copysign((${part(t)})1, z.y));
  if (fabs(z.x) == size && fabs(z.y) != size) return ${make(t)}(copysign((${part(t)})1, z.x), 0);
  return ${make(t)}(size - size, size - size);
}`,
  // Beyond the exponential's range half of the exponent goes before the sine and half after it.
  complex_exp: (t) => `
FN ${t} complex_exp_${t}(${t} z) {
  if (z.y == 0) return ${make(t)}(exp(z.x), z.y);
  if (z.x - z.x != 0 && z.y - z.y != 0) {
    if (z.x < 0) return ${make(t)}(0, copysign((${part(t)})0, z.y));
    if (z.x > 0) return ${make(t)}(z.x, z.y - z.y);
  }
  if (z.x > ${either(t, 88, 709)}) {
    ${part(t)} half_size = exp(z.x / 2);
    return ${make(t)}(half_size * cos(z.y) * half_size, half_size * sin(z.y) * half_size);
  }
  ${part(t)} size = exp(z.x);
  return ${make(t)}(size * cos(z.y), size * sin(z.y));
}`,
  complex_expm1: (t) => `
FN ${t} complex_expm1_${t}(${t} z) {
  if (z.y == 0) return ${make(t)}(expm1(z.x), z.y);
  if (fabs(z.x) < 40) {
    ${part(t)} sine = sin(z.y / 2);
    return ${make(t)}(expm1(z.x) * cos(z.y) - 2 * sine * sine, exp(z.x) * sin(z.y));
  }
  ${t} power = complex_exp_${t}(z);
  return ${make(t)}(power.x - 1, power.y);
}`,
  // Near 1 the square of the absolute value less 1, with what rounding takes from the squares; elsewhere the absolute value,
  // scaled where it would overflow or lose digits.
  complex_log_abs: (t) => `
FN ${part(t)} complex_log_abs_${t}(${t} z) {
  ${part(t)} a = fmax(fabs(z.x), fabs(z.y)), b = fmin(fabs(z.x), fabs(z.y));
  if (a > ${literal(0.6, t)} && a < ${literal(1.4, t)}) {
    ${part(t)} p = rounded_mul_${part(t)}(a, a), q = rounded_mul_${part(t)}(b, b);
    ${part(t)} less = p - 1;
    ${part(t)} more = less + q + (p - (less + 1) + (fma(a, a, -p) + fma(b, b, -q)));
    if (fabs(more) < ${literal(0.6, t)}) return log1p(more) / 2;
  }
  ${part(t)} scale = a > ${either(t, 2 ** 126, 2 ** 1022)} ? ${literal(0.25, t)} : a < ${either(t, 2 ** -100, 2 ** -960)} ? ${either(t, 2 ** 64, 2 ** 256)} : 1;
  if (scale == 1 || a == 0) return log(hypot(z.x, z.y));
  return log(hypot(z.x * scale, z.y * scale)) - log(scale);
}`,
  complex_log: (t) => `
FN ${t} complex_log_${t}(${t} z) {
  return ${make(t)}(complex_log_abs_${t}(z), atan2(z.y, z.x));
}`,
  complex_log2: (t) => scaledLog(t, 'complex_log2', Math.LOG2E),
  complex_log10: (t) => scaledLog(t, 'complex_log10', Math.LOG10E),
  complex_log1p: (t) => `
FN ${t} complex_log1p_${t}(${t} z) {
  ${part(t)} angle = atan2(z.y, z.x + 1);
  if (fabs(z.x) < ${literal(0.5, t)} && fabs(z.y) < 1) {
    return ${make(t)}(log1p(fma(z.y, z.y, fma(z.x, z.x, 2 * z.x))) / 2, angle);
  }
  return ${make(t)}(complex_log_abs_${t}(${make(t)}(z.x + 1, z.y)), angle);
}`,
  complex_sqrt: (t) => `
FN ${t} complex_sqrt_${t}(${t} z) {
  ${part(t)} x = z.x, y = z.y, back = 1;
  if (x == 0 && y == 0) return ${make(t)}(0, y);
  if (y == y && y - y != 0) return ${make(t)}(fabs(y), y);
  if (x == x && x - x != 0) {
    return x > 0 ? ${make(t)}(x, copysign(y - y, y)) : ${make(t)}(fabs(y - y), copysign(x, y));
  }
  ${part(t)} most = fmax(fabs(x), fabs(y)), scale = 1;
  if (most > ${either(t, 2 ** 125, 2 ** 1021)}) {
    scale = ${literal(0.25, t)};
    back = 2;
  } else if (most < ${either(t, 2 ** -100, 2 ** -960)}) {
    scale = ${either(t, 2 ** 48, 2 ** 108)};
    back = ${either(t, 2 ** -24, 2 ** -54)};
  }
  x *= scale;
  y *= scale;
  ${part(t)} root = sqrt((fabs(x) + hypot(x, y)) / 2);
  ${part(t)} other = y / (2 * root) * back;
  root *= back;
  return x >= 0 ? ${make(t)}(root, other) : ${make(t)}(fabs(other), copysign(root, y));
}`,
  // Integer exponents of a usual size by squaring, which is exact for small integers; others by the logarithm.
  complex_pow: (t) => `
FN ${t} complex_pow_${t}(${t} a, ${t} b) {
  if (b.x == 0 && b.y == 0) return ${make(t)}(1, 0);
  if (a.x == 0 && a.y == 0) {
    if (b.x > 0) return ${make(t)}(0, 0);
    ${part(t)} none = fabs(a.x) / fabs(a.x);
    return ${make(t)}(none, none);
  }
  if (b.y == 0 && fabs(b.x) < 100 && b.x == floor(b.x)) {
    int rest = (int)fabs(b.x);
    ${t} factor = a, result = (rest & 1) != 0 ? a : ${make(t)}(1, 0);
    for (rest >>= 1; rest != 0; rest >>= 1) {
      factor = complex_mul_${t}(factor, factor);
      if ((rest & 1) != 0) result = complex_mul_${t}(result, factor);
    }
    return b.x < 0 ? complex_reciprocal_${t}(result) : result;
  }
  ${t} power = complex_log_${t}(a);
  if (b.y == 0) return complex_exp_${t}(${make(t)}(b.x * power.x, b.x * power.y));
  return complex_exp_${t}(complex_mul_${t}(b, power));
}`,
};

function scaledLog(t: ArrayDType, name: string, factor: number): string {
  return `
FN ${t} ${name}_${t}(${t} z) {
  return ${make(t)}(complex_log_abs_${t}(z) * ${literal(factor, t)}, atan2(z.y, z.x) * ${literal(factor, t)});
}`;
}
