// thrust: one thread searches in sorted items.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto lower_bound(__rk_alone, A... a) { return std::lower_bound(a...); }
template <class... A> __RK_DEVICE auto upper_bound(__rk_alone, A... a) { return std::upper_bound(a...); }
template <class... A> __RK_DEVICE auto equal_range(__rk_alone, A... a) { return std::equal_range(a...); }
template <class... A> __RK_DEVICE auto binary_search(__rk_alone, A... a) { return std::binary_search(a...); }
}
