// thrust: engines of random numbers, which give the numbers that thrust's give. Their values repeat for a seed.
#ifndef RAWKERNEL_RANDOM_ENGINES_H
#define RAWKERNEL_RANDOM_ENGINES_H

#include <cstdint>

#include "qualifiers.h"

namespace thrust {
namespace random {

// x becomes a * x + c, modulo m.
template <class UIntType, UIntType a, UIntType c, UIntType m> class linear_congruential_engine {
  UIntType x;

  // The product of two numbers below m. m is 0 for the whole range of the type.
  __RK_MEMBER static constexpr unsigned long long times(unsigned long long p, unsigned long long q) {
    return m == 0 ? (UIntType)(p * q) : sizeof(UIntType) > 4 ? (unsigned long long)((unsigned __int128)p * q % m) : p * q % m;
  }
  __RK_MEMBER static constexpr unsigned long long plus(unsigned long long p, unsigned long long q) {
    return m == 0 ? (UIntType)(p + q) : (unsigned long long)(((unsigned __int128)p + q) % m);
  }
  __RK_MEMBER static constexpr UIntType within(UIntType value) { return m == 0 ? value : value % m; }

public:
  typedef UIntType result_type;
  static constexpr UIntType multiplier = a, increment = c, modulus = m, default_seed = 1;
  static constexpr UIntType min = c == 0 ? 1 : 0, max = m - 1;

  __RK_MEMBER constexpr explicit linear_congruential_engine(UIntType s = default_seed) : x() { seed(s); }
  __RK_MEMBER constexpr void seed(UIntType s = default_seed) { x = within(c) == 0 && within(s) == 0 ? within(1) : within(s); }
  __RK_MEMBER constexpr UIntType operator()() {
    if (m == 0 || c != 0 || sizeof(UIntType) > 4) return x = (UIntType)plus(times(a, x), c);
    return x = (UIntType)((unsigned long long)a * x % m);
  }
  // Two steps are one step with another multiplier and another increment.
  __RK_MEMBER constexpr void discard(unsigned long long n) {
    unsigned long long multiply = a, add = c;
    for (; n > 0; n >>= 1) {
      if (n & 1) x = (UIntType)plus(times(multiply, x), add);
      add = plus(times(multiply, add), add);
      multiply = times(multiply, multiply);
    }
  }
  friend __RK_MEMBER constexpr bool operator==(const linear_congruential_engine &p, const linear_congruential_engine &q) {
    return p.x == q.x;
  }
  friend __RK_MEMBER constexpr bool operator!=(const linear_congruential_engine &p, const linear_congruential_engine &q) {
    return p.x != q.x;
  }
};

#define __RK_DISCARD                                                                                                   \
  __RK_MEMBER constexpr void discard(unsigned long long n) {                                                           \
    for (; n > 0; --n) (*this)();                                                                                      \
  }

// A Tausworthe generator of w bits: L'Ecuyer, "Maximally Equidistributed Combined Tausworthe Generators" (1996).
template <class UIntType, size_t w, size_t k, size_t q, size_t s> class linear_feedback_shift_engine {
  UIntType value;

public:
  typedef UIntType result_type;
  static constexpr size_t word_size = w, exponent1 = k, exponent2 = q, step_size = s;
  static constexpr UIntType wordmask = (UIntType)(~(UIntType)0 >> (sizeof(UIntType) * 8 - w));
  static constexpr UIntType min = 0, max = wordmask, default_seed = 341;

  __RK_MEMBER constexpr explicit linear_feedback_shift_engine(UIntType seed = default_seed) : value(seed) {}
  __RK_MEMBER constexpr void seed(UIntType seed = default_seed) { value = seed; }
  __RK_MEMBER constexpr UIntType operator()() {
    UIntType low = (UIntType)((((value << q) ^ value) & wordmask) >> (k - s));
    UIntType high = (UIntType)(value & wordmask & (UIntType)(~(UIntType)0 << (w - k)));
    return value = (UIntType)((high << s) ^ low) & wordmask;
  }
  __RK_DISCARD
  friend __RK_MEMBER constexpr bool operator==(const linear_feedback_shift_engine &one, const linear_feedback_shift_engine &other) {
    return one.value == other.value;
  }
};

// Marsaglia and Zaman, "A New Class of Random Number Generators" (1991): the difference of two earlier numbers and a
// borrow, modulo 2^w.
template <class UIntType, size_t w, size_t s, size_t r> class subtract_with_carry_engine {
  UIntType x[r];
  unsigned at;
  int carry;

public:
  typedef UIntType result_type;
  static constexpr size_t word_size = w, short_lag = s, long_lag = r;
  static constexpr UIntType modulus = (UIntType)1 << w, min = 0, max = modulus - 1, default_seed = 19780503u;

  __RK_MEMBER constexpr explicit subtract_with_carry_engine(UIntType value = default_seed) : x(), at(0), carry(0) {
    seed(value);
  }
  // One number of the small engine for each word, also where a word has more bits: not what C++ has.
  __RK_MEMBER constexpr void seed(UIntType value = default_seed) {
    linear_congruential_engine<UIntType, 40014u, 0u, 2147483563u> first(value == 0 ? default_seed : value);
    for (size_t i = 0; i < r; ++i) x[i] = first() % modulus;
    carry = x[r - 1] == 0;
    at = 0;
  }
  __RK_MEMBER constexpr UIntType operator()() {
    UIntType earlier = x[at < s ? at + r - s : at - s], taken = (UIntType)(x[at] + carry);
    carry = earlier < taken;
    UIntType result = (UIntType)(earlier - taken) & max;
    x[at] = result;
    at = at + 1 == r ? 0 : at + 1;
    return result;
  }
  __RK_DISCARD
};

// Of p numbers of an engine the first r.
template <class Engine, size_t p, size_t r> class discard_block_engine {
  Engine engine;
  unsigned used;

public:
  typedef Engine base_type;
  typedef typename Engine::result_type result_type;
  static constexpr size_t block_size = p, used_block = r;
  static constexpr result_type min = Engine::min, max = Engine::max;

  __RK_MEMBER constexpr discard_block_engine() : engine(), used(0) {}
  __RK_MEMBER constexpr explicit discard_block_engine(result_type s) : engine(s), used(0) {}
  __RK_MEMBER constexpr explicit discard_block_engine(const Engine &engine) : engine(engine), used(0) {}
  __RK_MEMBER constexpr void seed() {
    engine.seed();
    used = 0;
  }
  __RK_MEMBER constexpr void seed(result_type s) {
    engine.seed(s);
    used = 0;
  }
  __RK_MEMBER constexpr const Engine &base() const { return engine; }
  __RK_MEMBER constexpr result_type operator()() {
    if (used >= r) {
      engine.discard(p - used);
      used = 0;
    }
    ++used;
    return engine();
  }
  __RK_DISCARD
};

// The numbers of two engines, shifted, combined by exclusive or.
template <class Engine1, size_t s1, class Engine2, size_t s2 = 0> class xor_combine_engine {
  Engine1 first;
  Engine2 second;

public:
  typedef Engine1 base1_type;
  typedef Engine2 base2_type;
  typedef typename Engine1::result_type result_type;
  static constexpr size_t shift1 = s1, shift2 = s2;
  static constexpr result_type min = 0;
  // All bits that either can have.
  static constexpr result_type max = (result_type)((Engine1::max - Engine1::min) << s1) | (result_type)((Engine2::max - Engine2::min) << s2);

  __RK_MEMBER constexpr xor_combine_engine() : first(), second() {}
  __RK_MEMBER constexpr explicit xor_combine_engine(result_type s) : first(s), second(s) {}
  __RK_MEMBER constexpr xor_combine_engine(const Engine1 &first, const Engine2 &second) : first(first), second(second) {}
  __RK_MEMBER constexpr void seed() {
    first.seed();
    second.seed();
  }
  __RK_MEMBER constexpr void seed(result_type s) {
    first.seed(s);
    second.seed(s);
  }
  __RK_MEMBER constexpr const Engine1 &base1() const { return first; }
  __RK_MEMBER constexpr const Engine2 &base2() const { return second; }
  __RK_MEMBER constexpr result_type operator()() {
    result_type a = (result_type)(first() - Engine1::min) << s1, b = (result_type)(second() - Engine2::min) << s2;
    return a ^ b;
  }
  __RK_DISCARD
};
#undef __RK_DISCARD

typedef linear_congruential_engine<std::uint32_t, 16807, 0, 2147483647> minstd_rand0;
typedef linear_congruential_engine<std::uint32_t, 48271, 0, 2147483647> minstd_rand;
typedef subtract_with_carry_engine<std::uint32_t, 24, 10, 24> ranlux24_base;
typedef subtract_with_carry_engine<std::uint64_t, 48, 5, 12> ranlux48_base;
typedef discard_block_engine<ranlux24_base, 223, 23> ranlux24;
typedef discard_block_engine<ranlux48_base, 389, 11> ranlux48;
typedef xor_combine_engine<
    linear_feedback_shift_engine<std::uint32_t, 32, 31, 13, 12>, 0,
    xor_combine_engine<linear_feedback_shift_engine<std::uint32_t, 32, 29, 2, 4>, 0,
                       linear_feedback_shift_engine<std::uint32_t, 32, 28, 3, 17>, 0>,
    0>
    taus88;
typedef minstd_rand default_random_engine;
}

using random::default_random_engine;
using random::discard_block_engine;
using random::linear_congruential_engine;
using random::linear_feedback_shift_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::ranlux24;
using random::ranlux24_base;
using random::ranlux48;
using random::ranlux48_base;
using random::subtract_with_carry_engine;
using random::taus88;
using random::xor_combine_engine;
}

#endif
