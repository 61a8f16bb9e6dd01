// The CUDA built-ins of rawkernel's embedded CPU device. The compiler includes this file before the user's source.
#ifndef RAWKERNEL_CUDA_H
#define RAWKERNEL_CUDA_H

#include "rawkernel/qualifiers.h"

#include "rawkernel/index.h"
#include "rawkernel/vectors.h"

#include "rawkernel/runtime_types.h"

#include <initializer_list>
#include "rawkernel/moves.h"

#include "rawkernel/faults.h"
#include "rawkernel/memory.h"
#include "rawkernel/print.h"
#include "rawkernel/sync.h"
#include "rawkernel/warp.h"
#include "rawkernel/atomics.h"

#ifdef __CLANG_RDC__
#include "rawkernel/device_runtime.h"
#endif

#include "rawkernel/casts.h"
#include "rawkernel/conversions.h"
#include "rawkernel/integers.h"
#include "rawkernel/video.h"

#if __has_include("rawkernel_math.h")
#include "rawkernel_math.h"

#include "rawkernel/surface_functions.h"
#include "rawkernel/texture_functions.h"
#endif

#endif
