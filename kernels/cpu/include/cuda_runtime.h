// What nvcc has through this header, which it includes itself: the C headers below, and the same names in std.
#pragma once
#include "cuda_runtime_api.h"

#include <algorithm>
#include <assert.h>
#include <cmath>
#include <cstdlib>
#include <float.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
