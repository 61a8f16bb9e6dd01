// cuda::barrier: the phase, how many threads a phase expects, and how many of them are still to come, in one word.
#ifndef RAWKERNEL_BARRIER_TYPE_H
#define RAWKERNEL_BARRIER_TYPE_H

#include "atomic_types.h"
#include "waiting.h"

#define __RK_HERE __attribute__((device, always_inline))

namespace cuda {

// Where the parts are: as many threads as an mbarrier of PTX has.
constexpr int __rk_expected_shift = 20, __rk_phase_shift = 40;
constexpr unsigned long long __rk_count_mask = (1u << 20) - 1;

struct __rk_nothing {
  __RK_MEMBER void operator()() const {}
};

template <thread_scope scope = thread_scope_system, class Completion = __rk_nothing> class barrier {
  unsigned long long word;
  [[no_unique_address]] Completion completion;

  __RK_HERE unsigned long long load() const { return __atomic_load_n(&word, __ATOMIC_SEQ_CST); }
  __RK_HERE static unsigned phaseOf(unsigned long long word) { return (unsigned)(word >> __rk_phase_shift); }
  static constexpr bool in_block = scope == thread_scope_block || scope == thread_scope_thread;

  // The last one to come starts the next phase, after the completion function.
  __RK_HERE unsigned come(unsigned count, unsigned dropped) {
    unsigned long long change = count + ((unsigned long long)dropped << __rk_expected_shift);
    unsigned long long old = __atomic_fetch_sub(&word, change, __ATOMIC_SEQ_CST);
    bool last = (old & __rk_count_mask) == count;
    if (last) {
      __rk_hidden_meet();
      completion();
      unsigned long long expected = (old - change) >> __rk_expected_shift & __rk_count_mask;
      unsigned long long next = (unsigned long long)(phaseOf(old) + 1) << __rk_phase_shift;
      __atomic_store_n(&word, next | expected << __rk_expected_shift | expected, __ATOMIC_SEQ_CST);
    }
    __rk_arrived(last);
    return phaseOf(old);
  }

public:
  class arrival_token {
    friend class barrier;
    unsigned phase;

  public:
    arrival_token() = default;
    __RK_HERE explicit arrival_token(unsigned phase) : phase(phase) {}
  };

  barrier() = default;
  __RK_HERE explicit barrier(ptrdiff_t expected, Completion completion = Completion())
      : word((unsigned long long)expected << __rk_expected_shift | (unsigned long long)expected),
        completion(completion) {}
  barrier(const barrier &) = delete;
  barrier &operator=(const barrier &) = delete;
  __RK_HERE static constexpr ptrdiff_t max() { return (ptrdiff_t)__rk_count_mask; }
  __RK_HERE friend void init(barrier *b, ptrdiff_t expected, Completion completion = Completion()) {
    ::new ((void *)b) barrier(expected, completion);
  }

  __RK_HERE arrival_token arrive(ptrdiff_t count = 1) { return arrival_token(come((unsigned)count, 0)); }
  __RK_HERE void arrive_and_drop() { come(1, 1); }
  __RK_HERE void wait(arrival_token token) const {
    __rk_wait_until(in_block, [&] { return phaseOf(load()) != token.phase; });
  }
  __RK_HERE void wait_parity(bool parity) const {
    __rk_wait_until(in_block, [&] { return (phaseOf(load()) & 1) != parity; });
  }
  __RK_HERE void arrive_and_wait() { wait(arrive()); }

  // For pipelines: how many phases are complete.
  __RK_HERE unsigned __phase() const { return phaseOf(load()); }
};

}
namespace std {
template <class Completion = ::cuda::__rk_nothing>
using barrier = ::cuda::barrier<::cuda::thread_scope_system, Completion>;
}

#endif
