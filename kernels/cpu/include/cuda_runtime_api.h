// The runtime API belongs to the host; kernels find here its version, and the C headers that come with it.
#pragma once
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "rawkernel_cuda.h"

#define CUDART_VERSION 12040
