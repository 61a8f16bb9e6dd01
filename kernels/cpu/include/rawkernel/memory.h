// Memory: copies and fills, the device heap with new and delete, cached loads and stores, address spaces.
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

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winline-new-delete"
namespace std {
enum class align_val_t : size_t {};
struct nothrow_t {
  explicit nothrow_t() = default;
};
constexpr nothrow_t nothrow{};
}

// The heap aligns to 16 bytes. A larger alignment asks for room to move up; the heap's pointer stays before the object.
__RK_DEVICE void *__rk_aligned_new(size_t bytes, size_t alignment) {
  char *memory = (char *)malloc(bytes + alignment);
  if (!memory) return nullptr;
  char *object = (char *)(((size_t)memory / alignment + 1) * alignment);
  ((void **)object)[-1] = memory;
  return object;
}
__RK_DEVICE void __rk_aligned_delete(void *object) {
  if (object) free(((void **)object)[-1]);
}

#define __RK_NEW(suffix)                                                                                               \
  inline __device__ void *operator new suffix(size_t bytes) { return malloc(bytes); }                                  \
  inline __device__ void *operator new suffix(size_t bytes, const std::nothrow_t &) noexcept { return malloc(bytes); } \
  inline __device__ void *operator new suffix(size_t bytes, std::align_val_t alignment) {                              \
    return __rk_aligned_new(bytes, (size_t)alignment);                                                                 \
  }                                                                                                                    \
  __RK_MEMBER inline void *operator new suffix(size_t, void *place) noexcept { return place; }                         \
  inline __device__ void operator delete suffix(void *object) noexcept { free(object); }                               \
  inline __device__ void operator delete suffix(void *object, size_t) noexcept { free(object); }                       \
  inline __device__ void operator delete suffix(void *object, std::align_val_t) noexcept {                             \
    __rk_aligned_delete(object);                                                                                       \
  }                                                                                                                    \
  inline __device__ void operator delete suffix(void *object, size_t, std::align_val_t) noexcept {                     \
    __rk_aligned_delete(object);                                                                                       \
  }                                                                                                                    \
  __RK_MEMBER inline void operator delete suffix(void *, void *) noexcept {}
#define __RK_BRACKETS []
__RK_NEW()
__RK_NEW(__RK_BRACKETS)
#undef __RK_NEW
#undef __RK_BRACKETS
#pragma clang diagnostic pop

// There is one kind of cache here, so each hint is a plain access.
#define __RK_LOAD(name)                                                                                                \
  template <class T> __RK_DEVICE T name(const T *from) { return *from; }
#define __RK_STORE(name)                                                                                               \
  template <class T> __RK_DEVICE void name(T *to, T value) { *to = value; }
__RK_LOAD(__ldg)
__RK_LOAD(__ldca)
__RK_LOAD(__ldcg)
__RK_LOAD(__ldcs)
__RK_LOAD(__ldlu)
template <class T> __RK_DEVICE T __ldcv(const T *from) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return *from;
}
__RK_STORE(__stwb)
__RK_STORE(__stcg)
__RK_STORE(__stcs)
__RK_STORE(__stwt)
#undef __RK_LOAD
#undef __RK_STORE

// One address space: an address of any kind is the pointer itself.
#define __RK_SPACE(space)                                                                                              \
  __RK_DEVICE size_t __cvta_generic_to_##space(const void *pointer) { return (size_t)pointer; }                        \
  __RK_DEVICE void *__cvta_##space##_to_generic(size_t address) { return (void *)address; }
__RK_SPACE(global)
__RK_SPACE(shared)
__RK_SPACE(constant)
__RK_SPACE(local)
__RK_SPACE(grid_constant)
#undef __RK_SPACE

__RK_DEVICE void __nv_assume(bool condition) { __builtin_assume(condition); }

#endif
