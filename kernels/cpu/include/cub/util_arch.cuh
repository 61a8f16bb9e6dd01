// cub: the sizes of the device.
#pragma once
#include "rawkernel/qualifiers.h"

#define CUB_PTX_ARCH __CUDA_ARCH__
#define CUB_LOG_WARP_THREADS(arch) 5
#define CUB_WARP_THREADS(arch) 32
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_PTX_WARP_THREADS 32
#define CUB_LOG_SMEM_BANKS(arch) 5
#define CUB_SMEM_BANKS(arch) 32
#define CUB_PTX_LOG_SMEM_BANKS 5
#define CUB_PTX_SMEM_BANKS 32
#define CUB_MAX_DEVICES 128
#define CUB_PREFER_CONFLICT_OVER_PADDING(arch) 1
#define CUB_PTX_PREFER_CONFLICT_OVER_PADDING 1
