// The checked mode: accesses to shared memory that have to be looked up word by word.
#include "check-shared.h"

using namespace rk;
using namespace rk::thread;
using namespace rk::shared;

namespace {
// Whether memory has this value already: then the order of the writes does not matter.
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
  // What one thread has changed by an atomic and then reads is both: others must neither read nor change it.
  bool both = same && !writes && (flags & BY_ATOMIC) && !(bytes & ~flags);
  if (same) return *record = both ? mine | WRITTEN | (flags & MASK) : again(was, mine, kind & ATOMIC), false;
  if (!(flags & bytes)) return *record = mine, false;
  if (raceWith(was, kind, start, size, value)) {
    *record = mine;
    return true;
  }
  if (!writes && (flags & WRITTEN)) return false;
  // Several threads: the first one stands for all.
  bool atomics = (flags & BY_ATOMIC) && (kind & ATOMIC);
  if (writes && !atomics) return *record = mine, false;
  *record = several(was, bytes, mine);
  return false;
}
} // namespace

// Shared memory is the worker's own.
RK_SLOW void __rk_spread_shared(u64 of) {
  u64 *words = (u64 *)(RECORDS + of * line::WORDS), first = line::record(of) | MASK;
  u32 shift = line::record(of) & MASK;
  for (u32 i = 0; i < line::WORDS; i++) words[i] = first + ((u64)(i >> shift) << WHO_SHIFT);
  line::record(of) = 0;
}

// All words of an access that lies in shared memory.
RK_SLOW char *__rk_shared_words(char *p, u32 size, u32 kind, u32 site, u64 value) {
  u64 a = (u64)p, was = 0;
  bool race = false;
  for (u64 at = a & ~3ul; at < a + size; at += 4) {
    u32 bytes = 15;
    if (at < a) bytes &= 15u << (a - at);
    if (a + size < at + 4) bytes &= 15u >> (at + 4 - a - size);
    line::spreadShared(at);
    u64 before = *recordOf(at);
    if (word(at, recordOf(at), bytes, kind, site, size, value, a) && !race) race = true, was = before;
  }
  if (kind & ATOMIC) noteAtomic();
  if (race) {
    u32 other = (u32)was >> SITE_SHIFT;
    found(SHARED_RACE, a, site, other == UNKNOWN ? 0 : other + 1, (was >> WHO_SHIFT) & 1023);
  }
  return p;
}
