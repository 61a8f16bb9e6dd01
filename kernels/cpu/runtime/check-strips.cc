// The checked mode: one look for a strip, some threads of one warp that follow each other in a row, each of which makes
// an access `step` bytes behind the one before it. First all accesses of the strip are looked at and nothing is noted.
// Only when all of them are beyond doubt are they noted, and made without a look. Otherwise the strip's threads run one
// by one, and each access is looked at.
#include "check-threads.h"

using namespace rk;

namespace {
typedef long i64;
constexpr u32 EPOCH_SHIFT = 49, TAG_SHIFT = 25;
constexpr u64 INIT = 15, MASK = 15 << 4, WRITTEN = 1 << 8, ORDERED = 1 << 9, MANY = 1ul << 48;
constexpr u32 SITE_SHIFT = 11, UNKNOWN = 0x3fff;
// What differs between accesses of one block that are noted.
constexpr u64 ANY_PLACE = (u64)UNKNOWN << SITE_SHIFT | WRITTEN;

RK_PART u64 low(u64 a, i64 step, u32 count) { return step < 0 ? a + (count - 1) * step : a; }
RK_PART u64 high(u64 a, i64 step, u32 count, u32 size) { return (step < 0 ? a : a + (count - 1) * step) + size; }

// Whether all bytes of a stretch are there, and are global memory.
RK_PART bool isGlobal(u64 from, u64 end) {
  if (from >= LIMIT || end > LIMIT) return false;
  u64 at = SHADOW + (from >> 4), last = SHADOW + ((end - 1) >> 4);
  for (; at + 8 <= last; at += 8) {
    u64 eight;
    __builtin_memcpy(&eight, (const void *)at, 8);
    if (eight != 0x1010101010101010) return false;
  }
  for (; at < last; at++)
    if (*(const signed char *)at != 16) return false;
  int valid = *(const signed char *)last;
  return valid <= 16 && (int)((end - 1) & 15) < valid;
}

// One access after the other: what is there may be of several kinds.
bool existEach(u64 a, i64 step, u32 count, u32 size) {
  for (u32 i = 0; i < count; i++, a += step)
    if (a >= LIMIT || (int)((a & 15) + size) > shadow(a)) return false;
  return true;
}

// Two words of a table side by side, in the lanes of a vector, or one of them in both lanes.
typedef u64 v2 __attribute__((vector_size(16)));
typedef char v16 __attribute__((vector_size(16)));
typedef i64 s2 __attribute__((vector_size(16)));
struct One {};
struct Two {};

RK_PART v2 both(u64 x) { return v2{x, x}; }
RK_PART v2 get(u64 at, One) { return both(*(const u64 *)at); }
RK_PART v2 get(u64 at, Two) {
  v2 x;
  __builtin_memcpy(&x, (const void *)at, 16);
  return x;
}
RK_PART void put(u64 at, v2 x, One) { *(u64 *)at = x[0]; }
RK_PART void put(u64 at, v2 x, Two) { __builtin_memcpy((void *)at, &x, 16); }
RK_PART bool any(v2 x) { return __builtin_wasm_any_true_v128((v16)x); }
RK_PART bool all(v2 x) { return __builtin_wasm_all_true_i64x2((s2)x); }
RK_PART v2 same(v2 a, v2 b) { return (v2)(a == b); }

// WebAssembly compares halves of these lanes without signs, but not the whole ones.
typedef u32 v4 __attribute__((vector_size(16)));
RK_PART v2 isHighBelow(v2 x, u32 most) {
  v4 below = (v4)((v4)x < v4{0, most, 0, most});
  return (v2)__builtin_shufflevector(below, below, 1, 1, 3, 3);
}
RK_PART v2 choose(v2 mask, v2 yes, v2 no) { return (yes & mask) | (no & ~mask); }

// The words of a strip's accesses, two by two where they lie side by side: where their records are in a table, and
// whose they are, in place. Where all threads access the same, those are the first one's.
template <class Visit> RK_PART void eachWord(u64 a, i64 step, u32 count, u32 size, u32 thread, Visit visit) {
  u32 words = size / 4, i = 0;
  u64 at = (a >> 2) << 3;
  if (step == size) {
    for (; i + 2 <= count * words; i += 2)
      visit(at + i * 8, v2{thread + i / words, thread + (i + 1) / words} << thread::WHO_SHIFT, Two());
    if (i < count * words) visit(at + i * 8, both(thread + i / words) << thread::WHO_SHIFT, One());
    return;
  }
  for (; i < (step ? count : 1); i++)
    for (u32 k = 0; k < words; k++)
      visit(((a + i * step) >> 2 << 3) + k * 8, both(thread + i) << thread::WHO_SHIFT, One());
}

// Of words among the threads of a block.
namespace threads {
using namespace rk::thread;

// What is the same in the records of all threads of a strip, and the time of the block's latest barrier.
struct Mine {
  v2 flags;
  u32 since;
  bool writes;
};

RK_PART Mine mineOf(u32 site, bool writes) {
  u64 flags = (u64)__rk_now.time << 32 | (u64)(site < thread::UNKNOWN ? site : thread::UNKNOWN) << thread::SITE_SHIFT |
              thread::MASK | (writes ? thread::WRITTEN : 0);
  return {both(flags), __rk_now.blockTime, writes};
}

RK_PART v2 isOld(v2 was, u32 since) { return isHighBelow(was, since); }

// Whether it is another thread's record, or that of several.
RK_PART v2 isApart(v2 was, v2 mine) { return ~same((was ^ mine) & both(WHO | thread::MANY), both(0)); }

// Whether an access would have to be looked up.
RK_PART v2 doubtful(v2 was, v2 who, const Mine &mine) {
  v2 apart = isApart(was, mine.flags | who);
  // Words that were accessed in part, and by atomics.
  v2 partly = ~same(was & both(thread::MASK | BY_ATOMIC), both(thread::MASK));
  if (!mine.writes) apart &= same(was & both(thread::WRITTEN), both(thread::WRITTEN));
  return ~isOld(was, mine.since) & (partly | apart);
}

// The record after an access that is not doubtful.
RK_PART v2 noted(v2 was, v2 who, const Mine &mine) {
  v2 now = mine.flags | who, old = isOld(was, mine.since);
  if (mine.writes) return now;
  v2 far = ~same((was ^ now) & both(WARP), both(0)) & both(WARPS);
  v2 shared = (was & both(0xffffffff & ~(u64)BY_ATOMIC)) | (now & both(~0ul << 32)) | both(thread::MANY) | far;
  return choose(old, now, choose(isApart(was, now), shared, was));
}

// The same where a second thread of the strip does it, too.
RK_PART v2 notedTwice(v2 was, v2 who, const Mine &mine) {
  return noted(noted(was, who, mine), who + both(1 << WHO_SHIFT), mine);
}
} // namespace threads

// Of what differs between a record and the tag: whether it is one of this launch, and of this block.
RK_PART v2 isRecent(v2 apart) { return isHighBelow(apart, 1 << (EPOCH_SHIFT - 32)); }
RK_PART v2 isOwn(v2 apart) {
  v4 below = (v4)((v4)apart < v4{1 << TAG_SHIFT, 1, 1 << TAG_SHIFT, 1});
  return (v2)(below & __builtin_shufflevector(below, below, 1, 0, 3, 2));
}
} // namespace

