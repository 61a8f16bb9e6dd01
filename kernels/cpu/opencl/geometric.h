// Geometric functions over up to four components.
double __rt_norm(int, const double *);

#define DOTS(T)                                                                                                        \
  FN T dot(T a, T b) { return a * b; }                                                                                 \
  FN T dot(T##2 a, T##2 b) { return a.x * b.x + a.y * b.y; }                                                           \
  FN T dot(T##3 a, T##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }                                               \
  FN T dot(T##4 a, T##4 b) { return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w); }                               \
  FN T##3 cross(T##3 a, T##3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }                                              \
  FN T##4 cross(T##4 a, T##4 b) { return (T##4)(cross(a.xyz, b.xyz), (T)0); }
FOR_FLOATS(DOTS)

// The sum of squares of what a float or a half can hold neither overflows nor vanishes in double precision.
OWN double square(double a) { return a * a; }
OWN double square(double2 a) { return a.x * a.x + a.y * a.y; }
OWN double square(double3 a) { return a.x * a.x + a.y * a.y + a.z * a.z; }
OWN double square(double4 a) { return (a.x * a.x + a.y * a.y) + (a.z * a.z + a.w * a.w); }
#define LENGTHS(T, V, widened)                                                                                         \
  FN T length(V a) { return (T)__builtin_sqrt(square(widened)); }                                                      \
  FN T fast_length(V a) { return length(a); }                                                                          \
  FN T distance(V a, V b) { return length(a - b); }                                                                    \
  FN T fast_distance(V a, V b) { return length(a - b); }
#define LENGTHS_OF(T)                                                                                                  \
  LENGTHS(T, T, (double)a)                                                                                             \
  LENGTHS(T, T##2, __builtin_convertvector(a, double2))                                                                \
  LENGTHS(T, T##3, __builtin_convertvector(a, double3))                                                                \
  LENGTHS(T, T##4, __builtin_convertvector(a, double4))
LENGTHS_OF(float)
LENGTHS_OF(half)
FN double length(double a) { return fabs(a); }
FN double length(double2 a) { return __rt_norm(2, (const double *)&a); }
FN double length(double3 a) { return __rt_norm(3, (const double *)&a); }
FN double length(double4 a) { return __rt_norm(4, (const double *)&a); }
#define DISTANCE(V)                                                                                                    \
  FN double fast_length(V a) { return length(a); }                                                                     \
  FN double distance(V a, V b) { return length(a - b); }                                                               \
  FN double fast_distance(V a, V b) { return length(a - b); }
DISTANCE(double) DISTANCE(double2) DISTANCE(double3) DISTANCE(double4)

// The greatest component, to which others are scaled.
OWN double greatest(double a) { return fabs(a); }
OWN double greatest(double2 a) { return fmax(fabs(a.x), fabs(a.y)); }
OWN double greatest(double3 a) { return fmax(fmax(fabs(a.x), fabs(a.y)), fabs(a.z)); }
OWN double greatest(double4 a) { return fmax(fmax(fabs(a.x), fabs(a.y)), fmax(fabs(a.z), fabs(a.w))); }
// A direction with infinite components is that of those alone.
OWN double towards(double x) { return copysign(fabs(x) == INFINITY ? 1.0 : 0.0, x); }
OWN double2 towards(double2 a) { return (double2)(towards(a.x), towards(a.y)); }
OWN double3 towards(double3 a) { return (double3)(towards(a.x), towards(a.y), towards(a.z)); }
OWN double4 towards(double4 a) { return (double4)(towards(a.x), towards(a.y), towards(a.z), towards(a.w)); }
// Of length 1. Components are brought near 1 first, by a power of two that leaves them exact.
#define UNIT(V)                                                                                                        \
  OWN V unit(V a) {                                                                                                    \
    double most = greatest(a);                                                                                         \
    if (most == 0) return a;                                                                                           \
    if (most == INFINITY) a = towards(a);                                                                              \
    else if (most < 0x1p-400) a *= 0x1p800;                                                                            \
    else if (most > 0x1p400) a *= 0x1p-800;                                                                            \
    return a / __builtin_sqrt(square(a));                                                                              \
  }
UNIT(double) UNIT(double2) UNIT(double3) UNIT(double4)
#define NORMALIZE(V, from, to)                                                                                         \
  FN V normalize(V a) { return to(unit(from(a))); }                                                                    \
  FN V fast_normalize(V a) { return normalize(a); }
#define CAST_float(a) (float)(a)
#define CAST_half(a) (half)(a)
#define CAST_double(a) (double)(a)
#define AS_double2(a) __builtin_convertvector(a, double2)
#define AS_double3(a) __builtin_convertvector(a, double3)
#define AS_double4(a) __builtin_convertvector(a, double4)
#define AS_float2(a) __builtin_convertvector(a, float2)
#define AS_float3(a) __builtin_convertvector(a, float3)
#define AS_float4(a) __builtin_convertvector(a, float4)
#define AS_half2(a) __builtin_convertvector(a, half2)
#define AS_half3(a) __builtin_convertvector(a, half3)
#define AS_half4(a) __builtin_convertvector(a, half4)
#define NORMALIZE_OF(T)                                                                                                \
  NORMALIZE(T, CAST_double, CAST_##T)                                                                          \
  NORMALIZE(T##2, AS_double2, AS_##T##2)                                                                      \
  NORMALIZE(T##3, AS_double3, AS_##T##3)                                                                      \
  NORMALIZE(T##4, AS_double4, AS_##T##4)
FOR_FLOATS(NORMALIZE_OF)
