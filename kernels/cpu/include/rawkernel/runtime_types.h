// Types of the runtime API that NVRTC knows without a header, as in CUDA's driver_types.h: kernels take them as arguments.
#ifndef RAWKERNEL_RUNTIME_TYPES_H
#define RAWKERNEL_RUNTIME_TYPES_H

#include "qualifiers.h"

struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPos {
  size_t x, y, z;
};
struct cudaPitchedPtr {
  void *ptr;
  size_t pitch, xsize, ysize;
};

// Those that a kernel may be told, or tell; the numbers are those of the runtime API.
enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorLaunchMaxDepthExceeded = 65,
  cudaErrorLaunchPendingCountExceeded = 69,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchTimeout = 702,
  cudaErrorAssert = 710,
  cudaErrorLaunchFailure = 719,
  cudaErrorNotSupported = 801,
  cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;

// Handles of the host: a kernel can hold them, not use them.
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};

__RK_BOTH cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  cudaExtent extent = {width, height, depth};
  return extent;
}
__RK_BOTH cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  cudaPos pos = {x, y, z};
  return pos;
}
__RK_BOTH cudaPitchedPtr make_cudaPitchedPtr(void *ptr, size_t pitch, size_t xsize, size_t ysize) {
  cudaPitchedPtr pointer = {ptr, pitch, xsize, ysize};
  return pointer;
}

#endif
