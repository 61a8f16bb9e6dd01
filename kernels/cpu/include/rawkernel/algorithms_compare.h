// Algorithms that compare: extremes, searches, equality, order.
#ifndef RAWKERNEL_ALGORITHMS_COMPARE_H
#define RAWKERNEL_ALGORITHMS_COMPARE_H

#include <utility>

namespace std {
struct __rk_less {
  template <class A, class B> constexpr bool operator()(const A &a, const B &b) const { return a < b; }
};
struct __rk_equals {
  template <class A, class B> constexpr bool operator()(const A &a, const B &b) const { return a == b; }
};

template <class Place, class Less> __RK_CONSTEXPR14 Place min_element(Place at, Place end, Less less) {
  Place best = at;
  for (; at != end; ++at) {
    if (less(*at, *best)) best = at;
  }
  return best;
}
template <class Place, class Less> __RK_CONSTEXPR14 Place max_element(Place at, Place end, Less less) {
  Place best = at;
  for (; at != end; ++at) {
    if (less(*best, *at)) best = at;
  }
  return best;
}
// The first of the least and the last of the greatest.
template <class Place, class Less> __RK_CONSTEXPR14 pair<Place, Place> minmax_element(Place at, Place end, Less less) {
  pair<Place, Place> best(at, at);
  for (; at != end; ++at) {
    if (less(*at, *best.first)) best.first = at;
    if (!less(*at, *best.second)) best.second = at;
  }
  return best;
}
template <class Place> __RK_CONSTEXPR14 Place min_element(Place at, Place end) { return min_element(at, end, __rk_less()); }
template <class Place> __RK_CONSTEXPR14 Place max_element(Place at, Place end) { return max_element(at, end, __rk_less()); }
template <class Place> __RK_CONSTEXPR14 pair<Place, Place> minmax_element(Place at, Place end) {
  return minmax_element(at, end, __rk_less());
}

template <class A, class B, class Equals> __RK_CONSTEXPR14 pair<A, B> mismatch(A a, A end, B b, Equals equals) {
  for (; a != end && equals(*a, *b); ++b) ++a;
  return pair<A, B>(a, b);
}
template <class A, class B> __RK_CONSTEXPR14 pair<A, B> mismatch(A a, A end, B b) {
  return mismatch(a, end, b, __rk_equals());
}
template <class A, class B, class Equals> __RK_CONSTEXPR14 bool equal(A a, A end, B b, Equals equals) {
  return mismatch(a, end, b, equals).first == end;
}
template <class A, class B> __RK_CONSTEXPR14 bool equal(A a, A end, B b) { return equal(a, end, b, __rk_equals()); }
template <class A, class B, class Less>
__RK_CONSTEXPR14 bool lexicographical_compare(A a, A a_end, B b, B b_end, Less less) {
  for (; a != a_end && b != b_end; ++a, ++b) {
    if (less(*a, *b)) return true;
    if (less(*b, *a)) return false;
  }
  return a == a_end && b != b_end;
}
template <class A, class B> __RK_CONSTEXPR14 bool lexicographical_compare(A a, A a_end, B b, B b_end) {
  return lexicographical_compare(a, a_end, b, b_end, __rk_less());
}

template <class Place, class Equals> __RK_CONSTEXPR14 Place adjacent_find(Place at, Place end, Equals equals) {
  if (at == end) return end;
  for (Place next = at; ++next != end; ++at) {
    if (equals(*at, *next)) return at;
  }
  return end;
}
template <class Place> __RK_CONSTEXPR14 Place adjacent_find(Place at, Place end) {
  return adjacent_find(at, end, __rk_equals());
}
template <class A, class B, class Equals> __RK_CONSTEXPR14 A search(A at, A end, B wanted, B wanted_end, Equals equals) {
  for (;; ++at) {
    A here = at;
    for (B one = wanted;; ++one, ++here) {
      if (one == wanted_end) return at;
      if (here == end) return end;
      if (!equals(*here, *one)) break;
    }
  }
}
template <class A, class B> __RK_CONSTEXPR14 A search(A at, A end, B wanted, B wanted_end) {
  return search(at, end, wanted, wanted_end, __rk_equals());
}
template <class A, class B> __RK_CONSTEXPR14 A find_first_of(A at, A end, B wanted, B wanted_end) {
  for (; at != end; ++at) {
    for (B one = wanted; one != wanted_end; ++one) {
      if (*at == *one) return at;
    }
  }
  return end;
}

template <class Place, class Less> __RK_CONSTEXPR14 Place is_sorted_until(Place at, Place end, Less less) {
  if (at == end) return end;
  for (Place next = at; ++next != end; ++at) {
    if (less(*next, *at)) return next;
  }
  return end;
}
template <class Place> __RK_CONSTEXPR14 Place is_sorted_until(Place at, Place end) {
  return is_sorted_until(at, end, __rk_less());
}
template <class Place, class Less> __RK_CONSTEXPR14 bool is_sorted(Place at, Place end, Less less) {
  return is_sorted_until(at, end, less) == end;
}
template <class Place> __RK_CONSTEXPR14 bool is_sorted(Place at, Place end) { return is_sorted(at, end, __rk_less()); }

// The first place of which a predicate that holds for a beginning does not hold.
template <class Place, class F> __RK_CONSTEXPR14 Place partition_point(Place at, Place end, F f) {
  for (auto count = end - at; count > 0;) {
    auto half = count / 2;
    if (f(at[half])) {
      at += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return at;
}
template <class T, class Less> struct __rk_below {
  const T &value;
  Less &less;
  template <class U> constexpr bool operator()(const U &one) const { return less(one, value); }
};
template <class T, class Less> struct __rk_not_above {
  const T &value;
  Less &less;
  template <class U> constexpr bool operator()(const U &one) const { return !less(value, one); }
};
template <class Place, class T, class Less> __RK_CONSTEXPR14 Place lower_bound(Place at, Place end, const T &value, Less less) {
  return partition_point(at, end, __rk_below<T, Less>{value, less});
}
template <class Place, class T, class Less> __RK_CONSTEXPR14 Place upper_bound(Place at, Place end, const T &value, Less less) {
  return partition_point(at, end, __rk_not_above<T, Less>{value, less});
}
template <class Place, class T, class Less>
__RK_CONSTEXPR14 pair<Place, Place> equal_range(Place at, Place end, const T &value, Less less) {
  return pair<Place, Place>(lower_bound(at, end, value, less), upper_bound(at, end, value, less));
}
template <class Place, class T, class Less> __RK_CONSTEXPR14 bool binary_search(Place at, Place end, const T &value, Less less) {
  Place found = lower_bound(at, end, value, less);
  return found != end && !less(value, *found);
}
#define __RK_SEARCH(R, name)                                                                                           \
  template <class Place, class T> __RK_CONSTEXPR14 R name(Place at, Place end, const T &value) {                       \
    return name(at, end, value, __rk_less());                                                                          \
  }
__RK_SEARCH(Place, lower_bound)
__RK_SEARCH(Place, upper_bound)
#define __RK_COMMA ,
__RK_SEARCH(pair<Place __RK_COMMA Place>, equal_range)
#undef __RK_COMMA
__RK_SEARCH(bool, binary_search)
#undef __RK_SEARCH
}

#endif
