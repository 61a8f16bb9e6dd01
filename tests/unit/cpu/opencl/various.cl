// Functions that no table covers. Each kernel writes what the test looks for.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define RELATIONS(T)                                                                                                   \
  kernel void relations_##T(global const T *x, global const T *y, global int *r) {                                     \
    int i = get_global_id(0);                                                                                          \
    global int *p = r + 16 * i;                                                                                        \
    T a = x[i], b = y[i];                                                                                              \
    p[0] = isequal(a, b), p[1] = isnotequal(a, b), p[2] = isgreater(a, b), p[3] = isgreaterequal(a, b);                \
    p[4] = isless(a, b), p[5] = islessequal(a, b), p[6] = islessgreater(a, b), p[7] = isfinite(a);                     \
    p[8] = isinf(a), p[9] = isnan(a), p[10] = isnormal(a), p[11] = isordered(a, b), p[12] = isunordered(a, b);         \
    p[13] = signbit(a), p[14] = ilogb(a), p[15] = isnan(nan(0));                                                       \
  }                                                                                                                    \
  kernel void relations_##T##_vector(global const T *x, global const T *y, global int *r) {                            \
    int i = get_global_id(0);                                                                                          \
    T##4 a = vload4(i, x), b = vload4(i, y);                                                                           \
    int4 p[14] = {convert_int4(isequal(a, b)),        convert_int4(isnotequal(a, b)),                                  \
                  convert_int4(isgreater(a, b)),      convert_int4(isgreaterequal(a, b)),                              \
                  convert_int4(isless(a, b)),         convert_int4(islessequal(a, b)),                                 \
                  convert_int4(islessgreater(a, b)),  convert_int4(isfinite(a)),                                       \
                  convert_int4(isinf(a)),             convert_int4(isnan(a)),                                          \
                  convert_int4(isnormal(a)),          convert_int4(isordered(a, b)),                                   \
                  convert_int4(isunordered(a, b)),    convert_int4(signbit(a))};                                       \
    for (int k = 0; k < 14; k++) {                                                                                     \
      r[(4 * i) * 16 + k] = -p[k].x;                                                                                   \
      r[(4 * i + 1) * 16 + k] = -p[k].y;                                                                               \
      r[(4 * i + 2) * 16 + k] = -p[k].z;                                                                               \
      r[(4 * i + 3) * 16 + k] = -p[k].w;                                                                               \
    }                                                                                                                  \
  }
#define nan(x) nan_of(x)
float nan_of(uint code) { return as_float(0x7fc00000u | code); }
RELATIONS(float)
RELATIONS(double)
#undef nan

kernel void nans(global uint *r, global ulong *s, global ushort *h) {
  r[0] = as_uint(nan(5u));
  s[0] = as_ulong(nan(6ul));
  h[0] = as_ushort(nan((ushort)7));
  uint2 two = as_uint2(nan((uint2)(1, 2)));
  r[1] = two.x, r[2] = two.y;
}

kernel void choices(global int *r, global float *f, global long *l) {
  r[0] = select(1, 2, 0), r[1] = select(1, 2, 7), r[2] = select((char)1, (char)2, (uchar)128);
  int4 v = select((int4)(1, 2, 3, 4), (int4)(5, 6, 7, 8), (int4)(0, -1, 1, 0x80000000));
  vstore4(v, 1, r);
  vstore4(select((float4)1, (float4)2, (uint4)(0, 0x80000000, 0x7fffffff, ~0u)), 0, f);
  f[4] = bitselect(1.0f, -2.0f, as_float(0x80000000)), f[5] = select(1.5f, 2.5f, 1);
  double2 d = select((double2)(1, 2), (double2)(3, 4), (long2)(-1, 0));
  f[6] = d.x, f[7] = d.y;
  r[8] = any((int3)(0, 1, 2)), r[9] = any((int3)(0, -1, 2)), r[10] = all((char2)(-1, -128)), r[11] = all((char2)(-1, 127));
  r[12] = any(-5), r[13] = all((short)5), r[14] = any((long16)(-1)), r[15] = all(isequal((float8)1, (float8)1));
  vstore2(isequal((double2)(1, 2), (double2)(1, 3)), 0, l);
  l[2] = isequal((half2)(1, 2), (half2)(1, 3)).x, l[3] = isequal((half2)(1, 2), (half2)(1, 3)).y;
}

kernel void shuffles(global int *r, global uchar *c, uint4 mask) {
  int4 v = (int4)(10, 11, 12, 13), w = (int4)(20, 21, 22, 23);
  vstore4(shuffle(v, mask), 0, r);
  vstore8(shuffle(v, (uint8)(3, 2, 1, 0, 4, 5, 6, 7)), 1, r);
  vstore4(shuffle2(v, w, mask), 1, r);
  vstore2(shuffle2(v, w, (uint2)(4, 3)), 8, r);
  vstore4(shuffle((uchar16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), (uchar4)(15, 31, 1, 0)), 0, c);
  int16 s = (int16)(v, w, v, w);
  s.s0f = s.sf0;
  s.hi.even = s.lo.odd;
  r[18] = s.s0, r[19] = s.sf, r[20] = s.s8, r[21] = vec_step(int3);
}

