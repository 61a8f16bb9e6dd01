// The checked mode: the words of a strip that have no lines, or not whole ones.
#include "check-lanes.h"

using namespace rk;
using namespace rk::strip;

namespace {
// The words of a strip's accesses, two by two where they lie side by side: where their records are in a table, and
// whose they are, in place. Where all threads access the same, those are the first one's.
template <class Visit> RK_PART void eachWord(u64 a, i64 step, u32 count, u32 words, u32 thread, Visit visit) {
  u32 i = 0;
  u64 at = (a >> 2) << 3;
  if (step == words * 4) {
    for (; i + 2 <= count * words; i += 2)
      visit(at + i * 8, v2{thread + i / words, thread + (i + 1) / words} << thread::WHO_SHIFT, Two());
    if (i < count * words) visit(at + i * 8, both(thread + i / words) << thread::WHO_SHIFT, One());
    return;
  }
  for (; i < (step ? count : 1); i++)
    for (u32 k = 0; k < words; k++)
      visit(((a + i * step) >> 2 << 3) + k * 8, both(thread + i) << thread::WHO_SHIFT, One());
}

// The same for sizes that are common, without a division.
template <class Visit> RK_PART void eachWordOf(u64 a, i64 step, u32 count, u32 size, u32 thread, Visit visit) {
  if (size == 4) eachWord(a, step, count, 1, thread, visit);
  else eachWord(a, step, count, size / 4, thread, visit);
}

// Give the words of a stretch of a strip their own records.
template <class Spread> RK_PART void spreadAll(u64 a, i64 step, u32 count, u32 size, Spread spread) {
  u64 first = low(a, step, count), last = high(a, step, count, size) - 1;
  // Far apart, each access has lines of its own.
  if (last - first > count * line::BYTES)
    for (u32 i = 0; i < count; i++) spread(a + i * step), spread(a + i * step + size - 1);
  else
    for (u64 at = first & ~(line::BYTES - 1ul); at <= last; at += line::BYTES) spread(at);
}
} // namespace

RK_APART u32 __rk_look_words(u64 a, i64 step, u32 count, u32 size, u32 thread, u32 site, u32 kind) {
  spreadAll(a, step, count, size, line::spreadGlobal);
  Look look = lookOf(site, kind);
  eachWordOf(a, step, count, size, thread, [&](u64 at, v2 who, auto lanes) {
    look.see(get(RECORDS + at, lanes), who, [&] { return get(THREAD_RECORDS + at, lanes); });
  });
  return (look.changed ? CHANGED : 0) | (any(look.bad) ? DOUBT : 0);
}

RK_APART void __rk_note_words(u64 a, i64 step, u32 count, u32 size, u32 thread, u32 site, u32 kind) {
  spreadAll(a, step, count, size, line::spreadGlobal);
  Note note = noteOf(site, kind, step == 0 && count > 1);
  eachWordOf(a, step, count, size, thread, [&](u64 at, v2 who, auto lanes) {
    note.take(
        get(RECORDS + at, lanes), who, [&] { return get(THREAD_RECORDS + at, lanes); },
        [&](v2 x) { put(RECORDS + at, x, lanes); }, [&](v2 x) { put(THREAD_RECORDS + at, x, lanes); });
  });
}

namespace {
// The bytes of a word that the last of its threads writes.
RK_PART u32 lastOf(u32 size) { return thread::MASK & ~(thread::MASK >> size); }

// The words of a strip of bytes, or of halves of words, with the last thread of each.
template <class Visit> RK_PART void eachShared(u64 a, u32 count, u32 size, u32 thread, Visit visit) {
  u32 each = 4 / size, words = count * size / 4, last = thread + each - 1, i = 0;
  u64 at = RECORDS + (a >> 2 << 3);
  for (; i + 2 <= words; i += 2)
    visit(at + i * 8, v2{last + i * each, last + (i + 1) * each} << thread::WHO_SHIFT, Two());
  if (i < words) visit(at + i * 8, both(last + i * each) << thread::WHO_SHIFT, One());
}
constexpr u64 TO_THREADS = THREAD_RECORDS - RECORDS;
} // namespace