// Whether memory of any kind is there.
RK_FAST bool __rk_strip_bounds(char *p, i64 step, u32 count, u32 size, u32 align) {
  u64 a = (u64)p;
  if ((a | step) & (align - 1)) return false;
  if ((step == 0 || step == size) && isGlobal(low(a, step, count), high(a, step, count, size))) return true;
  return existEach(a, step, count, size);
}

// Whether a strip stays inside of a variable.
RK_FAST bool __rk_strip_inside(char *p, i64 step, u32 count, u32 size, u32 align, char *base, u64 bytes) {
  u64 a = (u64)p, from = low(a, step, count) - (u64)base, end = high(a, step, count, size) - (u64)base;
  return !((a | step) & (align - 1)) && from < end && end <= bytes;
}
RK_FAST bool __rk_strip_dynamic(char *p, i64 step, u32 count, u32 size, u32 align) {
  return __rk_strip_inside(p, step, count, size, align, __rk_now.dynamic, __rk_now.dynamicBytes);
}

// Global memory. `changes`: whether there is something to note; null where nobody asks.
RK_FAST bool __rk_strip_memory(char *p, i64 step, u32 count, u32 size, u32 align, u32 site, u32 kind, u32 thread,
                               bool *changes) {
  u64 a = (u64)p;
  bool writes = kind & WRITE;
  if (((a | step) & (align - 1)) || (writes && step == 0 && count > 1) || __rk_now.fenced || __rk_now.excused)
    return false;
  if (!isGlobal(low(a, step, count), high(a, step, count, size))) return false;
  v2 tag = both(__rk_now.tag), bad = both(0);
  bool changed = false;
  threads::Mine mine = threads::mineOf(site, writes);
  eachWord(a, step, count, size, thread, [&](u64 at, v2 who, auto lanes) {
    v2 was = get(RECORDS + at, lanes), apart = was ^ tag;
    // What the block has accessed before changes nothing when it is read again.
    if (!writes && !(kind & THREADS) && all(same(apart & both(~ANY_PLACE), both(INIT | MASK)))) return;
    changed = true;
    v2 recent = isRecent(apart);
    if (!writes) bad |= ~was & both(INIT);
    if (!any(recent)) return;
    v2 own = isOwn(apart);
    bad |= recent & was & both(ORDERED);
    if (writes) bad |= recent & ~own;
    else bad |= recent & (~own & was & both(WRITTEN) | ~was & both(MASK));
    if (kind & THREADS) bad |= own & threads::doubtful(get(THREAD_RECORDS + at, lanes), who, mine);
  });
  if (changes) *changes = changed;
  return !any(bad);
}

