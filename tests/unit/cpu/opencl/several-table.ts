import {
  PI,
  addExact,
  atan2,
  big,
  div,
  exp,
  int,
  log,
  mul,
  neg,
  sqrt,
  add,
  type Big,
} from '../../../helpers/exact-math.ts';
import { rounded, SHAPES, type FloatType } from './numbers.ts';

/** A function of several arguments: floating-point numbers, then perhaps an integer. */
export interface Several {
  /** Floating-point arguments. */
  readonly floats: 1 | 2 | 3;
  readonly integer?: boolean;
  /** OpenCL's bounds in units of the last place: float, double, half. */
  readonly bounds: readonly [float: number, double: number, half: number];
  /** The true value; a number where it must be just that. */
  readonly exact: (args: readonly number[], type: FloatType) => Big | number;
  /** Arguments and results that are what they are. */
  readonly cases?: readonly (readonly number[])[];
  /** Arguments for which it is not compared. */
  readonly skipped?: (args: readonly number[]) => boolean;
}

const INF = Infinity;
const isNegativeZero = (x: number): boolean => Object.is(x, -0);
const positive = ([x = 0]: readonly number[]): boolean => !(x > 0 && x < INF);
const power = (x: number, y: Big): Big => exp(mul(y, log(big(Math.abs(x)))));
const isOdd = (n: number): boolean => Math.abs(n % 2) === 1;

/** The remainder that is nearest to zero, the even quotient where two are. */
function remainder(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y) || y === 0 || Math.abs(x) === INF) return NaN;
  const b = Math.abs(y);
  let r = Math.abs(b <= Number.MAX_VALUE / 2 ? x % (2 * b) : x);
  if (b !== INF) {
    if (r > b - r) r -= b;
    if (r > 0 && r >= b - r) r -= b;
  }
  return x < 0 || isNegativeZero(x) ? -r : r;
}

/** The next number of a type in a direction. */
function next(x: number, y: number, type: FloatType): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN;
  if (x === y) return y;
  const { digits, least } = SHAPES[type];
  if (x === 0) return y > 0 ? 2 ** least : -(2 ** least);
  const size = Math.abs(x);
  const up = x < y === x > 0;
  if (size === INF) return Math.sign(x) * (2 - 2 ** (1 - digits)) * 2 ** SHAPES[type].most;
  const exponent = Math.max(exponentOf(size), least + digits - 1);
  const isPower = size === 2 ** exponent && exponent > least + digits - 1;
  const step = 2 ** (exponent - digits + 1 - (!up && isPower ? 1 : 0));
  return Math.sign(x) * (up ? size + step : size - step);
}

/** The e for which x / 2^e is at least 1 and less than 2; x is finite and above zero. */
export function exponentOf(x: number): number {
  const e = Math.floor(Math.log2(x));
  const scaled = (k: number): number => x / 2 ** (k >> 1) / 2 ** (k - (k >> 1));
  return scaled(e) < 1 ? e - 1 : scaled(e) >= 2 ? e + 1 : e;
}

const least = (x: number, y: number): number => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.min(x, y));
const most = (x: number, y: number): number => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.max(x, y));
const SPECIAL_POWERS = [
  [-8, 3, -512], [-2, -1, -0.5], [0, 3, 0], [-0, 3, -0], [-0, 2, 0], [0, -3, INF], [-0, -3, -INF], [-0, -2, INF], [INF, 2, INF],
  [-INF, 3, -INF], [-INF, 2, INF], [-INF, -3, -0], [-INF, -2, 0], [INF, -1, 0], [NaN, 0, 1], [NaN, 1, NaN], [0, 0, 1], [INF, 0, 1],
] as const; // prettier-ignore

