// Integer functions. Arithmetic of types below int is done in int.
#define INTEGER(T)                                                                                                     \
  FN T min(T x, T y) { return y < x ? y : x; }                                                                         \
  FN T max(T x, T y) { return x < y ? y : x; }                                                                         \
  FN T clamp(T x, T low, T high) { return min(max(x, low), high); }                                                    \
  FN T add_sat(T x, T y) { return __builtin_elementwise_add_sat(x, y); }                                               \
  FN T sub_sat(T x, T y) { return __builtin_elementwise_sub_sat(x, y); }                                               \
  FN T hadd(T x, T y) { return (T)((x >> 1) + (y >> 1) + (x & y & 1)); }                                               \
  FN T rhadd(T x, T y) { return (T)((x >> 1) + (y >> 1) + ((x | y) & 1)); }                                            \
  FN UNSIGNED_##T abs_diff(T x, T y) {                                                                                 \
    return (UNSIGNED_##T)(x < y ? (UNSIGNED_##T)y - (UNSIGNED_##T)x : (UNSIGNED_##T)x - (UNSIGNED_##T)y);              \
  }                                                                                                                    \
  FN T rotate(T x, T by) {                                                                                             \
    const int bits = 8 * sizeof(T);                                                                                    \
    int left = (int)by & (bits - 1), right = (bits - left) & (bits - 1);                                               \
    return (T)((UNSIGNED_##T)((UNSIGNED_##T)x << left) | ((UNSIGNED_##T)x >> right));                                  \
  }                                                                                                                    \
  FN T popcount(T x) { return (T)__builtin_popcountl((UNSIGNED_##T)x); }                                               \
  FN T clz(T x) { return (T)(x == 0 ? 8 * sizeof(T) : __builtin_clzl((UNSIGNED_##T)x) - 64 + 8 * sizeof(T)); }         \
  FN T ctz(T x) { return (T)(x == 0 ? 8 * sizeof(T) : __builtin_ctzl((UNSIGNED_##T)x)); }                              \
  FN T mad_hi(T x, T y, T z) { return (T)((UNSIGNED_##T)mul_hi(x, y) + (UNSIGNED_##T)z); }

// Products have room in a wider type.
#define NARROW(T, wide)                                                                                                \
  FN T mul_hi(T x, T y) { return (T)(((wide)x * (wide)y) >> (8 * sizeof(T))); }                                        \
  FN T mad_sat(T x, T y, T z) {                                                                                        \
    wide sum = (wide)x * (wide)y + (wide)z;                                                                            \
    return (T)(sum < (wide)LEAST_##T ? (wide)LEAST_##T : sum > (wide)MOST_##T ? (wide)MOST_##T : sum);                 \
  }
NARROW(char, long) NARROW(short, long) NARROW(int, long)
NARROW(uchar, ulong) NARROW(ushort, ulong) NARROW(uint, ulong)
FN ulong mul_hi(ulong x, ulong y) {
  ulong x0 = x & 0xffffffff, x1 = x >> 32, y0 = y & 0xffffffff, y1 = y >> 32;
  ulong low = x0 * y0, a = x1 * y0 + (low >> 32), b = x0 * y1 + (a & 0xffffffff);
  return x1 * y1 + (a >> 32) + (b >> 32);
}
FN long mul_hi(long x, long y) {
  return (long)(mul_hi((ulong)x, (ulong)y) - (x < 0 ? (ulong)y : 0) - (y < 0 ? (ulong)x : 0));
}
FN ulong mad_sat(ulong x, ulong y, ulong z) {
  ulong low = x * y, sum = low + z;
  return mul_hi(x, y) != 0 || sum < low ? ULONG_MAX : sum;
}
FN long mad_sat(long x, long y, long z) {
  ulong low = (ulong)x * (ulong)y, sum = low + (ulong)z;
  long high = mul_hi(x, y) + (sum < low) - (z < 0);
  return high == (long)sum >> 63 ? (long)sum : high < 0 ? LONG_MIN : LONG_MAX;
}
FOR_INTEGERS(INTEGER)

#define ABSOLUTE(T)                                                                                                    \
  FN UNSIGNED_##T abs(T x) { return (UNSIGNED_##T)(x < 0 ? -(UNSIGNED_##T)x : (UNSIGNED_##T)x); }
#define UNCHANGED(T)                                                                                                   \
  FN T abs(T x) { return x; }
FOR_SIGNED(ABSOLUTE)
FOR_UNSIGNED(UNCHANGED)

FN int mul24(int x, int y) { return (int)((uint)x * (uint)y); }
FN uint mul24(uint x, uint y) { return x * y; }
FN int mad24(int x, int y, int z) { return (int)((uint)x * (uint)y + (uint)z); }
FN uint mad24(uint x, uint y, uint z) { return x * y + z; }
FN short upsample(char high, uchar low) { return (short)((ushort)(uchar)high << 8 | low); }
FN ushort upsample(uchar high, uchar low) { return (ushort)((ushort)high << 8 | low); }
FN int upsample(short high, ushort low) { return (int)((uint)(ushort)high << 16 | low); }
FN uint upsample(ushort high, ushort low) { return (uint)high << 16 | low; }
FN long upsample(int high, uint low) { return (long)((ulong)(uint)high << 32 | low); }
FN ulong upsample(uint high, uint low) { return (ulong)high << 32 | low; }

// Bit fields.
#define LOW_BITS(T, count) ((count) >= 8 * sizeof(T) ? (UNSIGNED_##T)~0ul : (UNSIGNED_##T)((1ul << (count)) - 1))
#define BIT_FIELDS(T, S, bits)                                                                                         \
  FN T bitfield_insert(T base, T insert, uint offset, uint count) {                                                    \
    UNSIGNED_##T mask = count == 0 ? 0 : (UNSIGNED_##T)(LOW_BITS(T, count) << offset);                                 \
    return (T)((base & ~mask) | ((UNSIGNED_##T)((UNSIGNED_##T)insert << (count == 0 ? 0 : offset)) & mask));           \
  }                                                                                                                    \
  FN UNSIGNED_##T bitfield_extract_unsigned(T base, uint offset, uint count) {                                         \
    return count == 0 ? 0 : (UNSIGNED_##T)((UNSIGNED_##T)base >> offset) & LOW_BITS(T, count);                         \
  }                                                                                                                    \
  FN S bitfield_extract_signed(T base, uint offset, uint count) {                                                      \
    if (count == 0) return 0;                                                                                          \
    return (S)((S)((UNSIGNED_##T)base << (bits - offset - count)) >> (bits - count));                                  \
  }                                                                                                                    \
  FN T bit_reverse(T base) { return (T)__builtin_bitreverse##bits((UNSIGNED_##T)base); }
BIT_FIELDS(char, char, 8) BIT_FIELDS(uchar, char, 8) BIT_FIELDS(short, short, 16) BIT_FIELDS(ushort, short, 16)
BIT_FIELDS(int, int, 32) BIT_FIELDS(uint, int, 32) BIT_FIELDS(long, long, 64) BIT_FIELDS(ulong, long, 64)
