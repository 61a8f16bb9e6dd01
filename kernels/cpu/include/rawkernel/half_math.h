// Functions of 16-bit numbers and their pairs, by way of float; see half_type.h for the names.

#define __RK_FUNCTION(name, function)                                                                                  \
  __RK_DEVICE __RK_HALF h##name(__RK_HALF a) { return __RK_HALF::__of((float)function(a.__float())); }                 \
  __RK_DEVICE __RK_HALF2 h2##name(__RK_HALF2 a) { return __RK_HALF2(h##name(a.x), h##name(a.y)); }
#define __RK_RECIPROCAL(x) (1.0f / (x))
#define __RK_RECIPROCAL_ROOT(x) (1.0f / __builtin_sqrtf(x))
__RK_FUNCTION(ceil, __builtin_ceilf)
__RK_FUNCTION(floor, __builtin_floorf)
__RK_FUNCTION(rint, __builtin_rintf)
__RK_FUNCTION(trunc, __builtin_truncf)
__RK_FUNCTION(sqrt, __builtin_sqrtf)
__RK_FUNCTION(rsqrt, __RK_RECIPROCAL_ROOT)
__RK_FUNCTION(rcp, __RK_RECIPROCAL)
#if __has_include("rawkernel_math.h")
__RK_FUNCTION(exp, expf)
__RK_FUNCTION(exp2, exp2f)
__RK_FUNCTION(exp10, exp10f)
__RK_FUNCTION(log, logf)
__RK_FUNCTION(log2, log2f)
__RK_FUNCTION(log10, log10f)
__RK_FUNCTION(sin, sinf)
__RK_FUNCTION(cos, cosf)
__RK_FUNCTION(tanh, tanhf)
__RK_FUNCTION(tanh_approx, tanhf)
#endif
#undef __RK_FUNCTION
#undef __RK_RECIPROCAL
#undef __RK_RECIPROCAL_ROOT
