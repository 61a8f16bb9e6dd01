import {
  LN10,
  LN2,
  PI,
  UNIT,
  add,
  atan,
  atan2,
  div,
  exp,
  expm1,
  int,
  log,
  log1p,
  mul,
  near,
  neg,
  sinCos,
  sinCosPi,
  sqrt,
  sub,
  twice,
  type Big,
} from '../../../helpers/exact-math.ts';
import { erf, erfc, gamma } from '../../../helpers/exact-special.ts';

/** A function of one argument. */
export interface Unary {
  /** OpenCL's bounds in units of the last place: float, double, half. */
  readonly bounds: readonly [float: number, double: number, half: number];
  readonly exact: (x: Big) => Big;
  /** Where it is compared with its true value. */
  readonly low: number;
  readonly high: number;
  /** Arguments for which it has no value. */
  readonly skipped?: (x: number) => boolean;
  /** Arguments and results that are what they are; NaN always gives NaN. */
  readonly cases: readonly (readonly [x: number, y: number])[];
}

const INF = Infinity;
const MAX = Number.MAX_VALUE;
const HALF_PI = Math.PI / 2;
const square = (x: Big): Big => mul(x, x);
const odd =
  (of: (x: Big) => Big) =>
  (x: Big): Big =>
    x.m < 0n ? neg(of(neg(x))) : of(x);
/** For |x| below 2^-50 the first terms of a series, where the formula would lose digits. */
const small =
  (third: number, of: (x: Big) => Big) =>
  (x: Big): Big =>
    Math.abs(near(x)) > 2 ** -50 ? of(x) : add(x, div(mul(x, square(x)), int(third)));
const overPi =
  (of: (x: Big) => Big) =>
  (x: Big): Big =>
    div(of(x), PI);
const cubeRoot = odd((x) => exp(div(log(x), int(3))));
const asin = small(6, (x) => atan2(x, sqrt(sub(UNIT, square(x)))));
const acos = (x: Big): Big => atan2(sqrt(sub(UNIT, square(x))), x);
const quotient = ([s, c]: readonly [Big, Big]): Big => div(s, c);
/** Nothing at infinity, the same zero at zero. */
const WAVE = [[-INF, NaN], [-0, -0], [0, 0], [INF, NaN]] as const; // prettier-ignore
const ONLY_WITHIN_ONE = [[-INF, NaN], [-1.5, NaN], [1.5, NaN], [INF, NaN], [-0, -0], [0, 0]] as const; // prettier-ignore
const THROUGH = [[-INF, -INF], [-0, -0], [0, 0], [INF, INF]] as const; // prettier-ignore

