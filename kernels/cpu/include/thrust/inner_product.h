// thrust: one thread multiplies and adds.
#pragma once
#include <numeric>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto inner_product(__rk_alone, A... a) { return std::inner_product(a...); }
}
