// The checked mode: one look for a strip, some threads of one warp that follow each other in a row, each of which makes
// an access `step` bytes behind the one before it. First all accesses of the strip are looked at and nothing is noted.
// Only when all of them are beyond doubt are they noted, and made without a look. Otherwise the strip's threads run one
// by one, and each access is looked at.
#include "check-strips.h"

using namespace rk;
using namespace rk::strip;

namespace {
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

// The lines of a strip: those that `isSettled` says of that its accesses make no difference, those that `visitLine` takes,
// which are whole ones, and the words of the others.
template <class Settled, class Line, class Words>
RK_PART void eachLine(u64 a, i64 step, u32 count, u32 size, u32 thread, Settled isSettled, Line visitLine, Words visitWords) {
  int shift = line::wordsOf(a, step, size);
  if (shift < 0) return visitWords(a, count, thread);
  u64 end = a + count * size;
  for (u64 at = a, next; at < end; at = next) {
    next = (at | (line::BYTES - 1)) + 1;
    u32 who = thread + (u32)((at - a) >> (2 + shift));
    if (isSettled(line::of(at), who)) continue;
    if (!(at & (line::BYTES - 1)) && next <= end && visitLine(line::of(at), who, (u32)shift)) continue;
    if (next > end) next = end;
    visitWords(at, (u32)((next - at) >> (2 + shift)), who);
  }
}

// What tells any launch apart from the one that runs.
constexpr u64 OTHER_LAUNCH = 1ul << 63;

// Whether an access can be noted by a line's record: its threads follow each other as those before, or do not matter.
RK_PART bool isUsable(u64 of, u32 kind, u32 shift) {
  u64 was = line::record(of);
  if (was == 0 || was == line::BUSY) return false;
  bool own = (was ^ __rk_now.tag) >> TAG_SHIFT == 0;
  return !(kind & THREADS) || !own || (line::threads(of) & thread::MASK) == shift;
}

// Whether the threads of a block are known to read a line, in this time, and another one that does makes no difference.
RK_PART bool isRead(u64 threads, u32 who) {
  return (threads & (thread::MANY | thread::WRITTEN)) == thread::MANY && threads >> 32 == __rk_now.time &&
         ((threads & thread::WARPS) || !((threads ^ (u64)who << thread::WHO_SHIFT) & thread::WARP));
}

// Whether it makes no difference when a thread reads of a line.
RK_PART bool isSettledRead(u64 of, u32 kind, u32 who) {
  u64 was = line::record(of), apart = was ^ __rk_now.tag;
  if ((kind & WRITE) || was == 0 || was == line::BUSY || apart >> EPOCH_SHIFT) return false;
  if (apart >> TAG_SHIFT) return (was & (MANY | WRITTEN | ORDERED)) == MANY;
  return !(kind & THREADS) || isRead(line::threads(of), who);
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
  if (((a | step) & (align - 1)) || ((kind & WRITE) && step == 0 && count > 1) || __rk_now.fenced || __rk_now.excused)
    return false;
  if (!isGlobal(low(a, step, count), high(a, step, count, size))) return false;
  Look look = lookOf(site, kind);
  u32 words = 0;
  eachLine(
      a, step, count, size, thread, [&](u64 of, u32 who) { return isSettledRead(of, kind, who); },
      [&](u64 of, u32 who, u32 shift) {
        if (!isUsable(of, kind, shift)) return false;
        look.see(both(line::record(of)), threads::placed(who), [&] { return both(line::threads(of) | thread::MASK); });
        return true;
      },
      [&](u64 at, u32 some, u32 who) { words |= __rk_look_words(at, step, some, size, who, site, kind); });
  if (changes) *changes = look.changed || (words & CHANGED);
  return !any(look.bad) && !(words & DOUBT);
}

RK_FAST void __rk_note_memory(char *p, i64 step, u32 count, u32 size, u32 site, u32 kind, u32 thread, bool *changes) {
  if (changes && !*changes) return;
  Note note = noteOf(site, kind, false);
  eachLine(
      (u64)p, step, count, size, thread, [&](u64 of, u32 who) { return isSettledRead(of, kind, who); },
      [&](u64 of, u32 who, u32 shift) {
        u64 was = line::record(of);
        // A line has no record of its own where its words differ, or are to differ.
        if (was ? !isUsable(of, kind, shift) : !(kind & WRITE) && __rk_any_recent(of)) return false;
        note.take(
            both(was ? was : __rk_now.tag ^ OTHER_LAUNCH), threads::placed(who),
            [&] { return both(line::threads(of) | thread::MASK); }, [&](v2 x) { line::record(of) = x[0]; },
            [&](v2 x) { line::threads(of) = (x[0] & ~(u64)thread::MASK) | shift; });
        return true;
      },
      [&](u64 at, u32 some, u32 who) { __rk_note_words(at, step, some, size, who, site, kind); });
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
  u32 words = 0;
  threads::Mine mine = threads::mineOf(site, writes);
  eachLine(
      (u64)p, step, count, size, thread, [&](u64 of, u32 who) { return !writes && isRead(line::record(of), who); },
      [&](u64 of, u32 who, u32 shift) {
        u64 was = line::record(of);
        if ((was & thread::MASK) != shift || !was) return false;
        bad |= threads::doubtful(both(was | thread::MASK), threads::placed(who), mine);
        return true;
      },
      [&](u64 at, u32 some, u32 who) { words |= __rk_look_shared_words(at, step, some, size, who, site, kind); });
  return !any(bad) && !(words & DOUBT);
}
RK_FAST bool __rk_strip_dynamic_shared(char *p, i64 step, u32 count, u32 size, u32 align, u32 site, u32 kind,
                                       u32 thread) {
  return __rk_strip_shared(p, step, count, size, align, __rk_now.dynamic, __rk_now.dynamicBytes, site, kind, thread);
}
RK_FAST void __rk_note_shared(char *p, i64 step, u32 count, u32 size, u32 site, u32 kind, u32 thread) {
  bool writes = kind & WRITE;
  threads::Mine mine = threads::mineOf(site, writes);
  eachLine(
      (u64)p, step, count, size, thread, [&](u64 of, u32 who) { return !writes && isRead(line::record(of), who); },
      [&](u64 of, u32 who, u32 shift) {
        u64 was = line::record(of);
        if (was ? (was & thread::MASK) != shift : !writes && !__rk_all_old(of)) return false;
        v2 now = threads::noted(both(was ? was | thread::MASK : 0), threads::placed(who), mine);
        line::record(of) = (now[0] & ~(u64)thread::MASK) | shift;
        return true;
      },
      [&](u64 at, u32 some, u32 who) { __rk_note_shared_words(at, step, some, size, who, site, kind); });
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
