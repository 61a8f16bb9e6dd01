// thrust: tuples.
#pragma once
#include "rawkernel/tuples.h"

namespace thrust {
using std::get;
using std::ignore;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::swap;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_element_t;
using std::tuple_size;
using std::tuple_size_v;
#if __cplusplus >= 201402L
using std::tuple_cat;
#endif
}
