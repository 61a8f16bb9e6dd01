// thrust: sets of one thread's sorted items.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto set_difference(__rk_alone, A... a) { return std::set_difference(a...); }
template <class... A> __RK_DEVICE auto set_intersection(__rk_alone, A... a) { return std::set_intersection(a...); }
template <class... A> __RK_DEVICE auto set_symmetric_difference(__rk_alone, A... a) { return std::set_symmetric_difference(a...); }
template <class... A> __RK_DEVICE auto set_union(__rk_alone, A... a) { return std::set_union(a...); }
}
