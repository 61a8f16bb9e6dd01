// thrust: one thread counts.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto count(__rk_alone, A... arguments) { return std::count(arguments...); }
}
