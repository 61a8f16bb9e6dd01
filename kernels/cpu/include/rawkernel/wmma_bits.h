// nvcuda::wmma::experimental: products of matrices of 4-bit integers and of single bits, eight or 32 in a word.
#ifndef RAWKERNEL_WMMA_BITS_H
#define RAWKERNEL_WMMA_BITS_H

#include "wmma_multiply.h"

namespace nvcuda {
namespace wmma {

// The sum of the products of the nibbles of two words, `shift` by the element's sign.
template <bool is_signed> __RK_DEVICE int __rk_nibbles(int a, int b) {
  int sum = 0;
#pragma unroll
  for (int i = 0; i < 8; i++) {
    int x = is_signed ? a << (28 - 4 * i) >> 28 : a >> 4 * i & 15;
    int y = is_signed ? b << (28 - 4 * i) >> 28 : b >> 4 * i & 15;
    sum += x * y;
  }
  return sum;
}

// Both factors lie in lines of four words: rows of the left one, columns of the right one. Each lane computes two
// elements, side by side in a row.
template <class D, class A, class B, class C, class Combine>
__RK_DEVICE void __rk_multiply_packed(D &d, const A &a, const B &b, const C &c, bool satf, Combine combine) {
  int *left = __rk_tiles<int>(), *right = left + 32;
  unsigned lane = __rk_lane();
  left[lane] = a.x[0];
  right[lane] = b.x[0];
  __syncwarp();
  unsigned row = lane / 4, column = lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < 2; i++) {
    int sum = 0;
#pragma unroll
    for (int word = 0; word < 4; word++) sum += combine(left[row * 4 + word], right[(column + i) * 4 + word]);
    d.x[i] = satf ? __rk_saturated((long long)sum + c.x[i]) : (int)((unsigned)sum + (unsigned)c.x[i]);
  }
  __syncwarp();
}

#define __RK_NIBBLES(T, is_signed)                                                                                     \
  __RK_DEVICE void mma_sync(fragment<accumulator, 8, 8, 32, int> &d,                                                   \
                            const fragment<matrix_a, 8, 8, 32, experimental::precision::T, row_major> &a,              \
                            const fragment<matrix_b, 8, 8, 32, experimental::precision::T, col_major> &b,              \
                            const fragment<accumulator, 8, 8, 32, int> &c, bool satf = false) {                        \
    __rk_multiply_packed(d, a, b, c, satf, [](int x, int y) { return __rk_nibbles<is_signed>(x, y); });                \
  }
__RK_NIBBLES(s4, true)
__RK_NIBBLES(u4, false)
#undef __RK_NIBBLES

__RK_DEVICE void bmma_sync(fragment<accumulator, 8, 8, 128, int> &d,
                           const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
                           const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
                           const fragment<accumulator, 8, 8, 128, int> &c,
                           experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                           experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  __rk_multiply_packed(d, a, b, c, false, [&](int x, int y) {
    return __builtin_popcount(op == experimental::bmmaBitOpAND ? x & y : x ^ y);
  });
}
// In CUDA, part of the namespace experimental, too.
namespace experimental {
using wmma::bmma_sync;
}

}
}

#endif
