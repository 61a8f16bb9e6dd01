// Arithmetic and comparisons of 16-bit numbers; see half_type.h for the names. Sums, products and quotients of two
// such numbers are right when rounded to float first, since float has more than twice their digits and two.

#define __RK_BINARY(name, operation)                                                                                   \
  __RK_BOTH __RK_HALF __h##name(__RK_HALF a, __RK_HALF b) { return __RK_HALF::__of(a.__float() operation b.__float()); }
__RK_BINARY(add, +)
__RK_BINARY(sub, -)
__RK_BINARY(mul, *)
__RK_BINARY(div, /)
#undef __RK_BINARY
__RK_BOTH __RK_HALF __hadd_rn(__RK_HALF a, __RK_HALF b) { return __hadd(a, b); }
__RK_BOTH __RK_HALF __hsub_rn(__RK_HALF a, __RK_HALF b) { return __hsub(a, b); }
__RK_BOTH __RK_HALF __hmul_rn(__RK_HALF a, __RK_HALF b) { return __hmul(a, b); }
__RK_BOTH __RK_HALF __hfma(__RK_HALF a, __RK_HALF b, __RK_HALF c) {
  return __RK_HALF::__of(__rk_odd_sum((double)a.__float() * (double)b.__float(), c.__float()), __rk_nearest);
}
__RK_BOTH __RK_HALF __hneg(__RK_HALF a) { return __RK_HALF::__of_bits(a.__bits() ^ 0x8000); }
__RK_BOTH __RK_HALF __habs(__RK_HALF a) { return __RK_HALF::__of_bits(a.__bits() & 0x7fff); }

__RK_BOTH bool __hisnan(__RK_HALF a) { return a.__float() != a.__float(); }
__RK_BOTH int __hisinf(__RK_HALF a) {
  float value = a.__float();
  return value == __builtin_inff() ? 1 : value == -__builtin_inff() ? -1 : 0;
}

// To 0 … 1, NaN to 0.
__RK_BOTH __RK_HALF __rk_saturate(__RK_HALF a) {
  float value = a.__float();
  return __RK_HALF::__of(value > 0 ? (value < 1 ? value : 1.0f) : 0.0f);
}
__RK_BOTH __RK_HALF __hadd_sat(__RK_HALF a, __RK_HALF b) { return __rk_saturate(__hadd(a, b)); }
__RK_BOTH __RK_HALF __hsub_sat(__RK_HALF a, __RK_HALF b) { return __rk_saturate(__hsub(a, b)); }
__RK_BOTH __RK_HALF __hmul_sat(__RK_HALF a, __RK_HALF b) { return __rk_saturate(__hmul(a, b)); }
__RK_BOTH __RK_HALF __hfma_sat(__RK_HALF a, __RK_HALF b, __RK_HALF c) { return __rk_saturate(__hfma(a, b, c)); }
__RK_BOTH __RK_HALF __hfma_relu(__RK_HALF a, __RK_HALF b, __RK_HALF c) {
  __RK_HALF result = __hfma(a, b, c);
  return result.__float() < 0 ? __RK_HALF::__of_bits(0) : result;
}

// A comparison with NaN is false, and true in the form that ends in u.
#define __RK_COMPARE(name, operation)                                                                                  \
  __RK_BOTH bool __h##name(__RK_HALF a, __RK_HALF b) {                                                                 \
    return !__hisnan(a) && !__hisnan(b) && a.__float() operation b.__float();                                          \
  }                                                                                                                    \
  __RK_BOTH bool __h##name##u(__RK_HALF a, __RK_HALF b) {                                                              \
    return __hisnan(a) || __hisnan(b) || a.__float() operation b.__float();                                            \
  }
__RK_COMPARE(eq, ==)
__RK_COMPARE(ne, !=)
__RK_COMPARE(le, <=)
__RK_COMPARE(ge, >=)
__RK_COMPARE(lt, <)
__RK_COMPARE(gt, >)
#undef __RK_COMPARE

// The extreme of two numbers is the number where one is NaN; -0 is below +0: equal numbers join their sign bits.
#define __RK_EXTREME(name, relation, join)                                                                             \
  __RK_BOTH __RK_HALF __h##name(__RK_HALF a, __RK_HALF b) {                                                            \
    if (__hisnan(a)) return __hisnan(b) ? __RK_HALF::__of_bits(0x7fff) : b;                                            \
    if (a.__float() == b.__float()) {                                                                                  \
      return __RK_HALF::__of_bits(a.__bits() join b.__bits());                                                         \
    }                                                                                                                  \
    return __hisnan(b) || a.__float() relation b.__float() ? a : b;                                                    \
  }                                                                                                                    \
  __RK_BOTH __RK_HALF __h##name##_nan(__RK_HALF a, __RK_HALF b) {                                                      \
    return __hisnan(a) || __hisnan(b) ? __RK_HALF::__of_bits(0x7fff) : __h##name(a, b);                                \
  }
__RK_EXTREME(max, >, &)
__RK_EXTREME(min, <, |)
#undef __RK_EXTREME

// Operators.
#define __RK_OPERATOR(operation, name)                                                                                 \
  __RK_BOTH __RK_HALF operator operation(const __RK_HALF &a, const __RK_HALF &b) { return name(a, b); }                \
  __RK_BOTH __RK_HALF &operator operation##=(__RK_HALF &a, const __RK_HALF &b) { return a = name(a, b); }
__RK_OPERATOR(+, __hadd)
__RK_OPERATOR(-, __hsub)
__RK_OPERATOR(*, __hmul)
__RK_OPERATOR(/, __hdiv)
#undef __RK_OPERATOR
#define __RK_OPERATOR(operation, name)                                                                                 \
  __RK_BOTH bool operator operation(const __RK_HALF &a, const __RK_HALF &b) { return name(a, b); }
__RK_OPERATOR(==, __heq)
__RK_OPERATOR(!=, __hneu)
__RK_OPERATOR(<, __hlt)
__RK_OPERATOR(<=, __hle)
__RK_OPERATOR(>, __hgt)
__RK_OPERATOR(>=, __hge)
#undef __RK_OPERATOR
__RK_BOTH __RK_HALF operator+(const __RK_HALF &a) { return a; }
__RK_BOTH __RK_HALF operator-(const __RK_HALF &a) { return __hneg(a); }
__RK_BOTH __RK_HALF &operator++(__RK_HALF &a) { return a = __hadd(a, __RK_HALF::__of(1.0f)); }
__RK_BOTH __RK_HALF &operator--(__RK_HALF &a) { return a = __hsub(a, __RK_HALF::__of(1.0f)); }
__RK_BOTH __RK_HALF operator++(__RK_HALF &a, int) {
  __RK_HALF old = a;
  ++a;
  return old;
}
__RK_BOTH __RK_HALF operator--(__RK_HALF &a, int) {
  __RK_HALF old = a;
  --a;
  return old;
}

// Atomic sums, by comparing and exchanging the bits.
#define __RK_ATOMIC(T, Bits, add)                                                                                      \
  __RK_DEVICE T atomicAdd(T *p, T v) {                                                                                 \
    Bits old = __atomic_load_n((Bits *)p, __ATOMIC_RELAXED), next;                                                     \
    do next = __builtin_bit_cast(Bits, add(__builtin_bit_cast(T, old), v));                                            \
    while (!__atomic_compare_exchange_n((Bits *)p, &old, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));            \
    return __builtin_bit_cast(T, old);                                                                                 \
  }
__RK_ATOMIC(__RK_HALF, unsigned short, __hadd)
