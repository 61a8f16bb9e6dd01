// The checked mode: races between the threads of a block on its shared memory.
//
// The record of a word of shared memory, from the highest bit: when it was accessed, by the worker's count of barriers
// (32 bits); the place (14), the thread (10), what the access was (4), which bytes it touched (4).
#include "check.h"

using namespace rk;

namespace {
constexpr u32 MASK = 15, WRITTEN = 16, MANY = 32, WARPS = 64, BY_ATOMIC = 128, WHO = 1023u << 8;
constexpr u32 WHO_SHIFT = 8, SITE_SHIFT = 18, UNKNOWN = 0x3fff;
constexpr u32 WARP = 31u << 13;

RK_PART u64 *recordOf(u64 a) { return (u64 *)(RECORDS + ((a >> 2) << 3)); }
RK_PART u64 mineOf(u32 site, u32 what) {
  return (u64)__rk_now.time << 32 | (u64)(site < UNKNOWN ? site : UNKNOWN) << SITE_SHIFT |
         __rk_now.thread << WHO_SHIFT | what;
}

// The latest barrier that all threads of this one's warp have behind them.
RK_PART u32 warpSince() {
  u32 since = __rk_now.blockTime, all = __rk_now.warpsTime, own = __rk_now.warpTime[__rk_now.thread >> 5];
  if (all > since) since = all;
  return own > since ? own : since;
}

// Whether memory has this value already: then it does not matter who writes it last.
bool holds(u64 a, u32 size, u64 value) {
  switch (size) {
  case 1: return *(unsigned char *)a == (unsigned char)value;
  case 2: return *(unsigned short *)a == (unsigned short)value;
  case 4: return *(u32 *)a == (u32)value;
  case 8: return *(u64 *)a == value;
  }
  return false;
}

bool raceWith(u64 was, u32 kind, u64 a, u32 size, u64 value) {
  if (!(kind & (WRITE | ATOMIC)) && !(was & WRITTEN)) return false;
  if ((kind & ATOMIC) && (was & BY_ATOMIC)) return false;
  return !((kind & VALUE) && (was & WRITTEN) && holds(a, size, value));
}

// One word: its bytes in `bytes`. True for a race.
bool word(u64 a, u64 *record, u32 bytes, u32 kind, u32 site, u32 size, u64 value, u64 start) {
  u64 was = *record;
  u32 who = __rk_now.thread, time = was >> 32, flags = was;
  bool writes = kind & (WRITE | ATOMIC);
  u64 mine = mineOf(site, bytes | (writes ? WRITTEN : 0) | (kind & ATOMIC ? BY_ATOMIC : 0));
  bool warp = !((flags ^ mine) & WARP) && !(flags & WARPS);
  if (time < __rk_now.blockTime || (warp && time < warpSince())) return *record = mine, false;
  bool same = !((flags ^ mine) & WHO) && !(flags & MANY);
  if (same) {
    // What was written stays in mind when it is read.
    if (writes || !(flags & WRITTEN)) *record = mine;
    return false;
  }
  if (!(flags & bytes)) return *record = mine, false;
  if (raceWith(was, kind, start, size, value)) {
    *record = mine;
    return true;
  }
  if (!writes && (flags & WRITTEN)) return false;
  // Several threads: the first one stands for all.
  bool atomics = (flags & BY_ATOMIC) && (kind & ATOMIC);
  if (writes && !atomics) return *record = mine, false;
  *record = (was & 0xffffffff & ~(u64)MASK) | (u64)__rk_now.time << 32 | ((flags & MASK) & bytes) | MANY |
            (((flags ^ mine) & WARP) ? WARPS : 0);
  return false;
}
} // namespace

// All words of an access that lies in shared memory.
RK_SLOW char *__rk_shared_words(char *p, u32 size, u32 kind, u32 site, u64 value) {
  u64 a = (u64)p, was = 0;
  bool race = false;
  for (u64 at = a & ~3ul; at < a + size; at += 4) {
    u32 bytes = 15;
    if (at < a) bytes &= 15u << (a - at);
    if (a + size < at + 4) bytes &= 15u >> (at + 4 - a - size);
    u64 before = *recordOf(at);
    if (word(at, recordOf(at), bytes, kind, site, size, value, a) && !race) race = true, was = before;
  }
  if (race) {
    u32 other = (u32)was >> SITE_SHIFT;
    found(SHARED_RACE, a, site, other == UNKNOWN ? 0 : other + 1, (was >> WHO_SHIFT) & 1023);
  }
  return p;
}

namespace {
// Whether an access of a whole word is one that nothing has to be looked up for.
RK_PART bool quick(u64 a, u32 kind, u32 site) {
  u64 *record = recordOf(a);
  u64 was = *record, mine = mineOf(site, MASK | (kind & WRITE ? WRITTEN : 0));
  u32 apart = (u32)was ^ (u32)mine;
  if ((u32)(was >> 32) < __rk_now.blockTime) {
    *record = mine;
    return true;
  }
  if ((was ^ mine) >> 32 || (was & MASK) != MASK) return false;
  // Mine already: the record says as much as it can.
  if (!(apart & (WHO | MANY))) {
    if (kind & WRITE) *record = mine;
    return true;
  }
  return !(kind & WRITE) && (was & (MANY | WRITTEN)) == MANY && ((was & WARPS) || !(apart & WARP));
}

RK_PART char *access(char *p, u32 size, u32 kind, u32 site, u64 value) {
  bool plain = !(kind & ATOMIC);
  if (plain && size == 4 && quick((u64)p, kind, site)) return p;
  if (plain && size == 8 && quick((u64)p, kind, site) && quick((u64)p + 4, kind, site)) return p;
  return __rk_shared_words(p, size, kind, site, value);
}
} // namespace

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
