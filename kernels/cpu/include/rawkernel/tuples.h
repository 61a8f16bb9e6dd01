// cuda::std::tuple.
#ifndef RAWKERNEL_TUPLES_H
#define RAWKERNEL_TUPLES_H

#include <utility>

#include "cuda_std.h"

namespace std {
template <size_t i, class T> struct __rk_leaf {
  T value;
};
template <class Indices, class... T> struct __rk_leaves;
template <size_t... i, class... T> struct __rk_leaves<index_sequence<i...>, T...> : __rk_leaf<i, T>... {};

template <class... T> struct __rk_types {};
template <class... T, class... U> constexpr bool __rk_all_from(__rk_types<T...>, __rk_types<U...>) {
  if constexpr (sizeof...(T) != sizeof...(U)) return false;
  else return (is_constructible_v<T, U> && ...);
}
// Whether values make a tuple, element by element. One value that is the tuple itself is a copy.
template <class Tuple, class Elements, class... U>
constexpr bool __rk_makes = __rk_all_from(Elements(), __rk_types<U...>());
template <class Tuple, class Elements, class U>
constexpr bool __rk_makes<Tuple, Elements, U> =
    conditional_t<is_same_v<remove_cvref_t<U>, Tuple>, false_type, bool_constant<__rk_all_from(Elements(), __rk_types<U>())>>::value;

template <class... T> struct tuple : __rk_leaves<index_sequence_for<T...>, T...> {
  typedef __rk_leaves<index_sequence_for<T...>, T...> base;
  constexpr tuple() : base() {}
  constexpr tuple(const T &...values) : base{{values}...} {}
  template <class... U, enable_if_t<__rk_makes<tuple, __rk_types<T...>, U &&...>, int> = 0>
  constexpr tuple(U &&...values) : base{{static_cast<T>(static_cast<U &&>(values))}...} {}
  template <class... U, enable_if_t<!is_same_v<tuple<U...>, tuple> && __rk_all_from(__rk_types<T...>(), __rk_types<const U &...>()), int> = 0>
  constexpr tuple(const tuple<U...> &other) : tuple(other, index_sequence_for<T...>()) {}
  template <class A, class B, enable_if_t<__rk_all_from(__rk_types<T...>(), __rk_types<const A &, const B &>()), int> = 0>
  constexpr tuple(const pair<A, B> &other) : tuple(other.first, other.second) {}
  tuple(const tuple &) = default;
  tuple(tuple &&) = default;

  tuple &operator=(const tuple &) = default;
  // Into references, as tie() makes them.
  template <class... U> __RK_CONSTEXPR14 tuple &operator=(const tuple<U...> &other) {
    assign(other, index_sequence_for<T...>());
    return *this;
  }
  template <class A, class B> __RK_CONSTEXPR14 tuple &operator=(const pair<A, B> &other) {
    assign(other, index_sequence_for<T...>());
    return *this;
  }
  __RK_CONSTEXPR14 void swap(tuple &other) { swap(other, index_sequence_for<T...>()); }

private:
  template <class Other, size_t... i>
  constexpr tuple(const Other &other, index_sequence<i...>) : base{{static_cast<T>(get<i>(other))}...} {}
  template <class Other, size_t... i> __RK_CONSTEXPR14 void assign(const Other &other, index_sequence<i...>) {
    ((get<i>(*this) = get<i>(other)), ...);
  }
  template <size_t... i> __RK_CONSTEXPR14 void swap(tuple &other, index_sequence<i...>) {
    (std::swap(get<i>(*this), get<i>(other)), ...);
  }
};
template <> struct tuple<> {
  __RK_CONSTEXPR14 void swap(tuple &) {}
};
#if __cplusplus >= 201703L
template <class... T> tuple(T...) -> tuple<T...>;
template <class A, class B> tuple(pair<A, B>) -> tuple<A, B>;
#endif

template <class... T> struct tuple_size<tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <size_t i, class... T> struct tuple_element<i, tuple<T...>> {
  typedef __type_pack_element<i, T...> type;
};

template <size_t i, class T> constexpr T &__rk_value(__rk_leaf<i, T> &leaf) { return leaf.value; }
template <size_t i, class T> constexpr const T &__rk_value(const __rk_leaf<i, T> &leaf) { return leaf.value; }
template <size_t i, class... T> constexpr tuple_element_t<i, tuple<T...>> &get(tuple<T...> &t) noexcept {
  return __rk_value<i>(t);
}
template <size_t i, class... T> constexpr const tuple_element_t<i, tuple<T...>> &get(const tuple<T...> &t) noexcept {
  return __rk_value<i>(t);
}
template <size_t i, class... T> constexpr tuple_element_t<i, tuple<T...>> &&get(tuple<T...> &&t) noexcept {
  return static_cast<tuple_element_t<i, tuple<T...>> &&>(__rk_value<i>(t));
}
// By type, which one element has.
template <class U, size_t i> constexpr U &__rk_value_of(__rk_leaf<i, U> &leaf) { return leaf.value; }
template <class U, size_t i> constexpr const U &__rk_value_of(const __rk_leaf<i, U> &leaf) { return leaf.value; }
template <class U, class... T> constexpr U &get(tuple<T...> &t) noexcept { return __rk_value_of<U>(t); }
template <class U, class... T> constexpr const U &get(const tuple<T...> &t) noexcept { return __rk_value_of<U>(t); }

struct __rk_ignore {
  template <class T> constexpr const __rk_ignore &operator=(T &&) const noexcept { return *this; }
};
constexpr __rk_ignore ignore{};

template <class... T> constexpr tuple<decay_t<T>...> make_tuple(T &&...values) {
  return tuple<decay_t<T>...>(static_cast<T &&>(values)...);
}
template <class... T> constexpr tuple<T &...> tie(T &...values) noexcept { return tuple<T &...>(values...); }
template <class... T> constexpr tuple<T &&...> forward_as_tuple(T &&...values) noexcept {
  return tuple<T &&...>(static_cast<T &&>(values)...);
}
template <class... T> __RK_CONSTEXPR14 void swap(tuple<T...> &a, tuple<T...> &b) { a.swap(b); }

// What iterators over several ranges point to: the tuples are temporary, their elements are not.
template <class... T> __RK_CONSTEXPR14 void swap(tuple<T &...> &&a, tuple<T &...> &&b) { a.swap(b); }

template <class Tuple> using __rk_indices = make_index_sequence<tuple_size_v<remove_cvref_t<Tuple>>>;
#if __cplusplus >= 201402L
template <class A, class B, size_t... i, size_t... j>
constexpr auto __rk_join(A &&a, B &&b, index_sequence<i...>, index_sequence<j...>) {
  return tuple<tuple_element_t<i, remove_cvref_t<A>>..., tuple_element_t<j, remove_cvref_t<B>>...>(
      get<i>(static_cast<A &&>(a))..., get<j>(static_cast<B &&>(b))...);
}
constexpr tuple<> tuple_cat() { return {}; }
template <class A> constexpr auto tuple_cat(A &&a) {
  return __rk_join(static_cast<A &&>(a), tuple<>(), __rk_indices<A>(), index_sequence<>());
}
template <class A, class B, class... Rest> constexpr auto tuple_cat(A &&a, B &&b, Rest &&...rest) {
  auto both = __rk_join(static_cast<A &&>(a), static_cast<B &&>(b), __rk_indices<A>(), __rk_indices<B>());
  if constexpr (sizeof...(Rest) == 0) return both;
  else return tuple_cat(static_cast<decltype(both) &&>(both), static_cast<Rest &&>(rest)...);
}

template <class F, class Tuple, size_t... i>
constexpr decltype(auto) __rk_apply(F &&f, Tuple &&t, index_sequence<i...>) {
  return static_cast<F &&>(f)(get<i>(static_cast<Tuple &&>(t))...);
}
template <class F, class Tuple> constexpr decltype(auto) apply(F &&f, Tuple &&t) {
  return __rk_apply(static_cast<F &&>(f), static_cast<Tuple &&>(t), __rk_indices<Tuple>());
}
template <class T, class Tuple, size_t... i> constexpr T __rk_make_from(Tuple &&t, index_sequence<i...>) {
  return T(get<i>(static_cast<Tuple &&>(t))...);
}
template <class T, class Tuple> constexpr T make_from_tuple(Tuple &&t) {
  return __rk_make_from<T>(static_cast<Tuple &&>(t), __rk_indices<Tuple>());
}
#endif

template <class A, class B, size_t... i> constexpr bool __rk_equal(const A &a, const B &b, index_sequence<i...>) {
  return ((get<i>(a) == get<i>(b)) && ...);
}
template <size_t i, class A, class B> constexpr bool __rk_before(const A &a, const B &b) {
  if constexpr (i == tuple_size_v<A>) return false;
  else return get<i>(a) < get<i>(b) || (!(get<i>(b) < get<i>(a)) && __rk_before<i + 1>(a, b));
}
template <class... T, class... U> constexpr bool operator==(const tuple<T...> &a, const tuple<U...> &b) {
  return __rk_equal(a, b, index_sequence_for<T...>());
}
template <class... T, class... U> constexpr bool operator<(const tuple<T...> &a, const tuple<U...> &b) {
  return __rk_before<0>(a, b);
}
template <class... T, class... U> constexpr bool operator!=(const tuple<T...> &a, const tuple<U...> &b) { return !(a == b); }
template <class... T, class... U> constexpr bool operator>(const tuple<T...> &a, const tuple<U...> &b) { return b < a; }
template <class... T, class... U> constexpr bool operator<=(const tuple<T...> &a, const tuple<U...> &b) { return !(b < a); }
template <class... T, class... U> constexpr bool operator>=(const tuple<T...> &a, const tuple<U...> &b) { return !(a < b); }
}

#endif
