// What CUDA's own header declares for kernels is always there: see rawkernel_cuda.h.
#pragma once
#include "rawkernel_cuda.h"
