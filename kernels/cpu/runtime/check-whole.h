// The checked mode: allocations of which all bytes were written. What was written stays so, until the memory is freed, or
// bytes that were never written are copied over it. So what has been found of an allocation is kept: how many of its first
// bytes are known to be written.
//
// The number stands behind the allocation, in the table of the threads of lines: at least 256 bytes are free there. With it
// stands the time of the latest of those copies, which is at the place of the first line. The runtime knows both places
// from guard.ts.
#pragma once
#include "check-lines.h"

namespace rk::whole {
constexpr u64 GAP = 256;
constexpr u32 TIME_SHIFT = 32;

RK_PART u64 &time() { return line::threads(0); }
// Behind the end of an allocation.
RK_PART u64 &known(u64 end) { return line::threads(line::of((end + GAP - 1) & ~(GAP - 1))); }

// Bytes that counted as written may not be any more.
RK_PART void forget() { __atomic_fetch_add(&time(), 1, __ATOMIC_RELAXED); }
} // namespace rk::whole
