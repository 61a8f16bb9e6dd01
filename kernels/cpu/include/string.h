// C: bytes and strings.
#pragma once
#include <stddef.h>

#include "rawkernel/strings.h"
