import { beforeAll, expect } from '@jest/globals';
import { big, int, mul, near, neg, sqrt, sub, twice, ulpError, UNIT, type Big } from '../../../helpers/exact-math.ts';
import {
  besselSeries,
  besselY,
  erf,
  erfc,
  erfcx,
  gamma,
  inverseErf,
  inverseErfc,
  lgamma,
  normcdf,
} from '../../../helpers/exact-special.ts';
import { compileMath, type MathModule } from '../../../helpers/math-module.ts';
import { pointsIn } from '../../../helpers/math-points.ts';
import { needs } from '../../../helpers/require.ts';

const { test } = needs.full();

/** CUDA's bounds in units of the last place (float, double). */
interface Special {
  readonly bounds: readonly [single: number, double: number];
  /** The true value; `y` is what the function gave, where the truth is found beside it. */
  readonly exact: (x: Big, y: number) => Big;
  readonly low: number;
  readonly high: number;
  /** Argument and result, exactly. */
  readonly cases: readonly (readonly [number, number])[];
}

const INF = Infinity;
const upper = (p: Big, y: number): Big => (y >= 0 ? inverseErfc(p, y) : neg(inverseErfc(sub(int(2), p), -y)));
const SPECIAL: Readonly<Record<string, Special>> = {
  erf: { bounds: [2, 2], exact: erf, low: -7, high: 7, cases: [[-0, -0], [INF, 1], [-INF, -1]] }, // prettier-ignore
  erfc: { bounds: [4, 5], exact: erfc, low: -7, high: 27.2, cases: [[0, 1], [INF, 0], [-INF, 2]] }, // prettier-ignore
  erfcx: { bounds: [4, 4], exact: erfcx, low: -9.3, high: 1e30, cases: [[0, 1], [INF, 0], [-INF, INF]] }, // prettier-ignore
  erfinv: {
    bounds: [2, 5],
    exact: (x, y) =>
      Math.abs(y) < 0.5
        ? inverseErf(x, y)
        : y > 0
          ? inverseErfc(sub(UNIT, x), y)
          : neg(inverseErfc(sub(x, int(-1)), -y)),
    low: -0.99999999999,
    high: 0.99999999999,
    cases: [[0, 0], [-0, -0], [1, INF], [-1, -INF], [1.5, NaN]], // prettier-ignore
  },
  erfcinv: {
    bounds: [4, 6],
    exact: (p, y) => (Math.abs(y) < 0.5 ? inverseErf(sub(UNIT, p), y) : upper(p, y)),
    low: 0,
    high: 1.99999999999,
    cases: [[1, 0], [0, INF], [2, -INF], [-1, NaN]], // prettier-ignore
  },
  normcdf: { bounds: [5, 5], exact: normcdf, low: -38, high: 9, cases: [[0, 0.5], [INF, 1], [-INF, 0]] }, // prettier-ignore
  normcdfinv: {
    bounds: [5, 8],
    exact: (p, y) =>
      y <= 0
        ? neg(mul(sqrt(int(2)), upper(twice(p), -y / Math.SQRT2)))
        : mul(sqrt(int(2)), upper(twice(sub(UNIT, p)), y / Math.SQRT2)),
    low: 0,
    high: 0.99999999999,
    cases: [[0.5, 0], [0, -INF], [1, INF], [2, NaN]], // prettier-ignore
  },
  tgamma: {
    bounds: [5, 10],
    exact: gamma,
    low: -180,
    high: 175,
    cases: [[0, INF], [-0, -INF], [-1, NaN], [INF, INF], [-INF, NaN], [5, 24]], // prettier-ignore
  },
  lgamma: {
    bounds: [6, 4],
    exact: lgamma,
    low: -2.2637,
    high: 1e30,
    cases: [[1, 0], [2, 0], [0, INF], [-1, INF], [INF, INF], [-INF, INF]], // prettier-ignore
  },
  j0: { bounds: [9, 7], exact: (x) => besselSeries(0, x, -1), low: 0, high: 8, cases: [[0, 1], [INF, 0]] }, // prettier-ignore
  j1: { bounds: [9, 7], exact: (x) => besselSeries(1, x, -1), low: 0, high: 8, cases: [[0, 0], [INF, 0]] }, // prettier-ignore
  y0: { bounds: [9, 7], exact: (x) => besselY(0, x), low: 1e-4, high: 8, cases: [[0, -INF], [-1, NaN], [INF, 0]] }, // prettier-ignore
  y1: { bounds: [9, 7], exact: (x) => besselY(1, x), low: 1e-4, high: 8, cases: [[0, -INF], [-1, NaN], [INF, 0]] }, // prettier-ignore
  cyl_bessel_i0: {
    bounds: [6, 6],
    exact: (x) => besselSeries(0, x, 1),
    low: 0,
    high: 715,
    cases: [[0, 1], [INF, INF], [-INF, INF]], // prettier-ignore
  },
  cyl_bessel_i1: {
    bounds: [6, 6],
    exact: (x) => besselSeries(1, x, 1),
    low: 0,
    high: 715,
    cases: [[0, 0], [INF, INF], [-INF, -INF]], // prettier-ignore
  },
};

