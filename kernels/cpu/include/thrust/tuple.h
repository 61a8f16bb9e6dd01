// thrust: tuples.
#pragma once
#include "rawkernel/tuples.h"

namespace thrust {
using std::get;
using std::make_tuple;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;
}
