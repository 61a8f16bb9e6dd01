// thrust: one thread calls for each item.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto for_each(__rk_alone, A... arguments) { return std::for_each(arguments...); }
}
