// thrust: one thread searches in sorted items.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto lower_bound(__rk_alone, A... arguments) { return std::lower_bound(arguments...); }
template <class... A> __RK_DEVICE auto upper_bound(__rk_alone, A... arguments) { return std::upper_bound(arguments...); }
template <class... A> __RK_DEVICE auto binary_search(__rk_alone, A... arguments) { return std::binary_search(arguments...); }
}
