import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  LN10,
  LN2,
  UNIT,
  abs,
  add,
  atan,
  atan2,
  big,
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
  ulpError,
  type Big,
} from '../../../helpers/exact-math.ts';
import { compileCuda } from '../../../../src/cpu/compiler/client.ts';
import { compileMath, type MathModule } from '../../../helpers/math-module.ts';
import { pointsIn } from '../../../helpers/math-points.ts';
import { isFull, some } from '../../../helpers/full.ts';

/** CUDA's bounds in units of the last place (float, double), and where the function is defined or overflows. */
interface Unary {
  readonly bounds: readonly [single: number, double: number];
  readonly exact: (x: Big) => Big;
  readonly low: number;
  readonly high: number;
  /** What it gives at -∞, -0, +0, +∞; at NaN it always gives NaN. */
  readonly ends: readonly [number, number, number, number];
}

const square = (x: Big): Big => mul(x, x);
const MAX = Number.MAX_VALUE;
const HALF_PI = Math.PI / 2;
const cubeRoot = (x: Big): Big => {
  const root = exp(div(log(abs(x)), int(3)));
  return x.m < 0n ? neg(root) : root;
};
const odd =
  (of: (x: Big) => Big) =>
  (x: Big): Big =>
    x.m < 0n ? neg(of(neg(x))) : of(x);
/** For |x| below 2^-60 the first terms of a series, where the formula would lose digits. */
const small =
  (third: number, of: (x: Big) => Big) =>
  (x: Big): Big =>
    Math.abs(near(x)) > 2 ** -50 ? of(x) : add(x, div(mul(x, square(x)), int(third)));

const UNARY: Readonly<Record<string, Unary>> = {
  exp: { bounds: [2, 1], exact: exp, low: -760, high: 720, ends: [0, 1, 1, Infinity] },
  exp2: { bounds: [2, 1], exact: (x) => exp(mul(x, LN2)), low: -1090, high: 1030, ends: [0, 1, 1, Infinity] },
  exp10: { bounds: [2, 1], exact: (x) => exp(mul(x, LN10)), low: -330, high: 312, ends: [0, 1, 1, Infinity] },
  expm1: { bounds: [1, 1], exact: expm1, low: -760, high: 715, ends: [-1, -0, 0, Infinity] },
  log: { bounds: [1, 1], exact: log, low: 0, high: MAX, ends: [NaN, -Infinity, -Infinity, Infinity] },
  log2: {
    bounds: [1, 1],
    exact: (x) => div(log(x), LN2),
    low: 0,
    high: MAX,
    ends: [NaN, -Infinity, -Infinity, Infinity],
  },
  log10: {
    bounds: [2, 1],
    exact: (x) => div(log(x), LN10),
    low: 0,
    high: MAX,
    ends: [NaN, -Infinity, -Infinity, Infinity],
  },
  log1p: { bounds: [1, 1], exact: log1p, low: -0.999999, high: MAX, ends: [NaN, -0, 0, Infinity] },
  sin: { bounds: [2, 2], exact: (x) => sinCos(x)[0], low: -MAX, high: MAX, ends: [NaN, -0, 0, NaN] },
  cos: { bounds: [2, 2], exact: (x) => sinCos(x)[1], low: -MAX, high: MAX, ends: [NaN, 1, 1, NaN] },
  tan: {
    bounds: [4, 2],
    exact: (x) => div(sinCos(x)[0], sinCos(x)[1]),
    low: -MAX,
    high: MAX,
    ends: [NaN, -0, 0, NaN],
  },
  sinpi: { bounds: [1, 2], exact: (x) => sinCosPi(x)[0], low: -1000.3, high: 1000.3, ends: [NaN, -0, 0, NaN] },
  cospi: { bounds: [1, 2], exact: (x) => sinCosPi(x)[1], low: -1000.3, high: 1000.3, ends: [NaN, 1, 1, NaN] },
  asin: {
    bounds: [2, 2],
    exact: small(6, (x) => atan2(x, sqrt(sub(UNIT, square(x))))),
    low: -1,
    high: 1,
    ends: [NaN, -0, 0, NaN],
  },
  acos: {
    bounds: [2, 2],
    exact: (x) => atan2(sqrt(sub(UNIT, square(x))), x),
    low: -1,
    high: 1,
    ends: [NaN, HALF_PI, HALF_PI, NaN],
  },
  atan: { bounds: [2, 2], exact: atan, low: -MAX, high: MAX, ends: [-HALF_PI, -0, 0, HALF_PI] },
  sinh: {
    bounds: [3, 2],
    exact: small(6, (x) => twice(sub(exp(x), exp(neg(x))), -1)),
    low: -715,
    high: 715,
    ends: [-Infinity, -0, 0, Infinity],
  },
  cosh: {
    bounds: [2, 1],
    exact: (x) => twice(add(exp(x), exp(neg(x))), -1),
    low: -715,
    high: 715,
    ends: [Infinity, 1, 1, Infinity],
  },
  tanh: {
    bounds: [2, 1],
    exact: small(-3, (x) => div(sub(exp(x), exp(neg(x))), add(exp(x), exp(neg(x))))),
    low: -100,
    high: 100,
    ends: [-1, -0, 0, 1],
  },
  asinh: {
    bounds: [3, 3],
    exact: odd(small(-6, (x) => log(add(x, sqrt(add(UNIT, square(x))))))),
    low: -MAX,
    high: MAX,
    ends: [-Infinity, -0, 0, Infinity],
  },
  acosh: {
    bounds: [4, 3],
    exact: (x) => log(add(x, sqrt(sub(square(x), UNIT)))),
    low: 1,
    high: MAX,
    ends: [NaN, NaN, NaN, Infinity],
  },
  atanh: {
    bounds: [3, 2],
    exact: small(3, (x) => twice(log(div(add(UNIT, x), sub(UNIT, x))), -1)),
    low: -0.9999999999,
    high: 0.9999999999,
    ends: [NaN, -0, 0, NaN],
  },
  sqrt: { bounds: [0.5, 0.5], exact: sqrt, low: 0, high: MAX, ends: [NaN, -0, 0, Infinity] },
  rsqrt: {
    bounds: [2, 1],
    exact: (x) => div(UNIT, sqrt(x)),
    low: 0,
    high: MAX,
    ends: [NaN, -Infinity, Infinity, 0],
  },
  cbrt: { bounds: [1, 1], exact: cubeRoot, low: -MAX, high: MAX, ends: [-Infinity, -0, 0, Infinity] },
  rcbrt: {
    bounds: [1, 1],
    exact: (x) => div(UNIT, cubeRoot(x)),
    low: -MAX,
    high: MAX,
    ends: [-0, -Infinity, Infinity, 0],
  },
};

