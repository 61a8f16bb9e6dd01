// C: the device heap and absolute values.
#pragma once
#include <stddef.h>
#include <sys/types.h>

#include "rawkernel_cuda.h"

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
