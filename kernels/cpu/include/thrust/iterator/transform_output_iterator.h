// thrust: an iterator that writes what a functor makes of the values it is given.
#pragma once
#include "rawkernel/iterators.h"

namespace thrust {
template <class F, class It> struct __rk_transforming_place {
  It __output;
  F __f;
  template <class T> __RK_MEMBER constexpr const __rk_transforming_place &operator=(const T &value) const {
    F f = __f;
    *__output = f(value);
    return *this;
  }
};
template <class F, class It>
struct transform_output_iterator
    : __rk_iterator<transform_output_iterator<F, It>, void, __rk_transforming_place<F, It>> {
  It __output;
  F __f;
  __RK_MEMBER constexpr transform_output_iterator(const It &output, F f) : __output(output), __f(f) {}
  __RK_MEMBER constexpr const It &base() const { return __output; }
  __RK_MEMBER constexpr __rk_transforming_place<F, It> __get() const { return {__output, __f}; }
  __RK_MEMBER constexpr void __move(ptrdiff_t n) { __output += n; }
  __RK_MEMBER constexpr ptrdiff_t __distance(const transform_output_iterator &other) const {
    return (ptrdiff_t)(__output - other.__output);
  }
};
template <class F, class It>
__RK_MEMBER constexpr transform_output_iterator<F, It> make_transform_output_iterator(It output, F f) {
  return transform_output_iterator<F, It>(output, f);
}
}
