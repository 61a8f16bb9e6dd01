// cuda::std::complex: arithmetic and the functions that kernels use most.
#ifndef RAWKERNEL_COMPLEX_NUMBERS_H
#define RAWKERNEL_COMPLEX_NUMBERS_H

#include <cmath>

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

template <class T> __RK_DEVICE T real(const complex<T> &x) { return x.real(); }
template <class T> __RK_DEVICE T imag(const complex<T> &x) { return x.imag(); }
template <class T> __RK_DEVICE T norm(const complex<T> &x) { return x.real() * x.real() + x.imag() * x.imag(); }
template <class T> __RK_DEVICE T abs(const complex<T> &x) { return ::hypot(x.real(), x.imag()); }
template <class T> __RK_DEVICE T arg(const complex<T> &x) { return ::atan2(x.imag(), x.real()); }
template <class T> __RK_DEVICE complex<T> conj(const complex<T> &x) { return {x.real(), -x.imag()}; }
template <class T> __RK_DEVICE complex<T> polar(const T &size, const T &angle = T()) {
  return {size * ::cos(angle), size * ::sin(angle)};
}
template <class T> __RK_DEVICE complex<T> exp(const complex<T> &x) { return polar(::exp(x.real()), x.imag()); }
template <class T> __RK_DEVICE complex<T> log(const complex<T> &x) { return {::log(abs(x)), arg(x)}; }
template <class T> __RK_DEVICE complex<T> sqrt(const complex<T> &x) {
  T size = ::sqrt((abs(x) + ::fabs(x.real())) / 2);
  if (size == 0) return {0, x.imag()};
  T other = x.imag() / (2 * size);
  return x.real() >= 0 ? complex<T>(size, other) : complex<T>(::fabs(other), ::copysign(size, x.imag()));
}
template <class T> __RK_DEVICE complex<T> pow(const complex<T> &x, const complex<T> &y) { return exp(y * log(x)); }
}

#endif
