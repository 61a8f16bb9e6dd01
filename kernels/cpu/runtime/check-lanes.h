// The checked mode: records two by two, in the lanes of a vector, as strips look at them and note them. Lines have one
// record for both lanes.
#pragma once
#include "check-lines.h"
#include "check-strips.h"

namespace rk::strip {
constexpr u32 EPOCH_SHIFT = 49, TAG_SHIFT = 25;
constexpr u64 INIT = 15, MASK = 15 << 4, WRITTEN = 1 << 8, ORDERED = 1 << 9, MANY = 1ul << 48;
constexpr u32 SITE_SHIFT = 11, UNKNOWN = 0x3fff;
// What differs between accesses of one block that are noted.
constexpr u64 ANY_PLACE = (u64)UNKNOWN << SITE_SHIFT | WRITTEN;

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

// Of words among the threads of a block.
namespace threads {
using namespace rk::thread;

// What is the same in the records of all threads of a strip, and the time of the block's latest barrier.
struct Mine {
  v2 flags;
  u32 since;
  bool writes;
};

RK_PART Mine mineOf(u32 site, bool writes, u32 mask = thread::MASK) {
  u64 flags = (u64)__rk_now.time << 32 | (u64)(site < thread::UNKNOWN ? site : thread::UNKNOWN) << thread::SITE_SHIFT |
              mask | (writes ? thread::WRITTEN : 0);
  return {both(flags), __rk_now.blockTime, writes};
}

// The number of a thread, in place.
RK_PART v2 placed(u32 who) { return both((u64)who << WHO_SHIFT); }

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

// The same for a word of which each thread writes a part, and the last one stays in mind.
RK_PART v2 doubtfulParts(v2 was, v2 who, const Mine &mine) {
  v2 apart = (was ^ (mine.flags | who)) & both(WHO | thread::MANY | thread::MASK | BY_ATOMIC);
  return ~isOld(was, mine.since) & ~same(apart, both(0));
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

// A look at global memory. Nothing is noted.
struct Look {
  v2 tag, bad;
  u32 kind;
  bool writes, changed;
  threads::Mine mine;

  // `last` gives the record of the threads.
  template <class Last> RK_MEMBER void see(v2 was, v2 who, Last last) {
    v2 apart = was ^ tag;
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
    if (kind & THREADS) bad |= own & threads::doubtful(last(), who, mine);
  }
};

RK_PART Look lookOf(u32 site, u32 kind) {
  bool writes = kind & WRITE;
  return {both(__rk_now.tag), both(0), kind, writes, false, threads::mineOf(site, writes)};
}

// What is noted of accesses to global memory that are beyond doubt. `several`: all threads make the same one.
struct Note {
  v2 tag, tagged;
  u32 kind;
  bool writes, several;
  threads::Mine mine;

  // `last` gives the record of the threads, the others change both.
  template <class Last, class Put, class PutThreads>
  RK_MEMBER void take(v2 was, v2 who, Last last, Put put, PutThreads putThreads) {
    v2 apart = was ^ tag, recent = isRecent(apart);
    if (!several && !any(recent)) {
      put(tagged);
      if (kind & THREADS) putThreads(mine.flags | who);
      return;
    }
    v2 own = isOwn(apart);
    if (kind & THREADS) {
      v2 before = last(), others = before & recent;
      v2 now = several ? threads::notedTwice(others, who, mine) : threads::noted(others, who, mine);
      putThreads(choose(recent & ~own, before, now));
    }
    v2 shared = (was | both(MANY)) & both(~ORDERED);
    put(writes ? tagged : choose(recent, choose(own, was, shared), tagged));
  }
};

RK_PART Note noteOf(u32 site, u32 kind, bool several, u32 mask = thread::MASK) {
  bool writes = kind & WRITE;
  u64 tagged = __rk_now.tag | (u64)(site < UNKNOWN ? site : UNKNOWN) << SITE_SHIFT | MASK | INIT | (writes ? WRITTEN : 0);
  return {both(__rk_now.tag), both(tagged), kind, writes, several, threads::mineOf(site, writes, mask)};
}
} // namespace rk::strip
