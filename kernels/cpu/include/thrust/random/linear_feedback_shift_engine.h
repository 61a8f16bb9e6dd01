// thrust: engines of random numbers.
#pragma once
#include "rawkernel/random_engines.h"
