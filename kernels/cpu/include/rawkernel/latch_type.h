// cuda::latch and cuda::counting_semaphore.
#ifndef RAWKERNEL_LATCH_TYPE_H
#define RAWKERNEL_LATCH_TYPE_H

#include "barrier_type.h"

namespace cuda {

template <thread_scope scope = thread_scope_system> class latch {
  ptrdiff_t left;

public:
  __RK_HERE explicit latch(ptrdiff_t expected) : left(expected) {}
  latch(const latch &) = delete;
  latch &operator=(const latch &) = delete;
  __RK_HERE static constexpr ptrdiff_t max() { return 0x7fffffffffffffff; }
  __RK_HERE void count_down(ptrdiff_t count = 1) {
    __rk_arrived(__atomic_fetch_sub(&left, count, __ATOMIC_SEQ_CST) == count);
  }
  __RK_HERE bool try_wait() const {
    __rk_yield(false);
    return __atomic_load_n(&left, __ATOMIC_SEQ_CST) == 0;
  }
  __RK_HERE void wait() const {
    __rk_wait_until(scope == thread_scope_block, [&] { return __atomic_load_n(&left, __ATOMIC_SEQ_CST) == 0; });
  }
  __RK_HERE void arrive_and_wait(ptrdiff_t count = 1) {
    count_down(count);
    wait();
  }
};

template <thread_scope scope = thread_scope_system, ptrdiff_t most = 0x7fffffff> class counting_semaphore {
  ptrdiff_t count;

  __RK_HERE bool take() {
    ptrdiff_t old = __atomic_load_n(&count, __ATOMIC_SEQ_CST);
    while (old > 0) {
      if (!__atomic_compare_exchange_n(&count, &old, old - 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) continue;
      __rk_arrived(true);
      return true;
    }
    return false;
  }

public:
  __RK_HERE explicit counting_semaphore(ptrdiff_t count) : count(count) {}
  counting_semaphore(const counting_semaphore &) = delete;
  counting_semaphore &operator=(const counting_semaphore &) = delete;
  __RK_HERE static constexpr ptrdiff_t max() { return most; }
  __RK_HERE void release(ptrdiff_t update = 1) {
    __atomic_fetch_add(&count, update, __ATOMIC_SEQ_CST);
    __rk_arrived(true);
  }
  __RK_HERE bool try_acquire() {
    __rk_yield(false);
    return take();
  }
  __RK_HERE void acquire() {
    __rk_wait_until(scope == thread_scope_block, [&] { return take(); });
  }
};
template <thread_scope scope = thread_scope_system> using binary_semaphore = counting_semaphore<scope, 1>;

}
namespace std {
using latch = ::cuda::latch<::cuda::thread_scope_system>;
template <ptrdiff_t most = 0x7fffffff>
using counting_semaphore = ::cuda::counting_semaphore<::cuda::thread_scope_system, most>;
using binary_semaphore = counting_semaphore<1>;
}

#endif
