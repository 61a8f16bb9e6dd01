// thrust: one thread searches.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto find(__rk_alone, A... a) { return std::find(a...); }
template <class... A> __RK_DEVICE auto find_if(__rk_alone, A... a) { return std::find_if(a...); }
template <class... A> __RK_DEVICE auto find_if_not(__rk_alone, A... a) { return std::find_if_not(a...); }
}
