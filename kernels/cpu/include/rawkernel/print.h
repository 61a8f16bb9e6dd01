// printf and assert. The worker formats the text.
#ifndef RAWKERNEL_PRINT_H
#define RAWKERNEL_PRINT_H

#include "qualifiers.h"

extern "C" {
__device__ int printf(const char *format, ...) __RK_IMPORT(printf);
__device__ __attribute__((noreturn, cold)) void __rt_assertion(const char *expression, const char *file, unsigned line,
                                                               const char *function) __RK_IMPORT(assertion);
}

#define __RK_ASSERT(expression)                                                                                        \
  ((expression) ? (void)0 : __rt_assertion(#expression, __FILE__, __LINE__, __PRETTY_FUNCTION__))

// As NVRTC has it, assert needs no header; <assert.h> defines it anew.
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) __RK_ASSERT(expression)
#endif

#endif
