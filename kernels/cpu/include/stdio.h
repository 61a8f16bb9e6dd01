// C: printf is the one function of this header that kernels have.
#pragma once
#include "rawkernel/print.h"