RK_FAST void __rk_note_memory(char *p, i64 step, u32 count, u32 size, u32 site, u32 kind, u32 thread, bool *changes) {
  if (changes && !*changes) return;
  bool writes = kind & WRITE;
  v2 tag = both(__rk_now.tag);
  v2 tagged = both(__rk_now.tag | (u64)(site < UNKNOWN ? site : UNKNOWN) << SITE_SHIFT | MASK | INIT |
                   (writes ? WRITTEN : 0));
  threads::Mine mine = threads::mineOf(site, writes);
  bool several = step == 0 && count > 1;
  eachWord((u64)p, step, count, size, thread, [&](u64 at, v2 who, auto lanes) {
    v2 was = get(RECORDS + at, lanes), apart = was ^ tag;
    v2 recent = isRecent(apart);
    if (!several && !any(recent)) {
      put(RECORDS + at, tagged, lanes);
      if (kind & THREADS) put(THREAD_RECORDS + at, mine.flags | who, lanes);
      return;
    }
    v2 own = isOwn(apart);
    if (kind & THREADS) {
      v2 before = get(THREAD_RECORDS + at, lanes), last = before & recent;
      v2 now = several ? threads::notedTwice(last, who, mine) : threads::noted(last, who, mine);
      put(THREAD_RECORDS + at, choose(recent & ~own, before, now), lanes);
    }
    v2 others = (was | both(MANY)) & both(~ORDERED);
    put(RECORDS + at, writes ? tagged : choose(recent, choose(own, was, others), tagged), lanes);
  });
}