const POINTS = 240;
let library: MathModule;
beforeAll(async () => {
  const functions: Record<string, string> = { jn: 'idd', yn: 'idd', jnf: 'iff', ynf: 'iff' };
  for (const name of Object.keys(SPECIAL)) Object.assign(functions, { [name]: 'dd', [`${name}f`]: 'ff' });
  library = await compileMath(functions);
}, 60000);

test.each(
  Object.entries(SPECIAL).flatMap(([name, row]) => [
    { symbol: `${name}f`, single: true, row },
    { symbol: name, single: false, row },
  ]),
)('$symbol stays within the bound that CUDA documents', ({ symbol, single, row }) => {
  const pole = (x: number): boolean => symbol.includes('gamma') && x < 0 && x % 1 === 0;
  const points = pointsIn(row.low, row.high, POINTS, single).filter(
    (x) => row.cases.every(([y]) => x !== y) && !pole(x),
  );
  const got = library.call(symbol, points.map((x) => [x])); // prettier-ignore
  // A double's inverse is the better guess for a float's.
  const guesses = single ? library.call(symbol.slice(0, -1), points.map((x) => [x])) : got; // prettier-ignore
  let most = 0;
  let where = '';
  for (const [i, x] of points.entries()) {
    const guess = guesses[i] ?? NaN;
    const error =
      Number.isFinite(guess) || row.exact.length < 2
        ? ulpError(got[i] ?? NaN, row.exact(big(x), guess), single)
        : Infinity;
    if (error > most) [most, where] = [error, `${symbol}(${x}) = ${String(got[i])}`];
  }
  expect({ where, most, good: most <= row.bounds[single ? 0 : 1] }).toEqual({ where, most, good: true });
  const cases = [...row.cases, [NaN, NaN]];
  expect(library.call(symbol, cases.map(([x = 0]) => [x]))).toEqual(cases.map(([, y]) => y)); // prettier-ignore
});

test.each(['j0', 'j1', 'y0', 'y1'])('%s beyond 8 stays within CUDA’s absolute error', (name) => {
  const points = pointsIn(8, 30, 60, false);
  const got = library.call(name, points.map((x) => [x])); // prettier-ignore
  const of = (x: Big): Big => (name.startsWith('j') ? besselSeries : besselY)(name.endsWith('1') ? 1 : 0, x, -1);
  const errors = points.map((x, i) => Math.abs(near(sub(big(got[i] ?? NaN), of(big(x))))));
  expect(Math.max(...errors)).toBeLessThan(5e-15);
});

test('Bessel functions of any order', () => {
  const rows = [2, 3, 7, 20, 128].flatMap((n) => pointsIn(0.3, 25, 20, true, n).map((x) => [n, x]));
  const j = library.call('jn', rows);
  const jf = library.call('jnf', rows);
  const y = library.call('yn', rows);
  for (const [i, [n = 0, x = 0]] of rows.entries()) {
    const exactJ = near(besselSeries(n, big(x), -1));
    expect(Math.abs((j[i] ?? NaN) - exactJ)).toBeLessThan(1e-14);
    expect(Math.abs((jf[i] ?? NaN) - exactJ)).toBeLessThan(2.2e-6);
    const exactY = near(besselY(n, big(x)));
    if (Math.abs(exactY) > 1e300) continue;
    expect(Math.abs((y[i] ?? NaN) / exactY - 1) * Math.min(1, Math.abs(exactY))).toBeLessThan(1e-13);
  }
  const signs = library.call('jn', [[-3, 2], [3, -2], [3, 2]]).map((v) => v / near(besselSeries(3, big(2), -1))); // prettier-ignore
  expect(signs.map((v) => Math.round(v * 1e14) / 1e14)).toEqual([-1, -1, 1]); // prettier-ignore
});
