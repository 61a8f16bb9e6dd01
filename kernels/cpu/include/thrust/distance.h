// thrust: how far iterators are from each other.
#pragma once
#include "thrust/advance.h"
