// thrust: the first of one thread's items that differ.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto mismatch(__rk_alone, A... a) { return std::mismatch(a...); }
}
