// thrust: one thread removes items.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto remove(__rk_alone, A... a) { return std::remove(a...); }
template <class... A> __RK_DEVICE auto remove_if(__rk_alone, A... a) { return std::remove_if(a...); }
template <class... A> __RK_DEVICE auto remove_copy_if(__rk_alone, A... a) { return std::remove_copy_if(a...); }
}
