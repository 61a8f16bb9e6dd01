// The 16-bit number and its pair as types, and their conversions. Included once by cuda_fp16.h and once by
// cuda_bf16.h, which name them: __RK_NAME in function names, __RK_HALF and __RK_HALF2 the types.
#ifndef RAWKERNEL_HALF_JOIN
#define RAWKERNEL_HALF_JOIN
#define __RK_JOIN_(a, b, c) a##b##c
#define __RK_JOIN(a, b, c) __RK_JOIN_(a, b, c)
// __RK_N(__, 2float) is __half2float or __bfloat162float.
#define __RK_N(before, after) __RK_JOIN(before, __RK_NAME, after)
#endif

struct __RK_JOIN(__RK_HALF, _raw, ) {
  unsigned short x;
};
struct __attribute__((aligned(4))) __RK_JOIN(__RK_HALF2, _raw, ) {
  unsigned short x, y;
};

struct __RK_HALF {
protected:
  unsigned short __x;

public:
  // What the functions below use: overloads among all the conversions would cost the compiler time at each use.
  __RK_MEMBER static __RK_HALF __of_bits(unsigned short bits) {
    __RK_HALF result;
    result.__x = bits;
    return result;
  }
  __RK_MEMBER static __RK_HALF __of(float x) { return __of_bits(__RK_N(__rk_float2, )(x)); }
  __RK_MEMBER static __RK_HALF __of(double x, __rk_rounding rounding) {
    return __of_bits(__RK_N(__rk_double2, )(x, rounding));
  }
  __RK_MEMBER unsigned short __bits() const { return __x; }
  __RK_MEMBER float __float() const { return __RK_N(__rk_, 2float)(__x); }

  __RK_HALF() = default;
  __RK_MEMBER constexpr __RK_HALF(const __RK_JOIN(__RK_HALF, _raw, ) & raw) : __x(raw.x) {}
  __RK_MEMBER __RK_HALF(float x) : __x(__RK_N(__rk_float2, )(x)) {}
  __RK_MEMBER __RK_HALF(double x) : __x(__RK_N(__rk_double2, )(x, __rk_nearest)) {}

