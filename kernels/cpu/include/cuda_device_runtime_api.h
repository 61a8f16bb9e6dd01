// The runtime API in kernels: what relocatable code has anyway. See rawkernel_cuda.h.
#pragma once
#include "rawkernel_cuda.h"
