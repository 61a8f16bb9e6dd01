import { either, make, part } from './complex-helper.ts';
import type { Helper } from './helper-definition.ts';

/** The hyperbolic functions of complex numbers and, turned by a right angle, the trigonometric ones. `t` is c64 or c128. */
export const complexHyperbolicHelpers: Readonly<Record<string, Helper>> = {
  complex_sinh: (t) => `
FN ${t} complex_sinh_${t}(${t} z) {
  if (z.y == 0) return ${make(t)}(sinh(z.x), z.y);
  if (z.x == 0) return ${make(t)}(z.y - z.y == 0 ? z.x * cos(z.y) : z.x, sin(z.y));
  if (z.x == z.x && z.x - z.x != 0 && z.y - z.y != 0) return ${make(t)}(z.x, z.y - z.y);
  if (fabs(z.x) > ${either(t, 88, 709)}) {
    ${part(t)} half_size = exp(fabs(z.x) / 2);
    ${part(t)} re = half_size / 2 * cos(z.y) * half_size;
    return ${make(t)}(z.x < 0 ? -re : re, half_size / 2 * sin(z.y) * half_size);
  }
  return ${make(t)}(sinh(z.x) * cos(z.y), cosh(z.x) * sin(z.y));
}`,
  complex_cosh: (t) => `
FN ${t} complex_cosh_${t}(${t} z) {
  if (z.y == 0) return ${make(t)}(cosh(z.x), copysign((${part(t)})0, z.x) * z.y);
  if (z.x == 0) return ${make(t)}(cos(z.y), z.y - z.y == 0 ? z.x * sin(z.y) : z.x);
  if (z.x == z.x && z.x - z.x != 0 && z.y - z.y != 0) return ${make(t)}(fabs(z.x), z.y - z.y);
  if (fabs(z.x) > ${either(t, 88, 709)}) {
    ${part(t)} half_size = exp(fabs(z.x) / 2);
    ${part(t)} im = half_size / 2 * sin(z.y) * half_size;
    return ${make(t)}(half_size / 2 * cos(z.y) * half_size, z.x < 0 ? -im : im);
  }
  return ${make(t)}(cosh(z.x) * cos(z.y), sinh(z.x) * sin(z.y));
}`,
  // W. Kahan, Branch Cuts for Complex Elementary Functions (1987): by the tangent of one part and the sine of the other.
  complex_tanh: (t) => `
FN ${t} complex_tanh_${t}(${t} z) {
  if (fabs(z.x) > ${either(t, 11, 22)}) {
    ${part(t)} one = copysign((${part(t)})1, z.x);
    if (z.y - z.y != 0) return z.x - z.x != 0 ? ${make(t)}(one, copysign((${part(t)})0, z.y)) : ${make(t)}(z.y - z.y, z.y - z.y);
    ${part(t)} rest = exp(-fabs(z.x));
    return ${make(t)}(one, 4 * sin(z.y) * cos(z.y) * rest * rest);
  }
  if (z.y == 0) return ${make(t)}(tanh(z.x), z.y);
  if (z.x == 0) return ${make(t)}(z.x, tan(z.y));
  ${part(t)} tangent = tan(z.y), sine = sinh(z.x);
  ${part(t)} slope = 1 + tangent * tangent;
  ${part(t)} divisor = 1 + slope * sine * sine;
  return ${make(t)}(slope * sqrt(1 + sine * sine) * sine / divisor, tangent / divisor);
}`,
  complex_sin: (t) => `
FN ${t} complex_sin_${t}(${t} z) {
  ${t} w = complex_sinh_${t}(${make(t)}(z.y, z.x));
  return ${make(t)}(w.y, w.x);
}`,
  complex_cos: (t) => `
FN ${t} complex_cos_${t}(${t} z) {
  return complex_cosh_${t}(${make(t)}(-z.y, z.x));
}`,
  complex_tan: (t) => `
FN ${t} complex_tan_${t}(${t} z) {
  ${t} w = complex_tanh_${t}(${make(t)}(z.y, z.x));
  return ${make(t)}(w.y, w.x);
}`,
};
