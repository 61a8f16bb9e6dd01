// cub: macros.
#pragma once
#include <cstdint>

#include "rawkernel/collective.h"
#include "cub/util_arch.cuh"
#include "cub/util_macro.cuh"
#include "cub/version.cuh"
