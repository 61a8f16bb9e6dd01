// Memory: copies and fills, the device heap, new and delete, cached loads and stores, address spaces.
#ifndef RAWKERNEL_MEMORY_H
#define RAWKERNEL_MEMORY_H

#include "qualifiers.h"

extern "C" {
__device__ void *malloc(size_t bytes) __RK_IMPORT(malloc);
__device__ void free(void *memory) __RK_IMPORT(free);
}

__RK_BOTH void *memcpy(void *to, const void *from, size_t bytes) { return __builtin_memcpy(to, from, bytes); }
__RK_BOTH void *memmove(void *to, const void *from, size_t bytes) { return __builtin_memmove(to, from, bytes); }
__RK_BOTH void *memset(void *to, int byte, size_t bytes) { return __builtin_memset(to, byte, bytes); }

template <class T> __RK_DEVICE T __ldg(const T *from) { return *from; }

__RK_DEVICE void __trap() { __builtin_trap(); }

#endif
