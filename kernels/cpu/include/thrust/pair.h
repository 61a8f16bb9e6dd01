// thrust: pairs.
#pragma once
#include "rawkernel/tuples.h"

namespace thrust {
using std::get;
using std::make_pair;
using std::pair;
}
