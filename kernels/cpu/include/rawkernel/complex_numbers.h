// cuda::std::complex and thrust::complex: the type and its arithmetic.
#ifndef RAWKERNEL_COMPLEX_NUMBERS_H
#define RAWKERNEL_COMPLEX_NUMBERS_H

#include <cmath>
#include <type_traits>

#include "cuda_std.h"

namespace std {
template <class T> class complex {
  T re, im;

public:
  typedef T value_type;
  __RK_MEMBER constexpr complex(T re = T(), T im = T()) : re(re), im(im) {}
  template <class U> __RK_MEMBER constexpr complex(const complex<U> &other) : re((T)other.real()), im((T)other.imag()) {}
  __RK_MEMBER constexpr T real() const { return re; }
  __RK_MEMBER constexpr T imag() const { return im; }
  __RK_MEMBER void real(T value) { re = value; }
  __RK_MEMBER void imag(T value) { im = value; }
  __RK_MEMBER __RK_CONSTEXPR14 complex &operator+=(const complex &b) { return *this = *this + b; }
  __RK_MEMBER __RK_CONSTEXPR14 complex &operator-=(const complex &b) { return *this = *this - b; }
  __RK_MEMBER __RK_CONSTEXPR14 complex &operator*=(const complex &b) { return *this = *this * b; }
  __RK_MEMBER __RK_CONSTEXPR14 complex &operator/=(const complex &b) { return *this = *this / b; }

  // Friends, so that plain numbers convert.
  friend __RK_MEMBER constexpr complex operator+(const complex &a) { return a; }
  friend __RK_MEMBER constexpr complex operator-(const complex &a) { return {-a.re, -a.im}; }
  friend __RK_MEMBER constexpr complex operator+(const complex &a, const complex &b) { return {a.re + b.re, a.im + b.im}; }
  friend __RK_MEMBER constexpr complex operator-(const complex &a, const complex &b) { return {a.re - b.re, a.im - b.im}; }
  friend __RK_MEMBER constexpr complex operator*(const complex &a, const complex &b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend __RK_MEMBER __RK_CONSTEXPR14 complex operator/(const complex &a, const complex &b) {
    // Scaled, so that it overflows no earlier than it must.
    T c = b.re < 0 ? -b.re : b.re, d = b.im < 0 ? -b.im : b.im, scale = 1 / (c + d);
    T p = a.re * scale, q = a.im * scale, r = b.re * scale, s = b.im * scale, norm = 1 / (r * r + s * s);
    return {(p * r + q * s) * norm, (q * r - p * s) * norm};
  }
  friend __RK_MEMBER constexpr bool operator==(const complex &a, const complex &b) { return a.re == b.re && a.im == b.im; }
  friend __RK_MEMBER constexpr bool operator!=(const complex &a, const complex &b) { return !(a == b); }
};

// Of a float and a double, one of them complex or both: as doubles, which thrust does.
template <class A, class B>
using __rk_wider = enable_if_t<is_floating_point_v<A> && is_floating_point_v<B> && !is_same_v<A, B>, complex<common_type_t<A, B>>>;
#define __RK_MIXED(op)                                                                                                 \
  template <class A, class B> __RK_MEMBER constexpr __rk_wider<A, B> operator op(const complex<A> &a, const complex<B> &b) { \
    return __rk_wider<A, B>(a) op __rk_wider<A, B>(b);                                                                 \
  }                                                                                                                    \
  template <class A, class B> __RK_MEMBER constexpr __rk_wider<A, B> operator op(const complex<A> &a, const B &b) {    \
    return __rk_wider<A, B>(a) op __rk_wider<A, B>(b);                                                                 \
  }                                                                                                                    \
  template <class A, class B> __RK_MEMBER constexpr __rk_wider<A, B> operator op(const A &a, const complex<B> &b) {    \
    return __rk_wider<A, B>(a) op __rk_wider<A, B>(b);                                                                 \
  }
__RK_MIXED(+)
__RK_MIXED(-)
__RK_MIXED(*)
__RK_MIXED(/)
#undef __RK_MIXED
}

#include "complex_functions.h"

#endif
