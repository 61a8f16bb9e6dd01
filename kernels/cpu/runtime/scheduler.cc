// How the threads of a block go from barrier to barrier where they do not all do the same. A thread's state is 0 when
// it is done, else twice the number of the barrier at which it waits, plus 1 if that is a barrier of its warp, plus HELD
// if it is one of the grid at which not all blocks are yet.
#include "order.h"

typedef unsigned u32;
typedef unsigned long u64;

// As the compiler's step functions read it.
struct Place {
  u32 tx, ty, tz, lin, bx, by, bz, dx, dy, dz, gx, gy, gz, sites;
  void *dynamic;
  u32 xe;  // One past the last thread of the row that goes on.
};
// Returns the threads' new state, or STORED where they have several and have stored them.
typedef u32 (*Step)(void *args, const Place *place, u32 state, u32 *states, void *context, u64 count);

static const u32 STORED = ~0u, HELD = 1u << 30;
// Beside the number of the first site: the checked mode wants to know of divergent barriers.
static const u32 CHECKED = 1u << 31;

#define INLINE __attribute__((always_inline))
#define COLD __attribute__((noinline, cold))

extern "C" {

// What the functions of a warp and of a block exchange, for each worker on its own.
thread_local u64 __rt_xchg[1024];
thread_local u32 __rt_votes[2];
// What the lanes of each warp multiply with each other.
thread_local u64 __rt_tiles[32 * 320];
// The lanes that a barrier of the warp lets go on together; all ones where all threads go on.
thread_local u32 __rt_active = ~0u;
// The carry flag of inline PTX, which one statement leaves to another of the same thread.
thread_local u32 __rt_carry;
// How often threads have arrived at barriers that are objects.
thread_local u32 __rt_arrivals;
// Set by the entry of cooperative launches.
thread_local u32 __rt_cooperative;

// What threads did before they arrived is ordered before what those do that have waited for them.
void __rt_meet() { __rk_now.blockTime = ++__rk_now.time; }

// The state of all threads where they have the same one, else all ones.
u32 __rt_uniform(const u32 *states, u32 threads) {
  u32 first = states[0], differ = 0;
  for (u32 i = 1; i < threads; i++) differ |= states[i] ^ first;
  return differ ? ~0u : first;
}

// Whether every mask names all threads that its warp has. A mask of 0 names the threads that are here.
u32 __rt_whole(const u32 *masks, u32 threads) {
  u32 all = ~0u, whole = threads & ~31u;
  for (u32 i = 0; i < whole; i++) all &= masks[i] - !masks[i];
  u32 last = ~0u << (threads & 31);
  for (u32 i = whole; i < threads; i++) all &= (masks[i] - !masks[i]) | last;
  return all == ~0u;
}

static u64 whereabouts(const Place *place, u32 thread, u32 other) {
  u64 block = place->bx + (u64)place->gx * (place->by + (u64)place->gy * place->bz);
  return (u64)other << 41 | block << 10 | thread;
}

// The number of the place at which a thread waits, plus 1.
static u32 waitsAt(const Place *place, u32 state) { return (place->sites & ~CHECKED) + (state & ~HELD) / 2; }

// Nobody can go on: the threads wait at barriers of their warps for threads that are elsewhere.
COLD static void deadlock(const u32 *states, const Place *place, u32 threads) {
  u32 first = 0, elsewhere = 0;
  while (!(states[first] & 1)) first++;
  u32 other = first;
  for (u32 i = first & ~31u; i < threads && i < (first | 31u) + 1; i++) {
    if (states[i] && states[i] != states[first]) other = i, elsewhere = waitsAt(place, states[i]);
  }
  u32 site = waitsAt(place, states[first]) - 1;
  __rt_fault(4, (u64)states, whereabouts(place, first, other), site | elsewhere << 16);
  __builtin_trap();
}

// Threads wait for each other at different barriers of the block.
COLD static void divergent(const u32 *states, const Place *place, u32 first, u32 other) {
  u32 site = waitsAt(place, states[first]) - 1;
  __rt_fault(3, (u64)states, whereabouts(place, first, other), site | waitsAt(place, states[other]) << 16);
}

// Threads wait at a barrier of the block, and others have ended on another way than to it.
COLD static void skipped(const u32 *states, const Place *place, u32 first) {
  __rt_fault(rk::SKIPPED_BARRIER, (u64)states, whereabouts(place, first, 0), waitsAt(place, states[first]) - 1);
}

static void look(const u32 *states, const Place *place, u32 threads) {
  // A barrier of the grid may be at several places.
  bool released = __rk_now.released, left = __rk_now.left;
  __rk_now.released = __rk_now.left = 0;
  if (released) return;
  u32 first = threads;
  for (u32 i = 0; i < threads; i++) {
    if (!states[i] || (states[i] & HELD)) continue;
    if (first == threads) first = i;
    if (states[i] != states[first]) return divergent(states, place, first, i);
  }
  if (left && first < threads) skipped(states, place, first);
}

// Whether all threads that are not done wait for other blocks.
u32 __rt_held(const u32 *states, u32 threads) {
  u32 held = 0, moving = 0;
  for (u32 i = 0; i < threads; i++) {
    held |= states[i] & HELD;
    moving |= states[i] && !(states[i] & HELD);
  }
  return held && !moving;
}

// All blocks have come.
void __rt_release(u32 *states, u32 threads) {
  __rk_now.released = 1;
  for (u32 i = 0; i < threads; i++) states[i] &= ~HELD;
}

// Set the state of all threads.
void __rt_all(u32 *states, u32 threads, u32 state) {
  for (u32 i = 0; i < threads; i++) states[i] = state;
}

// Let a run of threads go on: the first one, and those behind it in its row that are at the same place.
INLINE static u32 advance(Step step, void *args, Place *place, u32 *states, u32 thread, u32 end, void *context,
                          u64 count) {
  u32 state = states[thread], row = thread - thread % place->dx, last = thread + 1;
  if (end > row + place->dx) end = row + place->dx;
  while (last < end && states[last] == state) last++;
  place->lin = thread;
  place->tx = thread - row;
  place->ty = thread / place->dx % place->dy;
  place->tz = thread / (place->dx * place->dy);
  place->xe = last - row;
  u32 left = step(args, place, state, states, context, count);
  if (left != STORED) __rt_all(states + thread, last - thread, left);
  return last;
}

static bool moves(u32 state) { return state && !(state & HELD); }

// Let every thread go on to its next barrier: all wait at barriers of the block, or are done.
INLINE static void step_block(Step step, void *args, Place *place, u32 *states, void *context, u64 count,
                              bool anyOrder) {
  u32 threads = place->dx * place->dy * place->dz;
  if (place->sites & CHECKED) look(states, place, threads);
  __rk_now.blockTime = ++__rk_now.time;
  if (anyOrder) {
    u32 order = __rt_turn();
    for (u32 k = 0; k < threads; k++) {
      u32 i = __rt_shuffled(0, threads, k, order);
      if (moves(states[i])) advance(step, args, place, states, i, i + 1, context, count);
    }
    return;
  }
  for (u32 i = 0; i < threads;)
    i = moves(states[i]) ? advance(step, args, place, states, i, threads, context, count) : i + 1;
}
INLINE void __rt_step_block(Step step, void *args, Place *place, u32 *states, void *context, u64 count) {
  step_block(step, args, place, states, context, count, false);
}
INLINE void __rt_step_block_shuffled(Step step, void *args, Place *place, u32 *states, void *context, u64 count) {
  step_block(step, args, place, states, context, count, true);
}

// Whether the living threads that the mask of a waiting thread names all wait with the same mask.
static bool complete(const u32 *states, const u32 *masks, u32 from, u32 end, u32 mask) {
  for (u32 i = from; i < end; i++) {
    if ((mask >> (i - from) & 1) && states[i] && !((states[i] & 1) && masks[i] == mask)) return false;
  }
  return true;
}

// A thread that waits for others in a loop lets them go on with a mask that names another lane alone, as no barrier's
// mask does: the next lane if it waits for threads of its own block, the one behind that if it may wait for other blocks.
static u32 yieldMask(u32 lane, u32 ahead) { return 1u << ((lane + ahead) & 31); }
static bool yields(const u32 *states, const u32 *masks, u32 i) {
  return (states[i] & 1) && (masks[i] == yieldMask(i & 31, 1) || masks[i] == yieldMask(i & 31, 2));
}

// The living lanes that a thread's barrier releases, or 0. A thread without a mask is released with those at the same place.
static u32 released(const u32 *states, const u32 *masks, u32 from, u32 end, u32 thread) {
  u32 mask = masks[thread], lanes = 0;
  if (mask && !complete(states, masks, from, end, mask)) return 0;
  for (u32 i = from; i < end; i++) {
    bool here = mask ? (mask >> (i - from) & 1) && states[i] : states[i] == states[thread] && !masks[i];
    lanes |= (u32)here << (i - from);
  }
  return lanes;
}

// Let the threads of one warp go on for as long as some of them wait at barriers of the warp that are complete. Threads
// without a mask wait until no other thread moves.
INLINE static bool step_warp(Step step, void *args, Place *place, u32 *states, u32 *masks, void *context, u64 count,
                             u32 from, u32 end, bool anyOrder) {
  bool moved = false;
  for (bool again = true, patient = true; again || patient;) {
    if (!again) patient = false;
    again = false;
    u32 order = anyOrder ? __rt_turn() : 0;
    for (u32 at = from, went = 0; at < end; at++) {
      u32 i = anyOrder ? __rt_shuffled(from, end, at, order) : at;
      if (!(states[i] & 1) || (went >> (i - from) & 1) || (patient && !masks[i])) continue;
      if (yields(states, masks, i)) continue;
      u32 lanes = released(states, masks, from, end, i);
      if (!lanes) continue;
      went |= lanes;
      again = moved = patient = true;
      __rt_active = lanes;
      // One thread alone has met no other.
      if (lanes & (lanes - 1)) __rk_now.warpTime[from / 32] = ++__rk_now.time;
      for (u32 n = from; anyOrder && n < end; n++) {
        u32 k = __rt_shuffled(from, end, n, order);
        if (lanes >> (k - from) & 1) advance(step, args, place, states, k, k + 1, context, count);
      }
      for (u32 k = from; !anyOrder && k < end;) {
        u32 after = k;
        while (after < end && (lanes >> (after - from) & 1)) after++;
        k = after > k ? advance(step, args, place, states, k, after, context, count) : k + 1;
      }
    }
  }
  __rt_active = ~0u;
  return moved;
}

// Let every thread go on that waits in a loop, once. Returns what came of it.
enum Yielded { NOBODY, SOME, IN_VAIN };
INLINE static Yielded step_waiting(Step step, void *args, Place *place, u32 *states, u32 *masks, void *context,
                                   u64 count, bool anyOrder) {
  u32 threads = place->dx * place->dy * place->dz, arrived = __rt_arrivals, order = anyOrder ? __rt_turn() : 0;
  Yielded result = NOBODY;
  for (u32 at = 0, after; at < threads; at = after) {
    u32 i = anyOrder ? __rt_shuffled(0, threads, at, order) : at;
    after = at + 1;
    if (!yields(states, masks, i)) continue;
    u32 was = states[i], warp = i | 31, end = anyOrder || warp >= threads ? (anyOrder ? i + 1 : threads) : warp + 1;
    // Others may wait for blocks that run elsewhere.
    bool local = masks[i] == yieldMask(i & 31, 1);
    u32 next = advance(step, args, place, states, i, end, context, count);
    if (!anyOrder) after = next;
    if (result == NOBODY) result = IN_VAIN;
    for (u32 k = i; k < next; k++) {
      if (!local || states[k] != was) result = SOME;
    }
  }
  return result == IN_VAIN && arrived != __rt_arrivals ? SOME : result;
}

// The same for a kernel with barriers of warps, which go first.
INLINE static void step_warps(Step step, void *args, Place *place, u32 *states, u32 *masks, void *context, u64 count,
                              bool anyOrder) {
  u32 threads = place->dx * place->dy * place->dz, warps = (threads + 31) / 32;
  u32 order = anyOrder ? __rt_turn() : 0;
  bool moved = false, waiting = false;
  for (u32 at = 0; at < warps; at++) {
    u32 from = 32 * (anyOrder ? __rt_shuffled(0, warps, at, order) : at);
    u32 end = from + 32 < threads ? from + 32 : threads;
    moved |= step_warp(step, args, place, states, masks, context, count, from, end, anyOrder);
    for (u32 i = from; i < end; i++) waiting |= states[i] & 1;
  }
  if (moved) return;
  if (!waiting) return step_block(step, args, place, states, context, count, anyOrder);
  Yielded yielded = step_waiting(step, args, place, states, masks, context, count, anyOrder);
  if (yielded != SOME) deadlock(states, place, threads);
}
INLINE void __rt_step_warps(Step step, void *args, Place *place, u32 *states, u32 *masks, void *context, u64 count) {
  step_warps(step, args, place, states, masks, context, count, false);
}
INLINE void __rt_step_warps_shuffled(Step step, void *args, Place *place, u32 *states, u32 *masks, void *context,
                                     u64 count) {
  step_warps(step, args, place, states, masks, context, count, true);
}
}
