// CUDA's runtime API in kernels of relocatable code: launches, streams and their order, memory, errors. The launches of a
// grid run after its blocks, each with all that it launches itself, in the order in which they were made: an order that
// all streams and events allow.
#ifndef RAWKERNEL_DEVICE_RUNTIME_H
#define RAWKERNEL_DEVICE_RUNTIME_H

#include "faults.h"
#include "index.h"
#include "memory.h"
#include "runtime_types.h"
#include "strings.h"

extern "C" {
__device__ void *__rt_parameters(unsigned long bytes, unsigned long whereabouts) __RK_IMPORT(parameters);
__device__ int __rt_launch(unsigned long kernel, void *parameters, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                           unsigned by, unsigned bz, unsigned shared, unsigned long stream, unsigned long whereabouts)
    __RK_IMPORT(launch);
__device__ int __rt_last_error(unsigned long whereabouts, int forget) __RK_IMPORT(last_error);

// Clang calls these two for <<<>>>; programs may, too. A kernel's address stands for its number here.
inline __device__ void *cudaGetParameterBuffer(size_t, size_t bytes) {
  return __rt_parameters(bytes, __rk_whereabouts());
}
inline __device__ cudaError_t cudaLaunchDevice(void *kernel, void *parameters, dim3 grid, dim3 block, unsigned shared,
                                               cudaStream_t stream) {
  return (cudaError_t)__rt_launch((unsigned long)kernel, parameters, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                  shared, (unsigned long)stream, __rk_whereabouts());
}
}

__RK_DEVICE cudaError_t cudaGetLastError() { return (cudaError_t)__rt_last_error(__rk_whereabouts(), 1); }
__RK_DEVICE cudaError_t cudaPeekAtLastError() { return (cudaError_t)__rt_last_error(__rk_whereabouts(), 0); }

inline __device__ const char *cudaGetErrorName(cudaError_t error) {
#define __RK_ERROR(name)                                                                                               \
  case name: return #name;
  switch (error) {
    __RK_ERROR(cudaSuccess)
    __RK_ERROR(cudaErrorInvalidValue)
    __RK_ERROR(cudaErrorMemoryAllocation)
    __RK_ERROR(cudaErrorInvalidConfiguration)
    __RK_ERROR(cudaErrorLaunchMaxDepthExceeded)
    __RK_ERROR(cudaErrorLaunchPendingCountExceeded)
    __RK_ERROR(cudaErrorInvalidDeviceFunction)
    __RK_ERROR(cudaErrorInvalidResourceHandle)
    __RK_ERROR(cudaErrorLaunchOutOfResources)
    default: return "unrecognized error code";
  }
#undef __RK_ERROR
}
inline __device__ const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess: return "no error";
    case cudaErrorInvalidValue: return "invalid argument";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInvalidConfiguration: return "invalid configuration argument";
    case cudaErrorLaunchMaxDepthExceeded: return "launch would exceed maximum depth of nested launches";
    case cudaErrorLaunchPendingCountExceeded: return "launch would exceed limit of outstanding launches";
    case cudaErrorInvalidDeviceFunction: return "invalid device function";
    case cudaErrorInvalidResourceHandle: return "invalid resource handle";
    case cudaErrorLaunchOutOfResources: return "too many resources requested for launch";
    default: return "unrecognized error code";
  }
}

#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02

// One order fits all streams, so that one handle does for all of them.
__RK_DEVICE cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  if (!stream || flags != cudaStreamNonBlocking) return cudaErrorInvalidValue;
  *stream = (cudaStream_t)0x100;
  return cudaSuccess;
}
__RK_DEVICE cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return stream ? cudaSuccess : cudaErrorInvalidResourceHandle;
}
__RK_DEVICE cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  if (!event || flags != cudaEventDisableTiming) return cudaErrorInvalidValue;
  *event = (cudaEvent_t)0x100;
  return cudaSuccess;
}
__RK_DEVICE cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t = nullptr) {
  return event ? cudaSuccess : cudaErrorInvalidResourceHandle;
}
__RK_DEVICE cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return event ? cudaSuccess : cudaErrorInvalidResourceHandle;
}
__RK_DEVICE cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t event, unsigned = 0) {
  return event ? cudaSuccess : cudaErrorInvalidResourceHandle;
}
__attribute__((device, unavailable("CUDA 12 has removed cudaDeviceSynchronize() from kernels: put what follows the "
                                   "children into a kernel that is launched into cudaStreamTailLaunch")))
cudaError_t cudaDeviceSynchronize();

// Memory of a kernel comes from the heap of malloc().
__RK_DEVICE cudaError_t cudaMalloc(void **memory, size_t bytes) {
  if (!memory) return cudaErrorInvalidValue;
  *memory = bytes ? malloc(bytes) : nullptr;
  return *memory || !bytes ? cudaSuccess : cudaErrorMemoryAllocation;
}
template <class T> __RK_DEVICE cudaError_t cudaMalloc(T **memory, size_t bytes) {
  return cudaMalloc((void **)(void *)memory, bytes);
}
__RK_DEVICE cudaError_t cudaFree(void *memory) {
  free(memory);
  return cudaSuccess;
}

// Templates, so that only programs that copy have these kernels.
template <class Byte> __global__ void __rk_copy_bytes(Byte *to, const Byte *from, size_t bytes) {
  for (size_t i = threadIdx.x; i < bytes; i += blockDim.x) to[i] = from[i];
}
template <class Byte> __global__ void __rk_set_bytes(Byte *to, int value, size_t bytes) {
  for (size_t i = threadIdx.x; i < bytes; i += blockDim.x) to[i] = (Byte)value;
}
template <class Void>
__RK_DEVICE cudaError_t cudaMemcpyAsync(Void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                        cudaStream_t stream = nullptr) {
  if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return cudaErrorInvalidValue;
  if (bytes) __rk_copy_bytes<char><<<1, 256, 0, stream>>>((char *)to, (const char *)from, bytes);
  return cudaPeekAtLastError();
}
template <class Void>
__RK_DEVICE cudaError_t cudaMemsetAsync(Void *to, int value, size_t bytes, cudaStream_t stream = nullptr) {
  if (bytes) __rk_set_bytes<char><<<1, 256, 0, stream>>>((char *)to, value, bytes);
  return cudaPeekAtLastError();
}

__RK_DEVICE cudaError_t cudaGetDevice(int *device) {
  if (!device) return cudaErrorInvalidValue;
  *device = 0;
  return cudaSuccess;
}
__RK_DEVICE cudaError_t cudaGetDeviceCount(int *count) {
  if (!count) return cudaErrorInvalidValue;
  *count = 1;
  return cudaSuccess;
}

#endif
