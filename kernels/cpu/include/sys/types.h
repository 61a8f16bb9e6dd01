// Short names of unsigned types; uint is always there.
#pragma once
#include <stddef.h>

typedef unsigned char u_char;
typedef unsigned short ushort;
typedef unsigned long ulong;
