import {
  EULER,
  LN2,
  ONE,
  PI,
  UNIT,
  ZERO,
  add,
  big,
  div,
  exp,
  fixed,
  int,
  less,
  log,
  mul,
  near,
  neg,
  series,
  sinCosPi,
  sqrt,
  sub,
  times,
  toFixed,
  twice,
  type Big,
} from './exact-math.ts';

const square = (x: Big): Big => mul(x, x);
const ROOT_PI = sqrt(PI);

// ---- Error functions ----

export function erf(x: Big): Big {
  const a = near(x);
  if (Math.abs(a) > 9) return sub(a > 0 ? UNIT : int(-1), a > 0 ? erfc(x) : neg(erfc(neg(x))));
  if (x.m === 0n) return ZERO;
  // 2/√π e^(-x²) Σ 2^k x^(2k+1) / (2k+1)!!, whose terms have one sign
  const sum = series(twice(square(x)), (k) => 2 * k + 1);
  return div(twice(mul(mul(x, sum), exp(neg(square(x))))), ROOT_PI);
}

/** e^(x²) erfc(x) from x = 6 on by its continued fraction. */
function farErfcx(x: Big): Big {
  let tail = x;
  for (let k = 120; k > 0; k--) tail = add(x, div({ m: BigInt(k), e: -1 }, tail));
  return div(UNIT, mul(tail, ROOT_PI));
}

export function erfc(x: Big): Big {
  return near(x) > 6 ? mul(farErfcx(x), exp(neg(square(x)))) : sub(UNIT, erf(x));
}

/** e^(x²) erfc(x) */
export function erfcx(x: Big): Big {
  return near(x) > 6 ? farErfcx(x) : mul(erfc(x), exp(square(x)));
}

export const normcdf = (x: Big): Big => twice(erfc(neg(div(x, sqrt(int(2))))), -1);

/** The y with erfc(y) = p, beside a guess that has half its digits. */
export function inverseErfc(p: Big, guess: number): Big {
  const y = big(guess);
  // For small arguments erfc loses nothing here; for great ones its own size is the measure.
  const miss = sub(erfc(y), p);
  return add(y, twice(mul(mul(miss, ROOT_PI), exp(square(y))), -1));
}

/** The y with erf(y) = x, beside a guess. */
export function inverseErf(x: Big, guess: number): Big {
  const y = big(guess);
  return sub(y, twice(mul(mul(sub(erf(y), x), ROOT_PI), exp(square(y))), -1));
}

// ---- Gamma ----

/** Bernoulli numbers B2, B4 … as numerator and denominator. */
const BERNOULLI: readonly Big[] = (() => {
  const a: Big[] = [];
  const found: Big[] = [];
  for (let m = 0; m <= 40; m++) {
    a[m] = div(UNIT, int(m + 1));
    for (let j = m; j > 0; j--) a[j - 1] = mul(int(j), sub(a[j - 1] ?? ZERO, a[j] ?? ZERO));
    if (m > 0 && m % 2 === 0) found.push(a[0] ?? ZERO);
  }
  return found;
})();

/** ln Γ(x) for positive x */
function lnGamma(x: Big): Big {
  let product = UNIT;
  let y = x;
  for (; less(y, int(45)); y = add(y, UNIT)) product = mul(product, y);
  let sum = add(sub(mul(sub(y, { m: 1n, e: -1 }), log(y)), y), twice(log(twice(PI)), -1));
  const z = square(y);
  let power = y;
  for (const [i, b] of BERNOULLI.entries()) {
    const n = 2 * (i + 1);
    sum = add(sum, div(b, mul(int(n * (n - 1)), power)));
    power = mul(power, z);
  }
  return sub(sum, log(product));
}

/** Γ(x), x not zero or a negative integer */
export function gamma(x: Big): Big {
  if (x.m > 0n) return exp(lnGamma(x));
  // Γ(x) Γ(-x) = -π / (x sin πx)
  return neg(div(PI, mul(mul(x, sinCosPi(x)[0]), exp(lnGamma(neg(x))))));
}

/** ln |Γ(x)| */
export function lgamma(x: Big): Big {
  if (x.m > 0n) return lnGamma(x);
  const y = div(PI, mul(x, sinCosPi(x)[0]));
  return sub(log(y.m < 0n ? neg(y) : y), lnGamma(neg(x)));
}

// ---- Bessel: power series, whose cancellation the digits bear up to x = 40 ----

function power(x: Big, n: number): Big {
  let y = UNIT;
  for (let i = 0; i < n; i++) y = mul(y, x);
  return y;
}

/** J (sign -1) or I (sign 1) of an order n = 0, 1, 2 … */
export function besselSeries(n: number, x: Big, sign: 1 | -1): Big {
  const half = twice(x, -1);
  let first = power(half, n);
  for (let k = 2; k <= n; k++) first = div(first, int(k));
  return mul(
    first,
    series(mul(int(sign), square(half)), (k) => k * (k + n)),
  );
}

/** Y of the order 0 or 1 */
function besselY01(n: 0 | 1, x: Big): Big {
  const half = twice(x, -1);
  const l = mul(twice(add(sub(log(x), LN2), EULER)), besselSeries(n, x, -1));
  // Σ ± (H(k) + H(k + n)) (x/2)^(2k+n) / (k! (k+n)!)
  const z = toFixed(square(half));
  let sum = 0n;
  let term = ONE;
  let harmonic = 0n;
  for (let k = 0; term !== 0n && term !== -1n; k++) {
    if (k > 0) {
      term = -times(term, z) / BigInt(k * (k + n));
      harmonic += ONE / BigInt(k);
    }
    sum += times(term, 2n * harmonic + (n === 0 ? 0n : ONE / BigInt(k + 1)));
  }
  const y = sub(l, n === 0 ? fixed(sum) : mul(half, fixed(sum)));
  return div(n === 0 ? y : sub(y, div(UNIT, half)), PI);
}

/** Y of any order n = 0, 1, 2 … */
export function besselY(n: number, x: Big): Big {
  let before = besselY01(0, x);
  if (n === 0) return before;
  let y = besselY01(1, x);
  for (let k = 1; k < n; k++) [before, y] = [y, sub(div(mul(int(2 * k), y), x), before)];
  return y;
}
