// What the math runtime (runtime/math*.cc) offers to rawkernel_math.h.
#pragma once

#define __RT_D1(name) __attribute__((device)) double __rt_##name(double);
#define __RT_F1(name) __attribute__((device)) float __rt_##name(float);
extern "C" {
__RT_D1(exp) __RT_D1(exp2) __RT_D1(exp10) __RT_D1(expm1) __RT_D1(log) __RT_D1(log2) __RT_D1(log10) __RT_D1(log1p)
__RT_D1(sin) __RT_D1(cos) __RT_D1(tan) __RT_D1(sinpi) __RT_D1(cospi) __RT_D1(asin) __RT_D1(acos) __RT_D1(atan)
__RT_D1(sinh) __RT_D1(cosh) __RT_D1(tanh) __RT_D1(asinh) __RT_D1(acosh) __RT_D1(atanh)
__RT_D1(rsqrt) __RT_D1(cbrt) __RT_D1(rcbrt) __RT_D1(logb)
__RT_D1(erf) __RT_D1(erfc) __RT_D1(erfcx) __RT_D1(erfinv) __RT_D1(erfcinv) __RT_D1(normcdf) __RT_D1(normcdfinv)
__RT_D1(tgamma) __RT_D1(lgamma) __RT_D1(j0) __RT_D1(j1) __RT_D1(y0) __RT_D1(y1)
__RT_D1(cyl_bessel_i0) __RT_D1(cyl_bessel_i1)
__RT_F1(expf) __RT_F1(exp2f) __RT_F1(exp10f) __RT_F1(logf) __RT_F1(log2f) __RT_F1(log10f)
__RT_F1(sinf) __RT_F1(cosf) __RT_F1(tanf) __RT_F1(sinpif) __RT_F1(cospif) __RT_F1(tanhf) __RT_F1(erff)
__RT_F1(expm1f) __RT_F1(log1pf) __RT_F1(cbrtf) __RT_F1(rcbrtf) __RT_F1(erfcf) __RT_F1(normcdff)
__RT_F1(asinf) __RT_F1(acosf) __RT_F1(atanf) __RT_F1(sinhf) __RT_F1(coshf) __RT_F1(asinhf) __RT_F1(acoshf) __RT_F1(atanhf)

#define __RT_D __attribute__((device)) double
#define __RT_F __attribute__((device)) float
__RT_D __rt_pow(double x, double y);
__RT_F __rt_powf(float x, float y);
__attribute__((device)) int __rt_ilogb(double x);
__RT_D __rt_hypot(double x, double y);
__RT_F __rt_hypotf(float x, float y);
__RT_D __rt_rhypot(double x, double y);
__RT_D __rt_norm3d(double x, double y, double z);
__RT_D __rt_rnorm3d(double x, double y, double z);
__RT_D __rt_norm4d(double x, double y, double z, double w);
__RT_D __rt_rnorm4d(double x, double y, double z, double w);
__RT_D __rt_norm(int n, const double *p);
__RT_D __rt_rnorm(int n, const double *p);
__RT_F __rt_normf(int n, const float *p);
__RT_F __rt_rnormf(int n, const float *p);
__RT_D __rt_atan2(double y, double x);
__RT_F __rt_atan2f(float y, float x);
__attribute__((device)) void __rt_sincos(double x, double *s, double *c);
__attribute__((device)) void __rt_sincosf(float x, float *s, float *c);
__attribute__((device)) void __rt_sincospi(double x, double *s, double *c);
__attribute__((device)) void __rt_sincospif(float x, float *s, float *c);
__RT_D __rt_jn(int n, double x);
__RT_D __rt_yn(int n, double x);
__RT_D __rt_fmod(double x, double y);
__RT_F __rt_fmodf(float x, float y);
__RT_D __rt_remainder(double x, double y);
__RT_D __rt_remquo(double x, double y, int *q);
__RT_D __rt_frexp(double x, int *e);
__RT_D __rt_scalbn(double x, int n);
__RT_D __rt_nextafter(double x, double y);
__RT_F __rt_nextafterf(float x, float y);
__RT_D __rt_fma(double x, double y, double z);
__RT_F __rt_fmaf(float x, float y, float z);
// direction: 0 to nearest, 1 to zero, 2 up, 3 down; single: round to float
__RT_D __rt_fma_mode(double x, double y, double z, int direction, int single);
__RT_D __rt_mul_mode(double x, double y, int direction, int single);
__RT_D __rt_div_mode(double x, double y, int direction, int single);
__RT_D __rt_sqrt_mode(double x, int direction, int single);
}
