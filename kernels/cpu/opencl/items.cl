// Where a work-item is, and what work-items of a group do together. Linked into a program before anything is inlined,
// so that the compiler sees who asks for indices and who waits.
#include "base.h"

// The compiler replaces these calls. The first ones are as for CUDA: t(hread), b(lock), d(imensions), g(rid).
#define ID(name) __attribute__((const, nothrow)) uint __rt_id_##name(void);
ID(tx) ID(ty) ID(tz) ID(bx) ID(by) ID(bz) ID(dx) ID(dy) ID(dz) ID(gx) ID(gy) ID(gz) ID(lin)
// These are in the record of the launch: numbers of groups before it, of groups, sizes of a whole group, dimensions.
ID(px) ID(py) ID(pz) ID(nx) ID(ny) ID(nz) ID(lx) ID(ly) ID(lz) ID(wd)
// Origin of the launch, offset and size of the whole range.
#define WIDE_ID(name) __attribute__((const, nothrow)) ulong __rt_id_##name(void);
WIDE_ID(ox) WIDE_ID(oy) WIDE_ID(oz) WIDE_ID(fx) WIDE_ID(fy) WIDE_ID(fz) WIDE_ID(sx) WIDE_ID(sy) WIDE_ID(sz)

#define BY_DIMENSION(name, of, otherwise)                                                                              \
  FN __attribute__((const)) size_t name(uint dimension) {                                                              \
    switch (dimension) {                                                                                               \
    case 0: return of(x);                                                                                              \
    case 1: return of(y);                                                                                              \
    case 2: return of(z);                                                                                              \
    default: return otherwise;                                                                                         \
    }                                                                                                                  \
  }
#define GLOBAL_ID(d) __rt_id_o##d() + (ulong)__rt_id_b##d() * __rt_id_d##d() + __rt_id_t##d()
#define GLOBAL_SIZE(d) __rt_id_s##d()
#define GLOBAL_OFFSET(d) __rt_id_f##d()
#define LOCAL_ID(d) __rt_id_t##d()
#define LOCAL_SIZE(d) __rt_id_d##d()
#define WHOLE_LOCAL_SIZE(d) __rt_id_l##d()
#define GROUPS(d) __rt_id_n##d()
#define GROUP(d) __rt_id_p##d() + __rt_id_b##d()
BY_DIMENSION(get_global_id, GLOBAL_ID, 0)
BY_DIMENSION(get_global_size, GLOBAL_SIZE, 1)
BY_DIMENSION(get_global_offset, GLOBAL_OFFSET, 0)
BY_DIMENSION(get_local_id, LOCAL_ID, 0)
BY_DIMENSION(get_local_size, LOCAL_SIZE, 1)
BY_DIMENSION(get_enqueued_local_size, WHOLE_LOCAL_SIZE, 1)
BY_DIMENSION(get_num_groups, GROUPS, 1)
BY_DIMENSION(get_group_id, GROUP, 0)
FN __attribute__((const)) uint get_work_dim(void) { return __rt_id_wd(); }
FN __attribute__((const)) size_t get_local_linear_id(void) { return __rt_id_lin(); }
FN __attribute__((const)) size_t get_global_linear_id(void) {
  ulong x = GLOBAL_ID(x) - GLOBAL_OFFSET(x), y = GLOBAL_ID(y) - GLOBAL_OFFSET(y), z = GLOBAL_ID(z) - GLOBAL_OFFSET(z);
  return (z * GLOBAL_SIZE(y) + y) * GLOBAL_SIZE(x) + x;
}

// Where the compiler cuts a kernel.
__attribute__((convergent, noduplicate)) void __rt_barrier(void);
__attribute__((convergent, noduplicate)) void __rt_warp_barrier(uint mask);
WAITING void barrier(cl_mem_fence_flags flags) { __rt_barrier(); }
WAITING void work_group_barrier(cl_mem_fence_flags flags) { __rt_barrier(); }
WAITING void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) { __rt_barrier(); }
WAITING void sub_group_barrier(cl_mem_fence_flags flags) { __rt_warp_barrier(~0u); }
WAITING void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) { __rt_warp_barrier(~0u); }
// Copies are done by all work-items, each its share.
WAITING void wait_group_events(int count, __private event_t *events) { __rt_barrier(); }
WAITING void wait_group_events(int count, __local event_t *events) { __rt_barrier(); }
WAITING void wait_group_events(int count, __global event_t *events) { __rt_barrier(); }
WAITING void wait_group_events(int count, __generic event_t *events) { __rt_barrier(); }

