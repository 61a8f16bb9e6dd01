// Sorts of one thread, in place, and heaps.
#ifndef RAWKERNEL_ALGORITHMS_SORT_H
#define RAWKERNEL_ALGORITHMS_SORT_H

#include "algorithms_move.h"

namespace std {
template <class Place, class Less> __RK_CONSTEXPR14 void __rk_insertion_sort(Place at, Place end, Less &less) {
  for (Place one = at; one != end; ++one) {
    for (Place here = one; here != at && less(*here, *(here - 1)); --here) swap(*here, *(here - 1));
  }
}

// Moves an element down a heap whose greatest is first.
template <class Place, class Less>
__RK_CONSTEXPR14 void __rk_sink(Place at, ptrdiff_t here, ptrdiff_t count, Less &less) {
  for (ptrdiff_t below = 2 * here + 1; below < count; here = below, below = 2 * here + 1) {
    if (below + 1 < count && less(at[below], at[below + 1])) ++below;
    if (!less(at[here], at[below])) return;
    swap(at[here], at[below]);
  }
}
template <class Place, class Less> __RK_CONSTEXPR14 void make_heap(Place at, Place end, Less less) {
  ptrdiff_t count = end - at;
  for (ptrdiff_t i = count / 2; i > 0; --i) __rk_sink(at, i - 1, count, less);
}
template <class Place, class Less> __RK_CONSTEXPR14 void push_heap(Place at, Place end, Less less) {
  for (ptrdiff_t here = end - at - 1; here > 0 && less(at[(here - 1) / 2], at[here]); here = (here - 1) / 2) {
    swap(at[here], at[(here - 1) / 2]);
  }
}
template <class Place, class Less> __RK_CONSTEXPR14 void pop_heap(Place at, Place end, Less less) {
  ptrdiff_t count = end - at - 1;
  if (count < 1) return;
  swap(at[0], at[count]);
  __rk_sink(at, 0, count, less);
}
template <class Place, class Less> __RK_CONSTEXPR14 void sort_heap(Place at, Place end, Less less) {
  for (; end - at > 1; --end) pop_heap(at, end, less);
}
template <class Place, class Less> __RK_CONSTEXPR14 Place is_heap_until(Place at, Place end, Less less) {
  for (ptrdiff_t i = 1; i < end - at; ++i) {
    if (less(at[(i - 1) / 2], at[i])) return at + i;
  }
  return end;
}
template <class Place, class Less> __RK_CONSTEXPR14 bool is_heap(Place at, Place end, Less less) {
  return is_heap_until(at, end, less) == end;
}

// By insertion where there are few, by a heap otherwise.
template <class Place, class Less> __RK_CONSTEXPR14 void sort(Place at, Place end, Less less) {
  if (end - at <= 24) return __rk_insertion_sort(at, end, less);
  make_heap(at, end, less);
  sort_heap(at, end, less);
}
template <class Place, class Less> __RK_CONSTEXPR14 void partial_sort(Place at, Place middle, Place end, Less less) {
  if (at == middle) return;
  make_heap(at, middle, less);
  for (Place one = middle; one != end; ++one) {
    if (!less(*one, *at)) continue;
    swap(*one, *at);
    __rk_sink(at, 0, middle - at, less);
  }
  sort_heap(at, middle, less);
}
template <class Place, class Less> __RK_CONSTEXPR14 void nth_element(Place at, Place nth, Place end, Less less) {
  if (nth != end) partial_sort(at, nth + 1, end, less);
}

// Merges two sorted neighbours in place: the longer part is cut in its middle, the other one where that element belongs,
// and a rotation leaves two smaller merges. After Kim and Kutzner, "Stable Minimum Storage Merging by Symmetric
// Comparisons" (ESA 2004).
template <class Place, class Less> __RK_CONSTEXPR14 void inplace_merge(Place at, Place middle, Place end, Less less) {
  while (at != middle && middle != end) {
    bool is_left = middle - at >= end - middle;
    Place left = is_left ? at + (middle - at) / 2 : upper_bound(at, middle, *(middle + (end - middle) / 2), less);
    Place right = is_left ? lower_bound(middle, end, *left, less) : middle + (end - middle) / 2;
    Place joint = rotate(left, middle, right);
    inplace_merge(at, left, joint, less);
    // Where the left part was cut, its element is in place now. The loop goes on with the second merge.
    at = is_left ? joint + 1 : joint;
    middle = right;
  }
}
template <class Place, class Less> __RK_CONSTEXPR14 void stable_sort(Place at, Place end, Less less) {
  constexpr int run = 16;
  ptrdiff_t count = end - at;
  for (ptrdiff_t i = 0; i < count; i += run) {
    __rk_insertion_sort(at + i, i + run < count ? at + (i + run) : end, less);
  }
  for (ptrdiff_t width = run; width < count; width *= 2) {
    for (ptrdiff_t i = 0; i + width < count; i += 2 * width) {
      inplace_merge(at + i, at + (i + width), i + 2 * width < count ? at + (i + 2 * width) : end, less);
    }
  }
}

#define __RK_ORDERED(R, name)                                                                                          \
  template <class Place> __RK_CONSTEXPR14 R name(Place at, Place end) { return name(at, end, __rk_less()); }
__RK_ORDERED(void, make_heap)
__RK_ORDERED(void, push_heap)
__RK_ORDERED(void, pop_heap)
__RK_ORDERED(void, sort_heap)
__RK_ORDERED(Place, is_heap_until)
__RK_ORDERED(bool, is_heap)
__RK_ORDERED(void, sort)
__RK_ORDERED(void, stable_sort)
#undef __RK_ORDERED
#define __RK_ORDERED(name)                                                                                             \
  template <class Place> __RK_CONSTEXPR14 void name(Place at, Place middle, Place end) {                               \
    name(at, middle, end, __rk_less());                                                                                \
  }
__RK_ORDERED(partial_sort)
__RK_ORDERED(nth_element)
__RK_ORDERED(inplace_merge)
#undef __RK_ORDERED

template <class Place, class Less> __RK_CONSTEXPR14 bool next_permutation(Place at, Place end, Less less) {
  if (end - at < 2) return false;
  Place here = end - 1;
  while (here != at && !less(*(here - 1), *here)) --here;
  if (here == at) {
    __rk_turn(at, end);
    return false;
  }
  Place other = end - 1;
  while (!less(*(here - 1), *other)) --other;
  swap(*(here - 1), *other);
  __rk_turn(here, end);
  return true;
}
template <class Place> __RK_CONSTEXPR14 bool next_permutation(Place at, Place end) {
  return next_permutation(at, end, __rk_less());
}
template <class Less> struct __rk_swapped {
  Less less;
  template <class A, class B> constexpr bool operator()(const A &a, const B &b) const { return less(b, a); }
};
template <class Place, class Less> __RK_CONSTEXPR14 bool prev_permutation(Place at, Place end, Less less) {
  return next_permutation(at, end, __rk_swapped<Less>{less});
}
template <class Place> __RK_CONSTEXPR14 bool prev_permutation(Place at, Place end) {
  return prev_permutation(at, end, __rk_less());
}
}

#endif
