// The checked mode: lines of sixteen words. Where the threads of a strip access a whole line one after the other, one
// record stands for all of its words (as in J. R. Wilcox, P. Finch, C. Flanagan, S. N. Freund: Array Shadow State
// Compression for Precise Dynamic Race Detection, ASE 2015). While a line has one, the records of its words say nothing.
// Any other access gives the words their own records back, first.
//
// The record of a line of global memory is that of each word. The record of its threads, and that of shared memory, is
// the one of the first word; instead of the bytes that were touched, which are all, it has the power of two of words
// that go to one thread.
#pragma once
#include "check-threads.h"

RK_SLOW void __rk_spread_global(rk::u64 line);
RK_SLOW void __rk_spread_shared(rk::u64 line);

namespace rk::line {
constexpr u32 BYTES = 64, WORDS = 16;
// A worker is about to give the words of the line their own records. No other record has this bit.
constexpr u64 BUSY = 1 << 10;

// The number of the line of an address, times 8.
RK_PART u64 of(u64 a) { return a >> 6 << 3; }
RK_PART u64 &record(u64 line) { return *(u64 *)(LINES + line); }
RK_PART u64 &threads(u64 line) { return *(u64 *)(THREAD_LINES + line); }

// Before a word is looked at by itself.
RK_PART void spreadGlobal(u64 a) {
  if (__builtin_expect(record(of(a)) != 0, 0)) __rk_spread_global(of(a));
}
RK_PART void spreadShared(u64 a) {
  if (__builtin_expect(record(of(a)) != 0, 0)) __rk_spread_shared(of(a));
}

// Whether all bytes of a word were written. The words of a line that has a record were. Memory that does not exist was not.
RK_PART bool isWritten(u64 a) {
  constexpr u64 INIT = 15;
  return (*recordOf(a) & INIT) == INIT || record(of(a));
}

// Which accesses may be noted by lines: their power of two of words, or -1.
RK_PART int wordsOf(u64 a, i64 step, u32 size) {
  if (step != size || (a & (size - 1))) return -1;
  return size == 4 ? 0 : size == 8 ? 1 : size == 16 ? 2 : -1;
}
} // namespace rk::line
