// The checked mode: memory that may not be there, and what the runtime asks and tells a checked program.
#include "check-bounds.h"

using namespace rk;

extern "C" __thread Now __rk_now = {};

// An access that the fast test did not let pass.
RK_SLOW char *__rk_bad(char *p, u32 size, u32 align, u32 site) {
  u64 a = (u64)p;
  if (a < FIRST || a > -FIRST) return found(NULL_POINTER, a, site);
  if (a >= LIMIT) return found(OUT_OF_BOUNDS, a, site);
  for (u64 at = a & ~15ul; at < a + size; at += 16) {
    u64 end = a + size < at + 16 ? a + size - at : 16;
    int valid = shadow(at);
    if (valid == FREED) return found(USE_AFTER_FREE, a, site);
    if ((int)end > valid) return found(OUT_OF_BOUNDS, a, site);
  }
  return a & (align - 1) ? found(MISALIGNED, a, site) : p;
}

// Memory that is not in the range that the launch knows.
RK_APART char *__rk_bounds_far(char *p, u32 size, u32 align, u32 site) { return __rk_bounds(p, size, align, site); }

// An access of a variable or a private array that ends up outside of it, or misaligned.
RK_SLOW char *__rk_outside(char *p, u64 offset, u64 bytes, u32 size, u32 site) {
  if ((u64)p < FIRST) return found(NULL_POINTER, (u64)p, site);
  __rk_now.base = (u64)p - offset;
  return found(offset < bytes && offset + size <= bytes ? MISALIGNED : OUT_OF_BOUNDS, (u64)p, site);
}

// So many bytes for a copy or a fill: how many of them may be touched, which is all or none.
RK_SLOW u64 __rk_range(char *p, u64 bytes, u32 align, u32 site) {
  u64 a = (u64)p;
  if (bytes == 0) return 0;
  if (a < FIRST || a > -FIRST) return found(NULL_POINTER, a, site), 0;
  if (a >= LIMIT || bytes > LIMIT - a) return found(OUT_OF_BOUNDS, a, site), 0;
  for (u64 at = a & ~15ul; at < a + bytes; at += 16) {
    u64 end = a + bytes < at + 16 ? a + bytes - at : 16;
    int valid = shadow(at);
    u64 where = at < a ? a : at;
    if (valid == FREED) return found(USE_AFTER_FREE, where, site), 0;
    if ((int)end > valid) return found(OUT_OF_BOUNDS, where, site), 0;
  }
  if (a & (align - 1)) return found(MISALIGNED, a, site), 0;
  return bytes;
}

// A fill, and a copy; a negative place is one that needs no look.
extern "C" u64 __rk_fill_bounds(char *to, u64 bytes, u32 align, int site, u32 value) {
  return __rk_range(to, bytes, align, site);
}
extern "C" u64 __rk_copy_bounds(char *to, char *from, u64 bytes, u32 toAlign, u32 fromAlign, int toSite, int fromSite) {
  if (fromSite >= 0 && __rk_range(from, bytes, fromAlign, fromSite) < bytes) return 0;
  return toSite >= 0 ? __rk_range(to, bytes, toAlign, toSite) : bytes;
}

// What clang's sanitizer found; the finding has the sanitizer's number of it as its address.
extern "C" __attribute__((cold)) void __rk_undefined(u32 finding, u64 value, u32 site) { found(finding, value, site); }

RK_SLOW void __rk_unset_found(u32 site) { found(UNSET, 0, site); }

// Where that begins in which an address is, as far as the runtime library knows it. Dynamic shared memory has a number
// that no variable has.
extern "C" u64 __rk_known(u64 a) {
  u64 base = __rk_now.base, dynamic = (u64)__rk_now.dynamic;
  __rk_now.base = 0;
  return base ? base : a - dynamic < __rk_now.dynamicBytes ? dynamic | DYNAMIC : 0;
}

// Before a launch. `excused`: 1 where its blocks cannot be told from those of others, 2 where there are too many.
extern "C" void __rk_set(u64 tag, char *dynamic, u32 dynamicBytes, u32 excused, u32 races) {
  __rk_now.excused = excused & 1;
  __rk_now.races = excused && races == BETWEEN_THREADS ? BETWEEN_BLOCKS : races;
  __rk_now.tag = tag;
  __rk_now.dynamic = dynamic;
  __rk_now.dynamicBytes = dynamicBytes;
}

// The shared variables of this worker exist.
extern "C" void __rk_exists(char *p, u64 bytes) {
  for (u64 at = (u64)p & ~15ul; at < (u64)p + bytes; at += 16) *(signed char *)(SHADOW + (at >> 4)) = SHARED + 16;
}
