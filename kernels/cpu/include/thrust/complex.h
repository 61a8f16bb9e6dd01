// thrust: complex numbers.
#pragma once
#include "rawkernel/complex_numbers.h"

namespace thrust {
using std::abs;
using std::arg;
using std::complex;
using std::conj;
using std::exp;
using std::log;
using std::norm;
using std::polar;
using std::pow;
using std::sqrt;
}