/** Of each function over one floating-point number: its bounds and edges. */
export const UNARY: Readonly<Record<string, Unary>> = {
  acos: { bounds: [4, 4, 2], exact: acos, low: -1, high: 1, cases: [[-0, HALF_PI], [1, 0], [-INF, NaN], [1.5, NaN]] }, // prettier-ignore
  acosh: {
    bounds: [4, 4, 2],
    exact: (x) => log(add(x, sqrt(sub(square(x), UNIT)))),
    low: 1,
    high: MAX,
    cases: [[1, 0], [0.5, NaN], [-0, NaN], [-INF, NaN], [INF, INF]], // prettier-ignore
  },
  acospi: { bounds: [5, 5, 2], exact: overPi(acos), low: -1, high: 1, cases: [[-0, 0.5], [1, 0], [-1, 1], [1.5, NaN], [INF, NaN]] }, // prettier-ignore
  asin: { bounds: [4, 4, 2], exact: asin, low: -1, high: 1, cases: ONLY_WITHIN_ONE },
  asinh: {
    bounds: [4, 4, 2],
    exact: odd(small(-6, (x) => log(add(x, sqrt(add(UNIT, square(x))))))),
    low: -MAX,
    high: MAX,
    cases: THROUGH,
  },
  asinpi: {
    bounds: [5, 5, 2],
    exact: overPi(asin),
    low: -1,
    high: 1,
    cases: [...ONLY_WITHIN_ONE, [1, 0.5], [-1, -0.5]],
  },
  atan: { bounds: [5, 5, 2], exact: atan, low: -MAX, high: MAX, cases: [[-INF, -HALF_PI], [-0, -0], [0, 0], [INF, HALF_PI]] }, // prettier-ignore
  atanh: {
    bounds: [5, 5, 2],
    exact: small(3, (x) => twice(log(div(add(UNIT, x), sub(UNIT, x))), -1)),
    low: -0.9999999999,
    high: 0.9999999999,
    cases: [...ONLY_WITHIN_ONE, [1, INF], [-1, -INF]],
  },
  atanpi: { bounds: [5, 5, 2], exact: overPi(atan), low: -MAX, high: MAX, cases: [[-INF, -0.5], [-0, -0], [0, 0], [INF, 0.5]] }, // prettier-ignore
  cbrt: { bounds: [2, 2, 2], exact: cubeRoot, low: -MAX, high: MAX, cases: [...THROUGH, [27, 3]] },
  cos: { bounds: [4, 4, 2], exact: (x) => sinCos(x)[1], low: -MAX, high: MAX, cases: [[-0, 1], [INF, NaN], [-INF, NaN]] }, // prettier-ignore
  cosh: {
    bounds: [4, 4, 2],
    exact: (x) => twice(add(exp(x), exp(neg(x))), -1),
    low: -715,
    high: 715,
    cases: [[-0, 1], [INF, INF], [-INF, INF]], // prettier-ignore
  },
  cospi: {
    bounds: [4, 4, 2],
    exact: (x) => sinCosPi(x)[1],
    low: -1000.3,
    high: 1000.3,
    cases: [[-0, 1], [0.5, 0], [1.5, 0], [-2.5, 0], [1, -1], [1e4, 1], [INF, NaN], [-INF, NaN]], // prettier-ignore
  },
  erf: { bounds: [16, 16, 4], exact: erf, low: -7, high: 7, cases: [[-0, -0], [0, 0], [INF, 1], [-INF, -1]] }, // prettier-ignore
  erfc: { bounds: [16, 16, 4], exact: erfc, low: -7, high: 27.2, cases: [[0, 1], [INF, 0], [-INF, 2]] }, // prettier-ignore
  exp: { bounds: [3, 3, 2], exact: exp, low: -760, high: 720, cases: [[-INF, 0], [-0, 1], [INF, INF]] }, // prettier-ignore
  exp10: { bounds: [3, 3, 2], exact: (x) => exp(mul(x, LN10)), low: -330, high: 312, cases: [[-INF, 0], [-0, 1], [INF, INF]] }, // prettier-ignore
  exp2: { bounds: [3, 3, 2], exact: (x) => exp(mul(x, LN2)), low: -1090, high: 1030, cases: [[-INF, 0], [-0, 1], [3, 8], [INF, INF]] }, // prettier-ignore
  expm1: { bounds: [3, 3, 2], exact: expm1, low: -760, high: 715, cases: [[-INF, -1], [-0, -0], [0, 0], [INF, INF]] }, // prettier-ignore
  log: { bounds: [3, 3, 2], exact: log, low: 0, high: MAX, cases: [[-INF, NaN], [-1, NaN], [-0, -INF], [0, -INF], [1, 0], [INF, INF]] }, // prettier-ignore
  log10: {
    bounds: [3, 3, 2],
    exact: (x) => div(log(x), LN10),
    low: 0,
    high: MAX,
    cases: [[-INF, NaN], [-0, -INF], [0, -INF], [1, 0], [INF, INF]], // prettier-ignore
  },
  log1p: { bounds: [2, 2, 2], exact: log1p, low: -0.999, high: MAX, cases: [...THROUGH.slice(1), [-INF, NaN], [-1, -INF], [-2, NaN]] }, // prettier-ignore
  log2: {
    bounds: [3, 3, 2],
    exact: (x) => div(log(x), LN2),
    low: 0,
    high: MAX,
    cases: [[-INF, NaN], [-0, -INF], [0, -INF], [1, 0], [8, 3], [INF, INF]], // prettier-ignore
  },
  rsqrt: {
    bounds: [2, 2, 1],
    exact: (x) => div(UNIT, sqrt(x)),
    low: 0,
    high: MAX,
    cases: [[-INF, NaN], [-1, NaN], [0, INF], [4, 0.5], [INF, 0]], // prettier-ignore
  },
  sin: { bounds: [4, 4, 2], exact: (x) => sinCos(x)[0], low: -MAX, high: MAX, cases: WAVE },
  sinh: {
    bounds: [4, 4, 2],
    exact: small(6, (x) => twice(sub(exp(x), exp(neg(x))), -1)),
    low: -715,
    high: 715,
    cases: THROUGH,
  },
  sinpi: {
    bounds: [4, 4, 2],
    exact: (x) => sinCosPi(x)[0],
    low: -1000.3,
    high: 1000.3,
    cases: [...WAVE, [1, 0], [-1, -0], [2, 0], [-2, -0], [0.5, 1], [1.5, -1]],
  },
  sqrt: {
    bounds: [0.5, 0.5, 0.5],
    exact: sqrt,
    low: 0,
    high: MAX,
    cases: [[-INF, NaN], [-1, NaN], ...THROUGH.slice(1)],
  },
  tan: { bounds: [5, 5, 2], exact: (x) => quotient(sinCos(x)), low: -MAX, high: MAX, cases: WAVE },
  tanh: {
    bounds: [5, 5, 2],
    exact: small(-3, (x) => div(sub(exp(x), exp(neg(x))), add(exp(x), exp(neg(x))))),
    low: -100,
    high: 100,
    cases: [[-INF, -1], [-0, -0], [0, 0], [INF, 1]], // prettier-ignore
  },
  tanpi: {
    bounds: [6, 6, 2],
    exact: (x) => quotient(sinCosPi(x)),
    low: -1000.3,
    high: 1000.3,
    skipped: (x) => Math.abs(x % 1) === 0.5,
    cases: [...WAVE, [0.5, INF], [1.5, -INF], [-0.5, -INF], [1, -0], [-1, 0], [2, 0], [-2, -0]],
  },
  tgamma: {
    bounds: [16, 16, 4],
    exact: gamma,
    low: -180.3,
    high: 171.7,
    skipped: (x) => x <= 0 && Number.isInteger(x),
    cases: [[-INF, NaN], [-0, -INF], [0, INF], [-1, NaN], [-7, NaN], [1, 1], [5, 24], [INF, INF]], // prettier-ignore
  },
};
