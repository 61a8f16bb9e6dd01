// cub: properties of number types, and their bits in an order that sorts.
#pragma once
#include <limits>
#include <type_traits>

#include "cub/config.cuh"

struct __half;
struct __nv_bfloat16;

namespace cub {

enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };

template <class T> struct __rk_is_half16 {
  static constexpr bool value = std::is_same_v<T, ::__half> || std::is_same_v<T, ::__nv_bfloat16>;
};
template <int bytes> struct __rk_bits_of {};
template <> struct __rk_bits_of<1> { typedef unsigned char type; };
template <> struct __rk_bits_of<2> { typedef unsigned short type; };
template <> struct __rk_bits_of<4> { typedef unsigned type; };
template <> struct __rk_bits_of<8> { typedef unsigned long long type; };
template <> struct __rk_bits_of<16> { typedef unsigned __int128 type; };

template <Category category, bool primitive, bool null, class Bits, class T> struct BaseTraits {
  static constexpr Category CATEGORY = category;
  static constexpr bool PRIMITIVE = primitive;
  static constexpr bool NULL_TYPE = null;
};
template <class Bits, class T, Category category> struct __rk_number_traits : BaseTraits<category, true, false, Bits, T> {
  typedef Bits UnsignedBits;
  static constexpr Bits HIGH_BIT = (Bits)((Bits)1 << (sizeof(Bits) * 8 - 1));
  static constexpr Bits LOWEST_KEY = category == SIGNED_INTEGER ? HIGH_BIT : category == FLOATING_POINT ? (Bits)~(Bits)0 : 0;
  static constexpr Bits MAX_KEY = category == UNSIGNED_INTEGER ? (Bits)~(Bits)0 : (Bits)~HIGH_BIT;
  // Unsigned numbers in the order of the type's values.
  __RK_MEMBER static Bits TwiddleIn(Bits key) {
    if (category == UNSIGNED_INTEGER) return key;
    if (category == SIGNED_INTEGER) return key ^ HIGH_BIT;
    return key ^ (key & HIGH_BIT ? (Bits)~(Bits)0 : HIGH_BIT);
  }
  __RK_MEMBER static Bits TwiddleOut(Bits key) {
    if (category == UNSIGNED_INTEGER) return key;
    if (category == SIGNED_INTEGER) return key ^ HIGH_BIT;
    return key ^ (key & HIGH_BIT ? HIGH_BIT : (Bits)~(Bits)0);
  }
  __RK_MEMBER static T Max() { return std::numeric_limits<T>::max(); }
  __RK_MEMBER static T Lowest() { return std::numeric_limits<T>::lowest(); }
};

template <class T> constexpr Category __rk_category =
    std::is_floating_point_v<T> || __rk_is_half16<T>::value ? FLOATING_POINT
    : !std::is_integral_v<T>                                ? NOT_A_NUMBER
    : T(-1) < T(0)                                          ? SIGNED_INTEGER
                                                            : UNSIGNED_INTEGER;

template <class T, Category category = __rk_category<T>> struct NumericTraits
    : __rk_number_traits<typename __rk_bits_of<sizeof(T)>::type, T, category> {};
template <class T> struct NumericTraits<T, NOT_A_NUMBER> : BaseTraits<NOT_A_NUMBER, false, false, T, T> {};
template <class T> struct Traits : NumericTraits<std::remove_cv_t<T>> {};

}
