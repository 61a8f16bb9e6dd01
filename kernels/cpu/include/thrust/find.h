// thrust: one thread searches.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto find(__rk_alone, A... arguments) { return std::find(arguments...); }
template <class... A> __RK_DEVICE auto find_if(__rk_alone, A... arguments) { return std::find_if(arguments...); }
}
