// SIMD intrinsics: two halfwords or four bytes in one word (__vadd2, __vcmpgtu4, …).
#ifndef RAWKERNEL_VIDEO_H
#define RAWKERNEL_VIDEO_H

#include "qualifiers.h"

typedef signed char __rk_s4 __attribute__((ext_vector_type(4)));
typedef unsigned char __rk_u4 __attribute__((ext_vector_type(4)));
typedef short __rk_s2 __attribute__((ext_vector_type(2)));
typedef unsigned short __rk_u2 __attribute__((ext_vector_type(2)));
typedef int __rk_ws2 __attribute__((ext_vector_type(2)));
typedef unsigned __rk_wu2 __attribute__((ext_vector_type(2)));
typedef int __rk_ws4 __attribute__((ext_vector_type(4)));
typedef unsigned __rk_wu4 __attribute__((ext_vector_type(4)));

#define __RK_S(n, word) __builtin_bit_cast(__rk_s##n, word)
#define __RK_U(n, word) __builtin_bit_cast(__rk_u##n, word)
#define __RK_WORD(vector) __builtin_bit_cast(unsigned, vector)
#define __RK_WIDE_S(n, word) __builtin_convertvector(__RK_S(n, word), __rk_ws##n)
#define __RK_WIDE_U(n, word) __builtin_convertvector(__RK_U(n, word), __rk_wu##n)

// Half of each sum as the GPU rounds it: up, but the halves of negative sums down.
__RK_BOTH __rk_s2 __rk_halved(__rk_ws2 sum) { return __builtin_convertvector((sum + 1 + (sum >> 31)) >> 1, __rk_s2); }
__RK_BOTH __rk_s4 __rk_halved(__rk_ws4 sum) { return __builtin_convertvector((sum + 1 + (sum >> 31)) >> 1, __rk_s4); }

#define __RK_1(name, expression)                                                                                       \
  __RK_BOTH unsigned name(unsigned a) { return __RK_WORD(expression); }
#define __RK_2(name, expression)                                                                                       \
  __RK_BOTH unsigned name(unsigned a, unsigned b) { return __RK_WORD(expression); }
// __vcmp… gives all ones where the relation holds, __vset… gives one.
#define __RK_RELATION(n, name, lane, relation)                                                                         \
  __RK_BOTH unsigned __vcmp##name##n(unsigned a, unsigned b) { return __RK_WORD(lane(n, a) relation lane(n, b)); }     \
  __RK_BOTH unsigned __vset##name##n(unsigned a, unsigned b) { return __RK_WORD(-(lane(n, a) relation lane(n, b))); }

