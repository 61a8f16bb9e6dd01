// cuda::atomic and cuda::std::atomic, and references to what is not atomic by itself. All scopes are one: one memory.
#ifndef RAWKERNEL_ATOMIC_TYPES_H
#define RAWKERNEL_ATOMIC_TYPES_H

#include <type_traits>

#include "cuda_std.h"
#include "qualifiers.h"

namespace std {
enum memory_order {
  memory_order_relaxed = __ATOMIC_RELAXED,
  memory_order_consume = __ATOMIC_CONSUME,
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_acq_rel = __ATOMIC_ACQ_REL,
  memory_order_seq_cst = __ATOMIC_SEQ_CST
};
}

#define __RK_ORDER std::memory_order = std::memory_order_seq_cst
#define __RK_FETCH(name)                                                                                               \
  __RK_MEMBER T fetch_##name(T v, __RK_ORDER) const { return __atomic_fetch_##name(place(), v, __ATOMIC_SEQ_CST); }

// The operations, on what `place()` of the class leads to. The memory of WebAssembly knows one order, the strictest.
template <class T, class Self> struct __rk_atomic {
  static_assert(__is_trivially_copyable(T) && sizeof(T) <= 8, "atomics are for trivially copyable values of up to 8 bytes");
  typedef T value_type;
  static constexpr bool is_always_lock_free = true;
  __RK_MEMBER bool is_lock_free() const { return true; }
  __RK_MEMBER T *place() const { return static_cast<const Self *>(this)->__place(); }
  __RK_MEMBER T load(__RK_ORDER) const {
    T value;
    __atomic_load(place(), &value, __ATOMIC_SEQ_CST);
    return value;
  }
  __RK_MEMBER void store(T value, __RK_ORDER) const { __atomic_store(place(), &value, __ATOMIC_SEQ_CST); }
  __RK_MEMBER T exchange(T value, __RK_ORDER) const {
    T old;
    __atomic_exchange(place(), &value, &old, __ATOMIC_SEQ_CST);
    return old;
  }
  __RK_MEMBER bool compare_exchange_strong(T &old, T value, __RK_ORDER, __RK_ORDER) const {
    return __atomic_compare_exchange(place(), &old, &value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
  __RK_MEMBER bool compare_exchange_weak(T &old, T value, __RK_ORDER, __RK_ORDER) const {
    return compare_exchange_strong(old, value);
  }
  __RK_MEMBER operator T() const { return load(); }
  __RK_FETCH(add)
  __RK_FETCH(sub)
  __RK_FETCH(and)
  __RK_FETCH(or)
  __RK_FETCH(xor)
  __RK_FETCH(min)
  __RK_FETCH(max)
  __RK_MEMBER T operator++() const { return fetch_add(1) + 1; }
  __RK_MEMBER T operator--() const { return fetch_sub(1) - 1; }
  __RK_MEMBER T operator++(int) const { return fetch_add(1); }
  __RK_MEMBER T operator--(int) const { return fetch_sub(1); }
  __RK_MEMBER T operator+=(T v) const { return fetch_add(v) + v; }
  __RK_MEMBER T operator-=(T v) const { return fetch_sub(v) - v; }
  __RK_MEMBER T operator&=(T v) const { return fetch_and(v) & v; }
  __RK_MEMBER T operator|=(T v) const { return fetch_or(v) | v; }
  __RK_MEMBER T operator^=(T v) const { return fetch_xor(v) ^ v; }
};
#undef __RK_FETCH

namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

template <class T, thread_scope scope = thread_scope_system> class atomic : public __rk_atomic<T, atomic<T, scope>> {
  mutable T value;

public:
  atomic() noexcept = default;
  __RK_MEMBER constexpr atomic(T value) noexcept : value(value) {}
  atomic(const atomic &) = delete;
  atomic &operator=(const atomic &) = delete;
  __RK_MEMBER T operator=(T v) {
    this->store(v);
    return v;
  }
  __RK_MEMBER T *__place() const { return const_cast<T *>(&value); }
};

template <class T, thread_scope scope = thread_scope_system> class atomic_ref : public __rk_atomic<T, atomic_ref<T, scope>> {
  T *value;

public:
  __RK_MEMBER explicit atomic_ref(T &value) : value(&value) {}
  __RK_MEMBER T operator=(T v) const {
    this->store(v);
    return v;
  }
  __RK_MEMBER T *__place() const { return value; }
};

__RK_BOTH void atomic_thread_fence(std::memory_order, thread_scope = thread_scope_system) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
}

namespace std {
template <class T> using atomic = ::cuda::atomic<T>;
template <class T> using atomic_ref = ::cuda::atomic_ref<T>;
using ::cuda::atomic_thread_fence;
}
#undef __RK_ORDER

#endif