// A slot for each work-item of the group, of the worker that runs it.
extern __global ulong __rt_xchg[1024];
#define BITS_int(x) (ulong)(uint)(x)
#define BITS_uint(x) (ulong)(x)
#define BITS_long(x) (ulong)(x)
#define BITS_ulong(x) (x)
#define BITS_half(x) (ulong)as_ushort(x)
#define BITS_float(x) (ulong)as_uint(x)
#define BITS_double(x) as_ulong(x)
#define VALUE_int(x) (int)(x)
#define VALUE_uint(x) (uint)(x)
#define VALUE_long(x) (long)(x)
#define VALUE_ulong(x) (x)
#define VALUE_half(x) as_half((ushort)(x))
#define VALUE_float(x) as_float((uint)(x))
#define VALUE_double(x) as_double(x)

// The group, and the sub-groups: 32 work-items that follow each other.
#define ALL_work (__rt_id_dx() * __rt_id_dy() * __rt_id_dz())
#define FIRST_work 0
#define COUNT_work ALL_work
#define WAIT_work __rt_barrier()
#define FIRST_sub (__rt_id_lin() & ~31u)
#define COUNT_sub (ALL_work - FIRST_sub < 32 ? ALL_work - FIRST_sub : 32)
#define WAIT_sub __rt_warp_barrier(~0u)

FN __attribute__((const)) uint get_sub_group_size(void) { return COUNT_sub; }
FN __attribute__((const)) uint get_max_sub_group_size(void) { return ALL_work < 32 ? ALL_work : 32; }
FN __attribute__((const)) uint get_num_sub_groups(void) { return (ALL_work + 31) / 32; }
FN __attribute__((const)) uint get_enqueued_num_sub_groups(void) {
  return (__rt_id_lx() * __rt_id_ly() * __rt_id_lz() + 31) / 32;
}
FN __attribute__((const)) uint get_sub_group_id(void) { return __rt_id_lin() / 32; }
FN __attribute__((const)) uint get_sub_group_local_id(void) { return __rt_id_lin() & 31; }

// Everybody puts a value into its slot; the first one works on all slots; everybody takes its own. So nobody writes to
// a slot that somebody still has to read.
#define TOGETHER(who, T, x, work)                                                                                      \
  __global ulong *slots = __rt_xchg + FIRST_##who;                                                                     \
  uint own = __rt_id_lin() - FIRST_##who;                                                                              \
  slots[own] = BITS_##T(x);                                                                                            \
  WAIT_##who;                                                                                                          \
  if (own == 0) {                                                                                                      \
    uint count = COUNT_##who;                                                                                          \
    work                                                                                                               \
  }                                                                                                                    \
  WAIT_##who;                                                                                                          \
  return VALUE_##T(slots[own]);

#define VOTE(who, name, start, step)                                                                                   \
  WAITING int who##_group_##name(int predicate) {                                                                      \
    TOGETHER(who, int, predicate != 0, {                                                                               \
      ulong votes = start;                                                                                             \
      for (uint i = 0; i < count; i++) votes = votes step slots[i];                                                    \
      for (uint i = 0; i < count; i++) slots[i] = votes;                                                               \
    })                                                                                                                 \
  }
VOTE(work, all, 1, &)
VOTE(work, any, 0, |)
VOTE(sub, all, 1, &)
VOTE(sub, any, 0, |)

