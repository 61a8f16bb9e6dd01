// The runtime API belongs to the host; kernels find here its version and the names that they already have.
#pragma once
#include "rawkernel_cuda.h"

#define CUDART_VERSION 12040
