// The order of threads where it is drawn: RAWKERNEL_CPU_ORDER.
#include "order.h"

namespace {
thread_local unsigned seed, turns;

// As shuffle.ts of the runtime has it.
unsigned mix(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}
} // namespace

extern "C" {
void __rt_order(unsigned value) {
  seed = value;
  turns = 0;
}

unsigned __rt_turn() { return seed ? mix(seed + ++turns * 0x9e3779b9u) | 1 : 0; }

unsigned __rt_shuffled(unsigned first, unsigned end, unsigned at, unsigned order) {
  unsigned count = end - first;
  if (!order || count < 2) return at;
  unsigned bits = 32 - __builtin_clz(count - 1), mask = bits == 32 ? ~0u : (1u << bits) - 1;
  unsigned half = bits > 3 ? bits / 2 : 1, a = mix(order), b = mix(order + 1) | 1, c = mix(order + 2) | 1;
  at -= first;
  // Each step has an inverse among numbers of so many bits; those beyond the end are led on until they are within.
  do {
    at = ((at + a) & mask) * b & mask;
    at ^= at >> half;
    at = at * c & mask;
    at ^= at >> half;
  } while (at >= count);
  return first + at;
}

// Whether a thread stops behind a read until others have gone on: the lane that it is, or 0.
unsigned __rt_pause(unsigned thread) {
  unsigned draw = __rt_turn();
  return draw & 2 ? 1u << (thread & 31) : 0;
}
}
