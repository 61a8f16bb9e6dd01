// thrust: one thread copies.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto copy(__rk_alone, A... a) { return std::copy(a...); }
template <class... A> __RK_DEVICE auto copy_n(__rk_alone, A... a) { return std::copy_n(a...); }
template <class... A> __RK_DEVICE auto copy_if(__rk_alone, A... a) { return std::copy_if(a...); }
}