const UNARY_ROWS = some(Object.entries(UNARY), 4);
const POINTS = isFull ? 1200 : 300;
let library: MathModule;
beforeAll(async () => {
  const functions: Record<string, string> = {};
  for (const [name] of UNARY_ROWS) Object.assign(functions, { [name]: 'dd', [`${name}f`]: 'ff' });
  Object.assign(functions, { pow: 'ddd', powf: 'fff', atan2: 'ddd', atan2f: 'fff', hypot: 'ddd', hypotf: 'fff' });
  Object.assign(functions, { rhypot: 'ddd', norm3d: 'dddd', norm4d: 'ddddd', rnorm3df: 'ffff', rnorm4d: 'ddddd' });
  library = await compileMath(functions);
}, 60000);

/** The greatest error, and where. */
function worst(
  name: string,
  single: boolean,
  rows: readonly number[][],
  exact: (row: number[]) => Big | number,
): string {
  const got = library.call(name, rows);
  let most = 0;
  let where = '';
  for (const [i, row] of rows.entries()) {
    const error = ulpError(got[i] ?? NaN, exact(row), single);
    if (error > most || Number.isNaN(error)) [most, where] = [error, `${name}(${row.join(', ')}) = ${String(got[i])}`];
  }
  return `${most.toFixed(3)} ulp: ${where}`;
}
const ulps = (report: string): number => parseFloat(report);

describe.each(UNARY_ROWS)('%s', (name, { bounds, exact, low, high, ends }) => {
  test.each([
    ['float', true],
    ['double', false],
  ] as const)('stays within the bound that CUDA documents: %s', (_, single) => {
    const symbol = single ? `${name}f` : name;
    const rows = pointsIn(low, high, POINTS, single).map((x) => [x]);
    const report = worst(symbol, single, rows, ([x = 0]) => exact(big(x)));
    expect({ report, good: ulps(report) <= bounds[single ? 0 : 1] }).toEqual({ report, good: true });
    const values = library.call(symbol, [[-Infinity], [-0], [0], [Infinity], [NaN]]);
    expect(values).toEqual([...ends.map((y) => (single ? Math.fround(y) : y)), NaN]);
  });
});

/** Pairs of numbers, some of them near each other. */
function pairs(low: number, high: number, single: boolean): number[][] {
  const xs = pointsIn(low, high, POINTS, single, 2);
  const ys = pointsIn(low, high, POINTS, single, 3);
  return xs.map((x, i) => [x, i % 5 === 0 ? x : (ys[i] ?? 1)]);
}

