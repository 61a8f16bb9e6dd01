// The checked mode: one look for a strip, some threads of one warp that follow each other in a row, each of which makes
// an access `step` bytes behind the one before it. First all accesses of the strip are looked at and nothing is noted.
// Only when all of them are beyond doubt are they noted, and made without a look. Otherwise the strip's threads run one
// by one, and each access is looked at.
#pragma once
#include "check-bounds.h"
#include "check-lines.h"

RK_APART bool __rk_exist_each(rk::u64 a, rk::i64 step, rk::u32 count, rk::u32 size);
RK_APART bool __rk_strip_memory(char *p, rk::i64 step, rk::u32 count, rk::u32 size, rk::u32 align, rk::u32 site, rk::u32 kind,
                                rk::u32 thread, bool *changes);
RK_APART bool __rk_strip_bounds_far(char *p, rk::i64 step, rk::u32 count, rk::u32 size, rk::u32 align);
RK_APART void __rk_note_memory(char *p, rk::i64 step, rk::u32 count, rk::u32 size, rk::u32 site, rk::u32 kind, rk::u32 thread,
                               bool *changes);
RK_APART bool __rk_look_shared_lines(rk::u64 a, rk::u32 count, rk::u32 size, rk::u32 thread, rk::u32 site, rk::u32 kind);
RK_APART void __rk_note_shared_lines(rk::u64 a, rk::u32 count, rk::u32 size, rk::u32 thread, rk::u32 site, rk::u32 kind);

// The words of a stretch of a strip, once they have records of their own. A look answers whether there is something to
// note (CHANGED), and whether there is doubt (DOUBT).
enum { CHANGED = 1, DOUBT = 2 };
RK_APART rk::u32 __rk_look_words(rk::u64 a, rk::i64 step, rk::u32 count, rk::u32 size, rk::u32 thread, rk::u32 site,
                                 rk::u32 kind);
RK_APART void __rk_note_words(rk::u64 a, rk::i64 step, rk::u32 count, rk::u32 size, rk::u32 thread, rk::u32 site,
                              rk::u32 kind);
RK_APART rk::u32 __rk_look_shared_words(rk::u64 a, rk::i64 step, rk::u32 count, rk::u32 size, rk::u32 thread, rk::u32 site,
                                        rk::u32 kind);
RK_APART void __rk_note_shared_words(rk::u64 a, rk::i64 step, rk::u32 count, rk::u32 size, rk::u32 thread, rk::u32 site,
                                     rk::u32 kind);
// Whole words, each of which several threads write a part of.
RK_APART bool __rk_look_bytes(rk::u64 a, rk::i64 step, rk::u32 count, rk::u32 size, rk::u32 thread, rk::u32 site,
                              rk::u32 kind);
RK_APART void __rk_note_bytes(rk::u64 a, rk::u32 count, rk::u32 size, rk::u32 thread, rk::u32 site, rk::u32 kind);
// One word that all threads of a strip read.
RK_APART bool __rk_look_shared_word(rk::u64 a, rk::u32 thread);
RK_APART void __rk_note_shared_word(rk::u64 a, rk::u32 thread, rk::u32 site);
RK_APART bool __rk_any_recent(rk::u64 line);
RK_APART bool __rk_all_old(rk::u64 line);

