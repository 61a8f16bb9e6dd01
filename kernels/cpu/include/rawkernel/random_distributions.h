// thrust: distributions over its engines.
#ifndef RAWKERNEL_RANDOM_DISTRIBUTIONS_H
#define RAWKERNEL_RANDOM_DISTRIBUTIONS_H

#include <type_traits>
#include <utility>

#include "random_engines.h"

namespace thrust {
namespace random {

// What a distribution is made of, two numbers, and how they are asked for.
#define __RK_PARAMETERS(name, Real, first_name, second_name, first_value, second_value)                                \
  std::pair<Real, Real> parameters;                                                                                    \
                                                                                                                       \
public:                                                                                                                \
  typedef Real result_type;                                                                                            \
  typedef std::pair<Real, Real> param_type;                                                                            \
  __RK_MEMBER constexpr explicit name(Real a = first_value, Real b = second_value) : parameters(a, b) {}               \
  __RK_MEMBER constexpr explicit name(const param_type &both) : parameters(both) {}                                    \
  __RK_MEMBER constexpr void reset() {}                                                                                \
  __RK_MEMBER constexpr Real first_name() const { return parameters.first; }                                           \
  __RK_MEMBER constexpr Real second_name() const { return parameters.second; }                                         \
  __RK_MEMBER constexpr param_type param() const { return parameters; }                                                \
  __RK_MEMBER constexpr void param(const param_type &both) { parameters = both; }                                      \
  template <class Engine> __RK_DEVICE_MEMBER Real operator()(Engine &engine) { return (*this)(engine, parameters); }   \
  friend __RK_MEMBER constexpr bool operator==(const name &p, const name &q) { return p.parameters == q.parameters; }

#define __RK_DEVICE_MEMBER __attribute__((device, always_inline))

// In [a, b): a number of the engine divided by the count of its numbers, in the distribution's own type. A float may round
// up to b.
template <class Real = double> class uniform_real_distribution {
  __RK_PARAMETERS(uniform_real_distribution, Real, a, b, 0, 1)
  template <class Engine> __RK_DEVICE_MEMBER Real operator()(Engine &engine, const param_type &range) {
    Real part = (Real)(engine() - Engine::min) / (Real(1) + (Real)(Engine::max - Engine::min));
    return part * (range.second - range.first) + range.first;
  }
  __RK_MEMBER constexpr Real(min)() const { return parameters.first; }
  __RK_MEMBER constexpr Real(max)() const { return parameters.second; }
};

// In [a, b], by a double that is cut off.
template <class Int = int> class uniform_int_distribution {
  __RK_PARAMETERS(uniform_int_distribution, Int, a, b, 0, (Int)(~0ull >> (64 - 8 * sizeof(Int) + (Int(-1) < Int(0)))))
  template <class Engine> __RK_DEVICE_MEMBER Int operator()(Engine &engine, const param_type &range) {
    uniform_real_distribution<double> real((double)range.first, (double)range.second + 1);
    return (Int)real(engine);
  }
  __RK_MEMBER constexpr Int(min)() const { return parameters.first; }
  __RK_MEMBER constexpr Int(max)() const { return parameters.second; }
};

#if __has_include("rawkernel_math.h")
// By the inverse of the distribution, from one number of the engine.
template <class Real = double> class normal_distribution {
  __RK_PARAMETERS(normal_distribution, Real, mean, stddev, 0, 1)
  template <class Engine> __RK_DEVICE_MEMBER Real operator()(Engine &engine, const param_type &of) {
    typedef typename Engine::result_type Word;
    constexpr Word range = Engine::max - Engine::min;
    constexpr Real scale = (Real)(1.0 / (double)range);
    Word word = engine() - Engine::min;
    // The upper half mirrors the lower one, where numbers are finer.
    bool upper = word > range / 2;
    Real part = (Real)(upper ? range - word : word) * scale + scale / 2;
    Real root = upper ? (Real)1.4142135623730951 : (Real)-1.4142135623730951;
    return of.first + of.second * root * ::erfcinv(2 * part);
  }
};
#endif
#undef __RK_PARAMETERS
#undef __RK_DEVICE_MEMBER
}

using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;
}

#endif