#define FOLD(who, T, name, start, step)                                                                                \
  WAITING T who##_group_reduce_##name(T x) {                                                                           \
    TOGETHER(who, T, x, {                                                                                              \
      T a = VALUE_##T(slots[0]);                                                                                       \
      for (uint i = 1; i < count; i++) {                                                                               \
        T b = VALUE_##T(slots[i]);                                                                                     \
        a = step;                                                                                                      \
      }                                                                                                                \
      for (uint i = 0; i < count; i++) slots[i] = BITS_##T(a);                                                         \
    })                                                                                                                 \
  }                                                                                                                    \
  WAITING T who##_group_scan_inclusive_##name(T x) {                                                                   \
    TOGETHER(who, T, x, {                                                                                              \
      T a = VALUE_##T(slots[0]);                                                                                       \
      for (uint i = 1; i < count; i++) {                                                                               \
        T b = VALUE_##T(slots[i]);                                                                                     \
        a = step;                                                                                                      \
        slots[i] = BITS_##T(a);                                                                                        \
      }                                                                                                                \
    })                                                                                                                 \
  }                                                                                                                    \
  WAITING T who##_group_scan_exclusive_##name(T x) {                                                                   \
    TOGETHER(who, T, x, {                                                                                              \
      T a = start;                                                                                                     \
      for (uint i = 0; i < count; i++) {                                                                               \
        T b = VALUE_##T(slots[i]);                                                                                     \
        slots[i] = BITS_##T(a);                                                                                        \
        a = step;                                                                                                      \
      }                                                                                                                \
    })                                                                                                                 \
  }
#define SPREAD(named) {                                                                                                \
    ulong chosen = slots[named];                                                                                       \
    for (uint i = 0; i < count; i++) slots[i] = chosen;                                                                \
  }
#define FOLDS(T, least, most)                                                                                          \
  FOLD(work, T, add, 0, (T)(a + b))                                                                                    \
  FOLD(work, T, min, most, (b < a ? b : a))                                                                            \
  FOLD(work, T, max, least, (b > a ? b : a))                                                                           \
  FOLD(sub, T, add, 0, (T)(a + b))                                                                                     \
  FOLD(sub, T, min, most, (b < a ? b : a))                                                                             \
  FOLD(sub, T, max, least, (b > a ? b : a))                                                                            \
  WAITING T sub_group_broadcast(T x, uint from) { TOGETHER(sub, T, x, SPREAD(from)) }                                  \
  WAITING T work_group_broadcast(T x, size_t from) { TOGETHER(work, T, x, SPREAD(from)) }                              \
  WAITING T work_group_broadcast(T x, size_t fx, size_t fy) {                                                          \
    TOGETHER(work, T, x, SPREAD(fy * __rt_id_dx() + fx))                                                               \
  }                                                                                                                    \
  WAITING T work_group_broadcast(T x, size_t fx, size_t fy, size_t fz) {                                               \
    TOGETHER(work, T, x, SPREAD((fz * __rt_id_dy() + fy) * __rt_id_dx() + fx))                                         \
  }
FOLDS(int, INT_MIN, INT_MAX)
FOLDS(uint, 0, UINT_MAX)
FOLDS(long, LONG_MIN, LONG_MAX)
FOLDS(ulong, 0, ULONG_MAX)
FOLDS(half, (half)-INFINITY, (half)INFINITY)
FOLDS(float, -INFINITY, INFINITY)
FOLDS(double, -INFINITY, INFINITY)

// Local memory is the worker's: its variables, and the room that arguments point into. What is not there is global or
// private; which of these, nobody can tell.
__attribute__((const, nothrow)) __generic void *__rt_id_dynamic(void);
#define DYNAMIC_BYTES (228 * 1024)
static __attribute__((always_inline)) bool is_local(const __generic void *p) {
  ulong dynamic = (ulong)__rt_id_dynamic(), at = (ulong)p;
  return at - (ulong)__builtin_wasm_tls_base() < __builtin_wasm_tls_size() ||
         (dynamic != 0 && at - dynamic < DYNAMIC_BYTES);
}
__attribute__((always_inline)) __generic void *__to_local(__generic void *p) { return is_local(p) ? p : 0; }
__attribute__((always_inline)) __generic void *__to_global(__generic void *p) { return is_local(p) ? 0 : p; }
__attribute__((always_inline)) __generic void *__to_private(__generic void *p) { return is_local(p) ? 0 : p; }
FN cl_mem_fence_flags get_fence(const __generic void *p) {
  return is_local(p) ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE;
}
FN cl_mem_fence_flags get_fence(__generic void *p) {
  return is_local(p) ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE;
}