#define __RK_LANES(n)                                                                                                  \
  __RK_2(__vadd##n, __RK_U(n, a) + __RK_U(n, b))                                                                       \
  __RK_2(__vaddss##n, __builtin_elementwise_add_sat(__RK_S(n, a), __RK_S(n, b)))                                       \
  __RK_2(__vaddus##n, __builtin_elementwise_add_sat(__RK_U(n, a), __RK_U(n, b)))                                       \
  __RK_2(__vsub##n, __RK_U(n, a) - __RK_U(n, b))                                                                       \
  __RK_2(__vsubss##n, __builtin_elementwise_sub_sat(__RK_S(n, a), __RK_S(n, b)))                                       \
  __RK_2(__vsubus##n, __builtin_elementwise_sub_sat(__RK_U(n, a), __RK_U(n, b)))                                       \
  __RK_2(__vmaxs##n, __builtin_elementwise_max(__RK_S(n, a), __RK_S(n, b)))                                            \
  __RK_2(__vmaxu##n, __builtin_elementwise_max(__RK_U(n, a), __RK_U(n, b)))                                            \
  __RK_2(__vmins##n, __builtin_elementwise_min(__RK_S(n, a), __RK_S(n, b)))                                            \
  __RK_2(__vminu##n, __builtin_elementwise_min(__RK_U(n, a), __RK_U(n, b)))                                            \
  __RK_1(__vneg##n, -__RK_U(n, a))                                                                                     \
  __RK_1(__vnegss##n, __builtin_elementwise_sub_sat((__rk_s##n)0, __RK_S(n, a)))                                       \
  __RK_1(__vabs##n, __builtin_elementwise_max(__RK_S(n, a), __RK_S(n, __vneg##n(a))))                                  \
  __RK_1(__vabsss##n, __builtin_elementwise_max(__RK_S(n, a), __RK_S(n, __vnegss##n(a))))                              \
  __RK_2(__vabsdiffs##n, __RK_U(n, __vmaxs##n(a, b)) - __RK_U(n, __vmins##n(a, b)))                                    \
  __RK_2(__vabsdiffu##n, __RK_U(n, __vmaxu##n(a, b)) - __RK_U(n, __vminu##n(a, b)))                                    \
  __RK_2(__vavgs##n, __rk_halved(__RK_WIDE_S(n, a) + __RK_WIDE_S(n, b)))                                               \
  __RK_2(__vavgu##n, __builtin_convertvector((__RK_WIDE_U(n, a) + __RK_WIDE_U(n, b) + 1) >> 1, __rk_u##n))             \
  __RK_2(__vhaddu##n, __builtin_convertvector((__RK_WIDE_U(n, a) + __RK_WIDE_U(n, b)) >> 1, __rk_u##n))                \
  __RK_RELATION(n, eq, __RK_U, ==)                                                                                     \
  __RK_RELATION(n, ne, __RK_U, !=)                                                                                     \
  __RK_RELATION(n, ges, __RK_S, >=)                                                                                    \
  __RK_RELATION(n, geu, __RK_U, >=)                                                                                    \
  __RK_RELATION(n, gts, __RK_S, >)                                                                                     \
  __RK_RELATION(n, gtu, __RK_U, >)                                                                                     \
  __RK_RELATION(n, les, __RK_S, <=)                                                                                    \
  __RK_RELATION(n, leu, __RK_U, <=)                                                                                    \
  __RK_RELATION(n, lts, __RK_S, <)                                                                                     \
  __RK_RELATION(n, ltu, __RK_U, <)
__RK_LANES(2)
__RK_LANES(4)

__RK_BOTH unsigned __rk_sum2(unsigned a) { return (a & 0xffff) + (a >> 16); }
__RK_BOTH unsigned __rk_sum4(unsigned a) { return (a & 0xff) + (a >> 8 & 0xff) + (a >> 16 & 0xff) + (a >> 24); }
__RK_BOTH unsigned __vsads2(unsigned a, unsigned b) { return __rk_sum2(__vabsdiffs2(a, b)); }
__RK_BOTH unsigned __vsadu2(unsigned a, unsigned b) { return __rk_sum2(__vabsdiffu2(a, b)); }
__RK_BOTH unsigned __vsads4(unsigned a, unsigned b) { return __rk_sum4(__vabsdiffs4(a, b)); }
__RK_BOTH unsigned __vsadu4(unsigned a, unsigned b) { return __rk_sum4(__vabsdiffu4(a, b)); }

// Maxima and minima of three, of a sum, and with zero (relu).
#define __RK_EXTREME(T, Type, max, min, add)                                                                           \
  __RK_BOTH Type __vimax3_##T(Type a, Type b, Type c) { return max(max(a, b), c); }                                    \
  __RK_BOTH Type __vimin3_##T(Type a, Type b, Type c) { return min(min(a, b), c); }                                    \
  __RK_BOTH Type __viaddmax_##T(Type a, Type b, Type c) { return max(add(a, b), c); }                                  \
  __RK_BOTH Type __viaddmin_##T(Type a, Type b, Type c) { return min(add(a, b), c); }
#define __RK_EXTREME_RELU(T, Type, max, min, add)                                                                      \
  __RK_EXTREME(T, Type, max, min, add)                                                                                 \
  __RK_BOTH Type __vimax_##T##_relu(Type a, Type b) { return max(max(a, b), (Type)0); }                                \
  __RK_BOTH Type __vimin_##T##_relu(Type a, Type b) { return max(min(a, b), (Type)0); }                                \
  __RK_BOTH Type __vimax3_##T##_relu(Type a, Type b, Type c) { return max(__vimax3_##T(a, b, c), (Type)0); }           \
  __RK_BOTH Type __vimin3_##T##_relu(Type a, Type b, Type c) { return max(__vimin3_##T(a, b, c), (Type)0); }           \
  __RK_BOTH Type __viaddmax_##T##_relu(Type a, Type b, Type c) { return max(__viaddmax_##T(a, b, c), (Type)0); }       \
  __RK_BOTH Type __viaddmin_##T##_relu(Type a, Type b, Type c) { return max(__viaddmin_##T(a, b, c), (Type)0); }
#define __RK_WRAPPED_SUM(a, b) ((int)((unsigned)(a) + (unsigned)(b)))
#define __RK_SUM(a, b) ((a) + (b))
__RK_EXTREME_RELU(s32, int, __builtin_elementwise_max, __builtin_elementwise_min, __RK_WRAPPED_SUM)
__RK_EXTREME_RELU(s16x2, unsigned, __vmaxs2, __vmins2, __vadd2)
__RK_EXTREME(u32, unsigned, __builtin_elementwise_max, __builtin_elementwise_min, __RK_SUM)
__RK_EXTREME(u16x2, unsigned, __vmaxu2, __vminu2, __vadd2)

// Maximum or minimum, and whether it is the first operand (a tie counts as the first).
#define __RK_CHOICE(T, Type, name, relation)                                                                           \
  __RK_BOTH Type __vib##name##_##T(Type a, Type b, bool *first) { return (*first = a relation b) ? a : b; }
#define __RK_CHOICE2(T, Lane, name, lanes, relation)                                                                   \
  __RK_BOTH unsigned __vib##name##_##T(unsigned a, unsigned b, bool *first_high, bool *first_low) {                    \
    *first_high = (Lane)(a >> 16) relation(Lane)(b >> 16);                                                             \
    *first_low = (Lane)a relation(Lane) b;                                                                             \
    return lanes(a, b);                                                                                                \
  }
__RK_CHOICE(s32, int, max, >=)
__RK_CHOICE(s32, int, min, <=)
__RK_CHOICE(u32, unsigned, max, >=)
__RK_CHOICE(u32, unsigned, min, <=)
__RK_CHOICE2(s16x2, short, max, __vmaxs2, >=)
__RK_CHOICE2(s16x2, short, min, __vmins2, <=)
__RK_CHOICE2(u16x2, unsigned short, max, __vmaxu2, >=)
__RK_CHOICE2(u16x2, unsigned short, min, __vminu2, <=)

#undef __RK_S
#undef __RK_U
#undef __RK_WORD
#undef __RK_WIDE_S
#undef __RK_WIDE_U
#undef __RK_1
#undef __RK_2
#undef __RK_RELATION
#undef __RK_LANES
#undef __RK_EXTREME
#undef __RK_EXTREME_RELU
#undef __RK_WRAPPED_SUM
#undef __RK_SUM
#undef __RK_CHOICE
#undef __RK_CHOICE2

#endif
