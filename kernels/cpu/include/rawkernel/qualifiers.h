// Qualifiers of CUDA's language and what the compiler is told by them. The annotations reach the region splitter as
// names in @llvm.global.annotations.
#ifndef RAWKERNEL_QUALIFIERS_H
#define RAWKERNEL_QUALIFIERS_H

#undef __CUDA_ARCH__
#define __CUDA_ARCH__ 900
#define __CUDA_ARCH_LIST__ 900
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 0
#define __RAWKERNEL_CPU__ 1

#define __global__ __attribute__((global, annotate("kernel")))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared, annotate("shared")))
#define __constant__ __attribute__((constant, annotate("constant")))
#define __managed__ __attribute__((device, annotate("managed")))
#define __grid_constant__
#define __cluster_dims__(...) __attribute__((annotate("cluster_dims", __VA_ARGS__)))
#define __block_size__(...)
#define __maxnreg__(...)

#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__ inline
#define __noinline__ __attribute__((noinline))
#define __restrict__ __restrict
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__), annotate("launch_bounds", __VA_ARGS__)))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI

// Library functions: of the device alone, or of both sides where a host function in the same file may name them too.
#define __RK_DEVICE static inline __attribute__((device, always_inline))
#define __RK_BOTH static inline __attribute__((host, device, always_inline))
#define __RK_MEMBER __attribute__((host, device, always_inline))
// A function whose body C++11 does not take for a constant expression. For clang, constexpr functions are for both sides.
#if __cplusplus >= 201402L
#define __RK_CONSTEXPR14 constexpr
#else
#define __RK_CONSTEXPR14 inline __attribute__((host, device))
#endif
// A function of the worker that runs the kernel.
#define __RK_IMPORT(name) __asm__("__rt_" #name) __attribute__((device, import_module("rt"), import_name(#name)))

#define NULL __null

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;

#endif
