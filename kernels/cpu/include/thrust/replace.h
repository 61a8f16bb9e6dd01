// thrust: one thread replaces items.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto replace(__rk_alone, A... a) { return std::replace(a...); }
template <class... A> __RK_DEVICE auto replace_if(__rk_alone, A... a) { return std::replace_if(a...); }
}
