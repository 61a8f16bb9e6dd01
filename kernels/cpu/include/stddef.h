// C: sizes, differences, null.
#pragma once
#include "rawkernel/qualifiers.h"

typedef struct {
  long long __integer __attribute__((aligned(__alignof__(long long))));
  double __floating __attribute__((aligned(__alignof__(double))));
} max_align_t;

#undef NULL
#define NULL __null
#define offsetof(type, member) __builtin_offsetof(type, member)
