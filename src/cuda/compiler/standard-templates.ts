/** Templates of C++'s library for NVRTC, which brings `std::move`, `std::forward` and `std::initializer_list` only. */

const TYPE_TRAITS = `#pragma once
#include <cstddef>
namespace std {
template <class T, T v> struct integral_constant {
  static constexpr T value = v;
  typedef T value_type;
  typedef integral_constant type;
  __host__ __device__ constexpr operator T() const noexcept { return v; }
  __host__ __device__ constexpr T operator()() const noexcept { return v; }
};
template <bool v> using bool_constant = integral_constant<bool, v>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;
template <class...> struct __rk_void { typedef void type; };
template <class... T> using void_t = typename __rk_void<T...>::type;
template <bool, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool c, class T = void> using enable_if_t = typename enable_if<c, T>::type;
template <bool, class T, class U> struct conditional { typedef T type; };
template <class T, class U> struct conditional<false, T, U> { typedef U type; };
template <bool c, class T, class U> using conditional_t = typename conditional<c, T, U>::type;

#define __RK_CHANGE(name, pattern, result) \\
  template <class T> struct name { typedef T type; }; \\
  template <class T> struct name<pattern> { typedef result type; }; \\
  template <class T> using name##_t = typename name<T>::type;
__RK_CHANGE(remove_const, const T, T)
__RK_CHANGE(remove_volatile, volatile T, T)
#undef __RK_CHANGE
template <class T> struct remove_cv { typedef remove_const_t<remove_volatile_t<T>> type; };
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T &> { typedef T type; };
template <class T> struct remove_reference<T &&> { typedef T type; };
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> using remove_cvref_t = remove_cv_t<remove_reference_t<T>>;
template <class T> struct remove_cvref { typedef remove_cvref_t<T> type; };
template <class T> struct __rk_pointee { typedef T type; };
template <class T> struct __rk_pointee<T *> { typedef T type; };
template <class T> struct remove_pointer { typedef typename __rk_pointee<remove_cv_t<T>>::type type; };
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> struct remove_extent { typedef T type; };
template <class T> struct remove_extent<T[]> { typedef T type; };
template <class T, size_t n> struct remove_extent<T[n]> { typedef T type; };
template <class T> using remove_extent_t = typename remove_extent<T>::type;
template <class T> struct add_const { typedef const T type; };
template <class T> using add_const_t = const T;
template <class T> struct add_pointer { typedef remove_reference_t<T> *type; };
template <class T> using add_pointer_t = typename add_pointer<T>::type;
template <class T> __host__ __device__ T &&declval() noexcept;

template <class T, class U> struct is_same : false_type {};
template <class T> struct is_same<T, T> : true_type {};
template <class T> struct __rk_floating : false_type {};
template <> struct __rk_floating<float> : true_type {};
template <> struct __rk_floating<double> : true_type {};
template <> struct __rk_floating<long double> : true_type {};
template <class T> struct __rk_integral : false_type {};
#define __RK_INTEGRAL(...) template <> struct __rk_integral<__VA_ARGS__> : true_type {};
__RK_INTEGRAL(bool) __RK_INTEGRAL(char) __RK_INTEGRAL(signed char) __RK_INTEGRAL(unsigned char) __RK_INTEGRAL(wchar_t)
__RK_INTEGRAL(char16_t) __RK_INTEGRAL(char32_t) __RK_INTEGRAL(short) __RK_INTEGRAL(unsigned short) __RK_INTEGRAL(int)
__RK_INTEGRAL(unsigned) __RK_INTEGRAL(long) __RK_INTEGRAL(unsigned long) __RK_INTEGRAL(long long)
__RK_INTEGRAL(unsigned long long)
#undef __RK_INTEGRAL
template <class T> struct is_integral : __rk_integral<remove_cv_t<T>> {};
template <class T> struct is_floating_point : __rk_floating<remove_cv_t<T>> {};
template <class T> struct is_arithmetic : bool_constant<is_integral<T>::value || is_floating_point<T>::value> {};
template <class T> struct is_void : is_same<remove_cv_t<T>, void> {};
template <class T> struct is_const : false_type {};
template <class T> struct is_const<const T> : true_type {};
template <class T> struct is_volatile : false_type {};
template <class T> struct is_volatile<volatile T> : true_type {};
template <class T> struct is_lvalue_reference : false_type {};
template <class T> struct is_lvalue_reference<T &> : true_type {};
template <class T> struct is_rvalue_reference : false_type {};
template <class T> struct is_rvalue_reference<T &&> : true_type {};
template <class T>
struct is_reference : bool_constant<is_lvalue_reference<T>::value || is_rvalue_reference<T>::value> {};
template <class T> struct __rk_pointer : false_type {};
template <class T> struct __rk_pointer<T *> : true_type {};
template <class T> struct is_pointer : __rk_pointer<remove_cv_t<T>> {};
template <class T> struct is_array : false_type {};
template <class T> struct is_array<T[]> : true_type {};
template <class T, size_t n> struct is_array<T[n]> : true_type {};
template <class T, bool = is_arithmetic<T>::value> struct is_signed : false_type {};
template <class T> struct is_signed<T, true> : bool_constant<(T(-1) < T(0))> {};
template <class T, bool = is_arithmetic<T>::value> struct is_unsigned : false_type {};
template <class T> struct is_unsigned<T, true> : bool_constant<(T(0) < T(-1))> {};
#define __RK_TRAIT(name) template <class T> struct name : bool_constant<__##name(T)> {};
__RK_TRAIT(is_enum) __RK_TRAIT(is_class) __RK_TRAIT(is_union) __RK_TRAIT(is_empty) __RK_TRAIT(is_trivial)
__RK_TRAIT(is_trivially_copyable) __RK_TRAIT(is_standard_layout) __RK_TRAIT(is_polymorphic) __RK_TRAIT(is_abstract)
#undef __RK_TRAIT
template <class T, class U> struct is_base_of : bool_constant<__is_base_of(T, U)> {};
template <class T, class U> struct is_convertible : bool_constant<__is_convertible_to(T, U)> {};
template <class T, class... A> struct is_constructible : bool_constant<__is_constructible(T, A...)> {};
template <class T> struct underlying_type { typedef __underlying_type(T) type; };
template <class T> using underlying_type_t = typename underlying_type<T>::type;
template <class T> struct decay {
  typedef remove_reference_t<T> U;
  typedef conditional_t<is_array<U>::value, remove_extent_t<U> *, remove_cv_t<U>> type;
};
template <class T> using decay_t = typename decay<T>::type;

template <class T> struct __rk_signs { typedef T with; typedef T without; };
#define __RK_SIGNS(base, s) \\
  template <> struct __rk_signs<s base> { typedef s base with; typedef unsigned base without; }; \\
  template <> struct __rk_signs<unsigned base> { typedef s base with; typedef unsigned base without; };
__RK_SIGNS(char, signed) __RK_SIGNS(short, signed) __RK_SIGNS(int, signed) __RK_SIGNS(long, signed)
__RK_SIGNS(long long, signed)
#undef __RK_SIGNS
template <> struct __rk_signs<char> { typedef signed char with; typedef unsigned char without; };
template <class T> struct make_signed { typedef typename __rk_signs<T>::with type; };
template <class T> struct make_unsigned { typedef typename __rk_signs<T>::without type; };
template <class T> using make_signed_t = typename make_signed<T>::type;
template <class T> using make_unsigned_t = typename make_unsigned<T>::type;

template <class... T> struct common_type;
template <class T> struct common_type<T> { typedef decay_t<T> type; };
template <class T, class U> struct common_type<T, U> { typedef decay_t<decltype(false ? declval<T>() : declval<U>())> type; };
template <class T, class U, class... V> struct common_type<T, U, V...> : common_type<typename common_type<T, U>::type, V...> {};
template <class... T> using common_type_t = typename common_type<T...>::type;
#if __cplusplus >= 201402L
#define __RK_VALUE(name) template <class T> constexpr bool name##_v = name<T>::value;
#define __RK_VALUE2(name) template <class T, class U> constexpr bool name##_v = name<T, U>::value;
__RK_VALUE(is_integral) __RK_VALUE(is_floating_point) __RK_VALUE(is_arithmetic) __RK_VALUE(is_void) __RK_VALUE(is_const)
__RK_VALUE(is_volatile) __RK_VALUE(is_reference) __RK_VALUE(is_lvalue_reference) __RK_VALUE(is_rvalue_reference)
__RK_VALUE(is_pointer) __RK_VALUE(is_array) __RK_VALUE(is_signed) __RK_VALUE(is_unsigned) __RK_VALUE(is_enum)
__RK_VALUE(is_class) __RK_VALUE(is_union) __RK_VALUE(is_empty) __RK_VALUE(is_trivial) __RK_VALUE(is_trivially_copyable)
__RK_VALUE(is_standard_layout) __RK_VALUE(is_polymorphic) __RK_VALUE(is_abstract)
__RK_VALUE2(is_same) __RK_VALUE2(is_base_of) __RK_VALUE2(is_convertible)
#undef __RK_VALUE
#undef __RK_VALUE2
#endif
}
`;

