// XORWOW, cuRAND's default: Marsaglia's generator of five words and a counter.
#ifndef RAWKERNEL_CURAND_XORWOW_H
#define RAWKERNEL_CURAND_XORWOW_H

#include "xorwow_tables.h"

struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateXORWOW curandStateXORWOW_t;

constexpr unsigned __rk_xorwow_increment = 362437;

__RK_BOTH void __rk_xorwow_step(unsigned *v) {
  unsigned mixed = v[0] ^ v[0] >> 2;
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = v[4] ^ v[4] << 4 ^ mixed ^ mixed << 1;
}

__RK_BOTH unsigned curand(curandStateXORWOW_t *state) {
  __rk_xorwow_step(state->v);
  state->d += __rk_xorwow_increment;
  return state->v[4] + state->d;
}

// Applies a polynomial of the single step: the sum of the states at its powers.
static __device__ __attribute__((noinline)) void __rk_xorwow_jump(unsigned *v, const unsigned *polynomial) {
  unsigned at[5] = {v[0], v[1], v[2], v[3], v[4]}, sum[5] = {0, 0, 0, 0, 0};
  for (int word = 0; word < 5; word++) {
    unsigned bits = polynomial[word];
    for (int i = 0; i < 32; i++, bits >>= 1) {
      unsigned take = 0 - (bits & 1);
      for (int k = 0; k < 5; k++) sum[k] ^= at[k] & take;
      __rk_xorwow_step(at);
    }
  }
  for (int k = 0; k < 5; k++) v[k] = sum[k];
}

__RK_DEVICE void skipahead(unsigned long long n, curandStateXORWOW_t *state) {
  state->d += __rk_xorwow_increment * (unsigned)n;
  // A jump costs about as much as two hundred steps.
  if (n < 256) {
    for (; n; n--) __rk_xorwow_step(state->v);
  }
  for (int i = 0; n; i++, n >>= 1) {
    if (n & 1) __rk_xorwow_jump(state->v, __rk_xorwow_steps[i]);
  }
}

// The counter does not change: a sequence's length is a multiple of its period.
__RK_DEVICE void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state) {
  for (int i = 0; n; i += 15, n >>= 4) {
    if (n & 15) __rk_xorwow_jump(state->v, __rk_xorwow_sequences[i + (n & 15) - 1]);
  }
}

__RK_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                             curandStateXORWOW_t *state) {
  // cuRAND's scrambling of the seed.
  unsigned low = ((unsigned)seed ^ 0xaad26b49u) * 1099087573u;
  unsigned high = ((unsigned)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
  *state = {6615241u + high + low,
            {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low},
            0,
            0,
            0,
            0};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

#endif
