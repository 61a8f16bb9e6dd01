// thrust: one thread merges sorted items.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto merge(__rk_alone, A... a) { return std::merge(a...); }
}