RK_APART bool __rk_look_bytes(u64 a, i64 step, u32 count, u32 size, u32 thread, u32 site, u32 kind) {
  if (!(kind & WRITE) || step != size || ((a | count * size) & 3)) return false;
  spreadAll(a, step, count, size, line::spreadGlobal);
  threads::Mine mine = threads::mineOf(site, true, lastOf(size));
  v2 bad = both(0), tag = both(__rk_now.tag);
  eachShared(a, count, size, thread, [&](u64 at, v2 who, auto lanes) {
    v2 was = get(at, lanes), apart = was ^ tag, recent = isRecent(apart);
    if (!any(recent)) return;
    v2 own = isOwn(apart);
    bad |= recent & (was & both(ORDERED) | ~own);
    if (kind & THREADS) bad |= own & threads::doubtfulParts(get(at + TO_THREADS, lanes), who, mine);
  });
  return !any(bad);
}

RK_APART void __rk_note_bytes(u64 a, u32 count, u32 size, u32 thread, u32 site, u32 kind) {
  spreadAll(a, size, count, size, line::spreadGlobal);
  Note note = noteOf(site, kind, false, lastOf(size));
  eachShared(a, count, size, thread, [&](u64 at, v2 who, auto lanes) {
    note.take(
        get(at, lanes), who, [&] { return get(at + TO_THREADS, lanes); }, [&](v2 x) { put(at, x, lanes); },
        [&](v2 x) { put(at + TO_THREADS, x, lanes); });
  });
}

RK_APART u32 __rk_look_shared_words(u64 a, i64 step, u32 count, u32 size, u32 thread, u32 site, u32 kind) {
  spreadAll(a, step, count, size, line::spreadShared);
  threads::Mine mine = threads::mineOf(site, kind & WRITE);
  v2 bad = both(0);
  eachWordOf(a, step, count, size, thread, [&](u64 at, v2 who, auto lanes) {
    bad |= threads::doubtful(get(RECORDS + at, lanes), who, mine);
  });
  return any(bad) ? DOUBT : 0;
}

RK_APART void __rk_note_shared_words(u64 a, i64 step, u32 count, u32 size, u32 thread, u32 site, u32 kind) {
  spreadAll(a, step, count, size, line::spreadShared);
  threads::Mine mine = threads::mineOf(site, kind & WRITE);
  bool several = step == 0 && count > 1;
  eachWordOf(a, step, count, size, thread, [&](u64 at, v2 who, auto lanes) {
    v2 was = get(RECORDS + at, lanes);
    put(RECORDS + at, several ? threads::notedTwice(was, who, mine) : threads::noted(was, who, mine), lanes);
  });
}

// The same for one word that all threads of a strip read, without lanes: each step of a tiled product has one.
RK_APART bool __rk_look_shared_word(u64 a, u32 thread) {
  line::spreadShared(a);
  u64 was = *recordOf(a);
  u32 flags = was;
  if ((u32)(was >> 32) < __rk_now.blockTime) return true;
  if ((flags & (thread::MASK | thread::BY_ATOMIC)) != thread::MASK) return false;
  return !(flags & thread::WRITTEN);
}

RK_APART void __rk_note_shared_word(u64 a, u32 thread, u32 site) {
  line::spreadShared(a);
  u64 *record = recordOf(a), was = *record, mine = thread::mineOf(site, thread::MASK, thread);
  if ((u32)(was >> 32) < __rk_now.blockTime) was = mine;
  *record = thread::several(was, thread::MASK, mine);
}

// Whether one of the words of a line was accessed in this launch.
RK_APART bool __rk_any_recent(u64 of) {
  v2 found = both(0), tag = both(__rk_now.tag);
  for (u32 i = 0; i < line::WORDS; i += 2) found |= isRecent(get(RECORDS + of * line::WORDS + i * 8, Two()) ^ tag);
  return any(found);
}

// Whether none of the words of a line of shared memory was accessed after the latest barrier.
RK_APART bool __rk_all_old(u64 of) {
  v2 found = both(~0ul);
  for (u32 i = 0; i < line::WORDS; i += 2)
    found &= threads::isOld(get(RECORDS + of * line::WORDS + i * 8, Two()), __rk_now.blockTime);
  return all(found);
}
