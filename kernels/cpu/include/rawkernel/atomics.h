// Atomic functions. One machine, one memory: the scopes _block and _system do the same as the plain ones.
#ifndef RAWKERNEL_ATOMICS_H
#define RAWKERNEL_ATOMICS_H

#include "vectors.h"

#define __RK_FETCH(scope, T, Name, operation)                                                                          \
  __RK_DEVICE T atomic##Name##scope(T *p, T v) { return __atomic_##operation(p, v, __ATOMIC_RELAXED); }
#define __RK_BITWISE(scope, T)                                                                                         \
  __RK_FETCH(scope, T, Min, fetch_min)                                                                                 \
  __RK_FETCH(scope, T, Max, fetch_max)                                                                                 \
  __RK_FETCH(scope, T, And, fetch_and)                                                                                 \
  __RK_FETCH(scope, T, Or, fetch_or)                                                                                   \
  __RK_FETCH(scope, T, Xor, fetch_xor)
#define __RK_INTEGER(scope, T)                                                                                         \
  __RK_BITWISE(scope, T)                                                                                               \
  __RK_FETCH(scope, T, Add, fetch_add)                                                                                 \
  __RK_FETCH(scope, T, Exch, exchange_n)                                                                               \
  __RK_CAS(scope, T)
#define __RK_CAS(scope, T)                                                                                             \
  __RK_DEVICE T atomicCAS##scope(T *p, T old, T v) {                                                                   \
    __atomic_compare_exchange_n(p, &old, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                                \
    return old;                                                                                                        \
  }
#define __RK_FLOAT_EXCHANGE(scope)                                                                                     \
  __RK_DEVICE float atomicExch##scope(float *p, float v) {                                                             \
    float old;                                                                                                         \
    __atomic_exchange(p, &v, &old, __ATOMIC_RELAXED);                                                                  \
    return old;                                                                                                        \
  }
#define __RK_WRAPPING(scope, Name, next)                                                                               \
  __RK_DEVICE unsigned atomic##Name##scope(unsigned *p, unsigned limit) {                                              \
    unsigned old = __atomic_load_n(p, __ATOMIC_RELAXED);                                                               \
    while (!__atomic_compare_exchange_n(p, &old, (next), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {                 \
    }                                                                                                                  \
    return old;                                                                                                        \
  }
// The types that CUDA has for each operation, so that what compiles here compiles there.
#define __RK_SCOPE(scope)                                                                                              \
  __RK_INTEGER(scope, int)                                                                                             \
  __RK_INTEGER(scope, unsigned)                                                                                        \
  __RK_INTEGER(scope, unsigned long long)                                                                              \
  __RK_BITWISE(scope, long long)                                                                                       \
  __RK_FETCH(scope, int, Sub, fetch_sub)                                                                               \
  __RK_FETCH(scope, unsigned, Sub, fetch_sub)                                                                          \
  __RK_CAS(scope, unsigned short)                                                                                      \
  __RK_FETCH(scope, float, Add, fetch_add)                                                                             \
  __RK_FETCH(scope, double, Add, fetch_add)                                                                            \
  __RK_FLOAT_EXCHANGE(scope)                                                                                           \
  __RK_WRAPPING(scope, Inc, old >= limit ? 0 : old + 1)                                                                \
  __RK_WRAPPING(scope, Dec, old == 0 || old > limit ? limit : old - 1)

__RK_SCOPE()
__RK_SCOPE(_block)
__RK_SCOPE(_system)

#undef __RK_FETCH
#undef __RK_BITWISE
#undef __RK_INTEGER
#undef __RK_CAS
#undef __RK_FLOAT_EXCHANGE
#undef __RK_WRAPPING
#undef __RK_SCOPE

// Vectors of float: each element by itself.
__RK_DEVICE float2 atomicAdd(float2 *p, float2 v) { return {atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)}; }
__RK_DEVICE float4 atomicAdd(float4 *p, float4 v) {
  return {atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y), atomicAdd(&p->z, v.z), atomicAdd(&p->w, v.w)};
}

#endif
