// thrust: one thread leaves out items that are equal to the one before.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto unique(__rk_alone, A... a) { return std::unique(a...); }
template <class... A> __RK_DEVICE auto unique_copy(__rk_alone, A... a) { return std::unique_copy(a...); }
}
