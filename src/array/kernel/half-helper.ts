import type { Helper } from './helper-definition.ts';

/** 16-bit floats by integer arithmetic, for languages and devices without instructions for them. */
export const halfHelpers: Readonly<Record<string, Helper>> = {
  // The exponent moves by 112; a multiplication makes normal numbers of the subnormal ones.
  f16_to_f32: () => `
FN f32 f16_to_f32(f16 bits) {
  u32 sign = ((u32)bits & 0x8000u) << 16;
  u32 rest = ((u32)bits & 0x7fffu) << 13;
  if (rest >= 0x0f800000u) return FLOAT_U32(sign | 0x7f800000u | rest);
  return FLOAT_U32(sign | BITS_F32(FLOAT_U32(rest) * FLOAT_U32(0x77800000u)));
}`,
  // Round to nearest, ties to even. Below the least normal number an addition does it, whose sum ends at the last bit.
  f32_to_f16: () => `
FN f16 f32_to_f16(f32 value) {
  u32 bits = BITS_F32(value);
  u32 sign = (bits >> 16) & 0x8000u;
  bits &= 0x7fffffffu;
  if (bits > 0x7f800000u) return (f16)(sign | 0x7e00u);
  if (bits >= 0x477ff000u) return (f16)(sign | 0x7c00u);
  if (bits < 0x38800000u) return (f16)(sign | (BITS_F32(FLOAT_U32(bits) + 0.5f) - 0x3f000000u));
  return (f16)(sign | ((bits - 0x37fff001u + ((bits >> 13) & 1u)) >> 13));
}`,
  bf16_to_f32: () => `
FN f32 bf16_to_f32(bf16 bits) {
  return FLOAT_U32((u32)bits << 16);
}`,
  f32_to_bf16: () => `
FN bf16 f32_to_bf16(f32 value) {
  u32 bits = BITS_F32(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (bf16)((bits >> 16) | 0x40u);
  return (bf16)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}`,
  // The neighbour of a 16-bit float, which is computed with as f32: the next f32 would be rounded back. `t` is f16 or bf16.
  next_after: (t) => `
FN f32 next_after_${t}(f32 a, f32 b) {
  if (a != a || b != b) return a + b;
  if (a == b) return b;
  if (a == 0) return copysign(${t}_to_f32((${t})1), b);
  ${t} bits = f32_to_${t}(a);
  return ${t}_to_f32((${t})((a < b) == (a > 0) ? bits + 1 : bits - 1));
}`,
  // On the way to a 16-bit float: the last bit says whether bits were lost, so that the second rounding knows of the first.
  f64_to_f32_odd: () => `
FN f32 f64_to_f32_odd(f64 x) {
  f32 near = (f32)x;
  u32 bits = BITS_F32(near);
  if (x != x || (f64)near == x) return near;
  if (fabs((f64)near) > fabs(x)) bits--;
  return FLOAT_U32(bits | 1u);
}`,
};
