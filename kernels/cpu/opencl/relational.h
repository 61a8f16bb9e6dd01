// Comparisons and choices.
#define RELATIONAL(T)                                                                                                  \
  FN int isequal(T x, T y) { return x == y; }                                                                          \
  FN int isnotequal(T x, T y) { return x != y; }                                                                       \
  FN int isgreater(T x, T y) { return x > y; }                                                                         \
  FN int isgreaterequal(T x, T y) { return x >= y; }                                                                   \
  FN int isless(T x, T y) { return x < y; }                                                                            \
  FN int islessequal(T x, T y) { return x <= y; }                                                                      \
  FN int islessgreater(T x, T y) { return x < y || x > y; }                                                            \
  FN int isordered(T x, T y) { return x == x && y == y; }                                                              \
  FN int isunordered(T x, T y) { return x != x || y != y; }                                                            \
  FN int isnan(T x) { return x != x; }                                                                                 \
  FN int isinf(T x) { return fabs(x) == (T)INFINITY; }                                                                 \
  FN int isfinite(T x) { return fabs(x) < (T)INFINITY; }                                                               \
  FN int isnormal(T x) { return fabs(x) < (T)INFINITY && fabs(x) >= LEAST_NORMAL_##T; }                                \
  FN int signbit(T x) { return SIGNED_BITS_OF(T, x) < 0; }                                                             \
  FN T bitselect(T x, T y, T mask) {                                                                                   \
    return OF_BITS(T, (UNSIGNED_##T)((BITS_OF(T, x) & ~BITS_OF(T, mask)) | (BITS_OF(T, y) & BITS_OF(T, mask))));       \
  }                                                                                                                    \
  FN T select(T x, T y, SIGNED_##T which) { return which ? y : x; }                                                    \
  FN T select(T x, T y, UNSIGNED_##T which) { return which ? y : x; }
#define LEAST_NORMAL_half (half)0x1p-14f
#define LEAST_NORMAL_float 0x1p-126f
#define LEAST_NORMAL_double 0x1p-1022
FOR_FLOATS(RELATIONAL)

#define CHOICE(T)                                                                                                      \
  FN T bitselect(T x, T y, T mask) { return (T)((x & ~mask) | (y & mask)); }
FOR_INTEGERS(CHOICE)
#define SELECT(T, S, U)                                                                                                \
  FN T select(T x, T y, S which) { return which ? y : x; }                                                             \
  FN T select(T x, T y, U which) { return which ? y : x; }
SELECT(char, char, uchar) SELECT(uchar, char, uchar) SELECT(short, short, ushort) SELECT(ushort, short, ushort)
SELECT(int, int, uint) SELECT(uint, int, uint) SELECT(long, long, ulong) SELECT(ulong, long, ulong)
#define HIGHEST_BIT(T)                                                                                                 \
  FN int any(T x) { return x < 0; }                                                                                    \
  FN int all(T x) { return x < 0; }
FOR_SIGNED(HIGHEST_BIT)
