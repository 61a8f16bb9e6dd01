// Philox4x32-10: a block cipher of a counter, four words at a time.
#ifndef RAWKERNEL_CURAND_PHILOX_H
#define RAWKERNEL_CURAND_PHILOX_H

#include "vectors.h"

struct curandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output;
  uint2 key;
  unsigned STATE;
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

__RK_BOTH uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; round++) {
    unsigned long long even = 0xd2511f53ull * counter.x, odd = 0xcd9e8d57ull * counter.z;
    counter = {(unsigned)(odd >> 32) ^ counter.y ^ key.x, (unsigned)odd, (unsigned)(even >> 32) ^ counter.w ^ key.y,
               (unsigned)even};
    key = {key.x + 0x9e3779b9u, key.y + 0xbb67ae85u};
  }
  return counter;
}

// Adds to the low or the high half of the 128-bit counter.
__RK_BOTH void __rk_philox_advance(curandStatePhilox4_32_10_t *state, unsigned long long low, unsigned long long high) {
  unsigned long long old = (unsigned long long)state->ctr.y << 32 | state->ctr.x;
  unsigned long long sum = old + low;
  unsigned long long upper = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + high + (sum < old);
  state->ctr = {(unsigned)sum, (unsigned)(sum >> 32), (unsigned)upper, (unsigned)(upper >> 32)};
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

__RK_BOTH unsigned curand(curandStatePhilox4_32_10_t *state) {
  unsigned words[4] = {state->output.x, state->output.y, state->output.z, state->output.w};
  unsigned result = words[state->STATE++ & 3];
  if (state->STATE == 4) {
    __rk_philox_advance(state, 1, 0);
    state->STATE = 0;
  }
  return result;
}

__RK_BOTH uint4 curand4(curandStatePhilox4_32_10_t *state) {
  uint4 a = state->output;
  __rk_philox_advance(state, 1, 0);
  uint4 b = state->output;
  switch (state->STATE) {
  case 1: return {a.y, a.z, a.w, b.x};
  case 2: return {a.z, a.w, b.x, b.y};
  case 3: return {a.w, b.x, b.y, b.z};
  default: return a;
  }
}

__RK_BOTH void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state) {
  unsigned place = state->STATE + (unsigned)(n & 3);
  state->STATE = place & 3;
  __rk_philox_advance(state, n / 4 + place / 4, 0);
}
__RK_BOTH void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state) {
  __rk_philox_advance(state, 0, n);
}

__RK_BOTH void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                           curandStatePhilox4_32_10_t *state) {
  *state = {{0, 0, 0, 0}, {0, 0, 0, 0}, {(unsigned)seed, (unsigned)(seed >> 32)}, 0, 0, 0, 0, 0};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

#endif
