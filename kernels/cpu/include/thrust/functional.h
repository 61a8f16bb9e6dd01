// thrust: operators as function objects.
#pragma once
#include <functional>

namespace thrust {
using std::binary_function;
using std::bit_and;
using std::bit_not;
using std::bit_or;
using std::bit_xor;
using std::divides;
using std::equal_to;
using std::greater;
using std::greater_equal;
using std::identity;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_not;
using std::logical_or;
using std::minus;
using std::modulus;
using std::multiplies;
using std::negate;
using std::not_equal_to;
using std::not_fn;
using std::plus;
using std::unary_function;

// Of equal ones the first.
#define __RK_EXTREME(name, ...)                                                                                        \
  template <class T = void> struct name : binary_function<T, T, T> {                                                   \
    constexpr T operator()(const T &a, const T &b) const { return __VA_ARGS__; }                                       \
  };                                                                                                                   \
  template <> struct name<void> {                                                                                      \
    template <class A, class B> constexpr auto operator()(const A &a, const B &b) const { return __VA_ARGS__; }        \
  };
__RK_EXTREME(maximum, a < b ? b : a)
__RK_EXTREME(minimum, b < a ? b : a)
#undef __RK_EXTREME

template <class T = void> struct square : unary_function<T, T> {
  constexpr T operator()(const T &a) const { return a * a; }
};
template <> struct square<void> {
  template <class T> constexpr T operator()(const T &a) const { return a * a; }
};
template <class A, class B> struct project1st : binary_function<A, B, A> {
  constexpr const A &operator()(const A &a, const B &) const { return a; }
};
template <class A, class B> struct project2nd : binary_function<A, B, B> {
  constexpr const B &operator()(const A &, const B &b) const { return b; }
};
}

#include "rawkernel/placeholders.h"
