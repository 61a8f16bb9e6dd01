// thrust: the backward iterator.
#pragma once
#include <iterator>

namespace thrust {
using std::make_reverse_iterator;
using std::reverse_iterator;
}
