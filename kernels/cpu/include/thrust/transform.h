// thrust: one thread transforms.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto transform(__rk_alone, A... arguments) { return std::transform(arguments...); }
}
