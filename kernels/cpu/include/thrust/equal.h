// thrust: whether one thread's items are equal.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto equal(__rk_alone, A... a) { return std::equal(a...); }
}