// A device variable.
RK_FAST bool __rk_strip_variable(char *p, i64 step, u32 count, u32 size, u32 align, char *base, u64 bytes, u32 site,
                                 u32 kind, u32 thread, bool *changes) {
  return __rk_strip_inside(p, step, count, size, align, base, bytes) &&
         __rk_strip_memory(p, step, count, size, align, site, kind, thread, changes);
}

// Shared memory.
RK_FAST bool __rk_strip_shared(char *p, i64 step, u32 count, u32 size, u32 align, char *base, u64 bytes, u32 site,
                               u32 kind, u32 thread) {
  bool writes = kind & WRITE;
  if (writes && step == 0 && count > 1) return false;
  if (!__rk_strip_inside(p, step, count, size, align, base, bytes)) return false;
  v2 bad = both(0);
  threads::Mine mine = threads::mineOf(site, writes);
  eachWord((u64)p, step, count, size, thread,
           [&](u64 at, v2 who, auto lanes) { bad |= threads::doubtful(get(RECORDS + at, lanes), who, mine); });
  return !any(bad);
}
RK_FAST bool __rk_strip_dynamic_shared(char *p, i64 step, u32 count, u32 size, u32 align, u32 site, u32 kind,
                                       u32 thread) {
  return __rk_strip_shared(p, step, count, size, align, __rk_now.dynamic, __rk_now.dynamicBytes, site, kind, thread);
}
RK_FAST void __rk_note_shared(char *p, i64 step, u32 count, u32 size, u32 site, u32 kind, u32 thread) {
  threads::Mine mine = threads::mineOf(site, kind & WRITE);
  bool several = step == 0 && count > 1;
  eachWord((u64)p, step, count, size, thread, [&](u64 at, v2 who, auto lanes) {
    v2 was = get(RECORDS + at, lanes);
    put(RECORDS + at, several ? threads::notedTwice(was, who, mine) : threads::noted(was, who, mine), lanes);
  });
}

// Where the accesses of one place went, for all rounds of a loop.
struct Stretch {
  u64 from, end, first, several;
};

RK_FAST void __rk_stretch_start(Stretch *one) { one->from = one->end = one->first = one->several = 0; }

// False where a thread may write what another one of the strip has accessed at the same place.
RK_FAST bool __rk_stretch_add(Stretch *one, char *p, i64 step, u32 count, u32 size, bool writes) {
  u64 a = (u64)p, from = low(a, step, count), end = high(a, step, count, size);
  if (one->end == 0) {
    one->from = from, one->end = end, one->first = a;
    return true;
  }
  if (one->first == a && !one->several) return true;
  bool clear = !writes || from >= one->end || end <= one->from;
  if (from < one->from) one->from = from;
  if (end > one->end) one->end = end;
  one->several = 1;
  return clear;
}

// Whether different threads access nothing that both places do. `alike`: both go on by as many bytes, which do not overlap.
RK_FAST bool __rk_stretches_apart(Stretch *a, Stretch *b, bool alike) {
  return a->end <= b->from || b->end <= a->from || (alike && !a->several && !b->several && a->first == b->first);
}

// Whether a value that was kept for each thread rises steadily.
RK_FAST bool __rk_strip_steady1(const unsigned char *kept, u32 count, u64 step) {
  u32 bad = 0;
  for (u32 i = 0; i < count; i++) bad |= kept[i] ^ kept[0];
  return !bad;
}
RK_FAST bool __rk_strip_steady4(const u32 *kept, u32 count, u64 step) {
  u32 bad = 0;
  for (u32 i = 0; i < count; i++) bad |= kept[i] ^ (kept[0] + i * (u32)step);
  return !bad;
}
RK_FAST bool __rk_strip_steady8(const u64 *kept, u32 count, u64 step) {
  u64 bad = 0;
  for (u32 i = 0; i < count; i++) bad |= kept[i] ^ (kept[0] + i * step);
  return !bad;
}