  __RK_MEMBER operator __RK_JOIN(__RK_HALF, _raw, )() const { return {__x}; }
  __RK_MEMBER operator float() const { return __float(); }
  __RK_MEMBER operator bool() const { return (__x & 0x7fff) != 0; }
  __RK_MEMBER __RK_HALF &operator=(const __RK_JOIN(__RK_HALF, _raw, ) & raw) {
    __x = raw.x;
    return *this;
  }
#define __RK_CONVERSION(T, to)                                                                                         \
  __RK_MEMBER __RK_HALF(T x) : __x(__RK_N(__rk_double2, )((double)x, __rk_nearest)) {}                                 \
  __RK_MEMBER __RK_HALF &operator=(T x) {                                                                              \
    __x = __RK_N(__rk_double2, )((double)x, __rk_nearest);                                                             \
    return *this;                                                                                                      \
  }                                                                                                                    \
  __device__ __attribute__((always_inline)) operator T() const { return (T)__float2##to##_rz(__float()); }
  __RK_CONVERSION(short, int)
  __RK_CONVERSION(unsigned short, uint)
  __RK_CONVERSION(int, int)
  __RK_CONVERSION(unsigned, uint)
  __RK_CONVERSION(long long, ll)
  __RK_CONVERSION(unsigned long long, ull)
  __RK_CONVERSION(long, ll)
  __RK_CONVERSION(unsigned long, ull)
#undef __RK_CONVERSION
#define __RK_CONVERSION(T, to)                                                                                         \
  __device__ __attribute__((always_inline)) operator T() const { return (T)__float2##to##_rz(__float()); }
  __RK_CONVERSION(char, int)
  __RK_CONVERSION(signed char, int)
  __RK_CONVERSION(unsigned char, uint)
#undef __RK_CONVERSION
  __RK_MEMBER __RK_HALF &operator=(float x) { return *this = __of(x); }
  __RK_MEMBER __RK_HALF &operator=(double x) { return *this = __of(x, __rk_nearest); }
};

struct __attribute__((aligned(4))) __RK_HALF2 {
  __RK_HALF x, y;
  __RK_HALF2() = default;
  __RK_MEMBER __RK_HALF2(const __RK_HALF &x, const __RK_HALF &y) : x(x), y(y) {}
  __RK_MEMBER __RK_HALF2(const __RK_JOIN(__RK_HALF2, _raw, ) & raw)
      : x(__RK_JOIN(__RK_HALF, _raw, ){raw.x}), y(__RK_JOIN(__RK_HALF, _raw, ){raw.y}) {}
};

// Bits.
__RK_BOTH __RK_HALF __RK_N(__ushort_as_, )(unsigned short bits) { return __RK_HALF::__of_bits(bits); }
__RK_BOTH __RK_HALF __RK_N(__short_as_, )(short bits) { return __RK_HALF::__of_bits((unsigned short)bits); }
__RK_BOTH unsigned short __RK_N(__, _as_ushort)(__RK_HALF x) { return x.__bits(); }
__RK_BOTH short __RK_N(__, _as_short)(__RK_HALF x) { return (short)x.__bits(); }

// From and to float and double.
__RK_BOTH float __RK_N(__, 2float)(__RK_HALF x) { return x.__float(); }
__RK_BOTH __RK_HALF __RK_N(__float2, )(float x) { return __RK_HALF::__of(x); }
__RK_BOTH __RK_HALF __RK_N(__double2, )(double x) { return __RK_HALF::__of(x, __rk_nearest); }
#define __RK_FROM(From, mode, rounding)                                                                                \
  __RK_BOTH __RK_HALF __RK_JOIN(__##From##2, __RK_NAME, _##mode)(From x) {                                             \
    return __RK_HALF::__of((double)x, rounding);                                                                       \
  }
__RK_BOTH __RK_HALF __RK_N(__float2, _rn)(float x) { return __RK_HALF::__of(x); }
__RK_FROM(float, rz, __rk_zero)
__RK_FROM(float, ru, __rk_up)
__RK_FROM(float, rd, __rk_down)
#undef __RK_FROM

// From and to integers.
#define __RK_INTEGER_FROM(From, T, mode, rounding)                                                                     \
  __RK_BOTH __RK_HALF __RK_JOIN(__##From##2, __RK_NAME, _##mode)(T x) {                                                \
    double exact = x < 0 ? -__rk_odd_double(0 - (unsigned long long)x) : __rk_odd_double((unsigned long long)x);       \
    return __RK_HALF::__of(exact, rounding);                                                                           \
  }
#define __RK_INTEGER_TO(To, T, wide, mode)                                                                             \
  __RK_DEVICE T __RK_JOIN(__, __RK_NAME, 2##To##_##mode)(__RK_HALF x) {                                                \
    return __rk_clamp<T>(__float2##wide##_##mode(x.__float()));                                                        \
  }
#define __RK_INTEGER(name, T, wide)                                                                                    \
  __RK_INTEGER_FROM(name, T, rn, __rk_nearest)                                                                         \
  __RK_INTEGER_FROM(name, T, rz, __rk_zero)                                                                            \
  __RK_INTEGER_FROM(name, T, ru, __rk_up)                                                                              \
  __RK_INTEGER_FROM(name, T, rd, __rk_down)                                                                            \
  __RK_INTEGER_TO(name, T, wide, rn)                                                                                   \
  __RK_INTEGER_TO(name, T, wide, rz)                                                                                   \
  __RK_INTEGER_TO(name, T, wide, ru)                                                                                   \
  __RK_INTEGER_TO(name, T, wide, rd)
__RK_INTEGER(short, short, int)
__RK_INTEGER(ushort, unsigned short, uint)
__RK_INTEGER(int, int, int)
__RK_INTEGER(uint, unsigned, uint)
__RK_INTEGER(ll, long long, ll)
__RK_INTEGER(ull, unsigned long long, ull)

__RK_INTEGER_TO(char, signed char, int, rz)
__RK_INTEGER_TO(uchar, unsigned char, uint, rz)
#undef __RK_INTEGER
#undef __RK_INTEGER_FROM
#undef __RK_INTEGER_TO
