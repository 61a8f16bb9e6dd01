// The 8-bit number and groups of two and four as types. Included once for each format by cuda_fp8.h, which names them:
// __RK_FP8 the number, __RK_FP8X2 and __RK_FP8X4 the groups, __RK_FORMAT the format. Numbers that are too large become
// the largest one, as in CUDA.

struct __RK_FP8 {
  __nv_fp8_storage_t __x;

  __RK_FP8() = default;
#define __RK_FROM(T, widen)                                                                                            \
  explicit __RK_MEMBER __RK_FP8(T x) : __x(__rk_fp8((double)widen, __NV_SATFINITE, __RK_FORMAT)) {}
  __RK_FROM(__half, x.__float())
  __RK_FROM(__nv_bfloat16, x.__float())
  __RK_FROM(float, x)
  __RK_FROM(short, x)
  __RK_FROM(unsigned short, x)
  __RK_FROM(int, x)
  __RK_FROM(unsigned, x)
  __RK_FROM(long, x)
  __RK_FROM(unsigned long, x)
  __RK_FROM(long long, x)
  __RK_FROM(unsigned long long, x)
#undef __RK_FROM
  explicit __RK_MEMBER __RK_FP8(double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, __RK_FORMAT)) {}
  __RK_MEMBER float __float() const { return __rk_half2float(__rk_fp8_to_half_bits(__x, __RK_FORMAT)); }
  explicit __RK_MEMBER operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, __RK_FORMAT)); }
  explicit __RK_MEMBER operator __nv_bfloat16() const { return __nv_bfloat16(__float()); }
  explicit __RK_MEMBER operator float() const { return __float(); }
  explicit __RK_MEMBER operator double() const { return __float(); }
  explicit __RK_MEMBER operator bool() const { return (__x & 0x7f) != 0; }
  // Towards zero, to the nearest number of the type where it is too large; NaN gives 0.
#define __RK_TO(T, wide)                                                                                               \
  explicit __device__ __attribute__((always_inline)) operator T() const {                                              \
    return __rk_clamp<T>(__float2##wide##_rz(__float()));                                                              \
  }
  __RK_TO(char, int)
  __RK_TO(signed char, int)
  __RK_TO(unsigned char, uint)
  __RK_TO(short, int)
  __RK_TO(unsigned short, uint)
  __RK_TO(int, int)
  __RK_TO(unsigned, uint)
  __RK_TO(long, ll)
  __RK_TO(unsigned long, ull)
  __RK_TO(long long, ll)
  __RK_TO(unsigned long long, ull)
#undef __RK_TO
};

struct __attribute__((aligned(2))) __RK_FP8X2 {
  __nv_fp8x2_storage_t __x;

  __RK_FP8X2() = default;
  explicit __RK_MEMBER __RK_FP8X2(__half2 v)
      : __x(__rk_fp8_pair(v.x.__float(), v.y.__float(), __NV_SATFINITE, __RK_FORMAT)) {}
  explicit __RK_MEMBER __RK_FP8X2(__nv_bfloat162 v)
      : __x(__rk_fp8_pair(v.x.__float(), v.y.__float(), __NV_SATFINITE, __RK_FORMAT)) {}
  explicit __RK_MEMBER __RK_FP8X2(float2 v) : __x(__rk_fp8_pair(v.x, v.y, __NV_SATFINITE, __RK_FORMAT)) {}
  explicit __RK_MEMBER __RK_FP8X2(double2 v) : __x(__rk_fp8_pair(v.x, v.y, __NV_SATFINITE, __RK_FORMAT)) {}
  explicit __RK_MEMBER operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, __RK_FORMAT)); }
  explicit __RK_MEMBER operator float2() const {
    __half2_raw both = __nv_cvt_fp8x2_to_halfraw2(__x, __RK_FORMAT);
    float2 result = {__rk_half2float(both.x), __rk_half2float(both.y)};
    return result;
  }
};

struct __attribute__((aligned(4))) __RK_FP8X4 {
  __nv_fp8x4_storage_t __x;

private:
  __RK_MEMBER static __nv_fp8x4_storage_t joined(double x, double y, double z, double w) {
    return (unsigned)__rk_fp8_pair(x, y, __NV_SATFINITE, __RK_FORMAT) |
           (unsigned)__rk_fp8_pair(z, w, __NV_SATFINITE, __RK_FORMAT) << 16;
  }

public:
  __RK_FP8X4() = default;
  explicit __RK_MEMBER __RK_FP8X4(__half2 low, __half2 high)
      : __x(joined(low.x.__float(), low.y.__float(), high.x.__float(), high.y.__float())) {}
  explicit __RK_MEMBER __RK_FP8X4(__nv_bfloat162 low, __nv_bfloat162 high)
      : __x(joined(low.x.__float(), low.y.__float(), high.x.__float(), high.y.__float())) {}
  explicit __RK_MEMBER __RK_FP8X4(float4 v) : __x(joined(v.x, v.y, v.z, v.w)) {}
  explicit __RK_MEMBER __RK_FP8X4(double4 v) : __x(joined(v.x, v.y, v.z, v.w)) {}
  explicit __RK_MEMBER operator float4() const {
    __half2_raw low = __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)__x, __RK_FORMAT);
    __half2_raw high = __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)(__x >> 16), __RK_FORMAT);
    float4 result = {__rk_half2float(low.x), __rk_half2float(low.y), __rk_half2float(high.x), __rk_half2float(high.y)};
    return result;
  }
};
