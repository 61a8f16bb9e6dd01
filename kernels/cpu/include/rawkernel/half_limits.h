// std::numeric_limits of half and bfloat16, which need no header of C++.
#ifndef RAWKERNEL_HALF_LIMITS_H
#define RAWKERNEL_HALF_LIMITS_H

namespace std {
enum float_round_style : int;
enum float_denorm_style : int;
template <class T> struct numeric_limits;
}

// p digits, the hidden one counted; decimal digits and exponents as C defines them; the bits of the values.
#define __RK_HALF_LIMITS(T, p, d10, most10, least2, least10, most2, highest10, MIN, MAX, EPSILON, HALF, INF, QUIET, SIGNALING) \
  template <> struct std::numeric_limits<T> {                                                                          \
    static constexpr bool is_specialized = true, is_integer = false, is_exact = false, is_bounded = true;              \
    static constexpr bool is_signed = true, is_modulo = false, is_iec559 = true;                                       \
    static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;                         \
    static constexpr bool traps = false, tinyness_before = false, has_denorm_loss = false;                             \
    static constexpr float_round_style round_style = (float_round_style)1;                                             \
    static constexpr float_denorm_style has_denorm = (float_denorm_style)1;                                            \
    static constexpr int radix = 2, digits = p, digits10 = d10, max_digits10 = most10;                                 \
    static constexpr int min_exponent = least2, min_exponent10 = least10;                                              \
    static constexpr int max_exponent = most2, max_exponent10 = highest10;                                             \
    static constexpr T __bits(unsigned short x) noexcept { return T(T##_raw{x}); }                                     \
    static constexpr T min() noexcept { return __bits(MIN); }                                                          \
    static constexpr T max() noexcept { return __bits(MAX); }                                                          \
    static constexpr T lowest() noexcept { return __bits(MAX | 0x8000); }                                              \
    static constexpr T epsilon() noexcept { return __bits(EPSILON); }                                                  \
    static constexpr T round_error() noexcept { return __bits(HALF); }                                                 \
    static constexpr T denorm_min() noexcept { return __bits(1); }                                                     \
    static constexpr T infinity() noexcept { return __bits(INF); }                                                     \
    static constexpr T quiet_NaN() noexcept { return __bits(QUIET); }                                                  \
    static constexpr T signaling_NaN() noexcept { return __bits(SIGNALING); }                                          \
  };

#endif