namespace rk::strip {
RK_PART u64 low(u64 a, i64 step, u32 count) { return step < 0 ? a + (count - 1) * step : a; }
RK_PART u64 high(u64 a, i64 step, u32 count, u32 size) { return (step < 0 ? a : a + (count - 1) * step) + size; }

// Whether all bytes of a stretch are there, and are global memory.
RK_PART bool isGlobal(u64 from, u64 end) {
  if (from >= LIMIT || end > LIMIT) return false;
  constexpr u64 WHOLE = 0x1010101010101010;
  u64 at = SHADOW + (from >> 4), last = SHADOW + ((end - 1) >> 4), eight;
  for (; at + 8 <= last; at += 8) {
    __builtin_memcpy(&eight, (const void *)at, 8);
    if (eight != WHOLE) return false;
  }
  // The bytes behind the last one are in the table, or in the next one.
  __builtin_memcpy(&eight, (const void *)at, 8);
  u64 before = (last - at) * 8;
  if ((eight ^ WHOLE) & ((1ul << before) - 1)) return false;
  int valid = (signed char)(eight >> before);
  return valid <= 16 && (int)((end - 1) & 15) < valid;
}

// Whether the threads of a block are known to read a line, in this time, and another one that does makes no difference.
RK_PART bool isRead(u64 threads, u32 who) {
  return (threads & (thread::MANY | thread::WRITTEN)) == thread::MANY && threads >> 32 == __rk_now.time &&
         ((threads & thread::WARPS) || !((threads ^ (u64)who << thread::WHO_SHIFT) & thread::WARP));
}

// Whether memory of any kind is there.
RK_FAST bool __rk_strip_bounds(char *p, i64 step, u32 count, u32 size, u32 align) {
  u64 a = (u64)p;
  if ((a | step) & (align - 1)) return false;
  if ((step == 0 || step == size) && isGlobal(low(a, step, count), high(a, step, count, size))) return true;
  return __rk_exist_each(a, step, count, size);
}

RK_FAST bool __rk_strip_bounds_in(char *p, i64 step, u32 count, u32 size, u32 align, u64 from, u64 bytes, u64 calm) {
  u64 a = (u64)p, first = low(a, step, count);
  if (!((a | step) & (align - 1)) && isIn(first, high(a, step, count, size) - first, from, bytes)) return true;
  return __rk_strip_bounds_far(p, step, count, size, align);
}

// Whether a strip stays inside of a variable.
RK_FAST bool __rk_strip_inside(char *p, i64 step, u32 count, u32 size, u32 align, char *base, u64 bytes) {
  u64 a = (u64)p, from = low(a, step, count) - (u64)base, end = high(a, step, count, size) - (u64)base;
  return !((a | step) & (align - 1)) && from < end && end <= bytes;
}
RK_FAST bool __rk_strip_dynamic(char *p, i64 step, u32 count, u32 size, u32 align) {
  return __rk_strip_inside(p, step, count, size, align, __rk_now.dynamic, __rk_now.dynamicBytes);
}

// Global memory in a loop. The same accesses as in the round before need no look again: the look notes nothing, and what is
// noted of them is noted. Before the first round the address is 0.
RK_FAST bool __rk_strip_memory_again(u64 *latest, char *p, i64 step, u32 count, u32 size, u32 align, u32 site, u32 kind,
                                     u32 thread, bool *changes) {
  if (p && *latest == (u64)p) return true;
  *latest = (u64)p;
  return __rk_strip_memory(p, step, count, size, align, site, kind, thread, changes);
}
RK_FAST void __rk_note_memory_again(u64 *latest, char *p, i64 step, u32 count, u32 size, u32 site, u32 kind, u32 thread,
                                    bool *changes) {
  if (p && *latest == (u64)p) return;
  *latest = (u64)p;
  __rk_note_memory(p, step, count, size, site, kind, thread, changes);
}

// Global memory by a pointer whose allocation the launch knows. What the launch only reads has no races, and is not
// recorded. Where the launch writes it after all, by another pointer, its threads run one by one.
RK_FAST bool __rk_strip_memory_in(char *p, i64 step, u32 count, u32 size, u32 align, u32 site, u32 kind, u32 thread,
                                  bool *changes, u64 from, u64 bytes, u64 calm) {
  u64 a = (u64)p, first = low(a, step, count);
  if (changes) *changes = false;
  if (!((a | step) & (align - 1)) && isIn(first, high(a, step, count, size) - first, from, bytes)) return true;
  if ((kind & BLOCKS) && !calm) return false;
  return __rk_strip_memory(p, step, count, size, align, site, kind & ~(BLOCKS | THREADS), thread, changes);
}
RK_FAST void __rk_note_memory_in(char *p, i64 step, u32 count, u32 size, u32 site, u32 kind, u32 thread, bool *changes,
                                 u64 from, u64 bytes, u64 calm) {
  u64 a = (u64)p, first = low(a, step, count);
  if (isIn(first, high(a, step, count, size) - first, from, bytes)) return;
  __rk_note_memory(p, step, count, size, site, kind, thread, changes);
}

// A device variable.
RK_FAST bool __rk_strip_variable(char *p, i64 step, u32 count, u32 size, u32 align, char *base, u64 bytes, u32 site,
                                 u32 kind, u32 thread, bool *changes) {
  return __rk_strip_inside(p, step, count, size, align, base, bytes) &&
         __rk_strip_memory(p, step, count, size, align, site, kind, thread, changes);
}

// Shared memory. The most common accesses are reads of what many threads read, and all threads' reads of one word.
RK_PART bool isSettledRow(u64 a, u32 count, u32 size, u32 kind, u32 thread) {
  if (kind & WRITE) return false;
  for (u64 at = a, end = a + count * size; at < end; at = (at | (line::BYTES - 1)) + 1)
    if (!isRead(line::record(line::of(at)), thread + (u32)((at - a) / size))) return false;
  return true;
}
RK_PART bool isOneWord(i64 step, u32 count, u32 size, u32 kind) {
  return step == 0 && count > 1 && size == 4 && !(kind & WRITE);
}
RK_FAST bool __rk_strip_shared(char *p, i64 step, u32 count, u32 size, u32 align, char *base, u64 bytes, u32 site,
                               u32 kind, u32 thread) {
  u64 a = (u64)p;
  if ((kind & WRITE) && step == 0 && count > 1) return false;
  if (!__rk_strip_inside(p, step, count, size, align, base, bytes)) return false;
  if (isOneWord(step, count, size, kind)) return __rk_look_shared_word(a, thread);
  if (line::wordsOf(a, step, size) < 0) return !(__rk_look_shared_words(a, step, count, size, thread, site, kind) & DOUBT);
  return isSettledRow(a, count, size, kind, thread) || __rk_look_shared_lines(a, count, size, thread, site, kind);
}
RK_FAST void __rk_note_shared(char *p, i64 step, u32 count, u32 size, u32 site, u32 kind, u32 thread) {
  u64 a = (u64)p;
  if (isOneWord(step, count, size, kind)) return __rk_note_shared_word(a, thread, site);
  if (line::wordsOf(a, step, size) < 0) return __rk_note_shared_words(a, step, count, size, thread, site, kind);
  if (!isSettledRow(a, count, size, kind, thread)) __rk_note_shared_lines(a, count, size, thread, site, kind);
}
RK_FAST bool __rk_strip_dynamic_shared(char *p, i64 step, u32 count, u32 size, u32 align, u32 site, u32 kind,
                                       u32 thread) {
  return __rk_strip_shared(p, step, count, size, align, __rk_now.dynamic, __rk_now.dynamicBytes, site, kind, thread);
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

} // namespace rk::strip
