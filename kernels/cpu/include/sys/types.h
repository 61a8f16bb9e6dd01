// Short names of unsigned types, as the C library of Linux has them; uint is always there.
#pragma once
#include <stddef.h>

typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef long ssize_t;
typedef long off_t;
