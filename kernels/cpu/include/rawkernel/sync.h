// Barriers of the block, memory fences, and the clocks.
#ifndef RAWKERNEL_SYNC_H
#define RAWKERNEL_SYNC_H

#include "index.h"

extern "C" {
// Where the splitter cuts a kernel into regions.
__device__ __attribute__((convergent, noduplicate)) void __rt_barrier();
__device__ __attribute__((convergent, noduplicate)) void __rt_warp_barrier(unsigned mask);
__device__ __attribute__((convergent, noduplicate)) void __rt_grid_barrier();
// Thread-local to the worker: whether the launch is cooperative.
extern __device__ unsigned __rt_cooperative;
// Thread-local to the worker: votes ever cast at a __syncthreads_count, and how many of them earlier ones have read.
extern __device__ unsigned __rt_votes[2];

__device__ long long __rt_clock() __RK_IMPORT(clock);
__device__ void __rt_sleep(unsigned nanoseconds) __RK_IMPORT(sleep);
}

__RK_DEVICE void __syncthreads() { __rt_barrier(); }
__RK_DEVICE void __barrier_sync(unsigned) { __rt_barrier(); }

// The number of votes only grows, so nobody has to reset it at a moment when another thread may vote already.
__RK_DEVICE int __syncthreads_count(int predicate) {
  if (predicate) __rt_votes[0]++;
  __rt_barrier();
  unsigned cast = __rt_votes[0];
  int count = (int)(cast - __rt_votes[1]);
  __rt_barrier();
  __rt_votes[1] = cast;
  return count;
}
__RK_DEVICE int __syncthreads_or(int predicate) { return __syncthreads_count(predicate) != 0; }
__RK_DEVICE int __syncthreads_and(int predicate) { return __syncthreads_count(!predicate) == 0; }

__RK_DEVICE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
__RK_DEVICE void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
__RK_DEVICE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

__RK_DEVICE void __nanosleep(unsigned nanoseconds) { __rt_sleep(nanoseconds); }
__RK_DEVICE long long clock64() { return __rt_clock(); }
typedef long clock_t;
__RK_DEVICE clock_t clock() { return __rt_clock(); }

#endif
