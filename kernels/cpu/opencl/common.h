// Common functions: degrees, mixes, steps.
#define COMMON(T)                                                                                                      \
  FN T min(T x, T y) { return y < x ? y : x; }                                                                         \
  FN T max(T x, T y) { return x < y ? y : x; }                                                                         \
  FN T clamp(T x, T low, T high) { return fmin(fmax(x, low), high); }                                                  \
  FN T degrees(T x) { return (T)57.295779513082323 * x; }                                                              \
  FN T radians(T x) { return (T)0.017453292519943295 * x; }                                                            \
  FN T mix(T x, T y, T a) { return x + (y - x) * a; }                                                                  \
  FN T step(T edge, T x) { return x < edge ? (T)0 : (T)1; }                                                            \
  FN T smoothstep(T low, T high, T x) {                                                                                \
    T t = clamp((x - low) / (high - low), (T)0, (T)1);                                                                 \
    return t * t * (3 - 2 * t);                                                                                        \
  }                                                                                                                    \
  FN T sign(T x) { return x > 0 ? (T)1 : x < 0 ? (T)-1 : x == 0 ? x : (T)0; }
FOR_FLOATS(COMMON)
