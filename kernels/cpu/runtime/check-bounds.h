// The checked mode: whether memory is there.
#pragma once
#include "check.h"

RK_SLOW char *__rk_bad(char *p, rk::u32 size, rk::u32 align, rk::u32 site);
RK_APART char *__rk_bounds_far(char *p, rk::u32 size, rk::u32 align, rk::u32 site);
RK_SLOW char *__rk_outside(char *p, rk::u64 offset, rk::u64 bytes, rk::u32 size, rk::u32 site);
RK_SLOW rk::u64 __rk_range(char *p, rk::u64 bytes, rk::u32 align, rk::u32 site);
RK_SLOW void __rk_unset_found(rk::u32 site);

namespace rk {
// Memory of any kind.
RK_FAST char *__rk_bounds(char *p, u32 size, u32 align, u32 site) {
  u64 a = (u64)p;
  bool inOne = align >= size && size <= 16;
  if (inOne && __builtin_expect(a < LIMIT, 1) && __builtin_expect(!(a & (align - 1)), 1) &&
      __builtin_expect((int)((a & 15) + size) <= shadow(a), 1))
    return p;
  return __rk_bad(p, size, align, site);
}

// The same by a pointer whose allocation the launch knows.
RK_FAST char *__rk_bounds_in(char *p, u32 size, u32 align, u32 site, u64 from, u64 bytes, u64 calm) {
  if (__builtin_expect(isIn((u64)p, size, from, bytes), 1) && __builtin_expect(!((u64)p & (align - 1)), 1)) return p;
  return __rk_bounds_far(p, size, align, site);
}

// A variable or a private array, whose size is known.
RK_FAST char *__rk_inside(char *p, char *base, u64 bytes, u32 size, u32 align, u32 site) {
  u64 offset = (u64)p - (u64)base;
  bool in = bytes >= size && offset <= bytes - size;
  if (__builtin_expect(in, 1) && __builtin_expect(!((u64)p & (align - 1)), 1)) return p;
  return __rk_outside(p, offset, bytes, size, site);
}

// Dynamic shared memory.
RK_FAST char *__rk_dynamic(char *p, u32 size, u32 align, u32 site) {
  return __rk_inside(p, __rk_now.dynamic, __rk_now.dynamicBytes, size, align, site);
}

// Whether a value comes of a variable that was given none.
RK_FAST void __rk_unset(bool unset, u32 site) {
  if (__builtin_expect(unset, 0)) __rk_unset_found(site);
}

// Before each block.
RK_FAST void __rk_block_bounds(u32 block) {
  __rk_now.block = block;
  __rk_now.left = 0;
}

} // namespace rk
