// C: classes of characters, in the "C" locale.
#pragma once
#include "rawkernel/qualifiers.h"

__RK_BOTH int isdigit(int c) { return c >= '0' && c <= '9'; }
__RK_BOTH int islower(int c) { return c >= 'a' && c <= 'z'; }
__RK_BOTH int isupper(int c) { return c >= 'A' && c <= 'Z'; }
__RK_BOTH int isalpha(int c) { return islower(c) || isupper(c); }
__RK_BOTH int isalnum(int c) { return isalpha(c) || isdigit(c); }
__RK_BOTH int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
__RK_BOTH int isblank(int c) { return c == ' ' || c == '\t'; }
__RK_BOTH int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
__RK_BOTH int isprint(int c) { return c >= ' ' && c <= '~'; }
__RK_BOTH int isgraph(int c) { return c > ' ' && c <= '~'; }
__RK_BOTH int iscntrl(int c) { return (c >= 0 && c < ' ') || c == 127; }
__RK_BOTH int ispunct(int c) { return isgraph(c) && !isalnum(c); }
__RK_BOTH int tolower(int c) { return isupper(c) ? c + ('a' - 'A') : c; }
__RK_BOTH int toupper(int c) { return islower(c) ? c - ('a' - 'A') : c; }