/** Of each such function: its bounds and edges. */
export const SEVERAL: Readonly<Record<string, Several>> = {
  atan2: {
    floats: 2,
    bounds: [6, 6, 2],
    exact: ([y = 0, x = 0]) => atan2(big(y), big(x)),
    cases: [[0, 1, 0], [-0, 1, -0], [0, -1, Math.PI], [-0, -1, -Math.PI], [1, 0, Math.PI / 2], [INF, INF, Math.PI / 4], [-INF, -INF, (-3 * Math.PI) / 4], [1, INF, 0], [-1, INF, -0], [-0, -0, -Math.PI], [0, 0, 0], [NaN, 1, NaN], [1, NaN, NaN]], // prettier-ignore
  },
  atan2pi: {
    floats: 2,
    bounds: [6, 6, 2],
    exact: ([y = 0, x = 0]) => div(atan2(big(y), big(x)), PI),
    cases: [[0, 1, 0], [-0, 1, -0], [0, -1, 1], [-0, -1, -1], [1, 0, 0.5], [-1, -0, -0.5], [INF, INF, 0.25], [-INF, -INF, -0.75], [INF, -INF, 0.75], [1, INF, 0], [-1, -INF, -1], [NaN, 1, NaN]], // prettier-ignore
  },
  copysign: { floats: 2, bounds: [0, 0, 0], exact: ([x = 0, y = 0]) => (y < 0 || isNegativeZero(y) ? -Math.abs(x) : Math.abs(x)), cases: [[NaN, 1, NaN], [0, -0, -0], [-INF, 0, INF]] }, // prettier-ignore
  fdim: {
    floats: 2,
    bounds: [0.5, 0.5, 0.5],
    exact: ([x = 0, y = 0]) => (x > y ? addExact(big(x), neg(big(y))) : 0),
    cases: [[INF, INF, 0], [INF, 1, INF], [1, INF, 0], [NaN, 1, NaN], [1, NaN, NaN], [-0, 0, 0]], // prettier-ignore
  },
  fmax: { floats: 2, bounds: [0, 0, 0], exact: ([x = 0, y = 0]) => most(x, y), cases: [[NaN, 1, 1], [1, NaN, 1], [NaN, NaN, NaN], [-INF, 2, 2]] }, // prettier-ignore
  fmin: { floats: 2, bounds: [0, 0, 0], exact: ([x = 0, y = 0]) => least(x, y), cases: [[NaN, 1, 1], [1, NaN, 1], [NaN, NaN, NaN], [INF, 2, 2]] }, // prettier-ignore
  fmod: {
    floats: 2,
    bounds: [0, 0, 0],
    exact: ([x = 0, y = 0]) => x % y,
    cases: [[-0, 1, -0], [1, 0, NaN], [INF, 1, NaN], [3, INF, 3], [-6, 3, -0], [NaN, 1, NaN]], // prettier-ignore
  },
  hypot: {
    floats: 2,
    bounds: [4, 4, 2],
    exact: ([x = 0, y = 0]) => sqrt(add(mul(big(x), big(x)), mul(big(y), big(y)))),
    cases: [[INF, NaN, INF], [NaN, -INF, INF], [3, 4, 5], [-0, 0, 0], [NaN, 1, NaN]], // prettier-ignore
  },
  maxmag: { floats: 2, bounds: [0, 0, 0], exact: ([x = 0, y = 0]) => (Math.abs(x) > Math.abs(y) ? x : Math.abs(y) > Math.abs(x) ? y : most(x, y)), cases: [[NaN, 1, 1], [-3, 2, -3], [-2, 2, 2]] }, // prettier-ignore
  minmag: { floats: 2, bounds: [0, 0, 0], exact: ([x = 0, y = 0]) => (Math.abs(x) < Math.abs(y) ? x : Math.abs(y) < Math.abs(x) ? y : least(x, y)), cases: [[NaN, 1, 1], [-3, 2, 2], [-2, 2, -2]] }, // prettier-ignore
  nextafter: {
    floats: 2,
    bounds: [0, 0, 0],
    exact: ([x = 0, y = 0], type) => next(x, y, type),
    cases: [[NaN, 1, NaN], [1, NaN, NaN], [-0, 0, 0], [2, 2, 2]], // prettier-ignore
  },
  pow: {
    floats: 2,
    bounds: [16, 16, 4],
    exact: ([x = 0, y = 0]) => power(x, big(y)),
    skipped: positive,
    cases: [...SPECIAL_POWERS, [1, INF, 1], [1, NaN, 1], [-1, INF, 1], [-1, -INF, 1], [-8, 1 / 3, NaN], [0.5, INF, 0], [2, INF, INF], [0.5, -INF, INF], [0, -INF, INF]], // prettier-ignore
  },
  powr: {
    floats: 2,
    bounds: [16, 16, 4],
    exact: ([x = 0, y = 0]) => power(x, big(y)),
    skipped: positive,
    cases: [[2, 0, 1], [0, -2, INF], [-0, -3, INF], [0, -INF, INF], [0, 2, 0], [-0, 3, 0], [1, 7, 1], [-2, 2, NaN], [0, 0, NaN], [INF, 0, NaN], [1, INF, NaN], [1, -INF, NaN], [2, NaN, NaN], [NaN, 0, NaN], [INF, 2, INF], [INF, -2, 0], [3, INF, INF], [3, -INF, 0]], // prettier-ignore
  },
  remainder: {
    floats: 2,
    bounds: [0, 0, 0],
    exact: ([x = 0, y = 0]) => remainder(x, y),
    cases: [[5, 2, 1], [7, 2, -1], [3, 2, -1], [-0, 1, -0], [1, 0, NaN], [INF, 1, NaN], [3, INF, 3], [NaN, 1, NaN]], // prettier-ignore
  },
  pown: {
    floats: 1,
    integer: true,
    bounds: [16, 16, 4],
    exact: ([x = 0, n = 0]) => {
      const result = n === 0 ? int(1) : power(x, int(n));
      return x < 0 && isOdd(n) ? neg(result) : result;
    },
    skipped: ([x = 0]) => x === 0 || !Number.isFinite(x),
    cases: [...SPECIAL_POWERS, [-1, 0x7fffffff, -1], [-1, -0x80000000, 1]],
  },
  rootn: {
    floats: 1,
    integer: true,
    bounds: [16, 16, 4],
    exact: ([x = 0, n = 1]) => {
      if (n === 0 || (x < 0 && !isOdd(n))) return NaN;
      const root = power(x, div(int(1), int(n)));
      return x < 0 ? neg(root) : root;
    },
    skipped: ([x = 0]) => x === 0 || !Number.isFinite(x),
    cases: [[27, 3, 3], [-8, 3, -2], [-8, 2, NaN], [4, 0, NaN], [0, -3, INF], [-0, -3, -INF], [-0, -2, INF], [0, 2, 0], [-0, 3, -0], [-0, 2, 0], [INF, 2, INF], [-INF, 3, -INF], [-INF, -3, -0], [NaN, 3, NaN]], // prettier-ignore
  },
  ldexp: {
    floats: 1,
    integer: true,
    bounds: [0.5, 0.5, 0.5],
    exact: ([x = 0, n = 0]) => ({ m: big(x).m, e: big(x).e + Math.max(-5000, Math.min(5000, n)) }),
    cases: [[-0, 5, -0], [INF, -5, INF], [NaN, 1, NaN], [1, 0x7fffffff, INF], [-1, -0x80000000, -0], [3, 2, 12]], // prettier-ignore
  },
  fma: {
    floats: 3,
    bounds: [0.5, 0.5, 0.5],
    exact: ([x = 0, y = 0, z = 0]) => {
      const product = { m: big(x).m * big(y).m, e: big(x).e + big(y).e };
      return addExact(product, big(z));
    },
    cases: [[INF, 0, 1, NaN], [INF, 1, -INF, NaN], [1, 2, NaN, NaN], [2, 3, 4, 10], [-0, 1, -0, -0], [1, 1, -1, 0]], // prettier-ignore
  },
  mad: {
    floats: 3,
    bounds: [0, 0, 0],
    exact: ([x = 0, y = 0, z = 0], type) => rounded(type, rounded(type, x * y) + z),
  },
};
