// Distributions over cuRAND's generators: uniform in (0, 1], normal by Box and Muller, log-normal, Poisson.
#ifndef RAWKERNEL_CURAND_DISTRIBUTIONS_H
#define RAWKERNEL_CURAND_DISTRIBUTIONS_H

#include "curand_philox.h"
#include "curand_xorwow.h"

__RK_BOTH float __rk_uniform(unsigned x) { return x * 2.3283064e-10f + 2.3283064e-10f / 2.0f; }
__RK_BOTH double __rk_uniform(unsigned x, unsigned y) {
  return (x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}

template <class State> __RK_BOTH float curand_uniform(State *state) { return __rk_uniform(curand(state)); }
__RK_BOTH double curand_uniform_double(curandStateXORWOW_t *state) {
  unsigned x = curand(state), y = curand(state);
  return __rk_uniform(x, y);
}
__RK_BOTH double curand_uniform_double(curandStatePhilox4_32_10_t *state) {
  return curand(state) * 0x1p-32 + 0x1p-32;
}
__RK_BOTH float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  return {__rk_uniform(x.x), __rk_uniform(x.y), __rk_uniform(x.z), __rk_uniform(x.w)};
}
__RK_BOTH double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  return {__rk_uniform(x.x, x.y), __rk_uniform(x.z, x.w)};
}
__RK_BOTH double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state) {
  double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return {a.x, a.y, b.x, b.y};
}

#if __has_include("rawkernel_math.h")

__RK_DEVICE float2 __rk_normals(unsigned x, unsigned y) {
  float angle = y * (2.3283064e-10f * 6.2831855f) + 2.3283064e-10f * 6.2831855f / 2.0f;
  float radius = sqrtf(-2.0f * logf(__rk_uniform(x)));
  float2 result;
  sincosf(angle, &result.x, &result.y);
  return {result.x * radius, result.y * radius};
}
__RK_DEVICE double2 __rk_normals(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  double angle = (y0 ^ (unsigned long long)y1 << 21) * 0x1p-52 + 0x1p-53;
  double radius = sqrt(-2.0 * log(__rk_uniform(x0, x1)));
  double2 result;
  sincospi(angle, &result.x, &result.y);
  return {result.x * radius, result.y * radius};
}

// Normal numbers come in pairs; a state keeps the second one for the next call.
enum { __rk_kept_normal = 1, __rk_kept_log_normal = 2 };

template <class State> __RK_DEVICE float2 curand_normal2(State *state) {
  unsigned x = curand(state), y = curand(state);
  return __rk_normals(x, y);
}
__RK_DEVICE double2 curand_normal2_double(curandStateXORWOW_t *state) {
  unsigned x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
  return __rk_normals(x0, x1, y0, y1);
}
__RK_DEVICE double2 curand_normal2_double(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  return __rk_normals(x.x, x.y, x.z, x.w);
}

#define __RK_ONE_OF_TWO(name, T, double_, flag, transform, ...)                                                        \
  template <class State> __RK_DEVICE T name(State *state __VA_ARGS__) {                                                \
    if (state->boxmuller_flag##double_ == flag) {                                                                      \
      state->boxmuller_flag##double_ = 0;                                                                              \
      return state->boxmuller_extra##double_;                                                                          \
    }                                                                                                                  \
    auto pair = curand_normal2##double_(state);                                                                        \
    state->boxmuller_flag##double_ = flag;                                                                             \
    state->boxmuller_extra##double_ = transform(pair.y);                                                               \
    return transform(pair.x);                                                                                          \
  }
#define __RK_SAME(x) (x)
#define __RK_EXP(x) exp(mean + stddev * (x))
__RK_ONE_OF_TWO(curand_normal, float, , __rk_kept_normal, __RK_SAME)
__RK_ONE_OF_TWO(curand_normal_double, double, _double, __rk_kept_normal, __RK_SAME)
__RK_ONE_OF_TWO(curand_log_normal, float, , __rk_kept_log_normal, __RK_EXP, , float mean, float stddev)
__RK_ONE_OF_TWO(curand_log_normal_double, double, _double, __rk_kept_log_normal, __RK_EXP, , double mean, double stddev)
#undef __RK_ONE_OF_TWO
#undef __RK_SAME

__RK_DEVICE float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  float2 a = __rk_normals(x.x, x.y), b = __rk_normals(x.z, x.w);
  return {a.x, a.y, b.x, b.y};
}
__RK_DEVICE double4 curand_normal4_double(curandStatePhilox4_32_10_t *state) {
  double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return {a.x, a.y, b.x, b.y};
}
template <class State> __RK_DEVICE float2 curand_log_normal2(State *state, float mean, float stddev) {
  float2 v = curand_normal2(state);
  return {__RK_EXP(v.x), __RK_EXP(v.y)};
}
template <class State> __RK_DEVICE double2 curand_log_normal2_double(State *state, double mean, double stddev) {
  double2 v = curand_normal2_double(state);
  return {__RK_EXP(v.x), __RK_EXP(v.y)};
}
__RK_DEVICE float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float stddev) {
  float4 v = curand_normal4(state);
  return {__RK_EXP(v.x), __RK_EXP(v.y), __RK_EXP(v.z), __RK_EXP(v.w)};
}
#undef __RK_EXP

// Up to a mean of 64 it counts the factors whose product passes e^-mean, beyond it rejects from a bell of the same
// shape (Hörmann's PTRS), far beyond it rounds a normal number. Its sequence is not cuRAND's.
template <class State> __RK_DEVICE unsigned curand_poisson(State *state, double lambda) {
  if (lambda < 64) {
    unsigned count = 0;
    for (double product = exp(lambda);; count++) {
      product *= curand_uniform(state);
      if (!(product > 1)) return count;
    }
  }
  if (lambda > 4000) return (unsigned)(curand_normal_double(state) * sqrt(lambda) + lambda + 0.5);
  double spread = 0.931 + 2.53 * sqrt(lambda), slope = -0.059 + 0.02483 * spread;
  double scale = 1.1239 + 1.1328 / (spread - 3.4), core = 0.9277 - 3.6224 / (spread - 2);
  for (;;) {
    double u = curand_uniform_double(state) - 0.5, v = curand_uniform_double(state);
    double left = 0.5 - fabs(u);
    double count = floor((2 * slope / left + spread) * u + lambda + 0.43);
    if (left >= 0.07 && v <= core) return (unsigned)count;
    if (count < 0 || (left < 0.013 && v > left)) continue;
    double density = count * log(lambda) - lambda - lgamma(count + 1);
    if (log(v * scale / (slope / (left * left) + spread)) <= density) return (unsigned)count;
  }
}
__RK_DEVICE uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double lambda) {
  unsigned x = curand_poisson(state, lambda), y = curand_poisson(state, lambda);
  unsigned z = curand_poisson(state, lambda), w = curand_poisson(state, lambda);
  return {x, y, z, w};
}

#endif

#endif
