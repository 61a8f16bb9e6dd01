// What the instructions of inline PTX do, one function each. The compiler turns an instruction into a call of the
// function with the same name, its dots written as underscores. The words in quotes are of NVIDIA's PTX ISA.
#pragma once
#include "cuda_fp16.h"
#include "cuda_bf16.h"

#define PTX extern "C" __device__ __attribute__((always_inline))

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef int s32;
typedef unsigned u32;
typedef long s64;
typedef unsigned long u64;
typedef float f32;
typedef double f64;

#define EACH_INTEGER(M) M(u16) M(s16) M(u32) M(s32) M(u64) M(s64)
#define EACH_SIGNED(M) M(s16) M(s32) M(s64)
#define EACH_FLOAT(M) M(f32) M(f64)
