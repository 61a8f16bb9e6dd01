// Atomic functions. WebAssembly has one order, the strictest.
#define ORDER __ATOMIC_SEQ_CST
#define AT(T, p) ((volatile __generic T *)(p))

// OpenCL 1.x, also under the names of the extensions that came before.
#define OLD(T, name, operation)                                                                                        \
  FN T atomic_##name(volatile __generic T *p, T x) { return operation; }                                               \
  FN T atom_##name(volatile __generic T *p, T x) { return operation; }
#define OLD_ATOMICS(T)                                                                                                 \
  OLD(T, add, __atomic_fetch_add(p, x, ORDER))                                                                         \
  OLD(T, sub, __atomic_fetch_sub(p, x, ORDER))                                                                         \
  OLD(T, xchg, __atomic_exchange_n(p, x, ORDER))                                                                       \
  OLD(T, min, __atomic_fetch_min(p, x, ORDER))                                                                         \
  OLD(T, max, __atomic_fetch_max(p, x, ORDER))                                                                         \
  OLD(T, and, __atomic_fetch_and(p, x, ORDER))                                                                         \
  OLD(T, or, __atomic_fetch_or(p, x, ORDER))                                                                           \
  OLD(T, xor, __atomic_fetch_xor(p, x, ORDER))                                                                         \
  FN T atomic_inc(volatile __generic T *p) { return __atomic_fetch_add(p, (T)1, ORDER); }                              \
  FN T atom_inc(volatile __generic T *p) { return __atomic_fetch_add(p, (T)1, ORDER); }                                \
  FN T atomic_dec(volatile __generic T *p) { return __atomic_fetch_sub(p, (T)1, ORDER); }                              \
  FN T atom_dec(volatile __generic T *p) { return __atomic_fetch_sub(p, (T)1, ORDER); }                                \
  FN T atomic_cmpxchg(volatile __generic T *p, T expected, T x) {                                                      \
    __atomic_compare_exchange_n(p, &expected, x, false, ORDER, ORDER);                                                 \
    return expected;                                                                                                   \
  }                                                                                                                    \
  FN T atom_cmpxchg(volatile __generic T *p, T expected, T x) { return atomic_cmpxchg(p, expected, x); }
OLD_ATOMICS(int) OLD_ATOMICS(uint) OLD_ATOMICS(long) OLD_ATOMICS(ulong)
FN float atomic_xchg(volatile __generic float *p, float x) {
  return as_float(__atomic_exchange_n((volatile __generic int *)p, as_int(x), ORDER));
}

// C11's functions, with an order and a scope and without.
#define EXPLICIT(R, name, parameters, arguments)                                                                       \
  FN R name##_explicit(parameters, memory_order order) { return name(arguments); }                                     \
  FN R name##_explicit(parameters, memory_order order, memory_scope scope) { return name(arguments); }
