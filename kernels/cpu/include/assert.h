// C: assert, anew at each inclusion for the NDEBUG of that place.
#include "rawkernel/faults.h"

#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) __RK_ASSERT(expression)
#endif