kernel void memory(global float *a, constant float *c, local float *room, global float *r) {
  vstore3(vload3(1, c) + 1, 1, a);
  vstore3(vload3(0, a), 0, room);
  vstore3(vload3(0, room), 2, r);
  float own[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  vstore8(vload8(0, own), 2, r);
  vstore2(vload2(3, own), 0, r);
  float16 all = vload16(0, a);
  r[2] = all.sf;
  double3 d = convert_double3(vload3(0, own));
  r[3] = d.z;
}

kernel void halves(global const ushort *bits, global float *f, global ushort *r, global const float *x) {
  global const half *in = (global const half *)bits;
  global half *out = (global half *)r;
  int i = get_global_id(0);
  f[i] = vload_half(i, in);
  if (i == 0) {
    vstore4(vload_half4(1, in), 30, f);
    vstore3(vload_half3(1, in), 41, f);
    vstore3(vloada_half3(1, in), 42, f);
    vstore4(vloada_half4(1, in), 33, f);
  }
  vstore_half(x[i], i, out);
  vstore_half_rtz(x[i], 40 + i, out);
  vstore_half_rtp(x[i], 80 + i, out);
  vstore_half_rtn(x[i], 120 + i, out);
  vstore_half_rte((double)x[i], 160 + i, out);
  if (i < 13) {
    vstore_half3_rtz(vload3(i, x), i, out + 200);
    vstorea_half3(vload3(i, x), i, out + 248);
  }
}

kernel void geometry(global float *r, global double *d) {
  float3 a = (float3)(1, 2, 3), b = (float3)(4, -5, 6);
  r[0] = dot(a, b), r[1] = length((float2)(3, 4)), r[2] = distance((float4)1, (float4)(1, 1, 1, 3)), r[3] = length(-2.0f);
  vstore3(cross(a, b), 2, r);
  vstore4(cross((float4)(a, 9), (float4)(b, 9)), 3, r);
  vstore4(normalize((float4)(0, 3, 0, -4)), 4, r);
  vstore2(normalize((float2)(1e-30f, 1e-30f)), 10, r);
  vstore2(normalize((float2)(0, 0)), 11, r);
  vstore2(normalize((float2)(INFINITY, 1)), 12, r);
  r[26] = length((float3)(1e30f, 1e30f, 1e30f)), r[27] = fast_length((float2)(3, 4)), r[28] = fast_distance(1.0f, 3.0f);
  r[29] = fast_normalize(-7.0f), r[30] = dot(2.0f, 3.0f), r[31] = convert_float(length((half2)(300, 400)));
  d[0] = length((double3)(2e200, 3e200, 6e200)), d[1] = normalize((double2)(1e-310, 0)).x, d[2] = distance((double2)(0, 0), (double2)(5, 12));
  d[3] = dot((double4)(1, 2, 3, 4), (double4)2), d[4] = cross((double3)(1, 0, 0), (double3)(0, 1, 0)).z;
}

kernel void common_ones(global float *r) {
  r[0] = clamp(5.0f, 0.0f, 1.0f), r[1] = degrees(M_PI_F), r[2] = radians(180.0f), r[3] = max(1.0f, 2.0f), r[4] = min(1.0f, 2.0f);
  r[5] = mix(1.0f, 3.0f, 0.25f), r[6] = step(0.5f, 0.4f), r[7] = step(0.5f, 0.5f), r[8] = smoothstep(0.0f, 1.0f, 0.5f);
  r[9] = smoothstep(0.0f, 1.0f, -1.0f), r[10] = sign(-3.0f), r[11] = sign(NAN);
  vstore4(mix((float4)0, (float4)(1, 2, 3, 4), 0.5f), 3, r);
  vstore4(step(2.0f, (float4)(1, 2, 3, 4)), 4, r);
  vstore4(smoothstep(0.0f, 4.0f, (float4)(1, 2, 3, 4)), 5, r);
  vstore4(fmin((float4)(1, 2, 3, 4), 2.5f), 6, r);
  r[28] = convert_float(mix((half)1, (half)3, (half)0.5)), r[29] = (float)smoothstep(0.0, 1.0, 0.25);
  vstore2(clamp((float2)(-1, 7), 0.0f, (float)4), 15, r);
}

kernel void quick(global const float *x, global int *r) {
  int i = get_global_id(0);
  float a = x[i];
  r[i] = half_cos(a) == cos(a) && native_sin(a) == sin(a) && native_exp(a) == exp(a) && half_log2(a) == log2(a) &&
         native_rsqrt(a) == rsqrt(a) && half_sqrt(a) == sqrt(a) && native_powr(a, 2.5f) == powr(a, 2.5f) &&
         half_divide(a, 3.0f) == a / 3.0f && native_recip(a) == 1.0f / a && half_tan(a) == tan(a) && native_exp10(a) == exp10(a) &&
         half_exp2(a) == exp2(a) && native_log10(a) == log10(a) && all(native_log((float2)a) == log((float2)a));
}

kernel void with_pointers(global float *r, global int *n, local float *room, local int *number) {
  float a;
  int k;
  r[0] = sincos(1.0f, &a), r[1] = a;
  r[2] = sincos(2.0f, room), r[3] = *room;
  r[4] = fract(-1.25f, r + 5);
  r[6] = lgamma_r(-0.5f, &k), n[0] = k;
  r[7] = lgamma_r(-1.5f, number), n[1] = *number;
  r[8] = lgamma_r(-2.0f, n + 2);
  r[9] = lgamma_r(10.0f, n + 3), lgamma_r(0.0f, n + 4);
  float4 parts;
  vstore4(modf((float4)(1.5f, -2.25f, 0, 7), &parts), 3, r);
  vstore4(parts, 4, r);
  int2 e;
  vstore2(frexp((float2)(12, 0.375f), &e), 10, r);
  n[5] = e.x, n[6] = e.y, n[7] = ilogb(0.0f), n[8] = ilogb(NAN), n[9] = ilogb(1e-40f), n[10] = ilogb(INFINITY);
}
