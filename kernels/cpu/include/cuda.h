// The driver API belongs to the host; kernels find here its version, and the C headers that come with it.
#pragma once
#include <stdint.h>
#include <stdlib.h>

#include "rawkernel_cuda.h"

#define CUDA_VERSION 12040

typedef cudaTextureObject_t CUtexObject;
typedef cudaSurfaceObject_t CUsurfObject;
