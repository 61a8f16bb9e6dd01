// printf. The worker formats the text.
#ifndef RAWKERNEL_PRINT_H
#define RAWKERNEL_PRINT_H

#include "qualifiers.h"

extern "C" {
__device__ int printf(const char *format, ...) __RK_IMPORT(printf);
}

#endif
