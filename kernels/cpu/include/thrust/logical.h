// thrust: one thread asks of all items.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto all_of(__rk_alone, A... arguments) { return std::all_of(arguments...); }
template <class... A> __RK_DEVICE auto any_of(__rk_alone, A... arguments) { return std::any_of(arguments...); }
template <class... A> __RK_DEVICE auto none_of(__rk_alone, A... arguments) { return std::none_of(arguments...); }
}
