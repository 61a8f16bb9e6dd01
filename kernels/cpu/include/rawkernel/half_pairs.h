// Pairs of 16-bit numbers: making, parting, arithmetic and comparisons lane by lane; see half_type.h for the names.

__RK_BOTH __RK_HALF2 __RK_N(make_, 2)(__RK_HALF x, __RK_HALF y) { return __RK_HALF2(x, y); }
__RK_BOTH __RK_HALF2 __RK_N(__halves2, 2)(__RK_HALF x, __RK_HALF y) { return __RK_HALF2(x, y); }
__RK_BOTH __RK_HALF2 __RK_JOIN(__, __RK_NAME, __RK_N(2, 2))(__RK_HALF x) { return __RK_HALF2(x, x); }
__RK_BOTH __RK_HALF2 __RK_N(__float2, 2_rn)(float x) {
  return __RK_HALF2(__RK_HALF::__of(x), __RK_HALF::__of(x));
}
__RK_BOTH __RK_HALF2 __RK_N(__floats2, 2_rn)(float x, float y) {
  return __RK_HALF2(__RK_HALF::__of(x), __RK_HALF::__of(y));
}
__RK_BOTH __RK_HALF2 __RK_N(__float22, 2_rn)(float2 v) {
  return __RK_HALF2(__RK_HALF::__of(v.x), __RK_HALF::__of(v.y));
}
__RK_BOTH float2 __RK_N(__, 22float2)(__RK_HALF2 v) { return {v.x.__float(), v.y.__float()}; }
__RK_BOTH float __low2float(__RK_HALF2 v) { return v.x.__float(); }
__RK_BOTH float __high2float(__RK_HALF2 v) { return v.y.__float(); }
__RK_BOTH __RK_HALF __RK_N(__low2, )(__RK_HALF2 v) { return v.x; }
__RK_BOTH __RK_HALF __RK_N(__high2, )(__RK_HALF2 v) { return v.y; }
__RK_BOTH __RK_HALF2 __RK_N(__low2, 2)(__RK_HALF2 v) { return __RK_HALF2(v.x, v.x); }
__RK_BOTH __RK_HALF2 __RK_N(__high2, 2)(__RK_HALF2 v) { return __RK_HALF2(v.y, v.y); }
__RK_BOTH __RK_HALF2 __RK_N(__lows2, 2)(__RK_HALF2 a, __RK_HALF2 b) { return __RK_HALF2(a.x, b.x); }
__RK_BOTH __RK_HALF2 __RK_N(__highs2, 2)(__RK_HALF2 a, __RK_HALF2 b) { return __RK_HALF2(a.y, b.y); }
__RK_BOTH __RK_HALF2 __lowhigh2highlow(__RK_HALF2 v) { return __RK_HALF2(v.y, v.x); }

#define __RK_PAIR1(name, one)                                                                                          \
  __RK_BOTH __RK_HALF2 name(__RK_HALF2 a) { return __RK_HALF2(one(a.x), one(a.y)); }
#define __RK_PAIR2(name, one)                                                                                          \
  __RK_BOTH __RK_HALF2 name(__RK_HALF2 a, __RK_HALF2 b) { return __RK_HALF2(one(a.x, b.x), one(a.y, b.y)); }
#define __RK_PAIR3(name, one)                                                                                          \
  __RK_BOTH __RK_HALF2 name(__RK_HALF2 a, __RK_HALF2 b, __RK_HALF2 c) {                                                \
    return __RK_HALF2(one(a.x, b.x, c.x), one(a.y, b.y, c.y));                                                         \
  }
