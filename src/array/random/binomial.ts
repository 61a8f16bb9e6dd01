import type { ArrayDType } from '../dtype.ts';
import { conversion } from '../kernel/conversion.ts';
import type { NDArray } from '../ndarray.ts';
import type { DrawText } from './draw-text.ts';
import { elementText, logFactorialText } from './element-text.ts';
import { checkParameter, drawWith, parameterText, type RandomParameter } from './parameter.ts';
import { checkCount, COUNTS } from './poisson.ts';
import type { PhiloxStream } from './stream.ts';
import { checkDoubles, targetOf, type FindEngine, type RandomOptions } from './target.ts';

/** What f64 counts one by one. */
const MAX_TRIALS = 1e15;

/**
 * The function `binomial_of` of kernels, for probabilities up to 1/2. Few successes are found by inversion: probabilities of 0, 1, 2 …
 * are taken off a uniform number (algorithm BINV of V. Kachitvichyanukul, B. Schmeiser: Binomial random variate generation, 1988).
 * Others reject with a transformed density: algorithm BTRS of W. Hoermann: The generation of binomial random variates (1993).
 */
const BINOMIAL = `${elementText('f64')}${logFactorialText}
FN f64 binomial_of(STREAM_PARAMETERS, f64 n, f64 p) {
  const f64 q = ADD(1.0, -p), odds = p / q, mean = MUL(n, p);
  if (mean < 10) {
    // The logarithm of 1 - p, with what the difference has lost.
    const f64 log_q = ADD(log_of(q), ADD(ADD(1.0, -q), -p) / q);
    const f64 none = exp_of(MUL(n, log_q));
    for (u32 block = 0;; block++) {
      const words w = DRAW(block);
      f64 u = open_unit(w.v[0], w.v[1]), probability = none;
      // Rounding may leave something behind the last one: then another number is drawn.
      for (f64 k = 0; k <= n && k < 200; k++) {
        if (u <= probability) return k;
        u = ADD(u, -probability);
        probability = MUL(probability, MUL(ADD(n, -k) / ADD(k, 1.0), odds));
      }
    }
  }
  const f64 deviation = sqrt(MUL(mean, q));
  const f64 b = ADD(1.15, MUL(2.53, deviation));
  const f64 a = ADD(ADD(-0.0873, MUL(0.0248, b)), MUL(0.01, p));
  const f64 inside = ADD(0.92, -(4.2 / b));
  const f64 alpha = MUL(ADD(2.83, 5.1 / b), deviation);
  const f64 mode = floor(MUL(ADD(n, 1.0), p));
  const f64 log_odds = log_of(odds);
  const f64 at_mode = ADD(log_factorial(mode), log_factorial(ADD(n, -mode)));
  for (u32 block = 0;; block++) {
    const words w = DRAW(block);
    const f64 u = ADD(open_unit(w.v[0], w.v[1]), -0.5), v = open_unit(w.v[2], w.v[3]);
    const f64 us = ADD(0.5, -fabs(u));
    const f64 k = floor(ADD(MUL(ADD(MUL(2.0, a) / us, b), u), ADD(mean, 0.5)));
    if (us >= 0.07 && v <= inside) return k;
    if (!(k >= 0 && k <= n)) continue;
    const f64 factorials = ADD(at_mode, -ADD(log_factorial(k), log_factorial(ADD(n, -k))));
    const f64 density = ADD(factorials, MUL(ADD(k, -mode), log_odds));
    if (log_of(MUL(v, alpha) / ADD(a / MUL(us, us), b)) <= density) return k;
  }
}
`;

/** Numbers of a binomial distribution. */
export function binomial(
  find: FindEngine,
  stream: PhiloxStream,
  values: readonly [RandomParameter, RandomParameter],
  options: RandomOptions | undefined,
): NDArray {
  const [n, p] = values;
  const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= MAX_TRIALS;
  checkParameter(n, 'binomial: n', isCount, `an integer from 0 to ${MAX_TRIALS.toExponential()}`);
  checkParameter(p, 'binomial: p', (value) => value >= 0 && value <= 1, 'a number from 0 to 1');
  const target = targetOf(find, 'binomial', options, COUNTS, values);
  checkDoubles(target, 'binomial');
  if (typeof n === 'number') checkCount(target.dtype, n, `binomial: n = ${n}`);
  return drawWith(stream, target, binomialText(target.dtype, values), values, 'f64');
}

function binomialText(dtype: ArrayDType, values: readonly RandomParameter[]): DrawText {
  const { numbers, inputs, lines, suffix } = parameterText(['trials', 'chance'], values, 'f64');
  return {
    name: `binomial_${dtype}${suffix}`,
    dtype,
    lanes: 1,
    numbers,
    inputs,
    preamble: BINOMIAL,
    // Failures are counted where they are fewer. What is not a probability has no successes.
    lines: `${lines}\
f64 count = 0;
if (trials >= 1 && trials <= ${MAX_TRIALS.toExponential()} && chance > 0 && chance <= 1) {
  const f64 rare = chance > 0.5 ? ADD(1.0, -chance) : chance;
  count = rare == 0 ? 0 : binomial_of(STREAM, trials, rare);
  if (chance > 0.5) count = trials - count;
}
value[0] = ${conversion('count', 'f64', dtype)};`,
  };
}
