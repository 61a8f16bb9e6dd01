// cuda::std::tuple, with structured bindings for it and for pair.
#ifndef RAWKERNEL_TUPLES_H
#define RAWKERNEL_TUPLES_H

#include <utility>

#include "cuda_std.h"

namespace std {
template <class T> struct tuple_size;
template <size_t i, class T> struct tuple_element;
template <size_t i, class T> using tuple_element_t = typename tuple_element<i, T>::type;

template <size_t i, class T> struct __rk_leaf {
  T value;
};
template <class Indices, class... T> struct __rk_leaves;
template <size_t... i, class... T> struct __rk_leaves<index_sequence<i...>, T...> : __rk_leaf<i, T>... {};

template <class... T> struct tuple : __rk_leaves<index_sequence_for<T...>, T...> {
  typedef __rk_leaves<index_sequence_for<T...>, T...> base;
  constexpr tuple() : base() {}
  template <class... U, class = enable_if_t<sizeof...(U) == sizeof...(T) && sizeof...(T) != 0>>
  constexpr tuple(U &&...values) : base{{static_cast<U &&>(values)}...} {}
  // Into references, as tie() makes them.
  template <class... U> __RK_CONSTEXPR14 tuple &operator=(const tuple<U...> &other) {
    assign(other, index_sequence_for<T...>());
    return *this;
  }

private:
  template <class Other, size_t... i> __RK_CONSTEXPR14 void assign(const Other &other, index_sequence<i...>) {
    ((get<i>(*this) = get<i>(other)), ...);
  }
};
template <> struct tuple<> {};
#if __cplusplus >= 201703L
template <class... T> tuple(T...) -> tuple<T...>;
#endif

template <class... T> struct tuple_size<tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <class T, class U> struct tuple_size<pair<T, U>> : integral_constant<size_t, 2> {};
template <class T> constexpr size_t tuple_size_v = tuple_size<T>::value;
template <size_t i, class... T> struct tuple_element<i, tuple<T...>> {
  typedef __type_pack_element<i, T...> type;
};
template <size_t i, class T, class U> struct tuple_element<i, pair<T, U>> {
  typedef __type_pack_element<i, T, U> type;
};

template <size_t i, class T> constexpr T &__rk_value(__rk_leaf<i, T> &leaf) { return leaf.value; }
template <size_t i, class T> constexpr const T &__rk_value(const __rk_leaf<i, T> &leaf) { return leaf.value; }
template <size_t i, class... T> constexpr tuple_element_t<i, tuple<T...>> &get(tuple<T...> &t) {
  return __rk_value<i>(t);
}
template <size_t i, class... T> constexpr const tuple_element_t<i, tuple<T...>> &get(const tuple<T...> &t) {
  return __rk_value<i>(t);
}
template <size_t i, class... T> constexpr auto get(tuple<T...> &&t) -> tuple_element_t<i, tuple<T...>> {
  return static_cast<tuple_element_t<i, tuple<T...>> &&>(__rk_value<i>(t));
}
template <size_t i, class T, class U> __RK_CONSTEXPR14 tuple_element_t<i, pair<T, U>> &get(pair<T, U> &p) {
  if constexpr (i == 0) return p.first;
  else return p.second;
}
template <size_t i, class T, class U> __RK_CONSTEXPR14 const tuple_element_t<i, pair<T, U>> &get(const pair<T, U> &p) {
  if constexpr (i == 0) return p.first;
  else return p.second;
}
template <size_t i, class T, class U> constexpr tuple_element_t<i, pair<T, U>> get(pair<T, U> &&p) {
  return static_cast<tuple_element_t<i, pair<T, U>> &&>(get<i>(p));
}

template <class... T> constexpr tuple<decay_t<T>...> make_tuple(T &&...values) {
  return tuple<decay_t<T>...>(static_cast<T &&>(values)...);
}
template <class... T> constexpr tuple<T &...> tie(T &...values) { return tuple<T &...>(values...); }

#if __cplusplus >= 201402L
template <class F, class Tuple, size_t... i>
constexpr decltype(auto) __rk_apply(F &&f, Tuple &&t, index_sequence<i...>) {
  return f(get<i>(t)...);
}
template <class F, class Tuple> constexpr decltype(auto) apply(F &&f, Tuple &&t) {
  return __rk_apply(f, t, make_index_sequence<tuple_size_v<remove_cvref_t<Tuple>>>());
}
#endif

template <class Tuple, size_t... i> constexpr bool __rk_equal(const Tuple &a, const Tuple &b, index_sequence<i...>) {
  return ((get<i>(a) == get<i>(b)) && ...);
}
template <class... T> constexpr bool operator==(const tuple<T...> &a, const tuple<T...> &b) {
  return __rk_equal(a, b, index_sequence_for<T...>());
}
template <class... T> constexpr bool operator!=(const tuple<T...> &a, const tuple<T...> &b) { return !(a == b); }
}

#endif
