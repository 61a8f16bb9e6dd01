// nvcuda::wmma: fragments from and to memory. All lanes meet before it.
#ifndef RAWKERNEL_WMMA_MEMORY_H
#define RAWKERNEL_WMMA_MEMORY_H

#include "wmma_fragment.h"

namespace nvcuda {
namespace wmma {

// Calls visit(i, offset in memory) for each element of the lane, of a matrix with so many columns.
template <int columns, int count, class Visit>
__RK_DEVICE void __rk_elements(unsigned ldm, bool by_rows, Visit visit) {
  unsigned first = __rk_lane() * count, row = first / columns, column = first % columns;
#pragma unroll
  for (int i = 0; i < count; i++) {
    unsigned r = count <= columns ? row : (first + i) / columns;
    unsigned c = count <= columns ? column + i : (first + i) % columns;
    visit(i, by_rows ? (size_t)r * ldm + c : (size_t)c * ldm + r);
  }
}

// Several elements in a word: each lane has one of the four words of a row of the first factor, or of a column of the
// second one.
template <class T, class Fragment> __RK_DEVICE void __rk_load_packed(Fragment &f, const void *from, unsigned ldm) {
  unsigned line = __rk_lane() / 4, word = __rk_lane() % 4;
  f.x[0] = ((const int *)from)[line * (ldm / __rk_element<T>::packed) + word];
}

template <class Layout> struct __rk_is_by_rows;
template <> struct __rk_is_by_rows<row_major> { static constexpr bool value = true; };
template <> struct __rk_is_by_rows<col_major> { static constexpr bool value = false; };

template <bool packed> struct __rk_loader {
  template <class Use, int m, int n, int k, class T, class Layout, class From>
  __RK_MEMBER static void load(fragment<Use, m, n, k, T, Layout> &f, const From *from, unsigned ldm) {
    __rk_elements<__rk_size<Use, m, n, k>::columns, sizeof(f.x) / sizeof(f.x[0])>(
        ldm, __rk_is_by_rows<Layout>::value, [&](int i, size_t at) { f.x[i] = from[at]; });
  }
};
template <> struct __rk_loader<true> {
  template <class Use, int m, int n, int k, class T, class Layout, class From>
  __RK_MEMBER static void load(fragment<Use, m, n, k, T, Layout> &f, const From *from, unsigned ldm) {
    static_assert(__is_same(Layout, row_major) == __is_same(Use, matrix_a),
                  "packed factors are row_major on the left and col_major on the right");
    __rk_load_packed<T>(f, from, ldm);
  }
};

template <class Use, int m, int n, int k, class T, class Layout, class From>
__RK_DEVICE void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &f, const From *from, unsigned ldm) {
  static_assert(!__is_same(Use, accumulator), "an accumulator needs wmma::mem_row_major or mem_col_major, too");
  __syncwarp();
  __rk_loader<(__rk_element<T>::packed > 1)>::load(f, from, ldm);
}
template <int m, int n, int k, class T>
__RK_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *from, unsigned ldm, layout_t layout) {
  __syncwarp();
  __rk_elements<n, sizeof(f.x) / sizeof(T)>(ldm, layout == mem_row_major, [&](int i, size_t at) { f.x[i] = from[at]; });
}
template <int m, int n, int k, class T>
__RK_DEVICE void store_matrix_sync(T *to, const fragment<accumulator, m, n, k, T> &f, unsigned ldm, layout_t layout) {
  __syncwarp();
  __rk_elements<n, sizeof(f.x) / sizeof(T)>(ldm, layout == mem_row_major, [&](int i, size_t at) { to[at] = f.x[i]; });
}

}
}

#endif
