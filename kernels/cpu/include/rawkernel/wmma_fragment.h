// nvcuda::wmma: parts of matrices that a warp holds together. Each element is held by one lane, so that what is done to
// all of x[] is done once to each element: in rows, `num_elements` of them in each lane.
#ifndef RAWKERNEL_WMMA_FRAGMENT_H
#define RAWKERNEL_WMMA_FRAGMENT_H

#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "warp.h"

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}

// How an element is stored in a fragment, how it is computed with, and how many of them one word of the fragment holds.
template <class T> struct __rk_element {
  typedef T stored;
  typedef float wide;
  static constexpr int packed = 1;
};
#define __RK_ELEMENT(T, Stored, Wide, count)                                                                           \
  template <> struct __rk_element<T> {                                                                                 \
    typedef Stored stored;                                                                                             \
    typedef Wide wide;                                                                                                 \
    static constexpr int packed = count;                                                                               \
  };
__RK_ELEMENT(precision::tf32, float, float, 1)
__RK_ELEMENT(double, double, double, 1)
__RK_ELEMENT(int, int, int, 1)
__RK_ELEMENT(signed char, signed char, int, 1)
__RK_ELEMENT(unsigned char, unsigned char, int, 1)
__RK_ELEMENT(char, signed char, int, 1)
__RK_ELEMENT(experimental::precision::s4, int, int, 8)
__RK_ELEMENT(experimental::precision::u4, int, int, 8)
__RK_ELEMENT(experimental::precision::b1, int, int, 32)
#undef __RK_ELEMENT

// The shapes that CUDA has for a type of factors (CUDA C++ Programming Guide, "Element Types and Matrix Sizes").
template <class T> constexpr bool __rk_is_shape(int m, int n, int k) {
  return k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
}
template <> constexpr bool __rk_is_shape<precision::tf32>(int m, int n, int k) { return m == 16 && n == 16 && k == 8; }
template <> constexpr bool __rk_is_shape<double>(int m, int n, int k) { return m == 8 && n == 8 && k == 4; }
template <> constexpr bool __rk_is_shape<experimental::precision::s4>(int m, int n, int k) {
  return m == 8 && n == 8 && k == 32;
}
template <> constexpr bool __rk_is_shape<experimental::precision::u4>(int m, int n, int k) {
  return m == 8 && n == 8 && k == 32;
}
template <> constexpr bool __rk_is_shape<experimental::precision::b1>(int m, int n, int k) {
  return m == 8 && n == 8 && k == 128;
}

// The size of a fragment's matrix.
template <class Use, int m, int n, int k> struct __rk_size;
template <int m, int n, int k> struct __rk_size<matrix_a, m, n, k> {
  static constexpr int rows = m, columns = k;
};
template <int m, int n, int k> struct __rk_size<matrix_b, m, n, k> {
  static constexpr int rows = k, columns = n;
};
template <int m, int n, int k> struct __rk_size<accumulator, m, n, k> {
  static constexpr int rows = m, columns = n;
};

template <class T, int count> struct __rk_fragment {
  typedef T element_type;
  typedef typename __rk_element<T>::stored storage_element_type;
  static constexpr int num_elements = count, num_storage_elements = count / __rk_element<T>::packed;
  storage_element_type x[num_storage_elements];
};

/// A part of a matrix; `Layout` is how a factor lies in memory.
template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment : public __rk_fragment<T, __rk_size<Use, m, n, k>::rows * __rk_size<Use, m, n, k>::columns / 32> {
  static_assert(__rk_is_shape<T>(m, n, k), "wmma has no fragment of this shape and type");
  static_assert(__is_same(Layout, row_major) || __is_same(Layout, col_major),
                "a fragment of a factor needs the layout wmma::row_major or wmma::col_major");
};
template <int m, int n, int k, class T>
class fragment<accumulator, m, n, k, T, void>
    : public __rk_fragment<T, __rk_size<accumulator, m, n, k>::rows * __rk_size<accumulator, m, n, k>::columns / 32> {
  static_assert(!__is_same(T, precision::tf32) && sizeof(T) >= 2, "an accumulator is half, float, double or int");
};

template <class Use, int m, int n, int k, class T, class Layout>
__RK_DEVICE void fill_fragment(fragment<Use, m, n, k, T, Layout> &f, const typename __rk_element<T>::stored &value) {
#pragma unroll
  for (int i = 0; i < f.num_storage_elements; i++) f.x[i] = value;
}

/// Rounded to the ten binary places of TF32, halves away from zero, as `cvt.rna.tf32.f32` does.
__RK_DEVICE float __float_to_tf32(float x) {
  unsigned bits = __float_as_uint(x);
  return (bits & 0x7f800000u) == 0x7f800000u ? x : __uint_as_float((bits + 0x1000u) & ~0x1fffu);
}

}
}

#endif