#define LIST(...) __VA_ARGS__
#define EXCHANGES(T, I, bits, value)                                                                                   \
  FN void atomic_init(volatile __generic atomic_##T *p, T x) { *AT(T, p) = x; }                                        \
  FN void atomic_store(volatile __generic atomic_##T *p, T x) { __atomic_store_n(AT(I, p), bits(x), ORDER); }          \
  FN T atomic_load(volatile __generic atomic_##T *p) { return value(__atomic_load_n(AT(I, p), ORDER)); }               \
  FN T atomic_exchange(volatile __generic atomic_##T *p, T x) {                                                        \
    return value(__atomic_exchange_n(AT(I, p), bits(x), ORDER));                                                       \
  }                                                                                                                    \
  FN bool atomic_compare_exchange_strong(volatile __generic atomic_##T *p, __generic T *expected, T x) {               \
    I seen = *(__generic I *)expected;                                                                                 \
    bool done = __atomic_compare_exchange_n(AT(I, p), &seen, bits(x), false, ORDER, ORDER);                            \
    if (!done) *(__generic I *)expected = seen;                                                                        \
    return done;                                                                                                       \
  }                                                                                                                    \
  FN bool atomic_compare_exchange_weak(volatile __generic atomic_##T *p, __generic T *expected, T x) {                 \
    return atomic_compare_exchange_strong(p, expected, x);                                                             \
  }                                                                                                                    \
  EXPLICIT(void, atomic_store, LIST(volatile __generic atomic_##T *p, T x), LIST(p, x))                                \
  EXPLICIT(T, atomic_load, volatile __generic atomic_##T *p, p)                                                        \
  EXPLICIT(T, atomic_exchange, LIST(volatile __generic atomic_##T *p, T x), LIST(p, x))                                \
  COMPARE(T, strong) COMPARE(T, weak)
#define COMPARE(T, how)                                                                                                \
  EXPLICIT(bool, atomic_compare_exchange_##how,                                                                        \
           LIST(volatile __generic atomic_##T *p, __generic T *expected, T x, memory_order success),                   \
           LIST(p, expected, x))
#define SAME(x) x
EXCHANGES(int, int, SAME, SAME)
EXCHANGES(uint, uint, SAME, SAME)
EXCHANGES(long, long, SAME, SAME)
EXCHANGES(ulong, ulong, SAME, SAME)
EXCHANGES(float, int, as_int, as_float)
EXCHANGES(double, long, as_long, as_double)

// The second operand of sums over addresses may be of the other kind.
#define FETCH(T, X, name, operation)                                                                                   \
  FN T atomic_fetch_##name(volatile __generic atomic_##T *p, X x) { return operation; }                                \
  EXPLICIT(T, atomic_fetch_##name, LIST(volatile __generic atomic_##T *p, X x), LIST(p, x))
#define FETCHES(T)                                                                                                     \
  FETCH(T, T, add, __atomic_fetch_add(AT(T, p), x, ORDER))                                                             \
  FETCH(T, T, sub, __atomic_fetch_sub(AT(T, p), x, ORDER))                                                             \
  FETCH(T, T, or, __atomic_fetch_or(AT(T, p), x, ORDER))                                                               \
  FETCH(T, T, xor, __atomic_fetch_xor(AT(T, p), x, ORDER))                                                             \
  FETCH(T, T, and, __atomic_fetch_and(AT(T, p), x, ORDER))                                                             \
  FETCH(T, T, min, __atomic_fetch_min(AT(T, p), x, ORDER))                                                             \
  FETCH(T, T, max, __atomic_fetch_max(AT(T, p), x, ORDER))
FETCHES(int) FETCHES(uint) FETCHES(long) FETCHES(ulong)
FETCH(ulong, long, add, __atomic_fetch_add(AT(ulong, p), (ulong)x, ORDER))
FETCH(ulong, long, sub, __atomic_fetch_sub(AT(ulong, p), (ulong)x, ORDER))

// WebAssembly has no atomics of floating point: try until nobody came between.
#define REPEAT(T, I, value, bits, next)                                                                                \
  ({                                                                                                                   \
    I seen = __atomic_load_n(AT(I, p), ORDER);                                                                         \
    T old = value(seen);                                                                                               \
    while (!__atomic_compare_exchange_n(AT(I, p), &seen, bits((T)(next)), false, ORDER, ORDER)) old = value(seen);     \
    old;                                                                                                               \
  })
#define FLOAT_FETCHES(T, I, value, bits)                                                                               \
  FETCH(T, T, add, REPEAT(T, I, value, bits, old + x))                                                                 \
  FETCH(T, T, sub, REPEAT(T, I, value, bits, old - x))                                                                 \
  FETCH(T, T, min, REPEAT(T, I, value, bits, fmin(old, x)))                                                            \
  FETCH(T, T, max, REPEAT(T, I, value, bits, fmax(old, x)))
FLOAT_FETCHES(float, int, as_float, as_int)
FLOAT_FETCHES(double, long, as_double, as_long)

FN bool atomic_flag_test_and_set(volatile __generic atomic_flag *p) {
  return __atomic_exchange_n((volatile __generic int *)p, 1, ORDER) != 0;
}
FN void atomic_flag_clear(volatile __generic atomic_flag *p) {
  __atomic_store_n((volatile __generic int *)p, 0, ORDER);
}
EXPLICIT(bool, atomic_flag_test_and_set, volatile __generic atomic_flag *p, p)
EXPLICIT(void, atomic_flag_clear, volatile __generic atomic_flag *p, p)
