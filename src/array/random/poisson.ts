import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { conversion } from '../kernel/conversion.ts';
import type { NDArray } from '../ndarray.ts';
import type { DrawText } from './draw-text.ts';
import { elementText, logFactorialText } from './element-text.ts';
import { checkParameter, drawWith, parameterText, type RandomParameter } from './parameter.ts';
import type { PhiloxStream } from './stream.ts';
import { checkDoubles, targetOf, type FindEngine, type RandomOptions } from './target.ts';

/** The dtypes of counts. */
export const COUNTS: readonly ArrayDType[] = ['i64', 'i32', 'i16', 'i8', 'u64', 'u32', 'u16', 'u8'];
/** Means up to which uniform numbers are multiplied. */
const FEW = 10;
/** What f64 counts one by one. */
const MAX_MEAN = 1e15;

/**
 * The function `poisson_of` of kernels. Small means multiply uniform numbers until the product is below exp(-mean). Others reject with
 * a transformed density: algorithm PTRS of W. Hoermann: The transformed rejection method for generating Poisson random variables (1993).
 */
const POISSON = `${elementText('f64')}${logFactorialText}
FN f64 poisson_of(STREAM_PARAMETERS, f64 mean) {
  if (!(mean > 0 && mean <= ${MAX_MEAN.toExponential()})) return 0;
  if (mean < ${FEW}) {
    const f64 least = exp_of(-mean);
    f64 count = 0, product = 1;
    for (u32 block = 0;; block++) {
      const words w = DRAW(block);
      product = MUL(product, open_unit(w.v[0], w.v[1]));
      if (product <= least) return count;
      product = MUL(product, open_unit(w.v[2], w.v[3]));
      if (product <= least) return count + 1;
      count += 2;
    }
  }
  const f64 b = ADD(0.931, MUL(2.53, sqrt(mean)));
  const f64 a = ADD(-0.059, MUL(0.02483, b));
  const f64 inverse_alpha = ADD(1.1239, 1.1328 / ADD(b, -3.4));
  const f64 inside = ADD(0.9277, -(3.6224 / ADD(b, -2.0)));
  const f64 log_mean = log_of(mean);
  for (u32 block = 0;; block++) {
    const words w = DRAW(block);
    const f64 u = ADD(open_unit(w.v[0], w.v[1]), -0.5), v = open_unit(w.v[2], w.v[3]);
    const f64 us = ADD(0.5, -fabs(u));
    const f64 k = floor(ADD(MUL(ADD(MUL(2.0, a) / us, b), u), ADD(mean, 0.43)));
    if (us >= 0.07 && v <= inside) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    const f64 density = ADD(ADD(MUL(k, log_mean), -mean), -log_factorial(k));
    if (log_of(MUL(v, inverse_alpha) / ADD(a / MUL(us, us), b)) <= density) return k;
  }
}
`;

/** Numbers of a Poisson distribution. */
export function poisson(
  find: FindEngine,
  stream: PhiloxStream,
  mean: RandomParameter,
  options: RandomOptions | undefined,
): NDArray {
  checkParameter(
    mean,
    'poisson: lam',
    (value) => value >= 0 && value <= MAX_MEAN,
    `a number from 0 to ${MAX_MEAN.toExponential()}`,
  );
  const target = targetOf(find, 'poisson', options, COUNTS, [mean]);
  checkDoubles(target, 'poisson');
  // Beyond ten deviations there is nothing.
  if (typeof mean === 'number') checkCount(target.dtype, mean + 10 * Math.sqrt(mean), `poisson: lam = ${mean}`);
  return drawWith(stream, target, poissonText(target.dtype, mean), [mean], 'f64');
}

/** Throw for counts that a dtype cannot hold. */
export function checkCount(dtype: ArrayDType, greatest: number, what: string): void {
  const { kind, size } = arrayDTypes[dtype];
  const most = 2 ** (size * 8 - (kind === 'int' ? 1 : 0)) - 1;
  if (greatest <= most) return;
  throw new RangeError(
    `${what} must have counts that ${dtype} holds, up to ${most}, got ${Math.ceil(greatest)}; write a wider dtype`,
  );
}

function poissonText(dtype: ArrayDType, mean: RandomParameter): DrawText {
  const { numbers, inputs, lines, suffix } = parameterText(['mean'], [mean], 'f64');
  return {
    name: `poisson_${dtype}${suffix}`,
    dtype,
    lanes: 1,
    numbers,
    inputs,
    preamble: POISSON,
    lines: `${lines}const f64 count = poisson_of(STREAM, mean);\nvalue[0] = ${conversion('count', 'f64', dtype)};`,
  };
}
