// thrust: distributions of random numbers.
#pragma once
#include "rawkernel/random_distributions.h"
