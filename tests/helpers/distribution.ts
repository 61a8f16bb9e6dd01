/** How far numbers are from a distribution. */

/** The mean, the variance, the skewness and the kurtosis of numbers. */
export function momentsOf(
  numbers: readonly number[],
): [mean: number, variance: number, skewness: number, kurtosis: number] {
  const n = numbers.length;
  const mean = numbers.reduce((sum, x) => sum + x, 0) / n;
  const central = (power: number): number => numbers.reduce((sum, x) => sum + (x - mean) ** power, 0) / n;
  const variance = central(2);
  return [mean, variance, central(3) / variance ** 1.5, central(4) / variance ** 2];
}

/** Kolmogorov's and Smirnov's distance, times the root of the count: above 2.2 for one list of 7,500 that has the distribution. */
export function distance(numbers: readonly number[], cdf: (x: number) => number): number {
  const sorted = Float64Array.from(numbers).sort();
  const n = sorted.length;
  const greatest = sorted.reduce((most, x, i) => {
    const expected = cdf(x);
    return Math.max(most, expected - i / n, (i + 1) / n - expected);
  }, 0);
  return greatest * Math.sqrt(n);
}

/**
 * Pearson's sum over cells, as deviations of a normal number (E. Wilson, M. Hilferty, 1931). Cells of which fewer than five numbers are
 * expected are one.
 */
export function deviation(counts: readonly number[], probabilities: readonly number[]): number {
  const n = counts.reduce((sum, count) => sum + count, 0);
  let cells = 0;
  let sum = 0;
  const rest = { count: 0, expected: n };
  const add = (count: number, expected: number): void => {
    sum += (count - expected) ** 2 / expected;
    cells++;
  };
  counts.forEach((count, i) => {
    const expected = n * (probabilities[i] ?? 0);
    if (expected < 5) {
      rest.count += count;
      return;
    }
    rest.expected -= expected;
    add(count, expected);
  });
  if (rest.expected >= 5) add(rest.count, rest.expected);
  else if (rest.count > 30) return Infinity;
  const freedom = cells - 1;
  const spread = 2 / (9 * freedom);
  return (Math.cbrt(sum / freedom) - (1 - spread)) / Math.sqrt(spread);
}

/** How often each integer from 0 below a count comes among others. */
export function countsOf(numbers: readonly number[], count: number): number[] {
  const counts = new Array<number>(count).fill(0);
  for (const x of numbers) counts[x] = (counts[x] ?? 0) + 1;
  return counts;
}

/** The normal distribution function, by the error function's continued fraction and series. */
export function normalCdf(x: number): number {
  const z = Math.abs(x);
  let tail: number;
  if (z > 6) {
    let fraction = z;
    for (let k = 40; k > 0; k--) fraction = z + k / fraction;
    tail = Math.exp((-z * z) / 2) / (fraction * Math.sqrt(2 * Math.PI));
  } else {
    let [term, sum] = [z, z];
    for (let k = 1; Math.abs(term) > 1e-17 * sum; k++) {
      term *= (z * z) / (2 * k + 1);
      sum += term;
    }
    tail = 0.5 - (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
  }
  return x < 0 ? tail : 1 - tail;
}

/** The logarithm of the gamma function, by Stirling's series. */
function logGamma(x: number): number {
  let [shifted, factor] = [x, 1];
  for (; shifted < 10; shifted++) factor *= shifted;
  const inverse = 1 / shifted;
  const tail = inverse * (1 / 12 - inverse ** 2 * (1 / 360 - inverse ** 2 / 1260));
  return (shifted - 0.5) * Math.log(shifted) - shifted + Math.log(2 * Math.PI) / 2 + tail - Math.log(factor);
}

/** The gamma distribution function, by its series. */
export function gammaCdf(x: number, shape: number): number {
  if (x <= 0) return 0;
  let term = 1 / shape;
  let sum = term;
  for (let k = 1; term > 1e-16 * sum; k++) {
    term *= x / (shape + k);
    sum += term;
  }
  return Math.min(1, Math.exp(shape * Math.log(x) - x - logGamma(shape)) * sum);
}

/** The beta distribution function, by Simpson's rule: x is the square of a sine, so that the density has no pole from 1/2 on. */
export function betaCdf(x: number, a: number, b: number): number {
  const STEPS = 200;
  const width = Math.asin(Math.sqrt(x)) / STEPS;
  let sum = 0;
  for (let i = 0; i <= STEPS; i++) {
    const density = 2 * Math.sin(i * width) ** (2 * a - 1) * Math.cos(i * width) ** (2 * b - 1);
    sum += density * (i === 0 || i === STEPS ? 1 : i % 2 === 1 ? 4 : 2);
  }
  return ((sum * width) / 3) * Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b));
}

/** The probabilities of the first counts of a Poisson distribution. */
export function poissonWeights(mean: number, count: number): number[] {
  return Array.from({ length: count }, (_, k) => Math.exp(k * Math.log(mean) - mean - logGamma(k + 1)));
}

/** The probabilities of a binomial distribution. */
export function binomialWeights(n: number, p: number): number[] {
  const whole = logGamma(n + 1);
  return Array.from({ length: n + 1 }, (_, k) => {
    return Math.exp(whole - logGamma(k + 1) - logGamma(n - k + 1) + k * Math.log(p) + (n - k) * Math.log1p(-p));
  });
}
