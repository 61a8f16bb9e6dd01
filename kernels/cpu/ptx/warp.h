// Warps and barriers (PTX ISA, Parallel Synchronization and Communication Instructions), and places of threads.
#pragma once
#include "base.h"

PTX u32 __ptx_laneid() { return __rk_lane(); }
PTX u32 __ptx_warpid() { return __rt_id_lin() >> 5; }
PTX u32 __ptx_nwarpid() { return (__rt_id_dx() * __rt_id_dy() * __rt_id_dz() + 31) >> 5; }
PTX u32 __ptx_lanemask_eq() { return 1u << __rk_lane(); }
PTX u32 __ptx_lanemask_lt() { return (1u << __rk_lane()) - 1; }
PTX u32 __ptx_lanemask_le() { return (2u << __rk_lane()) - 1; }
PTX u32 __ptx_lanemask_gt() { return ~((2u << __rk_lane()) - 1); }
PTX u32 __ptx_lanemask_ge() { return ~((1u << __rk_lane()) - 1); }
PTX u64 __ptx_clock() { return (u64)__rt_clock(); }

// The source lane j of the ISA's pseudocode for shfl; the clamp c has the segment's mask in its bits 8 to 12.
#define SHUFFLE(mode, j, inside)                                                                                       \
  PTX u32 __ptx_shfl_sync_##mode##_b32(bool *there, u32 a, u32 b, u32 c, u32 members) {                                \
    u32 lane = __rk_lane(), segment = c >> 8 & 31, by = b & 31;                                                        \
    u32 lowest = lane & segment, last = lowest | (c & 31 & ~segment), source = j;                                      \
    *there = inside;                                                                                                   \
    return __rk_shuffle(members, a, source, inside);                                                                   \
  }
SHUFFLE(up, lane - by, (s32)source >= (s32)last)
SHUFFLE(down, lane + by, source <= last)
SHUFFLE(bfly, lane ^ by, source <= last)
SHUFFLE(idx, lowest | (by & ~segment), source <= last)
#undef SHUFFLE

PTX u32 __ptx_vote_sync_ballot_b32(bool p, u32 members) { return __ballot_sync(members, p); }
PTX bool __ptx_vote_sync_any_pred(bool p, u32 members) { return __any_sync(members, p) != 0; }
PTX bool __ptx_vote_sync_all_pred(bool p, u32 members) { return __all_sync(members, p) != 0; }
PTX bool __ptx_vote_sync_uni_pred(bool p, u32 members) { return __uni_sync(members, p) != 0; }
#define MATCH(T, b)                                                                                                    \
  PTX u32 __ptx_match_any_sync_##b(T a, u32 members) { return __match_any_sync(members, a); }                          \
  PTX u32 __ptx_match_all_sync_##b(bool *same, T a, u32 members) {                                                     \
    int all;                                                                                                           \
    u32 mask = __match_all_sync(members, a, &all);                                                                     \
    *same = all != 0;                                                                                                  \
    return mask;                                                                                                       \
  }
MATCH(u32, b32)
MATCH(u64, b64)
#undef MATCH
#define REDUX(name, T, t)                                                                                              \
  PTX T __ptx_redux_sync_##name##_##t(T a, u32 members) { return __reduce_##name##_sync(members, a); }
REDUX(add, u32, u32) REDUX(min, u32, u32) REDUX(max, u32, u32)
REDUX(add, s32, s32) REDUX(min, s32, s32) REDUX(max, s32, s32)
REDUX(and, u32, b32) REDUX(or, u32, b32) REDUX(xor, u32, b32)
#undef REDUX

PTX u32 __ptx_activemask_b32() { return __activemask(); }
PTX void __ptx_bar_warp_sync(u32 members) { __syncwarp(members); }
PTX void __ptx_bar_sync() { __syncthreads(); }
PTX u32 __ptx_bar_red_popc_u32(bool p) { return (u32)__syncthreads_count(p); }
PTX bool __ptx_bar_red_and_pred(bool p) { return __syncthreads_and(p) != 0; }
PTX bool __ptx_bar_red_or_pred(bool p) { return __syncthreads_or(p) != 0; }
PTX void __ptx_fence() { __threadfence(); }
PTX void __ptx_nanosleep_u32(u32 time) { __nanosleep(time); }
PTX void __ptx_trap() { __trap(); }
PTX void __ptx_brkpt() { __brkpt(); }

// A copy that is done when it returns; bytes beyond the source's are zeros.
PTX void __ptx_cp_async(u8 *to, const u8 *from, u32 bytes, u32 there) {
  if (there >= bytes) {
    if (bytes == 16) __builtin_memcpy(__builtin_assume_aligned(to, 16), __builtin_assume_aligned(from, 16), 16);
    else if (bytes == 8) __builtin_memcpy(__builtin_assume_aligned(to, 8), __builtin_assume_aligned(from, 8), 8);
    else __builtin_memcpy(__builtin_assume_aligned(to, 4), __builtin_assume_aligned(from, 4), 4);
    return;
  }
  for (u32 i = 0; i < bytes; i++) to[i] = i < there ? from[i] : 0;
}
