// Algorithms that move elements: copies, replacements, removals, rotations, partitions.
#ifndef RAWKERNEL_ALGORITHMS_MOVE_H
#define RAWKERNEL_ALGORITHMS_MOVE_H

#include "algorithms_compare.h"

namespace std {
template <class A, class B> __RK_CONSTEXPR14 void iter_swap(A a, B b) { swap(*a, *b); }
template <class A, class B> __RK_CONSTEXPR14 B swap_ranges(A a, A end, B b) {
  for (; a != end; ++a, ++b) swap(*a, *b);
  return b;
}
template <class From, class To> __RK_CONSTEXPR14 To move(From from, From end, To to) {
  for (; from != end; ++from, ++to) *to = static_cast<__remove_reference_t(decltype(*from)) &&>(*from);
  return to;
}
template <class From, class To> __RK_CONSTEXPR14 To copy_backward(From from, From end, To to) {
  while (end != from) *--to = *--end;
  return to;
}
template <class From, class To> __RK_CONSTEXPR14 To reverse_copy(From from, From end, To to) {
  for (; from != end; ++to) *to = *--end;
  return to;
}
template <class From, class To, class F> __RK_CONSTEXPR14 To copy_if(From from, From end, To to, F f) {
  for (; from != end; ++from) {
    if (f(*from)) {
      *to = *from;
      ++to;
    }
  }
  return to;
}
template <class From, class To, class F> __RK_CONSTEXPR14 To remove_copy_if(From from, From end, To to, F f) {
  for (; from != end; ++from) {
    if (!f(*from)) {
      *to = *from;
      ++to;
    }
  }
  return to;
}
template <class Place, class F> __RK_CONSTEXPR14 Place remove_if(Place at, Place end, F f) {
  return remove_copy_if(at, end, at, f);
}
template <class Place, class T> __RK_CONSTEXPR14 Place remove(Place at, Place end, const T &value) {
  Place to = at;
  for (; at != end; ++at) {
    if (*at == value) continue;
    *to = *at;
    ++to;
  }
  return to;
}
template <class Place, class F, class T> __RK_CONSTEXPR14 void replace_if(Place at, Place end, F f, const T &value) {
  for (; at != end; ++at) {
    if (f(*at)) *at = value;
  }
}
template <class Place, class T> __RK_CONSTEXPR14 void replace(Place at, Place end, const T &old, const T &value) {
  for (; at != end; ++at) {
    if (*at == old) *at = value;
  }
}
template <class From, class To, class Equals> __RK_CONSTEXPR14 To unique_copy(From from, From end, To to, Equals equals) {
  if (from == end) return to;
  auto last = *from;
  *to = last;
  while (++from != end) {
    if (equals(last, *from)) continue;
    last = *from;
    *++to = last;
  }
  return ++to;
}
template <class From, class To> __RK_CONSTEXPR14 To unique_copy(From from, From end, To to) {
  return unique_copy(from, end, to, __rk_equals());
}
template <class Place, class Equals> __RK_CONSTEXPR14 Place unique(Place at, Place end, Equals equals) {
  return unique_copy(at, end, at, equals);
}
template <class Place> __RK_CONSTEXPR14 Place unique(Place at, Place end) { return unique(at, end, __rk_equals()); }

template <class Place> __RK_CONSTEXPR14 void __rk_turn(Place at, Place end) {
  while (at != end && at != --end) swap(*at++, *end);
}
// Turned by three turnings of parts.
template <class Place> __RK_CONSTEXPR14 Place rotate(Place at, Place middle, Place end) {
  auto count = end - middle;
  __rk_turn(at, middle);
  __rk_turn(middle, end);
  __rk_turn(at, end);
  return at + count;
}
template <class From, class To> __RK_CONSTEXPR14 To rotate_copy(From at, From middle, From end, To to) {
  for (From one = middle; one != end; ++one, ++to) *to = *one;
  for (From one = at; one != middle; ++one, ++to) *to = *one;
  return to;
}

template <class Place, class F> __RK_CONSTEXPR14 bool is_partitioned(Place at, Place end, F f) {
  while (at != end && f(*at)) ++at;
  for (; at != end; ++at) {
    if (f(*at)) return false;
  }
  return true;
}
template <class Place, class F> __RK_CONSTEXPR14 Place partition(Place at, Place end, F f) {
  Place to = at;
  for (; at != end; ++at) {
    if (f(*at)) swap(*at, *to++);
  }
  return to;
}
// In place: both halves, then a rotation between them.
template <class Place, class F> __RK_CONSTEXPR14 Place stable_partition(Place at, Place end, F f) {
  if (at == end) return at;
  if (end - at == 1) return f(*at) ? end : at;
  Place middle = at + (end - at) / 2;
  Place first = stable_partition(at, middle, f), second = stable_partition(middle, end, f);
  return rotate(first, middle, second);
}
}

#endif
