// The checked mode: races between the threads of a block on its shared memory.
#pragma once
#include "check-bounds.h"
#include "check-lines.h"

RK_SLOW char *__rk_shared_words(char *p, rk::u32 size, rk::u32 kind, rk::u32 site, rk::u64 value);

namespace rk::shared {
RK_PART char *access(char *p, u32 size, u32 kind, u32 site, u64 value) {
  bool plain = !(kind & ATOMIC), writes = kind & WRITE;
  u64 *record = recordOf((u64)p);
  line::spreadShared((u64)p);
  if (size == 8) line::spreadShared((u64)p + 4);
  if (plain && size == 4 && thread::quick(record, writes, site)) return p;
  if (plain && size == 8 && thread::quick(record, writes, site) && thread::quick(record + 1, writes, site)) return p;
  return __rk_shared_words(p, size, kind, site, value);
}

// A shared variable.
RK_FAST char *__rk_shared(char *p, char *base, u64 bytes, u32 size, u32 align, u32 site, u32 kind, u64 value) {
  u64 offset = (u64)p - (u64)base;
  if (__builtin_expect(bytes < size || offset > bytes - size, 0) || __builtin_expect((u64)p & (align - 1), 0))
    return __rk_outside(p, offset, bytes, size, site);
  return access(p, size, kind, site, value);
}

// Dynamic shared memory.
RK_FAST char *__rk_dynamic_shared(char *p, u32 size, u32 align, u32 site, u32 kind, u64 value) {
  return __rk_shared(p, __rk_now.dynamic, __rk_now.dynamicBytes, size, align, site, kind, value);
}

// After all threads of the block have met, and after those of each warp have.
RK_FAST void __rk_after_block_barrier() { __rk_now.blockTime = ++__rk_now.time; }
RK_FAST void __rk_after_warp_barrier() { __rk_now.warpsTime = ++__rk_now.time; }

} // namespace rk::shared
