// Atomic operations (PTX ISA, atom and red).
#pragma once
#include "half.h"

#define FETCH(name, ptx, T, call)                                                                                      \
  PTX T __ptx_atom_##name##_##ptx(T *p, T v) { return call; }
#define RELAXED(name, ptx, T, function) FETCH(name, ptx, T, __atomic_##function(p, v, __ATOMIC_RELAXED))
#define ORDERED(T)                                                                                                     \
  RELAXED(add, T, T, fetch_add)                                                                                        \
  RELAXED(min, T, T, fetch_min)                                                                                        \
  RELAXED(max, T, T, fetch_max)
ORDERED(u32) ORDERED(s32) ORDERED(u64) ORDERED(s64)
RELAXED(add, f32, f32, fetch_add)
RELAXED(add, f64, f64, fetch_add)
#define BITWISE(ptx, T)                                                                                                \
  RELAXED(and, ptx, T, fetch_and)                                                                                      \
  RELAXED(or, ptx, T, fetch_or)                                                                                        \
  RELAXED(xor, ptx, T, fetch_xor)                                                                                      \
  RELAXED(exch, ptx, T, exchange_n)                                                                                    \
  COMPARED(ptx, T)
#define COMPARED(ptx, T)                                                                                               \
  PTX T __ptx_atom_cas_##ptx(T *p, T old, T v) {                                                                       \
    __atomic_compare_exchange_n(p, &old, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                                \
    return old;                                                                                                        \
  }
BITWISE(b32, u32)
BITWISE(b64, u64)
COMPARED(b16, u16)
FETCH(inc, u32, u32, atomicInc(p, v))
FETCH(dec, u32, u32, atomicDec(p, v))

#define HALVES(ptx, T)                                                                                                 \
  PTX T __ptx_atom_add_##ptx(T *p, T v) {                                                                              \
    T old = __atomic_load_n(p, __ATOMIC_RELAXED);                                                                      \
    while (!__atomic_compare_exchange_n(p, &old, __ptx_add_##ptx(old, v), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) { \
    }                                                                                                                  \
    return old;                                                                                                        \
  }
HALVES(f16, u16)
HALVES(bf16, u16)
HALVES(f16x2, u32)
HALVES(bf16x2, u32)
#undef FETCH
#undef RELAXED
#undef ORDERED
#undef BITWISE
#undef COMPARED
#undef HALVES
