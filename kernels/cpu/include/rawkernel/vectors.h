// CUDA's vector types (char1 … double4) and make_*. Vectors of two and four elements are aligned to their size, at
// most 16 bytes; the others to their element.
#ifndef RAWKERNEL_VECTORS_H
#define RAWKERNEL_VECTORS_H

#include "index.h"

#define __RK_ALIGN(bytes) __attribute__((aligned((bytes) > 16 ? 16 : (bytes))))
#define __RK_VECTOR124(T, name)                                                                                        \
  struct name##1 { T x; };                                                                                             \
  struct __RK_ALIGN(2 * sizeof(T)) name##2 { T x, y; };                                                                \
  struct __RK_ALIGN(4 * sizeof(T)) name##4 { T x, y, z, w; };                                                          \
  __RK_BOTH constexpr name##1 make_##name##1(T x) { return {x}; }                                                      \
  __RK_BOTH constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }                                              \
  __RK_BOTH constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
#define __RK_MAKE3(T, name) __RK_BOTH constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }
#define __RK_VECTOR(T, name)                                                                                           \
  __RK_VECTOR124(T, name)                                                                                              \
  struct name##3 { T x, y, z; };                                                                                       \
  __RK_MAKE3(T, name)

__RK_VECTOR(signed char, char)
__RK_VECTOR(unsigned char, uchar)
__RK_VECTOR(short, short)
__RK_VECTOR(unsigned short, ushort)
__RK_VECTOR(int, int)
__RK_VECTOR124(unsigned, uint)
__RK_MAKE3(unsigned, uint)
__RK_VECTOR(long, long)
__RK_VECTOR(unsigned long, ulong)
__RK_VECTOR(long long, longlong)
__RK_VECTOR(unsigned long long, ulonglong)
__RK_VECTOR(float, float)
__RK_VECTOR(double, double)

#undef __RK_VECTOR
#undef __RK_VECTOR124
#undef __RK_MAKE3
#undef __RK_ALIGN

#endif
