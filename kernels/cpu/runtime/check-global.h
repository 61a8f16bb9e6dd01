// The checked mode: what was never written, and races between blocks and between the threads of one, on global memory.
//
// The record of a word of global memory, from the highest bit: the launch in which it was accessed (15 bits), whether
// several blocks did (1), the block (23), the place (14), what the access was (3), which bytes it touched (4), which
// bytes were ever written (4). Beside it there is a record of the block's threads, of the same kind as that of shared
// memory. It counts for as long as the launch and the block of the first one are those that run: only their worker
// writes it.
#pragma once
#include "check-bounds.h"
#include "check-lines.h"

RK_APART char *__rk_memory_far(char *p, rk::u32 size, rk::u32 align, rk::u32 site, rk::u32 kind, rk::u64 value);
RK_SLOW char *__rk_memory_words(char *p, rk::u32 size, rk::u32 align, rk::u32 site, rk::u32 kind, rk::u64 value);

namespace rk::global {
constexpr u64 INIT = 15, MASK = 15 << 4, WRITTEN = 1 << 8, ORDERED = 1 << 9, WHO = 0x7ffffful << 25, MANY = 1ul << 48;
constexpr u32 WHO_SHIFT = 25, SITE_SHIFT = 11, UNKNOWN = 0x3fff, TAG_SHIFT = 25;
// One more than what tells blocks of the same launch apart, as it stands above the tag's shift.
constexpr u64 LAUNCH = 1ul << 24;

RK_PART u64 *threadsOf(u64 a) { return (u64 *)(THREAD_RECORDS + ((a >> 2) << 3)); }
RK_PART u64 placed(u32 site) { return (u64)(site < UNKNOWN ? site : UNKNOWN) << SITE_SHIFT; }

// Whether an access of a whole word is one that nothing has to be looked up for.
RK_PART bool quickWord(u64 a, u32 kind, u32 site) {
  if (!(kind & BLOCKS)) return line::isWritten(a);
  line::spreadGlobal(a);
  u64 *record = recordOf(a), *threads = threadsOf(a);
  u64 was = *record, apart = (was ^ __rk_now.tag) >> TAG_SHIFT;
  if ((was & (INIT | MASK)) != (INIT | MASK)) return false;
  if (kind & WRITE) {
    // Another block of the same launch was here.
    if (apart - 1 < LAUNCH - 1) return false;
    if (kind & THREADS) {
      u32 by = __rk_now.fenced ? thread::BY_ATOMIC : 0;
      if (apart >= LAUNCH) *threads = thread::mineOf(site, thread::MASK | thread::WRITTEN | by);
      else if (!thread::quick(threads, true, site, by)) return false;
    }
    *record = __rk_now.tag | placed(site) | WRITTEN | MASK | INIT | (__rk_now.fenced ? ORDERED : 0);
    return true;
  }
  if (apart == 0) return !(kind & THREADS) || thread::quick(threads, false, site);
  if (apart >= LAUNCH) {
    *record = __rk_now.tag | placed(site) | MASK | INIT;
    if (kind & THREADS) *threads = thread::mineOf(site, thread::MASK);
    return true;
  }
  return (was & (MANY | WRITTEN | ORDERED)) == MANY;
}

// Memory of any kind.
RK_FAST char *__rk_memory(char *p, u32 size, u32 align, u32 site, u32 kind, u64 value) {
  u64 a = (u64)p;
  bool plain = (!(kind & (ATOMIC | VOLATILE)) || !(kind & BLOCKS)) && (size == 4 || size == 8) && align == size;
  if (plain && __builtin_expect(a < LIMIT, 1) && __builtin_expect(!(a & (size - 1)), 1) && quickWord(a, kind, site) &&
      (size == 4 || quickWord(a + 4, kind, site)))
    return p;
  return __rk_memory_words(p, size, align, site, kind, value);
}

// The same by a pointer whose allocation the launch knows. What the launch only reads has no races.
RK_FAST char *__rk_memory_in(char *p, u32 size, u32 align, u32 site, u32 kind, u64 value, u64 from, u64 bytes, u64 calm) {
  if (__builtin_expect(isIn((u64)p, size, from, bytes), 1) && __builtin_expect(!((u64)p & (align - 1)), 1)) return p;
  return __rk_memory_far(p, size, align, site, calm ? (kind & ~(BLOCKS | THREADS)) | CALM : kind, value);
}

// A device variable.
RK_FAST char *__rk_variable(char *p, char *base, u64 bytes, u32 size, u32 align, u32 site, u32 kind, u64 value) {
  u64 offset = (u64)p - (u64)base;
  if (__builtin_expect(bytes < size || offset > bytes - size, 0)) return __rk_outside(p, offset, bytes, size, site);
  return __rk_memory(p, size, align, site, kind, value);
}

// Before each block.
RK_FAST void __rk_block(u32 number) {
  __rk_now.block = number;
  __rk_now.left = 0;
  __rk_now.tag = (__rk_now.tag & ~(WHO | MANY)) | (u64)(number & 0x7fffff) << WHO_SHIFT;
  if (__rk_now.anyAtomic) __builtin_memset(__rk_now.atomics, 0, sizeof __rk_now.atomics);
  __rk_now.fenced = __rk_now.acquired = __rk_now.anyAtomic = 0;
  __rk_now.blockTime = ++__rk_now.time;
}

} // namespace rk::global
