// thrust: the policies that a kernel can name. In a kernel all mean that the calling thread does the work alone.
#pragma once
#include "rawkernel/qualifiers.h"

namespace thrust {
struct __rk_alone {};
constexpr __rk_alone seq, device;
}
