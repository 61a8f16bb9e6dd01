// Algorithms over two sorted ranges.
#ifndef RAWKERNEL_ALGORITHMS_SETS_H
#define RAWKERNEL_ALGORITHMS_SETS_H

#include "algorithms_compare.h"

namespace std {
// Walks both ranges together, and writes what is in the first alone, in the second alone and in both, as asked for. Of
// equal elements, as many are in both as the fewer are; in both are written from the first, as [alg.set.operations] says.
template <bool first, bool second, bool both, class A, class B, class To, class Less>
__RK_CONSTEXPR14 To __rk_walk(A a, A a_end, B b, B b_end, To to, Less less) {
  while (a != a_end || b != b_end) {
    bool a_goes = b == b_end || (a != a_end && !less(*b, *a)), b_goes = a == a_end || (b != b_end && !less(*a, *b));
    bool wanted = a_goes && b_goes ? both : a_goes ? first : second;
    if (wanted) {
      if (a_goes) *to = *a;
      else *to = *b;
      ++to;
    }
    if (a_goes) ++a;
    if (b_goes) ++b;
  }
  return to;
}
template <class A, class B, class To, class Less>
__RK_CONSTEXPR14 To merge(A a, A a_end, B b, B b_end, To to, Less less) {
  for (; a != a_end || b != b_end; ++to) {
    if (b == b_end || (a != a_end && !less(*b, *a))) *to = *a++;
    else *to = *b++;
  }
  return to;
}
template <class A, class B, class To, class Less>
__RK_CONSTEXPR14 To set_union(A a, A a_end, B b, B b_end, To to, Less less) {
  return __rk_walk<true, true, true>(a, a_end, b, b_end, to, less);
}
template <class A, class B, class To, class Less>
__RK_CONSTEXPR14 To set_intersection(A a, A a_end, B b, B b_end, To to, Less less) {
  return __rk_walk<false, false, true>(a, a_end, b, b_end, to, less);
}
template <class A, class B, class To, class Less>
__RK_CONSTEXPR14 To set_difference(A a, A a_end, B b, B b_end, To to, Less less) {
  return __rk_walk<true, false, false>(a, a_end, b, b_end, to, less);
}
template <class A, class B, class To, class Less>
__RK_CONSTEXPR14 To set_symmetric_difference(A a, A a_end, B b, B b_end, To to, Less less) {
  return __rk_walk<true, true, false>(a, a_end, b, b_end, to, less);
}
#define __RK_SETS(name)                                                                                                \
  template <class A, class B, class To> __RK_CONSTEXPR14 To name(A a, A a_end, B b, B b_end, To to) {                  \
    return name(a, a_end, b, b_end, to, __rk_less());                                                                  \
  }
__RK_SETS(merge)
__RK_SETS(set_union)
__RK_SETS(set_intersection)
__RK_SETS(set_difference)
__RK_SETS(set_symmetric_difference)
#undef __RK_SETS
template <class A, class B, class Less> __RK_CONSTEXPR14 bool includes(A a, A a_end, B b, B b_end, Less less) {
  for (; b != b_end; ++a) {
    if (a == a_end || less(*b, *a)) return false;
    if (!less(*a, *b)) ++b;
  }
  return true;
}
template <class A, class B> __RK_CONSTEXPR14 bool includes(A a, A a_end, B b, B b_end) {
  return includes(a, a_end, b, b_end, __rk_less());
}
}

#endif
