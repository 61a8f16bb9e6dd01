// C: the clock of a thread.
#pragma once
#include <stddef.h>

#include "rawkernel_cuda.h"
