// thrust: one thread fills.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto fill(__rk_alone, A... arguments) { return std::fill(arguments...); }
template <class... A> __RK_DEVICE auto fill_n(__rk_alone, A... arguments) { return std::fill_n(arguments...); }
}
