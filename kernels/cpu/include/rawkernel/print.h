// printf and assert. The worker formats the text.
#ifndef RAWKERNEL_PRINT_H
#define RAWKERNEL_PRINT_H

#include "qualifiers.h"

extern "C" {
__device__ int printf(const char *format, ...) __RK_IMPORT(printf);
__device__ __attribute__((noreturn, cold)) void __rt_assertion(const char *expression, const char *file, unsigned line,
                                                               const char *function) __RK_IMPORT(assertion);
}

#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression)                                                                                             \
  ((expression) ? (void)0 : __rt_assertion(#expression, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif

#endif
