// Functions of complex numbers. Those beyond exp, log and sqrt are computed as doubles, whatever the type: products and
// differences in between neither overflow for floats nor cost them digits. Branch cuts and the forms of the inverse
// functions after Kahan, "Branch Cuts for Complex Elementary Functions" (1987).
#ifndef RAWKERNEL_COMPLEX_FUNCTIONS_H
#define RAWKERNEL_COMPLEX_FUNCTIONS_H

#include "complex_numbers.h"

namespace std {
template <class T> __RK_DEVICE T real(const complex<T> &x) { return x.real(); }
template <class T> __RK_DEVICE T imag(const complex<T> &x) { return x.imag(); }
template <class T> __RK_DEVICE T norm(const complex<T> &x) { return x.real() * x.real() + x.imag() * x.imag(); }
template <class T> __RK_DEVICE T abs(const complex<T> &x) { return ::hypot(x.real(), x.imag()); }
template <class T> __RK_DEVICE T arg(const complex<T> &x) { return ::atan2(x.imag(), x.real()); }
template <class T> __RK_DEVICE complex<T> conj(const complex<T> &x) { return {x.real(), -x.imag()}; }
template <class T> __RK_DEVICE complex<T> proj(const complex<T> &x) {
  if (!::isinf(x.real()) && !::isinf(x.imag())) return x;
  return {(T)INFINITY, ::copysign((T)0, x.imag())};
}
template <class T> __RK_DEVICE complex<T> polar(const T &size, const T &angle = T()) {
  return {size * ::cos(angle), size * ::sin(angle)};
}
template <class T> __RK_DEVICE complex<T> exp(const complex<T> &x) {
  if (x.imag() == 0) return {::exp(x.real()), x.imag()};
  return polar(::exp(x.real()), x.imag());
}
template <class T> __RK_DEVICE complex<T> log(const complex<T> &x) {
  T a = ::fabs(x.real()), b = ::fabs(x.imag()), high = a < b ? b : a, low = a < b ? a : b;
  // Near the circle of radius 1, where the logarithm is small: of the square, less 1.
  if (high > (T)0.5 && high < (T)2) return {(T)0.5 * ::log1p((high - 1) * (high + 1) + low * low), arg(x)};
  return {::log(abs(x)), arg(x)};
}
template <class T> __RK_DEVICE complex<T> sqrt(const complex<T> &x) {
  T size = ::sqrt((abs(x) + ::fabs(x.real())) / 2);
  if (size == 0) return {0, x.imag()};
  T other = x.imag() / (2 * size);
  return x.real() >= 0 ? complex<T>(size, other) : complex<T>(::fabs(other), ::copysign(size, x.imag()));
}

typedef complex<double> __rk_complex;
__RK_DEVICE __rk_complex __rk_log10(const __rk_complex &x) {
  __rk_complex natural = log(x);
  return {natural.real() * 0.43429448190325182765, natural.imag() * 0.43429448190325182765};
}
__RK_DEVICE __rk_complex __rk_sinh(const __rk_complex &x) {
  return {::sinh(x.real()) * ::cos(x.imag()), ::cosh(x.real()) * ::sin(x.imag())};
}
__RK_DEVICE __rk_complex __rk_cosh(const __rk_complex &x) {
  return {::cosh(x.real()) * ::cos(x.imag()), ::sinh(x.real()) * ::sin(x.imag())};
}
__RK_DEVICE __rk_complex __rk_tanh(const __rk_complex &x) {
  // Where the real part is 1 to the last bit.
  if (::fabs(x.real()) > 20) {
    return {::copysign(1.0, x.real()), 4 * ::sin(x.imag()) * ::cos(x.imag()) * ::exp(-2 * ::fabs(x.real()))};
  }
  double t = ::tan(x.imag()), beta = 1 + t * t, s = ::sinh(x.real()), rho = ::sqrt(1 + s * s), below = 1 + beta * s * s;
  return {beta * rho * s / below, t / below};
}
__RK_DEVICE __rk_complex __rk_asin(const __rk_complex &x) {
  __rk_complex minus = sqrt(__rk_complex(1 - x.real(), -x.imag())), plus = sqrt(__rk_complex(1 + x.real(), x.imag()));
  return {::atan2(x.real(), minus.real() * plus.real() - minus.imag() * plus.imag()),
          ::asinh(minus.real() * plus.imag() - minus.imag() * plus.real())};
}
__RK_DEVICE __rk_complex __rk_acos(const __rk_complex &x) {
  __rk_complex minus = sqrt(__rk_complex(1 - x.real(), -x.imag())), plus = sqrt(__rk_complex(1 + x.real(), x.imag()));
  return {2 * ::atan2(minus.real(), plus.real()), ::asinh(plus.real() * minus.imag() - plus.imag() * minus.real())};
}
__RK_DEVICE __rk_complex __rk_acosh(const __rk_complex &x) {
  __rk_complex minus = sqrt(__rk_complex(x.real() - 1, x.imag())), plus = sqrt(__rk_complex(x.real() + 1, x.imag()));
  return {::asinh(minus.real() * plus.real() + minus.imag() * plus.imag()), 2 * ::atan2(minus.imag(), plus.real())};
}
__RK_DEVICE __rk_complex __rk_atanh(const __rk_complex &x) {
  double a = x.real(), b = x.imag();
  return {0.25 * ::log1p(4 * a / ((1 - a) * (1 - a) + b * b)), 0.5 * ::atan2(2 * b, (1 - a) * (1 + a) - b * b)};
}
// The circular functions are the hyperbolic ones of the number turned by a quarter, turned back.
__RK_DEVICE __rk_complex __rk_turned(const __rk_complex &x) { return {-x.imag(), x.real()}; }
__RK_DEVICE __rk_complex __rk_turned_back(const __rk_complex &x) { return {x.imag(), -x.real()}; }
__RK_DEVICE __rk_complex __rk_sin(const __rk_complex &x) { return __rk_turned_back(__rk_sinh(__rk_turned(x))); }
__RK_DEVICE __rk_complex __rk_cos(const __rk_complex &x) { return __rk_cosh(__rk_turned(x)); }
__RK_DEVICE __rk_complex __rk_tan(const __rk_complex &x) { return __rk_turned_back(__rk_tanh(__rk_turned(x))); }
__RK_DEVICE __rk_complex __rk_asinh(const __rk_complex &x) { return __rk_turned_back(__rk_asin(__rk_turned(x))); }
__RK_DEVICE __rk_complex __rk_atan(const __rk_complex &x) { return __rk_turned_back(__rk_atanh(__rk_turned(x))); }

#define __RK_COMPLEX(name)                                                                                             \
  template <class T> __RK_DEVICE complex<T> name(const complex<T> &x) { return complex<T>(__rk_##name(__rk_complex(x))); }
__RK_COMPLEX(log10)
__RK_COMPLEX(sin)
__RK_COMPLEX(cos)
__RK_COMPLEX(tan)
__RK_COMPLEX(sinh)
__RK_COMPLEX(cosh)
__RK_COMPLEX(tanh)
__RK_COMPLEX(asin)
__RK_COMPLEX(acos)
__RK_COMPLEX(atan)
__RK_COMPLEX(asinh)
__RK_COMPLEX(acosh)
__RK_COMPLEX(atanh)
#undef __RK_COMPLEX

// The power of 0 is 0, with an exponent of 0 it is 1.
__RK_DEVICE __rk_complex __rk_pow(const __rk_complex &x, const __rk_complex &y) {
  if (x == __rk_complex()) return y == __rk_complex() ? 1 : 0;
  return exp(y * log(x));
}
template <class T> __RK_DEVICE complex<T> pow(const complex<T> &x, const complex<T> &y) {
  return complex<T>(__rk_pow(__rk_complex(x), __rk_complex(y)));
}
template <class A, class B> __RK_DEVICE __rk_wider<A, B> pow(const complex<A> &x, const complex<B> &y) {
  return __rk_wider<A, B>(__rk_pow(__rk_complex(x), __rk_complex(y)));
}
// A plain number beside a complex one: integers take its type, floats and doubles the wider of both.
template <class T, class U>
using __rk_power = enable_if_t<is_arithmetic_v<U>, complex<conditional_t<is_integral_v<U>, T, common_type_t<T, U>>>>;
template <class T, class U> __RK_DEVICE __rk_power<T, U> pow(const complex<T> &x, const U &y) {
  return __rk_power<T, U>(__rk_pow(__rk_complex(x), __rk_complex((double)y)));
}
template <class T, class U> __RK_DEVICE __rk_power<T, U> pow(const U &x, const complex<T> &y) {
  return __rk_power<T, U>(__rk_pow(__rk_complex((double)x), __rk_complex(y)));
}
}

#endif
