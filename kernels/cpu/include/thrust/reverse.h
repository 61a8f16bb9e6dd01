// thrust: one thread turns round.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto reverse(__rk_alone, A... a) { return std::reverse(a...); }
template <class... A> __RK_DEVICE auto reverse_copy(__rk_alone, A... a) { return std::reverse_copy(a...); }
}
