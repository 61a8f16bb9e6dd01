// What ends a kernel: failed assertions and traps.
#ifndef RAWKERNEL_FAULTS_H
#define RAWKERNEL_FAULTS_H

#include "index.h"

extern "C" {
__device__ __attribute__((cold)) void __rt_fault(unsigned kind, unsigned long address, unsigned long detail,
                                                 unsigned site) __RK_IMPORT(fault);
__device__ __attribute__((noreturn, cold)) void __rt_assertion(const char *expression, const char *file, unsigned line,
                                                               const char *function, unsigned bx, unsigned by,
                                                               unsigned bz, unsigned tx, unsigned ty, unsigned tz)
    __RK_IMPORT(assertion);
}

// The linear numbers of the block and of the thread in it, as findings tell them.
__RK_DEVICE unsigned long __rk_whereabouts() {
  unsigned long row = __rt_id_by() + (unsigned long)__rt_id_gy() * __rt_id_bz();
  return (__rt_id_bx() + __rt_id_gx() * row) << 10 | __rt_id_lin();
}

__RK_DEVICE __attribute__((noreturn)) void __trap() {
  __rt_fault(9, 0, __rk_whereabouts(), ~0u);
  __builtin_unreachable();
}
// There is no debugger to stop for.
__RK_DEVICE void __brkpt() {}
__RK_DEVICE void __prof_trigger(int) {}

extern "C" {
// Called where a class's pure virtual function is called; LLVM names it, so it is not inline. Every source has it.
__device__ __attribute__((noreturn, cold, weak, visibility("hidden"))) void __cxa_pure_virtual() {
  __rt_fault(9, 0, 0, ~0u);
  __builtin_unreachable();
}
}

#define __RK_ASSERT(expression)                                                                                        \
  ((expression) ? (void)0                                                                                              \
                : __rt_assertion(#expression, __FILE__, __LINE__, __PRETTY_FUNCTION__, __rt_id_bx(), __rt_id_by(),     \
                                 __rt_id_bz(), __rt_id_tx(), __rt_id_ty(), __rt_id_tz()))

// As NVRTC has it, assert needs no header; <assert.h> defines it anew, and so does the compiler for NDEBUG.
#define assert(expression) __RK_ASSERT(expression)

#endif