__RK_PAIR1(__hneg2, __hneg)
__RK_PAIR1(__habs2, __habs)
__RK_PAIR2(__hadd2, __hadd)
__RK_PAIR2(__hsub2, __hsub)
__RK_PAIR2(__hmul2, __hmul)
__RK_PAIR2(__h2div, __hdiv)
__RK_PAIR2(__hadd2_rn, __hadd)
__RK_PAIR2(__hsub2_rn, __hsub)
__RK_PAIR2(__hmul2_rn, __hmul)
__RK_PAIR2(__hadd2_sat, __hadd_sat)
__RK_PAIR2(__hsub2_sat, __hsub_sat)
__RK_PAIR2(__hmul2_sat, __hmul_sat)
__RK_PAIR3(__hfma2, __hfma)
__RK_PAIR3(__hfma2_sat, __hfma_sat)
__RK_PAIR3(__hfma2_relu, __hfma_relu)
__RK_PAIR2(__hmax2, __hmax)
__RK_PAIR2(__hmin2, __hmin)
__RK_PAIR2(__hmax2_nan, __hmax_nan)
__RK_PAIR2(__hmin2_nan, __hmin_nan)
#undef __RK_PAIR1
#undef __RK_PAIR2
#undef __RK_PAIR3
__RK_BOTH __RK_HALF2 __hcmadd(__RK_HALF2 a, __RK_HALF2 b, __RK_HALF2 c) {
  return __RK_HALF2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}
// 1.0 where it is true; the last operand is there for its type.
__RK_BOTH __RK_HALF2 __rk_truths(bool x, bool y, __RK_HALF2) {
  return __RK_HALF2(__RK_HALF::__of(x ? 1.0f : 0.0f), __RK_HALF::__of(y ? 1.0f : 0.0f));
}
__RK_BOTH __RK_HALF2 __hisnan2(__RK_HALF2 a) {
  return __rk_truths(__hisnan(a.x), __hisnan(a.y), a);
}

// Each comparison gives 1.0 and 0.0 by lane, a mask by lane, or whether it holds in both lanes.
#define __RK_COMPARE(name)                                                                                             \
  __RK_BOTH __RK_HALF2 __h##name##2(__RK_HALF2 a, __RK_HALF2 b) {                                                      \
    return __rk_truths(__h##name(a.x, b.x), __h##name(a.y, b.y), a);                                                   \
  }                                                                                                                    \
  __RK_BOTH unsigned __h##name##2_mask(__RK_HALF2 a, __RK_HALF2 b) {                                                   \
    return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);                              \
  }                                                                                                                    \
  __RK_BOTH bool __hb##name##2(__RK_HALF2 a, __RK_HALF2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
__RK_COMPARE(eq)
__RK_COMPARE(ne)
__RK_COMPARE(le)
__RK_COMPARE(ge)
__RK_COMPARE(lt)
__RK_COMPARE(gt)
__RK_COMPARE(equ)
__RK_COMPARE(neu)
__RK_COMPARE(leu)
__RK_COMPARE(geu)
__RK_COMPARE(ltu)
__RK_COMPARE(gtu)
#undef __RK_COMPARE

#define __RK_OPERATOR(operation, name)                                                                                 \
  __RK_BOTH __RK_HALF2 operator operation(const __RK_HALF2 &a, const __RK_HALF2 &b) { return name(a, b); }             \
  __RK_BOTH __RK_HALF2 &operator operation##=(__RK_HALF2 &a, const __RK_HALF2 &b) { return a = name(a, b); }
__RK_OPERATOR(+, __hadd2)
__RK_OPERATOR(-, __hsub2)
__RK_OPERATOR(*, __hmul2)
__RK_OPERATOR(/, __h2div)
#undef __RK_OPERATOR
#define __RK_OPERATOR(operation, name)                                                                                 \
  __RK_BOTH bool operator operation(const __RK_HALF2 &a, const __RK_HALF2 &b) { return name(a, b); }
__RK_OPERATOR(==, __hbeq2)
__RK_OPERATOR(!=, __hbneu2)
__RK_OPERATOR(<, __hblt2)
__RK_OPERATOR(<=, __hble2)
__RK_OPERATOR(>, __hbgt2)
__RK_OPERATOR(>=, __hbge2)
#undef __RK_OPERATOR
__RK_BOTH __RK_HALF2 operator+(const __RK_HALF2 &a) { return a; }
__RK_BOTH __RK_HALF2 operator-(const __RK_HALF2 &a) { return __hneg2(a); }

__RK_ATOMIC(__RK_HALF2, unsigned, __hadd2)
#undef __RK_ATOMIC
