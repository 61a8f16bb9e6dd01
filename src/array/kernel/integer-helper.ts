import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import type { Helper } from './helper-definition.ts';

const isSigned = (dtype: ArrayDType): boolean => arrayDTypes[dtype].kind === 'int';
const bitsOf = (dtype: ArrayDType): number => arrayDTypes[dtype].size * 8;
/** The type in which integers wrap around. */
const unsigned = (dtype: ArrayDType): string => `u${bitsOf(dtype)}`;

/** What C leaves open for integers, as NumPy has it: division by 0 is 0, shifts by the width or more end, and nothing overflows. */
export const integerHelpers: Readonly<Record<string, Helper>> = {
  floor_div: (t) =>
    isSigned(t)
      ? `
FN ${t} floor_div_${t}(${t} a, ${t} b) {
  if (b == 0) return 0;
  if (b == -1) return (${t})(0 - (${unsigned(t)})a);
  ${t} q = (${t})(a / b);
  return (${t})(q - (a % b != 0 && (a < 0) != (b < 0)));
}`
      : `
FN ${t} floor_div_${t}(${t} a, ${t} b) {
  return b == 0 ? 0 : (${t})(a / b);
}`,
  floor_mod: (t) =>
    isSigned(t)
      ? `
FN ${t} floor_mod_${t}(${t} a, ${t} b) {
  if (b == 0 || b == -1) return 0;
  ${t} r = (${t})(a % b);
  return (${t})(r != 0 && (r < 0) != (b < 0) ? r + b : r);
}`
      : `
FN ${t} floor_mod_${t}(${t} a, ${t} b) {
  return b == 0 ? 0 : (${t})(a % b);
}`,
  trunc_mod: (t) => `
FN ${t} trunc_mod_${t}(${t} a, ${t} b) {
  return b == 0${isSigned(t) ? ' || b == -1' : ''} ? 0 : (${t})(a % b);
}`,
  // By squaring. A negative exponent leaves nothing but the powers of 1 and -1.
  int_pow: (t) => `
FN ${t} int_pow_${t}(${t} base, ${t} exponent) {
  ${
    isSigned(t) ? `if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;\n  ` : ''
  }${unsigned(t)} result = 1, factor = (${unsigned(t)})base, rest = (${unsigned(t)})exponent;
  while (rest != 0) {
    if (rest & 1) result = (${unsigned(t)})((u64)result * factor);
    factor = (${unsigned(t)})((u64)factor * factor);
    rest >>= 1;
  }
  return (${t})result;
}`,
  shift_left: (t) => `
FN ${t} shift_left_${t}(${t} a, ${t} by) {
  return ${isSigned(t) ? 'by < 0 || ' : ''}by >= ${bitsOf(t)} ? 0 : (${t})((${unsigned(t)})a << by);
}`,
  shift_right: (t) =>
    isSigned(t)
      ? `
FN ${t} shift_right_${t}(${t} a, ${t} by) {
  return (${t})(a >> (by < 0 || by >= ${bitsOf(t)} ? ${bitsOf(t) - 1} : by));
}`
      : `
FN ${t} shift_right_${t}(${t} a, ${t} by) {
  return by >= ${bitsOf(t)} ? 0 : (${t})(a >> by);
}`,
  int_gcd: (t) => `
FN ${t} int_gcd_${t}(${t} a, ${t} b) {
  ${unsigned(t)} x = ${isSigned(t) ? `a < 0 ? 0 - (${unsigned(t)})a : (${unsigned(t)})a` : 'a'};
  ${unsigned(t)} y = ${isSigned(t) ? `b < 0 ? 0 - (${unsigned(t)})b : (${unsigned(t)})b` : 'b'};
  while (y != 0) {
    ${unsigned(t)} r = (${unsigned(t)})(x % y);
    x = y;
    y = r;
  }
  return (${t})x;
}`,
  int_lcm: (t) => `
FN ${t} int_lcm_${t}(${t} a, ${t} b) {
  ${unsigned(t)} divisor = (${unsigned(t)})int_gcd_${t}(a, b);
  ${unsigned(t)} x = ${isSigned(t) ? `a < 0 ? 0 - (${unsigned(t)})a : (${unsigned(t)})a` : 'a'};
  ${unsigned(t)} y = ${isSigned(t) ? `b < 0 ? 0 - (${unsigned(t)})b : (${unsigned(t)})b` : 'b'};
  return divisor == 0 ? 0 : (${t})((u64)(x / divisor) * y);
}`,
  count_bits: (t) => `
FN u8 count_bits_${t}(${t} a) {
  ${unsigned(t)} x = ${isSigned(t) ? `a < 0 ? 0 - (${unsigned(t)})a : (${unsigned(t)})a` : 'a'};
  return (u8)ones_u64(x);
}`,
  // Numbers beyond the range of the type, and NaN, are nothing that C defines: they end at its limits, and NaN is 0.
  f32_to_int: (t) => toInteger('f32', t),
  f64_to_int: (t) => toInteger('f64', t),
};

function toInteger(from: 'f32' | 'f64', t: ArrayDType): string {
  const bits = bitsOf(t);
  const literal = (value: number): string => (from === 'f32' ? `${value.toExponential()}f` : value.toExponential());
  const least = isSigned(t) ? -(2 ** (bits - 1)) : 0;
  const beyond = 2 ** (isSigned(t) ? bits - 1 : bits);
  const max = isSigned(t) ? `(${t})(((${unsigned(t)})1 << ${bits - 1}) - 1)` : `(${t})~(${t})0`;
  const min = isSigned(t) ? `(${t})((${unsigned(t)})1 << ${bits - 1})` : '0';
  return `
FN ${t} ${from}_to_int_${t}(${from} x) {
  return x >= ${literal(beyond)} ? ${max} : x >= ${literal(least)} ? (${t})x : x < ${literal(least)} ? ${min} : 0;
}`;
}
