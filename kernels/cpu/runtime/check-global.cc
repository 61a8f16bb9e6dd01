// The checked mode: what was never written, and races between blocks, on global memory.
//
// The record of a word of global memory, from the highest bit: the launch in which it was accessed (15 bits), whether
// several blocks did (1), the block (23), the place (14), what the access was (3), which bytes it touched (4), which
// bytes were ever written (4).
#include "check.h"

using namespace rk;

namespace {
constexpr u64 INIT = 15, MASK = 15 << 4, WRITTEN = 1 << 8, ORDERED = 1 << 9, WHO = 0x7ffffful << 25, MANY = 1ul << 48;
constexpr u32 WHO_SHIFT = 25, SITE_SHIFT = 11, UNKNOWN = 0x3fff, TAG_SHIFT = 25;
// One more than what tells blocks of the same launch apart, as it stands above the tag's shift.
constexpr u64 LAUNCH = 1ul << 24;

RK_PART u64 *recordOf(u64 a) { return (u64 *)(RECORDS + ((a >> 2) << 3)); }
RK_PART u64 placed(u32 site) { return (u64)(site < UNKNOWN ? site : UNKNOWN) << SITE_SHIFT; }

bool holds(u64 a, u32 size, u64 value) {
  switch (size) {
  case 1: return *(unsigned char *)a == (unsigned char)value;
  case 2: return *(unsigned short *)a == (unsigned short)value;
  case 4: return *(u32 *)a == (u32)value;
  case 8: return *(u64 *)a == value;
  }
  return false;
}

// Atomic and volatile accesses, and writes after a fence, are how blocks tell each other something.
RK_PART bool ordering(u32 kind) {
  return (kind & (ATOMIC | VOLATILE)) || ((kind & WRITE) && __rk_now.fenced);
}

// One word: its bytes in `bytes`. True for a race.
bool word(u64 *record, u32 bytes, u32 kind, u32 site, bool same) {
  u64 was = *record;
  bool writes = kind & WRITE, ordered = ordering(kind);
  u64 init = (was & INIT) | (writes ? bytes : 0);
  u64 mine = __rk_now.tag | placed(site) | (writes ? WRITTEN : 0) | (ordered ? ORDERED : 0) | bytes << 4 | init;
  u64 apart = (was ^ __rk_now.tag) >> TAG_SHIFT;
  if (apart >= LAUNCH) return *record = mine, false;
  if (apart == 0) {
    // The block's own: what was written stays in mind when it is read.
    if (writes) *record = mine;
    else if (was & WRITTEN) *record = was;
    else *record = mine | (was & MASK);
    return false;
  }
  if (!(was & bytes << 4)) return *record = mine, false;
  bool conflict = (writes || (was & WRITTEN)) && !(ordered && (was & ORDERED));
  bool excused = __rk_now.excused || (__rk_now.fenced && __rk_now.acquired) || (same && (was & WRITTEN));
  if (conflict && !excused) return *record = mine, true;
  if (writes) *record = mine;
  else if (was & WRITTEN) *record = was | init;
  else if ((was & MASK) == (u64)bytes << 4) *record = (was | MANY | init) & (ordered ? ~0ul : ~ORDERED);
  else *record = mine;
  return false;
}
} // namespace

// An access that the fast test did not let pass.
RK_SLOW char *__rk_memory_words(char *p, u32 size, u32 align, u32 site, u32 kind, u64 value) {
  char *use = __rk_bad(p, size, align, site);
  if (use != p) return use;
  u64 a = (u64)p;
  int place = shadow(a);
  if (place == PRIVATE) return p;
  if (place > PRIVATE) return __rk_shared_words(p, size, kind, site, value);
  u64 was = 0;
  bool race = false, known = false, same = (kind & VALUE) && holds(a, size, value);
  for (u64 at = a & ~3ul; at < a + size; at += 4) {
    u32 bytes = 15;
    if (at < a) bytes &= 15u << (a - at);
    if (a + size < at + 4) bytes &= 15u >> (at + 4 - a - size);
    u64 before = *recordOf(at);
    known |= (before & bytes) != 0;
    if (word(recordOf(at), bytes, kind, site, same) && !race) race = true, was = before;
  }
  if (kind & (ATOMIC | VOLATILE)) __rk_now.acquired = 1;
  if ((kind & SCALAR) && !known) found(UNINITIALIZED, a, site);
  if (race) {
    u32 other = (was >> SITE_SHIFT) & UNKNOWN;
    found(GLOBAL_RACE, a, site, other == UNKNOWN ? 0 : other + 1, (was & WHO) >> WHO_SHIFT);
  }
  return p;
}