const LIMITS = `#pragma once
#include <type_traits>
#include <limits.h>
#include <float.h>
#include <math.h>
namespace std {
template <class T> struct numeric_limits { static constexpr bool is_specialized = false; };
#define __RK_F static __host__ __device__ __forceinline__
#define __RK_INTEGER(T, least, most) \\
  template <> struct numeric_limits<T> { \\
    static constexpr bool is_specialized = true, is_integer = true, is_exact = true, has_infinity = false; \\
    static constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(0), has_quiet_NaN = false; \\
    static constexpr int radix = 2, digits = int(sizeof(T) * 8) - is_signed, digits10 = digits * 3 / 10; \\
    __RK_F constexpr T min() noexcept { return least; } \\
    __RK_F constexpr T lowest() noexcept { return least; } \\
    __RK_F constexpr T max() noexcept { return most; } \\
    __RK_F constexpr T epsilon() noexcept { return 0; } \\
  };
__RK_INTEGER(char, CHAR_MIN, CHAR_MAX)
__RK_INTEGER(signed char, SCHAR_MIN, SCHAR_MAX)
__RK_INTEGER(unsigned char, 0, UCHAR_MAX)
__RK_INTEGER(short, SHRT_MIN, SHRT_MAX)
__RK_INTEGER(unsigned short, 0, USHRT_MAX)
__RK_INTEGER(int, INT_MIN, INT_MAX)
__RK_INTEGER(unsigned, 0, UINT_MAX)
__RK_INTEGER(long, LONG_MIN, LONG_MAX)
__RK_INTEGER(unsigned long, 0, ULONG_MAX)
__RK_INTEGER(long long, LLONG_MIN, LLONG_MAX)
__RK_INTEGER(unsigned long long, 0, ULLONG_MAX)
#undef __RK_INTEGER
#define __RK_FLOAT(T, P, inf, nan) \\
  template <> struct numeric_limits<T> { \\
    static constexpr bool is_specialized = true, is_integer = false, is_exact = false, has_infinity = true; \\
    static constexpr bool is_signed = true, has_quiet_NaN = true, is_iec559 = true; \\
    static constexpr int radix = 2, digits = P##_MANT_DIG, digits10 = P##_DIG, max_exponent = P##_MAX_EXP; \\
    static constexpr int min_exponent = P##_MIN_EXP; \\
    __RK_F constexpr T min() noexcept { return P##_MIN; } \\
    __RK_F constexpr T lowest() noexcept { return -P##_MAX; } \\
    __RK_F constexpr T max() noexcept { return P##_MAX; } \\
    __RK_F constexpr T epsilon() noexcept { return P##_EPSILON; } \\
    __RK_F constexpr T denorm_min() noexcept { return P##_TRUE_MIN; } \\
    __RK_F T infinity() noexcept { return inf; } \\
    __RK_F T quiet_NaN() noexcept { return nan; } \\
  };
__RK_FLOAT(float, FLT, INFINITY, NAN)
__RK_FLOAT(double, DBL, HUGE_VAL, __longlong_as_double(0x7ff8000000000000LL))
#undef __RK_FLOAT
#undef __RK_F
}
`;

const UTILITY = `#pragma once
#include <type_traits>
#include <initializer_list>
namespace std {
template <class T, class U> struct pair {
  typedef T first_type;
  typedef U second_type;
  T first;
  U second;
};
template <class T, class U> __host__ __device__ constexpr pair<decay_t<T>, decay_t<U>> make_pair(T &&first, U &&second) {
  return {static_cast<T &&>(first), static_cast<U &&>(second)};
}
template <class T> __host__ __device__ void swap(T &a, T &b) {
  T kept = static_cast<T &&>(a);
  a = static_cast<T &&>(b);
  b = static_cast<T &&>(kept);
}
}
`;

const ALGORITHM = `#pragma once
#include <utility>
namespace std {
template <class T> __host__ __device__ constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> __host__ __device__ constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T> __host__ __device__ constexpr const T &clamp(const T &x, const T &low, const T &high) {
  return x < low ? low : high < x ? high : x;
}
}
`;

/** Headers of templates by their names. */
export const TEMPLATE_HEADERS: Readonly<Record<string, string>> = {
  type_traits: TYPE_TRAITS,
  limits: LIMITS,
  utility: UTILITY,
  algorithm: ALGORITHM,
};