test.each([
  ['powf', true, 4],
  ['pow', false, 2],
] as const)('%s stays within its bound', (name, single, bound) => {
  const bases = pointsIn(0, 1e308, POINTS, single, 4).filter((x) => x !== 1);
  const random = pointsIn(-1.02, 1.02, 3 * POINTS, single, 5);
  // Exponents that make use of the whole range of results.
  const rows = bases.map((x, i) => [x, ((random[i] ?? 0.5) * (single ? 88 : 710)) / Math.log(x)]);
  for (const row of rows) if (single) row[1] = Math.fround(row[1] ?? 0);
  const report = worst(name, single, rows, ([x = 1, y = 1]) => exp(mul(big(y), log(big(x)))));
  expect({ report, good: ulps(report) <= bound }).toEqual({ report, good: true });
});

test.each(['pow', 'powf'])('%s: special cases of the standard', (name) => {
  const values = [-Infinity, -2, -1.5, -1, -0.5, -0, 0, 0.5, 1, 1.5, 2, 3, Infinity, NaN];
  const rows = values.flatMap((x) => values.map((y) => [x, y]));
  // In contrast to JavaScript, 1 to any power and (-1)^±∞ are 1.
  const wanted = rows.map(([x = 0, y = 0]) => (x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y));
  const special = (y: number): number => (Number.isFinite(y) && y !== 0 && Math.abs(y) !== 1 ? 2 : y);
  expect(library.call(name, rows).map(special)).toEqual(wanted.map(special));
  expect(library.call(name, [[-3, 3], [-2, -3], [10, 2], [-8, 1 / 3]])).toEqual([-27, -0.125, 100, NaN]); // prettier-ignore
});

test.each([
  ['atan2f', true, 3],
  ['atan2', false, 2],
] as const)('%s stays within its bound', (name, single, bound) => {
  const report = worst(name, single, pairs(-MAX, MAX, single), ([y = 0, x = 0]) => atan2(big(y), big(x)));
  expect({ report, good: ulps(report) <= bound }).toEqual({ report, good: true });
  const values = [-Infinity, -1, -0, 0, 1, Infinity, NaN];
  const rows = values.flatMap((y) => values.map((x) => [y, x]));
  const wanted = rows.map(([y = 0, x = 0]) => Math.atan2(y, x));
  expect(library.call(name, rows)).toEqual(wanted.map((y) => (single ? Math.fround(y) : y)));
});

const norm = (xs: readonly number[]): Big => sqrt(xs.map((x) => square(big(x))).reduce(add));
test.each([
  ['hypotf', true, 3, 2, norm],
  ['hypot', false, 2, 2, norm],
  ['rhypot', false, 1, 2, (xs: readonly number[]) => div(UNIT, norm(xs))],
  ['norm3d', false, 2, 3, norm],
  ['norm4d', false, 2, 4, norm],
  ['rnorm3df', true, 2, 3, (xs: readonly number[]) => div(UNIT, norm(xs))],
  ['rnorm4d', false, 1, 4, (xs: readonly number[]) => div(UNIT, norm(xs))],
] as const)('%s stays within its bound', (name, single, bound, count, exact) => {
  const columns = Array.from({ length: count }, (_, i) => pointsIn(-MAX, MAX, POINTS, single, 6 + i));
  const rows = (columns[0] ?? []).map((_, i) => columns.map((column) => column[i] ?? 1));
  const report = worst(name, single, rows, exact);
  expect({ report, good: ulps(report) <= bound }).toEqual({ report, good: true });
  const rest = new Array<number>(count - 2).fill(1);
  const odd = library.call(name, [[Infinity, NaN, ...rest], [NaN, 1, ...rest]]); // prettier-ignore
  expect(odd).toEqual([name.startsWith('r') ? 0 : Infinity, NaN]);
});

test('a kernel finds the functions under all their names', () => {
  const source = `#include <cmath>
    __global__ void all(float *f, double *d, int i) {
      f[0] = sin(f[1]) + std::sin(f[2]) + sinf(f[3]) + __sinf(f[4]) + powf(f[5], f[6]) + pow(f[7], i) + __fdividef(f[8], f[9]);
      f[0] += fmaxf(f[0], max(f[1], f[2])) + std::abs(f[1]) + __fmaf_rz(f[1], f[2], f[3]) + __frcp_ru(f[1]) + rsqrt(f[2]);
      d[0] = sin(d[1]) + std::pow(d[2], d[3]) + exp(d[4]) + sqrt(i) + norm3d(d[5], d[6], d[7]) + __dadd_rd(d[8], d[9]);
      d[0] += std::isnan(d[0]) + isfinite(f[0]) + tgamma(d[1]) + jn(i, d[2]) + min(i, 3u) + fmod(d[1], f[1]);
    }`;
  const { program, log } = compileCuda({ source, file: 'all.cu', options: [], expressions: [], includes: [], checked: false }); // prettier-ignore
  expect(log).toBe('');
  expect(program?.kernels).toHaveLength(1);
});
