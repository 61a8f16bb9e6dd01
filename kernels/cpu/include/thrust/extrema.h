// thrust: the least and the greatest of two values, and of one thread's items.
#pragma once
#include <algorithm>

#include "thrust/execution_policy.h"

namespace thrust {
using std::max;
using std::min;
template <class It> __RK_DEVICE It min_element(__rk_alone, It first, It last) { return std::min_element(first, last); }
template <class It> __RK_DEVICE It max_element(__rk_alone, It first, It last) { return std::max_element(first, last); }
}
