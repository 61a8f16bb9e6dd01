import { either, make, part } from './complex-helper.ts';
import type { Helper } from './helper-definition.ts';
import { literal } from './literal.ts';

/**
 * The inverses of the hyperbolic and trigonometric functions of complex numbers, after W. Kahan, Branch Cuts for Complex
 * Elementary Functions (1987): products of square roots, whose sums do not cancel. `t` is c64 or c128.
 */
export const complexInverseHelpers: Readonly<Record<string, Helper>> = {
  complex_asinh: (t) => `
FN ${t} complex_asinh_${t}(${t} z) {
  ${part(t)} size = hypot(z.x, z.y);
  if (size == size && size - size != 0 && (fabs(z.x) == size || fabs(z.y) == size)) {
    return ${make(t)}(copysign(size, z.x), atan2(z.y, fabs(z.x)));
  }
  if (z.x != z.x) return ${make(t)}(z.x, z.y == 0 ? z.y : z.x);
  ${t} a = complex_sqrt_${t}(${make(t)}(1 - z.y, -z.x)), b = complex_sqrt_${t}(${make(t)}(1 + z.y, z.x));
  return ${make(t)}(asinh(a.x * b.y - a.y * b.x), atan2(z.y, a.x * b.x - a.y * b.y));
}`,
  complex_asin: (t) => `
FN ${t} complex_asin_${t}(${t} z) {
  ${t} w = complex_asinh_${t}(${make(t)}(z.y, z.x));
  return ${make(t)}(w.y, w.x);
}`,
  complex_acos: (t) => `
FN ${t} complex_acos_${t}(${t} z) {
  ${part(t)} size = hypot(z.x, z.y);
  if (size == size && size - size != 0 && (fabs(z.x) == size || fabs(z.y) == size)) {
    return ${make(t)}(atan2(fabs(z.y), z.x), -copysign(size, z.y));
  }
  if (z.x == 0 && z.y != z.y) return ${make(t)}(${literal(Math.PI / 2, t)}, z.y);
  ${t} a = complex_sqrt_${t}(${make(t)}(1 - z.x, -z.y)), b = complex_sqrt_${t}(${make(t)}(1 + z.x, z.y));
  return ${make(t)}(2 * atan2(a.x, b.x), asinh(b.x * a.y - b.y * a.x));
}`,
  complex_acosh: (t) => `
FN ${t} complex_acosh_${t}(${t} z) {
  ${t} w = complex_acos_${t}(z);
  return ${make(t)}(fabs(w.y), copysign(w.x, z.y));
}`,
  // Far from 0 by the inverse of the number; at 1 the difference's square may be too small to be a number.
  complex_atanh: (t) => `
FN ${t} complex_atanh_${t}(${t} z) {
  ${part(t)} x = fabs(z.x), y = fabs(z.y), re, im;
  if (x == 0) return ${make(t)}(z.x, atan(z.y));
  if (y == 0 && x <= 1) return ${make(t)}(atanh(z.x), z.y);
  if (x > ${either(t, 2 ** 24, 2 ** 53)} || y > ${either(t, 2 ** 24, 2 ** 53)}) {
    ${part(t)} size = hypot(x, y);
    re = size == size && size - size != 0 ? 0 : x / size / size;
    im = y == y && (x == x || y - y != 0) ? ${literal(Math.PI / 2, t)} : x + y;
  } else if (x == 1 && y < ${either(t, 2 ** -50, 2 ** -500)}) {
    re = (${literal(Math.LN2, t)} - log(y)) / 2;
    im = atan2((${part(t)})2, -y) / 2;
  } else {
    re = log1p(4 * x / ((1 - x) * (1 - x) + y * y)) / 4;
    im = atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2;
  }
  return ${make(t)}(copysign(re, z.x), copysign(im, z.y));
}`,
  complex_atan: (t) => `
FN ${t} complex_atan_${t}(${t} z) {
  ${t} w = complex_atanh_${t}(${make(t)}(z.y, z.x));
  return ${make(t)}(w.y, w.x);
}`,
};
