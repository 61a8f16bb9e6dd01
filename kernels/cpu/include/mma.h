// Products of matrices by a warp: nvcuda::wmma.
#pragma once
#include "rawkernel_cuda.h"
#include "rawkernel/wmma_fragment.h"
#include "rawkernel/wmma_memory.h"
#include "rawkernel/wmma_multiply.h"
#include "rawkernel/wmma_bits.h"
