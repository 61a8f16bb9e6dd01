// cub: one thread searches sorted items.
#pragma once
#include "cub/util_type.cuh"

namespace cub {

template <class It, class Offset, class T> __RK_DEVICE Offset LowerBound(It items, Offset count, T value) {
  Offset low = 0;
  while (low < count) {
    Offset middle = low + (count - low) / 2;
    if (items[middle] < value) low = middle + 1;
    else count = middle;
  }
  return low;
}
template <class It, class Offset, class T> __RK_DEVICE Offset UpperBound(It items, Offset count, T value) {
  Offset low = 0;
  while (low < count) {
    Offset middle = low + (count - low) / 2;
    if (value < items[middle]) count = middle;
    else low = middle + 1;
  }
  return low;
}
/// Where the diagonal of a merge of two sorted lists meets its path; of equal items those of `a` come first.
template <class A, class B, class Offset, class Coordinate>
__RK_DEVICE void MergePathSearch(Offset diagonal, A a, B b, Offset a_count, Offset b_count, Coordinate &path) {
  Offset low = diagonal > b_count ? diagonal - b_count : 0;
  Offset high = diagonal < a_count ? diagonal : a_count;
  while (low < high) {
    Offset middle = low + (high - low) / 2;
    if (a[middle] <= b[diagonal - middle - 1]) low = middle + 1;
    else high = middle;
  }
  path.x = low < a_count ? low : a_count;
  path.y = diagonal - low;
}

}
