// Integer intrinsics: counts of bits, parts of products, shifts over two words.
#ifndef RAWKERNEL_INTEGERS_H
#define RAWKERNEL_INTEGERS_H

#include "qualifiers.h"

__RK_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
__RK_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__RK_DEVICE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
__RK_DEVICE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
__RK_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
__RK_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
__RK_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__RK_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }

#endif
