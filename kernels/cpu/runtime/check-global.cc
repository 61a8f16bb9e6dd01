// The checked mode: accesses to global memory that have to be looked up word by word.
#include "check-global.h"
#include "check-shared.h"
#include "check-whole.h"

using namespace rk;
using namespace rk::global;

namespace {
// Whether the bytes of a word that an access touches have already what it writes.
bool holds(u64 word, u64 a, u32 size, u64 value) {
  for (u64 at = word < a ? a : word; at < word + 4 && at < a + size; at++) {
    if (*(unsigned char *)at != (unsigned char)(value >> 8 * (at - a))) return false;
  }
  return true;
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
    // The block's own: what was written stays in mind when it is read, and that it was not by an atomic.
    bool atomic = kind & (ATOMIC | VOLATILE), plain = (was & (WRITTEN | ORDERED)) == WRITTEN;
    if (writes) *record = plain && atomic && !(mine & ~was & MASK) ? was | init : mine;
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

// Whether the thread that runs has made an atomic or volatile access after a thread of its block executed a fence.
RK_PART bool orderedThread() {
  u32 who = __rk_now.thread;
  return __rk_now.fenced && (__rk_now.atomics[who >> 5] >> (who & 31) & 1);
}

// The same word among the threads of the block. `fresh`: none of them came before. True for a race.
bool threadWord(u64 *record, bool fresh, u32 bytes, u32 kind, u32 site, bool same) {
  using thread::MANY, thread::WHO, thread::WRITTEN, thread::WARP, thread::WARPS, thread::BY_ATOMIC;
  u64 was = *record;
  u32 time = was >> 32, flags = was;
  bool writes = kind & WRITE, ordered = ordering(kind);
  u64 mine = thread::mineOf(site, bytes | (writes ? WRITTEN : 0) | (ordered ? BY_ATOMIC : 0));
  bool warp = !((flags ^ mine) & WARP) && !(flags & WARPS);
  if (fresh || time < __rk_now.blockTime || (warp && time < thread::warpSince())) return *record = mine, false;
  if (!((flags ^ mine) & WHO) && !(flags & MANY)) {
    return *record = thread::again(was, mine, kind & (ATOMIC | VOLATILE)), false;
  }
  if (!(flags & bytes)) return *record = mine, false;
  bool conflict = (writes || (flags & WRITTEN)) && !(ordered && (flags & BY_ATOMIC));
  if (conflict && !orderedThread() && !(same && (flags & WRITTEN))) return *record = mine, true;
  if (writes) *record = mine;
  else if (!(flags & WRITTEN)) *record = thread::several(was, bytes, mine) & (ordered ? ~0ul : ~(u64)BY_ATOMIC);
  return false;
}

RK_PART bool isMine(u64 record) { return (record ^ __rk_now.tag) >> TAG_SHIFT == 0; }
} // namespace

// One worker at a time: what another one has noted of a word since must not be lost, least of all that it was written.
RK_SLOW void __rk_spread_global(u64 of) {
  u64 *record = &line::record(of), was = __atomic_load_n(record, __ATOMIC_ACQUIRE);
  while (was) {
    if (was == line::BUSY) {
      was = __atomic_load_n(record, __ATOMIC_ACQUIRE);
      continue;
    }
    if (!__atomic_compare_exchange_n(record, &was, line::BUSY, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) continue;
    u64 *words = (u64 *)(RECORDS + of * line::WORDS), *threads = (u64 *)(THREAD_RECORDS + of * line::WORDS);
    u64 first = line::threads(of) | thread::MASK;
    u32 shift = line::threads(of) & thread::MASK;
    for (u32 i = 0; i < line::WORDS; i++) {
      words[i] = was;
      threads[i] = first + ((u64)(i >> shift) << thread::WHO_SHIFT);
    }
    __atomic_store_n(record, 0, __ATOMIC_RELEASE);
    return;
  }
}

// Memory that is not in the range that the launch knows.
RK_APART char *__rk_memory_far(char *p, u32 size, u32 align, u32 site, u32 kind, u64 value) {
  return __rk_memory(p, size, align, site, kind, value);
}

// An access that the fast test did not let pass.
RK_SLOW char *__rk_memory_words(char *p, u32 size, u32 align, u32 site, u32 kind, u64 value) {
  char *use = __rk_bad(p, size, align, site);
  if (use != p) return use;
  u64 a = (u64)p;
  int place = shadow(a);
  if (place == PRIVATE) return p;
  if (place > PRIVATE) return __rk_shared_words(p, size, kind, site, value);
  u64 was = 0, wasThread = 0;
  bool race = false, threadRace = false, known = false;
  for (u64 at = a & ~3ul; at < a + size; at += 4) {
    u32 bytes = 15;
    if (at < a) bytes &= 15u << (a - at);
    if (a + size < at + 4) bytes &= 15u >> (at + 4 - a - size);
    line::spreadGlobal(at);
    u64 *record = recordOf(at), *threads = threadsOf(at), before = *record;
    known |= (before & bytes) != 0;
    if (__rk_now.races == NO_RACES || (kind & CALM)) {
      if (kind & WRITE) *record = before | bytes;
      continue;
    }
    bool same = (kind & VALUE) && holds(at, a, size, value);
    if (word(record, bytes, kind, site, same) && !race) race = true, was = before;
    if (__rk_now.races != BETWEEN_THREADS || !isMine(*record)) continue;
    u64 last = *threads;
    if (threadWord(threads, !isMine(before), bytes, kind, site, same) && !threadRace) {
      threadRace = true;
      wasThread = last;
    }
  }
  if (kind & (ATOMIC | VOLATILE)) {
    __rk_now.acquired = 1;
    thread::noteAtomic();
  }
  if ((kind & SCALAR) && !known) found(UNINITIALIZED, a, site);
  if (race) {
    u32 other = (was >> SITE_SHIFT) & UNKNOWN;
    found(GLOBAL_RACE, a, site, other == UNKNOWN ? 0 : other + 1, (was & WHO) >> WHO_SHIFT);
  } else if (threadRace) {
    u32 other = (u32)wasThread >> thread::SITE_SHIFT;
    found(THREAD_RACE, a, site, other == thread::UNKNOWN ? 0 : other + 1, (wasThread >> thread::WHO_SHIFT) & 1023);
  }
  return p;
}

// A fill, and a copy: bytes are moved, not read as numbers, so uninitialised ones are not reported.
extern "C" u64 __rk_fill(char *to, u64 bytes, u32 align, int site, u32 value) {
  if (!__rk_range(to, bytes, align, site)) return 0;
  for (u64 i = 0; i < bytes; i += 4) {
    u32 size = bytes - i < 4 ? bytes - i : 4;
    __rk_memory_words(to + i, size, 1, site, WRITE | VALUE, (value & 255) * 0x01010101u);
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
      line::spreadGlobal((u64)to + i);
      line::spreadGlobal((u64)from + i);
      u64 *record = recordOf((u64)to + i), init = *recordOf((u64)from + i) & INIT;
      if (*record & INIT & ~init) whole::forget();
      *record = (*record & ~INIT) | init;
    }
  }
  return bytes;
}

extern "C" void __rk_fence() { __rk_now.fenced = 1; }
