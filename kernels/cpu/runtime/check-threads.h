// The checked mode: which thread of a block accessed a word, and after which barrier.
//
// The record, from the highest bit: when, by the worker's count of barriers (32 bits); the place (14), the thread (10),
// what the access was (4), which bytes it touched (4).
#pragma once
#include "check.h"

// Beside it stand the numbers of the records of blocks, which are others.
namespace rk::thread {
constexpr u32 MASK = 15, WRITTEN = 16, MANY = 32, WARPS = 64, BY_ATOMIC = 128, WHO = 1023u << 8;
constexpr u32 WHO_SHIFT = 8, SITE_SHIFT = 18, UNKNOWN = 0x3fff;
constexpr u32 WARP = 31u << 13;

RK_PART u64 mineOf(u32 site, u32 what, u32 who = __rk_now.thread) {
  return (u64)__rk_now.time << 32 | (u64)(site < UNKNOWN ? site : UNKNOWN) << SITE_SHIFT |
         who << WHO_SHIFT | what;
}

// The latest barrier that all threads of this one's warp have behind them.
RK_PART u32 warpSince() {
  u32 since = __rk_now.blockTime, all = __rk_now.warpsTime, own = __rk_now.warpTime[__rk_now.thread >> 5];
  if (all > since) since = all;
  return own > since ? own : since;
}

// The thread that runs has made an access by which threads tell each other something.
RK_PART void noteAtomic() {
  __rk_now.anyAtomic = 1;
  __rk_now.atomics[__rk_now.thread >> 5] |= 1u << (__rk_now.thread & 31);
}

// The record of a word where its own thread is again: the last write stays in mind, and that it was not by an atomic.
RK_PART u64 again(u64 was, u64 mine, bool atomic) {
  u32 flags = was;
  if (!(flags & WRITTEN)) return mine;
  if (!((u32)mine & WRITTEN)) return was;
  return atomic && !(flags & BY_ATOMIC) && !((u32)mine & ~flags & MASK) ? was : mine;
}

// Whether an access of a whole word is one that nothing has to be looked up for.
RK_PART bool quick(u64 *record, bool writes, u32 site, u32 more = 0) {
  u64 was = *record, mine = mineOf(site, MASK | (writes ? WRITTEN : 0) | more);
  u32 apart = (u32)was ^ (u32)mine;
  if ((u32)(was >> 32) < __rk_now.blockTime) {
    *record = mine;
    return true;
  }
  if ((was ^ mine) >> 32 || (was & MASK) != MASK) return false;
  // Mine already: the record says as much as it can.
  if (!(apart & (WHO | MANY))) {
    if (was & BY_ATOMIC) return false;
    if (writes) *record = mine;
    return true;
  }
  return !writes && (was & (MANY | WRITTEN)) == MANY && ((was & WARPS) || !(apart & WARP));
}

// The record where several threads came: the first one stands for all.
RK_PART u64 several(u64 was, u32 bytes, u64 mine) {
  u32 flags = was;
  return (was & 0xffffffff & ~(u64)MASK) | (u64)__rk_now.time << 32 | ((flags & MASK) & bytes) | MANY |
         (((flags ^ (u32)mine) & WARP) ? WARPS : 0);
}
} // namespace rk::thread
