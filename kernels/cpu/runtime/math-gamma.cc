// The gamma function and its logarithm.
#include "math-parts.h"

using namespace rt;

namespace {
// Γ(3/2 + t) on |t| <= 1/2
constexpr double GAMMA[] = {
    0.886226925452758, 0.032338397448884865, 0.41481345368830125, -0.107294804564719, 0.14464535904458606,
    -0.07752305230537157, 0.05861030382085454, -0.03800193529134834, 0.02583760628007813, -0.01722245008885133,
    0.011522520042662803, -0.007690098921057152, 0.005131568539695762, -0.0034239612838414227, 0.0022833622890860634,
    -0.0015142364392563075, 0.0010096053142759128, -0.0007101710237414608, 0.0004734656764602699,
    -0.0002116366966022488, 0.000141093980175924, -0.00026048686591686527, 0.0001736585029100638,
};
// x (ln Γ(x) - (x - 1/2) ln x + x - ln √(2π)) in 1/x², x >= 10
constexpr double STIRLING[] = {
    0.08333333333333333, -0.0027777777777777722, 0.0007936507936390791, -0.0005952380859064976, 0.00084174717733908,
    -0.0019167405580320428, 0.006315618836687394, -0.02343844201975781,
};
// ln Γ(1 + t) / t, ln Γ(3/2 + t), ln Γ(2 + t) / t on |t| <= 1/4, ln Γ(21/8 + t) on |t| <= 3/8
constexpr double NEAR1[] = {
    -0.5772156649015329, 0.8224670334241132, -0.40068563438653176, 0.27058080842778487, -0.20738555102848616,
    0.1695571769972287, -0.1440498968071761, 0.12550966956137244, -0.11133426190364797, 0.1000994537228836,
    -0.09095425231836768, 0.08335406527548254, -0.07692405484250547, 0.07142486077451461, -0.06685608265556364,
    0.06267999411915424, -0.05634390411275365, 0.05318628672219364, -0.07031151356082357, 0.06688800808906181,
};
constexpr double NEAR15[] = {
    -0.12078223763524522, 0.03648997397857652, 0.4674011002723412, -0.1381327740390543, 0.05871212641625212,
    -0.028952081888569542, 0.015435484235930507, -0.00862260397053039, 0.004965724684917132, -0.002920967869394256,
    0.0017451755056884534, -0.0010550035346068305, 0.0006410836662488696, -0.0003941273683968112,
    0.00027014950620194014, -0.00016818138543323792,
};
constexpr double NEAR2[] = {
    0.42278433509846713, 0.3224670334241132, -0.0673523010531981, 0.02058080842778455, -0.007385551028671652,
    0.0028905103307404214, -0.0011927539120013605, 0.0005096695248838101, -0.0002231547397647803,
    9.945750395673681e-05, -4.492687223290129e-05, 2.050751285840451e-05, -9.427544417976957e-06,
    4.369227039856296e-06, -2.1554498028939693e-06, 1.0100219716080668e-06,
};
constexpr double NEAR26[] = {
    0.3763336820249054, 0.7626758508080488, 0.2312424740941688, -0.03508187654413726, 0.00786712543380235,
    -0.00208896103464106, 0.0006089012188466395, -0.000188096514900937, 6.0412683439992266e-05,
    -1.994452505109897e-05, 6.719087863613682e-06, -2.298470152165385e-06, 7.939819422386521e-07,
    -2.7747045158441526e-07, 1.0520566844447138e-07, -3.731540146172787e-08,
};

constexpr double PI = 3.141592653589793;

/** ln Γ(x) for 0.75 <= x <= 3. */
double log_near(double x) {
  if (x < 1.25) return (x - 1) * horner(NEAR1, x - 1);
  if (x < 1.75) return horner(NEAR15, x - 1.5);
  if (x < 2.25) return (x - 2) * horner(NEAR2, x - 2);
  return horner(NEAR26, x - 2.625);
}

/** ln Γ(x) for x > 0. */
double log_positive(double x) {
  if (x < 0.75) {
    double l = __rt_log(x);
    return x < 0x1p-60 ? -l : (x < 0.25 ? x * horner(NEAR1, x) : horner(NEAR15, x - 0.5)) - l;
  }
  if (x <= 3) return log_near(x);
  if (x >= 10) return x > 1e300 ? x * (__rt_log(x) - 1) : value(__rt_stirling_wide(x));
  dd product = {1, 0};
  for (; x > 3; product = multiply(product, x)) x -= 1;
  return value(add(__rt_log_wide(product), log_near(x)));
}
} // namespace

RT_COLD dd __rt_stirling_wide(double x) {
  dd y = multiply(__rt_log_wide({x, 0}), two_sum(x, -0.5));
  y = add(y, -x);
  y = add(y, {0.9189385332046728, -3.8782941580672414e-17}); // ln √(2π)
  double r = 1 / x;
  return add(y, r * horner(STIRLING, r * r));
}

RT_FN double __rt_tgamma(double x) {
  if (x != x || x == INF) return x;
  if (abs(x) < 0x1p-60) return 1 / x;
  if (x < 0 && x == __builtin_trunc(x)) return NOT; // minus infinity too
  if (x >= 20) {
    if (x > 172) return INF;
    scaled e = __rt_exp_wide(__rt_stirling_wide(x));
    return scale(e.mantissa.hi, e.mantissa.lo, e.k);
  }
  if (x <= -20) {
    // Γ(x) Γ(-x) = -π / (x sin πx)
    double other = PI / (-x * __rt_sinpi(x));
    if (x < -190) return 0 * other;
    scaled e = __rt_exp_wide(negate(__rt_stirling_wide(-x)));
    return scale(e.mantissa.hi * other, e.k);
  }
  dd product = {1, 0};
  if (x > 2) {
    for (; x > 2; product = multiply(product, x)) x -= 1;
    return horner(GAMMA, x - 1.5) * product.hi;
  }
  for (; x < 1; x += 1) product = multiply(product, x);
  return horner(GAMMA, x - 1.5) / product.hi;
}

RT_FN double __rt_lgamma(double x) {
  if (x != x) return x;
  double a = abs(x);
  if (a == INF) return a;
  if (x > 0) return log_positive(x) + 0.0; // no minus zero at 1
  if (x == __builtin_trunc(x)) return INF;
  if (a < 0x1p-60) return -__rt_log(a);
  return __rt_log(PI / (a * abs(__rt_sinpi(a)))) - log_positive(a);
}
