// thrust: a functor of several arguments, called with a tuple of them.
#pragma once
#include "thrust/tuple.h"

namespace thrust {
template <class F> struct zip_function {
  F __f;
  __RK_MEMBER constexpr zip_function(F f) : __f(f) {}
  template <class Tuple> __RK_MEMBER constexpr decltype(auto) operator()(Tuple &&values) const {
    return std::apply(__f, static_cast<Tuple &&>(values));
  }
  __RK_MEMBER constexpr F &underlying_function() const { return __f; }
};
template <class F> __RK_MEMBER constexpr zip_function<std::decay_t<F>> make_zip_function(F &&f) {
  return zip_function<std::decay_t<F>>(static_cast<F &&>(f));
}
}
