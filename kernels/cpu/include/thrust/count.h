// thrust: one thread counts.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto count(__rk_alone, A... a) { return std::count(a...); }
template <class... A> __RK_DEVICE auto count_if(__rk_alone, A... a) { return std::count_if(a...); }
}
