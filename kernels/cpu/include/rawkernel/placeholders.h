// thrust: expressions of placeholders, which are functors: `_1 * 2 + _2`.
#ifndef RAWKERNEL_PLACEHOLDERS_H
#define RAWKERNEL_PLACEHOLDERS_H

#include "tuples.h"

namespace thrust {
namespace placeholders {
// F is called with a tuple of references to the arguments.
template <class F> struct __rk_expression {
  F __f;
  template <class... A> __RK_MEMBER constexpr decltype(auto) operator()(A &&...a) const {
    return __f(std::tuple<A &&...>(static_cast<A &&>(a)...));
  }
};
template <int i> struct __rk_argument {
  template <class Arguments> __RK_MEMBER constexpr decltype(auto) operator()(const Arguments &a) const {
    return std::get<i>(a);
  }
};
template <class T> struct __rk_constant {
  T value;
  template <class Arguments> __RK_MEMBER constexpr const T &operator()(const Arguments &) const { return value; }
};
template <class T> __RK_MEMBER constexpr __rk_constant<T> __rk_part(const T &value) { return {value}; }
template <class F> __RK_MEMBER constexpr const F &__rk_part(const __rk_expression<F> &e) { return e.__f; }
template <class T> using __rk_part_of = std::remove_cvref_t<decltype(__rk_part(std::declval<const T &>()))>;

template <class T> constexpr bool __rk_is_expression = false;
template <class F> constexpr bool __rk_is_expression<__rk_expression<F>> = true;
template <class Op, class A, class B>
using __rk_of_two = std::enable_if_t<__rk_is_expression<A> || __rk_is_expression<B>, Op>;

// A struct for each operator, and the operator of two expressions, or of one and a value.
#define __RK_BINARY(name, op, R)                                                                                       \
  template <class A, class B> struct name {                                                                            \
    A a;                                                                                                               \
    B b;                                                                                                               \
    template <class Arguments> __RK_MEMBER constexpr R operator()(const Arguments &all) const {                        \
      return a(all) op b(all);                                                                                         \
    }                                                                                                                  \
  };                                                                                                                   \
  template <class A, class B, class Op = name<__rk_part_of<A>, __rk_part_of<B>>>                                       \
  __RK_MEMBER constexpr __rk_expression<__rk_of_two<Op, A, B>> operator op(const A &a, const B &b) {                   \
    return {{__rk_part(a), __rk_part(b)}};                                                                             \
  }
__RK_BINARY(__rk_plus, +, auto)
__RK_BINARY(__rk_minus, -, auto)
__RK_BINARY(__rk_times, *, auto)
__RK_BINARY(__rk_divide, /, auto)
__RK_BINARY(__rk_modulo, %, auto)
__RK_BINARY(__rk_bit_and, &, auto)
__RK_BINARY(__rk_bit_or, |, auto)
__RK_BINARY(__rk_bit_xor, ^, auto)
__RK_BINARY(__rk_left, <<, auto)
__RK_BINARY(__rk_right, >>, auto)
__RK_BINARY(__rk_equal, ==, auto)
__RK_BINARY(__rk_unequal, !=, auto)
__RK_BINARY(__rk_less, <, auto)
__RK_BINARY(__rk_greater, >, auto)
__RK_BINARY(__rk_less_equal, <=, auto)
__RK_BINARY(__rk_greater_equal, >=, auto)
__RK_BINARY(__rk_and, &&, auto)
__RK_BINARY(__rk_or, ||, auto)
__RK_BINARY(__rk_add_to, +=, decltype(auto))
__RK_BINARY(__rk_subtract_from, -=, decltype(auto))
__RK_BINARY(__rk_multiply_by, *=, decltype(auto))
__RK_BINARY(__rk_divide_by, /=, decltype(auto))
#undef __RK_BINARY
#define __RK_UNARY(name, op)                                                                                           \
  template <class A> struct name {                                                                                     \
    A a;                                                                                                               \
    template <class Arguments> __RK_MEMBER constexpr auto operator()(const Arguments &all) const { return op a(all); } \
  };                                                                                                                   \
  template <class A> __RK_MEMBER constexpr __rk_expression<name<A>> operator op(const __rk_expression<A> &a) {         \
    return {{a.__f}};                                                                                                  \
  }
__RK_UNARY(__rk_negative, -)
__RK_UNARY(__rk_positive, +)
__RK_UNARY(__rk_bit_not, ~)
__RK_UNARY(__rk_not, !)
#undef __RK_UNARY

constexpr __rk_expression<__rk_argument<0>> _1{};
constexpr __rk_expression<__rk_argument<1>> _2{};
constexpr __rk_expression<__rk_argument<2>> _3{};
constexpr __rk_expression<__rk_argument<3>> _4{};
constexpr __rk_expression<__rk_argument<4>> _5{};
constexpr __rk_expression<__rk_argument<5>> _6{};
constexpr __rk_expression<__rk_argument<6>> _7{};
constexpr __rk_expression<__rk_argument<7>> _8{};
constexpr __rk_expression<__rk_argument<8>> _9{};
constexpr __rk_expression<__rk_argument<9>> _10{};
}
}

#endif
