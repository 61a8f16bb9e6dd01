// cuRAND's generators in kernels: XORWOW and Philox4x32-10, with cuRAND's own sequences, and the distributions.
#pragma once
#include "rawkernel_cuda.h"
#include "rawkernel/curand_xorwow.h"
#include "rawkernel/curand_philox.h"
#include "rawkernel/curand_distributions.h"

typedef curandStateXORWOW_t curandState_t;
typedef curandStateXORWOW_t curandState;
