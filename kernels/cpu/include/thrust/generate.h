// thrust: one thread generates items.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
template <class... A> __RK_DEVICE auto generate(__rk_alone, A... a) { return std::generate(a...); }
template <class... A> __RK_DEVICE auto generate_n(__rk_alone, A... a) { return std::generate_n(a...); }
}
