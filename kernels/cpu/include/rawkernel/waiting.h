// How a thread waits for others in a loop: each turn lets all others go on first, as far as they can.
#ifndef RAWKERNEL_WAITING_H
#define RAWKERNEL_WAITING_H

#include "warp.h"

extern "C" {
// Thread-local to the worker: arrivals at barriers that are objects.
extern __device__ unsigned __rt_arrivals;
// __rt_meet() of the scheduler, which is linked when the kernel is cut: until then it has the name of what is hidden.
__device__ __attribute__((nothrow)) void __rk_hidden_meet();
}

// The scheduler knows these masks: the next lane for a thread that waits for its block, the one behind for any other.
__RK_DEVICE void __rk_yield(bool in_block) { __rt_warp_barrier(1u << ((__rk_lane() + (in_block ? 1 : 2)) & 31)); }

// At least one turn, so that the threads that wait for the same meet there, and go on together.
template <class Ready> __RK_DEVICE void __rk_wait_until(bool in_block, Ready ready) {
  do __rk_yield(in_block);
  while (!ready());
}

// All that was done before is ordered before all that follows, if the others are complete now.
__RK_DEVICE void __rk_arrived(bool complete) {
  __rt_arrivals++;
  if (complete) __rk_hidden_meet();
}

#endif
