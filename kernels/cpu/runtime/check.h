// Shared declarations of the checked mode. The compiler puts a call of one of its functions before each access to memory;
// the call returns the address to use, which is another one where the kernel continues after a finding.
//
// Five tables lie behind the device's memory. The shadow has a byte for each 16 bytes: how many of them exist. The
// records have 8 bytes for each 4 bytes: which of them were ever written, and which block came last. The third one has
// 8 bytes for each 4 bytes of global memory: which thread of that block came last. The last two have 8 bytes for each 64
// bytes: the same of sixteen words that were accessed alike (check-lines.h).
#pragma once

// What headers define becomes a part of each kernel's code. What the files check-*.cc define is compiled once, when the
// package is built, and called: with each kernel, that took several times as long as the kernel itself.
#define RK_FAST extern "C" __attribute__((always_inline))
#define RK_SLOW extern "C" __attribute__((noinline, cold))
#define RK_APART extern "C" __attribute__((noinline))
#define RK_MEMBER inline __attribute__((always_inline))
#define RK_PART static inline __attribute__((always_inline, unused))

namespace rk {
typedef unsigned u32;
typedef unsigned long u64;
typedef long i64;

// The runtime has the same numbers in guard.ts. Tables that are read in turn differ in address bits 12 to 27: AMD's
// processors predict the way of the cache from a hash of those bits, and two addresses with the same hash miss in turn,
// which makes each look three times as slow (M. Lipp et al.: Take A Way, ASIA CCS 2020).
constexpr u64 FIRST = 0x10000, LIMIT = 0x30000000, SHADOW = 0x30000000, RECORDS = 0x33000000;
constexpr u64 THREAD_RECORDS = 0x93455540, LINES = 0xf3800000, THREAD_LINES = 0xf9955540;
constexpr u64 DYNAMIC = 0xfffful << 32;
constexpr int FREED = -1, PRIVATE = 48, SHARED = 64;

// What rt.fault is called for.
enum Finding {
  OUT_OF_BOUNDS = 1,
  SHARED_RACE = 2,
  DIVERGENT_BARRIER = 3,
  MISALIGNED = 5,
  UNINITIALIZED = 6,
  GLOBAL_RACE = 7,
  USE_AFTER_FREE = 10,
  NULL_POINTER = 11,
  UNSET = 16,
  THREAD_RACE = 17,
  SKIPPED_BARRIER = 18,
};

// What an access does, as the compiler says it.
enum Kind {
  WRITE = 1,
  ATOMIC = 2,
  VOLATILE = 4,
  // A number is read, not bytes on their way from one place to another.
  SCALAR = 8,
  // Its value is known.
  VALUE = 16,
  // Races between the threads of a block are looked for on global memory.
  THREADS = 32,
  // Races between blocks are looked for on global memory. Without it, the records of global memory only say which bytes were
  // written.
  BLOCKS = 64,
  // Races are looked for, but this access can have none.
  CALM = 128,
};

// The races that are looked for on global memory: none, between blocks, or also between the threads of a block.
enum Races { NO_RACES, BETWEEN_BLOCKS, BETWEEN_THREADS };

// What a launch knows of the memory that a pointer of the kernel's leads to: bytes from an address on whose accesses need
// no further check, and whether the launch writes nothing of that allocation, so that reads of it race with nothing.
struct Range {
  u64 from, bytes, calm;
};
constexpr u32 MOST_RANGES = 16;

// The thread and block that run in this worker, and their place in the program.
struct Now {
  u32 thread, block;
  // The place of the latest call through a pointer, plus 1.
  u32 site;
  // A thread of the block has ended since the latest barrier of the block, in a way that matters to those at the next
  // one. The compiler's code sets it.
  u32 left;
  // Of accesses to global memory: the launch and the block, in place.
  u64 tag;
  // Barriers so far, of the worker's whole life: all of them, up to the latest one of the block, of all its warps.
  u32 time, blockTime, warpsTime;
  u32 warpTime[32];
  // What the block has done to be ordered after others.
  u32 fenced, acquired;
  // The launches have no number any more that would tell this one from those before.
  u32 excused;
  // `Races` that this launch looks for.
  u32 races;
  // Those that have made an atomic access, or a volatile one to global memory: a bit for each, and whether there are any.
  u32 atomics[32];
  u32 anyAtomic;
  // Threads that waited for other blocks go on, from wherever they did.
  u32 released;
  char *dynamic;
  u32 dynamicBytes;
  // The target of an access that must not be made.
  u64 nowhere[16];
  // Where the variable begins beside which the latest access was; the runtime asks for it once.
  u64 base;
  // Of the running kernel, in the order that it has them in. The compiler's code reads them.
  Range ranges[MOST_RANGES];
};
static_assert(__builtin_offsetof(Now, ranges) == 472, "the compiler has the same number");
} // namespace rk

extern "C" {
extern __thread rk::Now __rk_now;
__attribute__((import_module("rt"), import_name("fault"))) void __rt_fault(unsigned kind, unsigned long address,
                                                                          unsigned long detail, unsigned site);
}

namespace rk {
// Report a finding. `other` is the place of the other access plus 1, `who` its thread or block.
RK_PART char *found(u32 finding, u64 address, u32 site, u32 other = 0, u64 who = 0) {
  __rt_fault(finding, address, who << 41 | (u64)__rk_now.block << 10 | __rk_now.thread, (site & 0xffff) | other << 16);
  return (char *)__rk_now.nowhere;
}

RK_PART signed char shadow(u64 a) { return *(const signed char *)(SHADOW + (a >> 4)); }
RK_PART u64 *recordOf(u64 a) { return (u64 *)(RECORDS + (a >> 2 << 3)); }

// Whether `length` bytes lie in a range. None do in an empty one.
RK_PART bool isIn(u64 a, u64 length, u64 from, u64 bytes) {
  u64 offset = a - from;
  return offset < bytes && length <= bytes - offset;
}
} // namespace rk
