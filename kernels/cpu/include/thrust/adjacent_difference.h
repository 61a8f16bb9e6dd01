// thrust: differences of one thread's neighbours.
#pragma once
#include <numeric>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto adjacent_difference(__rk_alone, A... a) { return std::adjacent_difference(a...); }
}
