// thrust: an iterator over the elements that indices name.
#pragma once
#include "rawkernel/iterators.h"

namespace thrust {
template <class It, class Indices>
struct permutation_iterator
    : __rk_iterator<permutation_iterator<It, Indices>, typename std::iterator_traits<It>::value_type,
                    typename std::iterator_traits<It>::reference> {
  It __elements;
  Indices __indices;
  __RK_MEMBER constexpr permutation_iterator() : __elements(), __indices() {}
  __RK_MEMBER constexpr permutation_iterator(It elements, Indices indices) : __elements(elements), __indices(indices) {}
  __RK_MEMBER constexpr const Indices &base() const { return __indices; }
  __RK_MEMBER constexpr typename std::iterator_traits<It>::reference __get() const { return __elements[*__indices]; }
  __RK_MEMBER constexpr void __move(ptrdiff_t n) { __indices += n; }
  __RK_MEMBER constexpr ptrdiff_t __distance(const permutation_iterator &other) const {
    return (ptrdiff_t)(__indices - other.__indices);
  }
};
template <class It, class Indices>
__RK_MEMBER constexpr permutation_iterator<It, Indices> make_permutation_iterator(It elements, Indices indices) {
  return permutation_iterator<It, Indices>(elements, indices);
}
}
