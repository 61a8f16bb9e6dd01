// nvcuda::wmma: products. The lanes show each other their parts of the factors in memory of the warp; each computes its
// elements of the result. Products of 16-bit and TF32 factors are exact in float; they are added one by one, each sum
// rounded to nearest. A result in half is rounded once. (Tensor cores keep more or fewer bits of the partial sums.)
#ifndef RAWKERNEL_WMMA_MULTIPLY_H
#define RAWKERNEL_WMMA_MULTIPLY_H

#include "wmma_fragment.h"

extern "C" {
// Thread-local to the worker: 2560 bytes for each warp.
extern __device__ unsigned long long __rt_tiles[32 * 320];
}

namespace nvcuda {
namespace wmma {

template <class T> __RK_DEVICE typename __rk_element<T>::wide __rk_widened(typename __rk_element<T>::stored x) {
  return (typename __rk_element<T>::wide)x;
}
// Tensor cores do not look at the lower bits.
template <> __device__ inline __attribute__((always_inline)) float __rk_widened<precision::tf32>(float x) {
  return __uint_as_float(__float_as_uint(x) & ~0x1fffu);
}

template <class T> __RK_DEVICE T *__rk_tiles() { return (T *)(__rt_tiles + (__rt_id_lin() / 32) * 320); }

// Shows all lanes the factors, as rows of numbers to compute with: the left one, behind it the right one.
template <int m, int n, int k, class T, class A, class B> __RK_DEVICE void __rk_show(const A &a, const B &b) {
  constexpr int mine = m * k / 32, others = k * n / 32;
  typedef typename __rk_element<T>::wide Wide;
  Wide *left = __rk_tiles<Wide>() + __rk_lane() * mine, *right = __rk_tiles<Wide>() + m * k + __rk_lane() * others;
#pragma unroll
  for (int i = 0; i < mine; i++) left[i] = __rk_widened<T>(a.x[i]);
#pragma unroll
  for (int i = 0; i < others; i++) right[i] = __rk_widened<T>(b.x[i]);
  __syncwarp();
}

// Sums wrap around where integers overflow, as in the instructions without .satfinite.
__RK_DEVICE int __rk_multiply_add(int a, int b, int c) { return (int)((unsigned)a * (unsigned)b + (unsigned)c); }
__RK_DEVICE float __rk_multiply_add(float a, float b, float c) { return a * b + c; }
__RK_DEVICE double __rk_multiply_add(double a, double b, double c) { return a * b + c; }
// What one matrix adds is far within 64 bits.
__RK_DEVICE int __rk_saturated(long long x) {
  return (int)(x > 2147483647 ? 2147483647 : x < -2147483647 - 1 ? -2147483647 - 1 : x);
}

template <int m, int n, int k, class D, class T, class LayoutA, class LayoutB, class C>
__RK_DEVICE void mma_sync(fragment<accumulator, m, n, k, D> &d, const fragment<matrix_a, m, n, k, T, LayoutA> &a,
                          const fragment<matrix_b, m, n, k, T, LayoutB> &b, const fragment<accumulator, m, n, k, C> &c,
                          bool satf = false) {
  static_assert(__rk_element<T>::packed == 1, "factors of 4 bits need the other mma_sync, of 1 bit bmma_sync");
  typedef typename __rk_element<T>::wide Wide;
  static_assert(__is_same(typename __rk_element<C>::wide, Wide) && __is_same(typename __rk_element<D>::wide, Wide),
                "the accumulators do not fit the type of the factors");
  constexpr int count = m * n / 32;
  __rk_show<m, n, k, T>(a, b);
  unsigned first = __rk_lane() * count;
  const Wide *left = __rk_tiles<Wide>() + first / n * k, *right = __rk_tiles<Wide>() + m * k + first % n;
  Wide sums[count];
#pragma unroll
  for (int i = 0; i < count; i++) sums[i] = __is_same(Wide, int) && satf ? (Wide)0 : (Wide)c.x[i];
  for (int p = 0; p < k; p++) {
#pragma unroll
    for (int i = 0; i < count; i++) sums[i] = __rk_multiply_add(left[p], right[p * n + i], sums[i]);
  }
#pragma unroll
  for (int i = 0; i < count; i++) {
    if (__is_same(Wide, int) && satf) d.x[i] = (D)__rk_saturated((long long)sums[i] + (long long)(Wide)c.x[i]);
    else d.x[i] = (D)sums[i];
  }
  __syncwarp();
}

}
}

#endif
