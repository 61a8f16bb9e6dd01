// thrust: one thread parts its items by a predicate.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto is_partitioned(__rk_alone, A... a) { return std::is_partitioned(a...); }
template <class... A> __RK_DEVICE auto partition(__rk_alone, A... a) { return std::partition(a...); }
template <class... A> __RK_DEVICE auto partition_point(__rk_alone, A... a) { return std::partition_point(a...); }
template <class... A> __RK_DEVICE auto stable_partition(__rk_alone, A... a) { return std::stable_partition(a...); }
}