namespace {
// Whether an access of a whole word is one that nothing has to be looked up for.
RK_PART bool quick(u64 a, u32 kind, u32 site) {
  u64 *record = recordOf(a);
  u64 was = *record, apart = (was ^ __rk_now.tag) >> TAG_SHIFT;
  if ((was & (INIT | MASK)) != (INIT | MASK)) return false;
  if (kind & WRITE) {
    // Another block of the same launch was here.
    if (apart - 1 < LAUNCH - 1) return false;
    *record = __rk_now.tag | placed(site) | WRITTEN | MASK | INIT | (__rk_now.fenced ? ORDERED : 0);
    return true;
  }
  if (apart == 0) return true;
  if (apart >= LAUNCH) {
    *record = __rk_now.tag | placed(site) | MASK | INIT;
    return true;
  }
  return (was & (MANY | WRITTEN | ORDERED)) == MANY;
}
} // namespace

// Memory of any kind.
RK_FAST char *__rk_memory(char *p, u32 size, u32 align, u32 site, u32 kind, u64 value) {
  u64 a = (u64)p;
  bool plain = !(kind & (ATOMIC | VOLATILE)) && (size == 4 || size == 8) && align == size;
  if (plain && __builtin_expect(a < LIMIT, 1) && __builtin_expect(!(a & (size - 1)), 1) && quick(a, kind, site) &&
      (size == 4 || quick(a + 4, kind, site)))
    return p;
  return __rk_memory_words(p, size, align, site, kind, value);
}

// A device variable.
RK_FAST char *__rk_variable(char *p, char *base, u64 bytes, u32 size, u32 align, u32 site, u32 kind, u64 value) {
  u64 offset = (u64)p - (u64)base;
  if (__builtin_expect(bytes < size || offset > bytes - size, 0)) return __rk_outside(p, offset, bytes, size, site);
  return __rk_memory(p, size, align, site, kind, value);
}

// A fill, and a copy: bytes on their way, of which nobody asks yet whether they mean anything.
extern "C" u64 __rk_fill(char *to, u64 bytes, u32 align, int site) {
  if (!__rk_range(to, bytes, align, site)) return 0;
  for (u64 i = 0; i < bytes; i += 4) {
    u32 size = bytes - i < 4 ? bytes - i : 4;
    __rk_memory_words(to + i, size, 1, site, WRITE, 0);
  }
  return bytes;
}
extern "C" u64 __rk_copy(char *to, char *from, u64 bytes, u32 toAlign, u32 fromAlign, int toSite, int fromSite) {
  if (fromSite >= 0 && __rk_range(from, bytes, fromAlign, fromSite) < bytes) return 0;
  if (toSite >= 0 && __rk_range(to, bytes, toAlign, toSite) < bytes) return 0;
  bool tells = fromSite >= 0 && toSite >= 0 && shadow((u64)from) <= 16 && shadow((u64)to) <= 16;
  for (u64 i = 0; i < bytes; i += 4) {
    u32 size = bytes - i < 4 ? bytes - i : 4;
    if (fromSite >= 0) __rk_memory_words(from + i, size, 1, fromSite, 0, 0);
    if (toSite >= 0) __rk_memory_words(to + i, size, 1, toSite, WRITE, 0);
    // Where both are side by side, what was never written stays so.
    if (tells && !((u64)from & 3) && !((u64)to & 3) && size == 4) {
      u64 *record = recordOf((u64)to + i);
      *record = (*record & ~INIT) | (*recordOf((u64)from + i) & INIT);
    }
  }
  return bytes;
}

extern "C" void __rk_fence() { __rk_now.fenced = 1; }

// Before each block.
RK_FAST void __rk_block(u32 block) {
  __rk_now.block = block;
  __rk_now.tag = (__rk_now.tag & ~(WHO | MANY)) | (u64)(block & 0x7fffff) << WHO_SHIFT;
  __rk_now.fenced = __rk_now.acquired = 0;
  __rk_now.blockTime = ++__rk_now.time;
}
