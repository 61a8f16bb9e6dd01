// The checked mode: what a launch may take for granted of the memory that its pointers lead to.
#include "check-whole.h"

using namespace rk;

namespace {
constexpr u64 INIT = 15;

// How the runtime describes a range (launch-ranges.ts): `state` is 0 for one that counts only if all of it was written.
struct Given {
  u64 from, end, state, calm;
};
enum { IF_WRITTEN, NEVER, ALWAYS };

// The address of the first byte that was not written.
u64 firstUnwritten(u64 from, u64 end) {
  u64 at = from;
  while (at < end) {
    if (!(at & (line::BYTES - 1)) && line::record(line::of(at))) {
      at += line::BYTES;
      continue;
    }
    u64 bytes = end - at < 4 ? (1ul << (end - at)) - 1 : INIT;
    if ((*recordOf(at) & bytes) != bytes) return at;
    at += 4;
  }
  return end;
}

bool isWhole(u64 from, u64 end) {
  u64 &known = whole::known(end), time = whole::time() & 0xffffffff, was = known;
  u64 start = was >> whole::TIME_SHIFT == time ? was & 0xffffffff : 0;
  u64 first = firstUnwritten(from + (start & ~(line::BYTES - 1ul)), end);
  known = time << whole::TIME_SHIFT | (first - from);
  return first == end;
}
} // namespace

// Before blocks of a launch. A kernel that another one has launched knows nothing.
extern "C" void __rk_cover(const Given *given, u32 count) {
  if (count == 0) __builtin_memset(__rk_now.ranges, 0, sizeof __rk_now.ranges);
  for (u32 i = 0; i < count && i < MOST_RANGES; i++) {
    const Given &one = given[i];
    bool counts = one.state == ALWAYS || (one.state == IF_WRITTEN && one.from < one.end && isWhole(one.from, one.end));
    __rk_now.ranges[i] = {one.from, counts ? one.end - one.from : 0, one.calm};
  }
}
