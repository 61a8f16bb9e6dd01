// Where a thread is: threadIdx, blockIdx, blockDim, gridDim, warpSize, and the types dim3 and uint3.
#ifndef RAWKERNEL_INDEX_H
#define RAWKERNEL_INDEX_H

#include "qualifiers.h"

struct uint3 {
  unsigned x, y, z;
};

struct dim3 {
  unsigned x, y, z;
  __RK_MEMBER constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  __RK_MEMBER constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __RK_MEMBER constexpr operator uint3() const { return uint3{x, y, z}; }
};

// The splitter replaces these calls: lin is the linear index of the thread in its block.
extern "C" {
#define __RK_ID(name) __device__ __attribute__((const, nothrow)) unsigned __rt_id_##name();
__RK_ID(tx) __RK_ID(ty) __RK_ID(tz)
__RK_ID(bx) __RK_ID(by) __RK_ID(bz)
__RK_ID(dx) __RK_ID(dy) __RK_ID(dz)
__RK_ID(gx) __RK_ID(gy) __RK_ID(gz)
__RK_ID(lin)
#undef __RK_ID
}

// Properties, not objects: an `extern const` object would let LLVM take its fields as the same for every thread.
#define __RK_AXIS(axis, id)                                                                                            \
  __declspec(property(get = __get_##axis)) unsigned axis;                                                              \
  static inline __attribute__((device, always_inline)) unsigned __get_##axis() { return __rt_id_##id(); }
#define __RK_INDEX(name, letter)                                                                                       \
  struct __rk_##name {                                                                                                 \
    __RK_AXIS(x, letter##x)                                                                                            \
    __RK_AXIS(y, letter##y)                                                                                            \
    __RK_AXIS(z, letter##z)                                                                                            \
    __device__ __attribute__((always_inline)) operator dim3() const { return dim3(x, y, z); }                          \
    __device__ __attribute__((always_inline)) operator uint3() const { return uint3{x, y, z}; }                        \
  };                                                                                                                   \
  extern __device__ const __rk_##name name;
__RK_INDEX(threadIdx, t)
__RK_INDEX(blockIdx, b)
__RK_INDEX(blockDim, d)
__RK_INDEX(gridDim, g)
#undef __RK_AXIS
#undef __RK_INDEX

constexpr int warpSize = 32;

#endif
