// Conversions. The compiler asks for few of the possible names: a mode that makes no difference is left out, what comes
// from floating point always saturates and has a mode, and what goes there has one unless it is to nearest.

// Integers to integers.
#define INTEGER_TO(T)                                                                                                  \
  FROM_INTEGER(T, char) FROM_INTEGER(T, short) FROM_INTEGER(T, int) FROM_INTEGER(T, long)                              \
  FROM_INTEGER(T, uchar) FROM_INTEGER(T, ushort) FROM_INTEGER(T, uint) FROM_INTEGER(T, ulong)
#define FROM_INTEGER(T, S)                                                                                             \
  FN T convert_##T(S x) { return (T)x; }                                                                               \
  FN T convert_##T##_sat(S x) {                                                                                        \
    if (x < 0 && (long)x < (long)LEAST_##T) return LEAST_##T;                                                          \
    return x > 0 && (ulong)x > (ulong)MOST_##T ? MOST_##T : (T)x;                                                      \
  }
FOR_INTEGERS(INTEGER_TO)
#undef FROM_INTEGER

// Floating point to integers: here a cast saturates, and gives 0 for NaN.
#define WHOLE(T)                                                                                                       \
  FROM_FLOAT(T, float, x) FROM_FLOAT(T, double, x) FROM_FLOAT(T, half, (float)x)
#define FROM_FLOAT(T, S, x)                                                                                            \
  FN T convert_##T##_rte(S x_) { return (T)rint(WIDER_##S(x_)); }                                                      \
  FN T convert_##T##_rtz(S x_) { return (T)WIDER_##S(x_); }                                                            \
  FN T convert_##T##_rtp(S x_) { return (T)ceil(WIDER_##S(x_)); }                                                      \
  FN T convert_##T##_rtn(S x_) { return (T)floor(WIDER_##S(x_)); }
#define WIDER_half (float)
#define WIDER_float (float)
#define WIDER_double (double)
FOR_INTEGERS(WHOLE)
#undef FROM_FLOAT

// To floating point. Rounded to nearest first; `more` is positive where the exact value is greater, negative where it
// is less.
#define NEIGHBOURS(T)                                                                                                  \
  OWN T above(T r) { return r == 0 ? OF_BITS(T, (SIGNED_##T)1) : OF_BITS(T, (SIGNED_##T)(SIGNED_BITS_OF(T, r) + (r > 0 ? 1 : -1))); } \
  OWN T below(T r) { return -above(-r); }                                                                              \
  OWN T to_rtp(T r, int more) { return more > 0 ? above(r) : r; }                                                      \
  OWN T to_rtn(T r, int more) { return more < 0 ? below(r) : r; }                                                      \
  OWN T to_rtz(T r, int more) { return r > 0 ? to_rtn(r, more) : r < 0 ? to_rtp(r, more) : r; }
FOR_FLOATS(NEIGHBOURS)
#define COMPARED(x, y) ((x) > (y)) - ((x) < (y))
// No floating-point type has an integer between two integers that it does not have itself, but for the greatest ones.
OWN int more_than(long x, double r) { return r >= 0x1p63 ? -1 : r < -0x1p63 ? 1 : COMPARED(x, (long)r); }
OWN int more_than(ulong x, double r) { return r >= 0x1p64 ? -1 : COMPARED(x, (ulong)r); }
OWN int more_than(double x, double r) { return COMPARED(x, r); }
#define DIRECTED(T, S, wide)                                                                                           \
  FN T convert_##T##_rtz(S x) { return to_rtz((T)x, more_than((wide)x, (double)(T)x)); }                               \
  FN T convert_##T##_rtp(S x) { return to_rtp((T)x, more_than((wide)x, (double)(T)x)); }                               \
  FN T convert_##T##_rtn(S x) { return to_rtn((T)x, more_than((wide)x, (double)(T)x)); }
#define NEAREST(T, S)                                                                                                  \
  FN T convert_##T(S x) { return (T)x; }
#define FLOATING(T)                                                                                                    \
  NEAREST(T, char) NEAREST(T, short) NEAREST(T, int) NEAREST(T, long)                                                  \
  NEAREST(T, uchar) NEAREST(T, ushort) NEAREST(T, uint) NEAREST(T, ulong)                                              \
  NEAREST(T, half) NEAREST(T, float) NEAREST(T, double)                                                                \
  DIRECTED(T, char, long) DIRECTED(T, short, long) DIRECTED(T, int, long) DIRECTED(T, long, long)                      \
  DIRECTED(T, uchar, ulong) DIRECTED(T, ushort, ulong) DIRECTED(T, uint, ulong) DIRECTED(T, ulong, ulong)              \
  DIRECTED(T, half, double) DIRECTED(T, float, double) DIRECTED(T, double, double)
FOR_FLOATS(FLOATING)
