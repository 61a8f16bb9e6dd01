// thrust: an iterator over what a functor makes of another one's values.
#pragma once
#include "rawkernel/iterators.h"

namespace thrust {
template <class F, class It> using __rk_made = decltype(std::declval<F &>()(*std::declval<const It &>()));
template <class Given, class Else> using __rk_given = std::conditional_t<std::is_void_v<Given>, Else, Given>;

template <class F, class It, class Reference = void, class Value = void>
struct transform_iterator
    : __rk_iterator<transform_iterator<F, It, Reference, Value>,
                    __rk_given<Value, std::remove_cvref_t<__rk_given<Reference, __rk_made<F, It>>>>,
                    __rk_given<Reference, __rk_made<F, It>>> {
  It __input;
  F __f;
  __RK_MEMBER constexpr transform_iterator() : __input(), __f() {}
  __RK_MEMBER constexpr transform_iterator(const It &input, F f) : __input(input), __f(f) {}
  __RK_MEMBER constexpr explicit transform_iterator(const It &input) : __input(input), __f() {}
  __RK_MEMBER constexpr const It &base() const { return __input; }
  __RK_MEMBER constexpr F functor() const { return __f; }
  __RK_MEMBER constexpr __rk_given<Reference, __rk_made<F, It>> __get() const {
    F f = __f;
    return f(*__input);
  }
  __RK_MEMBER constexpr void __move(ptrdiff_t n) { __input += n; }
  __RK_MEMBER constexpr ptrdiff_t __distance(const transform_iterator &other) const {
    return (ptrdiff_t)(__input - other.__input);
  }
};
template <class F, class It> __RK_MEMBER constexpr transform_iterator<F, It> make_transform_iterator(It input, F f) {
  return transform_iterator<F, It>(input, f);
}
}
