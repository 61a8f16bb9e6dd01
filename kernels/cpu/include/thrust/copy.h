// thrust: one thread copies.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto copy(__rk_alone, A... arguments) { return std::copy(arguments...); }
template <class... A> __RK_DEVICE auto copy_n(__rk_alone, A... arguments) { return std::copy_n(arguments...); }
}
