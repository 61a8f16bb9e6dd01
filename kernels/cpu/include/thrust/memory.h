// thrust: pointers.
#pragma once
#include "thrust/device_ptr.h"
