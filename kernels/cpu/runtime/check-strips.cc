// The checked mode: the looks at a strip, and what is noted of it.
#include "check-strips.h"
#include "check-lanes.h"

using namespace rk;
using namespace rk::strip;

namespace {
// The lines of a strip: those that `isSettled` says of that its accesses make no difference, those that `visitLine` takes,
// which are whole ones, and the words of the others.
template <class Settled, class Line, class Words>
RK_PART void eachLine(u64 a, i64 step, u32 count, u32 size, u32 thread, Settled isSettled, Line visitLine, Words visitWords) {
  int shift = line::wordsOf(a, step, size);
  // A row of parts of two lines.
  bool isApart = (a & (line::BYTES - 1)) && count * size <= line::BYTES;
  if (shift < 0 || isApart) return visitWords(a, count, thread);
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

// Whether it makes no difference when a thread reads of a line.
RK_PART bool isSettledRead(u64 of, u32 kind, u32 who) {
  u64 was = line::record(of), apart = was ^ __rk_now.tag;
  if ((kind & WRITE) || was == 0 || was == line::BUSY || apart >> EPOCH_SHIFT) return false;
  if (apart >> TAG_SHIFT) return (was & (MANY | WRITTEN | ORDERED)) == MANY;
  return !(kind & THREADS) || isRead(line::threads(of), who);
}
} // namespace

RK_APART bool __rk_strip_bounds_far(char *p, i64 step, u32 count, u32 size, u32 align) {
  return __rk_strip_bounds(p, step, count, size, align);
}

// One access after the other: what is there may be of several kinds.
RK_APART bool __rk_exist_each(u64 a, i64 step, u32 count, u32 size) {
  for (u32 i = 0; i < count; i++, a += step)
    if (a >= LIMIT || (int)((a & 15) + size) > shadow(a)) return false;
  return true;
}

namespace {
// Whether all words of a strip were written, as far as their own records say.
bool areWritten(u64 a, i64 step, u32 count, u32 size) {
  v2 known = both(INIT);
  if (step == size) {
    u64 at = RECORDS + (a >> 2 << 3), end = at + count * size * 2;
    for (; at + 16 <= end; at += 16) known &= get(at, Two());
    if (at < end) known &= get(at, One());
  } else {
    for (u32 i = 0; i < (step ? count : 1); i++, a += step)
      for (u32 k = 0; k < size; k += 4) known &= both(*recordOf(a + k));
  }
  return all(same(known & both(INIT), both(INIT)));
}

// Each word of a strip that was not written, as far as its own record or that of its line says, until `visit` answers no.
template <class Visit> RK_PART bool eachUnwritten(u64 a, i64 step, u32 count, u32 size, Visit visit) {
  if (step == size) {
    for (u64 at = a, end = a + count * size; at < end;) {
      u64 next = (at | (line::BYTES - 1)) + 1;
      if (next > end) next = end;
      bool whole = line::record(line::of(at));
      for (; !whole && at < next; at += 4)
        if (!line::isWritten(at) && !visit(recordOf(at))) return false;
      at = next;
    }
    return true;
  }
  for (u32 i = 0; i < (step ? count : 1); i++, a += step)
    for (u32 k = 0; k < size; k += 4)
      if (!line::isWritten(a + k) && !visit(recordOf(a + k))) return false;
  return true;
}
// The same of accesses to parts of words, which follow each other.
bool areWholeWords(u64 a, i64 step, u32 count, u32 size) {
  if (step != size && step != 0) return false;
  u64 from = a & ~3ul, end = a + (step ? count : 1) * size;
  return eachUnwritten(from, 4, (end - from + 3) / 4, 4, [](u64 *) { return false; });
}
} // namespace

// Global memory. `changes`: whether there is something to record; null where the caller does not need it.
RK_APART bool __rk_strip_memory(char *p, i64 step, u32 count, u32 size, u32 align, u32 site, u32 kind, u32 thread,
                               bool *changes) {
  u64 a = (u64)p;
  if ((a | step) & (align - 1)) return false;
  bool compared = kind & BLOCKS;
  if (compared && (((kind & WRITE) && step == 0 && count > 1) || __rk_now.fenced || __rk_now.excused)) return false;
  if (!isGlobal(low(a, step, count), high(a, step, count, size))) return false;
  if (!compared) {
    // Parts of words that were not written whole are looked at one by one.
    if (size & 3) return areWholeWords(a, step, count, size);
    bool written = areWritten(a, step, count, size);
    if (changes) *changes = !written;
    return (kind & WRITE) || written || eachUnwritten(a, step, count, size, [](u64 *) { return false; });
  }
  if (size & 3) {
    if (changes) *changes = true;
    return __rk_look_bytes(a, step, count, size, thread, site, kind);
  }
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

RK_APART void __rk_note_memory(char *p, i64 step, u32 count, u32 size, u32 site, u32 kind, u32 thread, bool *changes) {
  if (changes && !*changes) return;
  if (!(kind & BLOCKS)) {
    if ((kind & WRITE) && !(size & 3)) eachUnwritten((u64)p, step, count, size, [](u64 *record) { return *record |= INIT, true; });
    return;
  }
  if (size & 3) return __rk_note_bytes((u64)p, count, size, thread, site, kind);
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

// Shared memory. The most common look finds whole lines that were not accessed after the barrier.
namespace {
bool areOldLines(u64 a, u32 count, u32 size) {
  u64 at = line::of(a), end = line::of(a + count * size);
  if ((a | count * size) & (line::BYTES - 1)) return false;
  u32 shift = line::wordsOf(a, size, size), since = __rk_now.blockTime;
  for (; at < end; at += 8) {
    u64 was = line::record(at);
    if (was >> 32 >= since || (was & thread::MASK) != shift || !was) return false;
  }
  return true;
}
} // namespace

RK_APART bool __rk_look_shared_lines(u64 a, u32 count, u32 size, u32 thread, u32 site, u32 kind) {
  if (areOldLines(a, count, size)) return true;
  bool writes = kind & WRITE;
  v2 bad = both(0);
  u32 words = 0;
  threads::Mine mine = threads::mineOf(site, writes);
  eachLine(
      a, size, count, size, thread, [&](u64 of, u32 who) { return !writes && isRead(line::record(of), who); },
      [&](u64 of, u32 who, u32 shift) {
        u64 was = line::record(of);
        if ((was & thread::MASK) != shift || !was) return false;
        bad |= threads::doubtful(both(was | thread::MASK), threads::placed(who), mine);
        return true;
      },
      [&](u64 at, u32 some, u32 who) { words |= __rk_look_shared_words(at, size, some, size, who, site, kind); });
  return !any(bad) && !(words & DOUBT);
}

RK_APART void __rk_note_shared_lines(u64 a, u32 count, u32 size, u32 thread, u32 site, u32 kind) {
  bool writes = kind & WRITE;
  if (areOldLines(a, count, size)) {
    u32 shift = line::wordsOf(a, size, size);
    u64 mine = (thread::mineOf(site, writes ? thread::WRITTEN : 0, thread) & ~(u64)thread::MASK) | shift;
    u64 further = (u64)(line::WORDS >> shift) << thread::WHO_SHIFT;
    for (u64 at = line::of(a), end = line::of(a + count * size); at < end; at += 8, mine += further)
      line::record(at) = mine;
    return;
  }
  threads::Mine mine = threads::mineOf(site, writes);
  eachLine(
      a, size, count, size, thread, [&](u64 of, u32 who) { return !writes && isRead(line::record(of), who); },
      [&](u64 of, u32 who, u32 shift) {
        u64 was = line::record(of);
        if (was ? (was & thread::MASK) != shift : !writes && !__rk_all_old(of)) return false;
        v2 now = threads::noted(both(was ? was | thread::MASK : 0), threads::placed(who), mine);
        line::record(of) = (now[0] & ~(u64)thread::MASK) | shift;
        return true;
      },
      [&](u64 at, u32 some, u32 who) { __rk_note_shared_words(at, size, some, size, who, site, kind); });
}
