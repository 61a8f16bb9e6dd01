// The functions of a warp without a mask, which compute capability 7.0 has removed: they are for the threads that are
// here together. The compiler includes this file for older architectures.
#ifndef RAWKERNEL_WARP_BEFORE_SYNC_H
#define RAWKERNEL_WARP_BEFORE_SYNC_H

#include "warp.h"

#define __RK_BEFORE_SYNC(name, Operand)                                                                                \
  template <class T> __RK_DEVICE T name(T value, Operand operand, int width = 32) {                                    \
    return name##_sync(__activemask(), value, operand, width);                                                         \
  }
__RK_BEFORE_SYNC(__shfl, int)
__RK_BEFORE_SYNC(__shfl_up, unsigned)
__RK_BEFORE_SYNC(__shfl_down, unsigned)
__RK_BEFORE_SYNC(__shfl_xor, int)
#undef __RK_BEFORE_SYNC

__RK_DEVICE unsigned __ballot(int predicate) { return __ballot_sync(__activemask(), predicate); }
__RK_DEVICE int __any(int predicate) { return __any_sync(__activemask(), predicate); }
__RK_DEVICE int __all(int predicate) { return __all_sync(__activemask(), predicate); }

#endif
