import { beforeAll, expect } from '@jest/globals';
import { UNIT, addExact, big, div, mul, roundTo, sqrt, type Big, type Direction } from '../../../helpers/exact-math.ts';
import { compileMath, type MathModule } from '../../../helpers/math-module.ts';
import { pointsIn } from '../../../helpers/math-points.ts';
import { needs } from '../../../helpers/require.ts';

const { describe, test } = needs.full();

const OPERATIONS: Readonly<Record<string, readonly [count: number, exact: (x: Big, y: Big, z: Big) => Big]>> = {
  add: [2, addExact],
  sub: [2, (x, y) => addExact(x, { m: -y.m, e: y.e })],
  mul: [2, mul],
  div: [2, div],
  rcp: [1, (x) => div(UNIT, x)],
  sqrt: [1, sqrt],
  fma: [3, (x, y, z) => addExact(mul(x, y), z)],
};
const DIRECTIONS: readonly (readonly [string, Direction])[] = [
  ['rn', 'nearest'],
  ['rz', 'zero'],
  ['ru', 'up'],
  ['rd', 'down'],
];
const rounded = (operation: string, single: boolean): string =>
  operation === 'fma' ? (single ? '__fmaf' : '__fma') : `__${single ? 'f' : 'd'}${operation}`;

const FUNCTIONS = {
  fma: 'dddd',
  fmaf: 'ffff',
  __frsqrt_rn: 'ff',
  ...{ fmod: 'ddd', fmodf: 'fff', remainder: 'ddd', remainderf: 'fff', fdim: 'ddd', copysignf: 'fff' },
  remquo_value: ['ddd', '({ int q; remquo(a, b, &q); })'],
  remquo_quotient: ['ddi', '({ int q; remquo(a, b, &q); q; })'],
  ...{ round: 'dd', roundf: 'ff', rint: 'dd', nearbyintf: 'ff', trunc: 'dd', floorf: 'ff', ceil: 'dd' },
  ...{ lrint: 'di', llround: 'di', lroundf: 'fi' },
  frexp_value: ['dd', '({ int e; frexp(a, &e); })'],
  frexp_exponent: ['di', '({ int e; frexp(a, &e); e; })'],
  modf_value: ['dd', '({ double w; modf(a, &w); })'],
  modf_whole: ['ff', '({ float w; modf(a, &w); w; })'],
  ...{ ldexp: 'did', scalbn: 'did', ldexpf: 'fif', logb: 'dd', ilogbf: 'fi', ilogb: 'di' },
  ...{ nextafter: 'ddd', nextafterf: 'fff', fmin: 'ddd', fmaxf: 'fff', fmax: 'ddd', __saturatef: 'ff' },
  class_double: ['di', 'isnan(a) + 2 * isinf(a) + 4 * isfinite(a) + 8 * signbit(a) + 16 * isnormal(a)'],
  class_float: ['fi', 'isnan(a) + 2 * isinf(a) + 4 * isfinite(a) + 8 * signbit(a) + 16 * isnormal(a)'],
  mixed: ['id', 'sqrt(a) + pow(a, 2) + fmax(a, 1.5f) + max(a, 7) + min(2.5, a) + abs(-a) + max(3u, 4ul) + atan2(0, 1)'],
  overloads: ['fi', 'sizeof(sin(a)) + sizeof(pow(a, a)) + sizeof(pow(a, 2)) + sizeof(fmin(a, a)) + sizeof(max(a, a))'],
  norms: ['ddd', '({ double v[] = {a, b, 2}; norm(3, v) * 1000 + rnorm(3, v); })'],
  both: ['ff', '({ float s, c, t, u; sincosf(a, &s, &c); sincospi(a, &t, &u); s * s + c * c + t * t + u * u; })'],
} as const;

let library: MathModule;
beforeAll(async () => {
  const functions: Record<string, string | readonly [string, string]> = { ...FUNCTIONS };
  for (const [name, [count]] of Object.entries(OPERATIONS))
    for (const single of [false, true])
      for (const [suffix] of DIRECTIONS)
        functions[`${rounded(name, single)}_${suffix}`] = (single ? 'f' : 'd').repeat(count + 1);
  library = await compileMath(functions);
}, 60000);

/** Triples, many of which cancel, overflow or underflow. */
function triples(single: boolean): number[][] {
  const max = single ? 3.4028234663852886e38 : Number.MAX_VALUE;
  const [xs, ys, zs] = [11, 12, 13].map((seed) => pointsIn(-max, max, 400, single, seed));
  const fit = (x: number): number => (single ? Math.fround(x) : x);
  return (xs ?? []).flatMap((x, i) => {
    const y = ys?.[i] ?? 1;
    const z = zs?.[i] ?? 1;
    const product = fit(x * y);
    return Number.isFinite(product) ? [[x, y, z], [x, y, -product], [x, fit(1 / x), -1]] : [[x, y, z]]; // prettier-ignore
  }).filter((row) => row.every((v) => Number.isFinite(v) && v !== 0)); // prettier-ignore
}

describe.each(Object.entries(OPERATIONS))('%s', (name, [count, exact]) => {
  test.each([
    ['float', true],
    ['double', false],
  ] as const)('is rounded right in each direction: %s', (_, single) => {
    const rows = triples(single).filter(([x = 0]) => name !== 'sqrt' || x > 0);
    const values = rows.map(([x = 0, y = 0, z = 0]) => exact(big(x), big(y), big(z)));
    for (const [suffix, direction] of DIRECTIONS) {
      const symbol = `${rounded(name, single)}_${suffix}`;
      const got = library.call(symbol, rows.map((row) => row.slice(0, count))); // prettier-ignore
      for (const [i, value] of values.entries()) {
        const wanted = roundTo(value, single, direction);
        if (Math.abs(got[i] ?? NaN) !== Math.abs(wanted) || (got[i] ?? NaN) - wanted !== 0)
          if (got[i] !== wanted) throw new Error(`${symbol}(${String(rows[i])}) is ${String(got[i])}, not ${wanted}`);
      }
    }
  });
});

test('fma and fmaf have one rounding, and know infinities', () => {
  for (const single of [true, false]) {
    const rows = triples(single);
    const name = single ? 'fmaf' : 'fma';
    const wanted = rows.map(([x = 0, y = 0, z = 0]) => roundTo(addExact(mul(big(x), big(y)), big(z)), single));
    expect(library.call(name, rows)).toEqual(wanted);
    const odd = [[Infinity, 0, 1], [Infinity, 1, -Infinity], [1, 2, Infinity], [NaN, 1, 1], [-0, 1, -0], [1e30, 1e30, -Infinity]]; // prettier-ignore
    expect(library.call(name, odd)).toEqual([NaN, NaN, Infinity, NaN, -0, -Infinity]);
  }
});

test('__frsqrt_rn is rounded right', () => {
  const rows = pointsIn(0, 3e38, 500, true).map((x) => [x]);
  expect(library.call('__frsqrt_rn', rows)).toEqual(rows.map(([x = 1]) => roundTo(div(UNIT, sqrt(big(x))), true)));
});

test('remainders are exact', () => {
  const xs = pointsIn(-1e300, 1e300, 300, false, 21);
  const ys = pointsIn(-1e300, 1e300, 300, false, 22);
  const rows = xs.flatMap((x, i) => [[x, ys[i] ?? 1], [x, x / 7], [x % 100, 3]]).filter(([x = 0, y = 0]) => x && y); // prettier-ignore
  expect(library.call('fmod', rows)).toEqual(rows.map(([x = 0, y = 1]) => x % y));
  const floats = rows.map((row) => row.map((v) => Math.fround(v % 1e38))).filter(([, y]) => y !== 0);
  expect(library.call('fmodf', floats)).toEqual(floats.map(([x = 0, y = 1]) => Math.fround(x % y)));
  const near = (x: number, y: number): number => {
    const rest = Math.abs(x % y);
    const other = Math.abs(y) - rest;
    const odd = Math.abs(x % (2 * y)) >= Math.abs(y);
    const r = rest > other || (rest === other && odd) ? -other : rest;
    return x < 0 ? -r : r;
  };
  const tame = rows.filter(([, y = 1]) => Math.abs(y) < 1e300);
  expect(library.call('remainder', tame)).toEqual(tame.map(([x = 0, y = 1]) => near(x, y)));
  expect(library.call('remquo_value', tame)).toEqual(tame.map(([x = 0, y = 1]) => near(x, y)));
  expect(library.call('remquo_quotient', [[7, 2], [-7, 2], [100, 3], [5, -2]]).map((q) => q % 8)).toEqual([4, -4, 1, -2]); // prettier-ignore
  expect(library.call('fmod', [[1, 0], [Infinity, 1], [5, Infinity], [-0, 3], [NaN, 1]])).toEqual([NaN, NaN, 5, -0, NaN]); // prettier-ignore
  expect(library.call('remainderf', [[5, 3], [-5, 3], [1, 0]])).toEqual([-1, 1, NaN]); // prettier-ignore
});

test('rounding to integers', () => {
  const xs = [0.5, 1.5, 2.5, -0.5, -2.5, 0.49999999999999994, 2 ** 52 + 1, 1e300, -0, 0.2, -7.7];
  const rows = xs.map((x) => [x]);
  const away = (x: number): number =>
    Math.sign(x) * Math.floor(Math.abs(x)) + (Math.abs(x) % 1 >= 0.5 ? Math.sign(x) : 0);
  expect(library.call('round', rows)).toEqual(xs.map((x) => (x === -0.5 ? -1 : Object.is(x, -0) ? -0 : away(x))));
  expect(library.call('rint', rows)).toEqual([0, 2, 2, -0, -2, 0, 2 ** 52 + 1, 1e300, -0, 0, -8]);
  expect(library.call('trunc', rows)).toEqual(xs.map(Math.trunc));
  expect(library.call('ceil', rows)).toEqual(xs.map(Math.ceil));
  expect(library.call('roundf', [[0.49999997], [2.5], [8388609], [-0.2]])).toEqual([0, 3, 8388609, -0]);
  expect(library.call('nearbyintf', [[2.5], [-0.4]])).toEqual([2, -0]);
  expect(library.call('floorf', [[-2.5], [7.9]])).toEqual([-3, 7]);
  expect(library.call('lrint', [[2.5], [-1e6 - 0.4]])).toEqual([2, -1000000]);
  expect(library.call('llround', [[2.5], [-2.5]])).toEqual([3, -3]);
  expect(library.call('lroundf', [[-1.5]])).toEqual([-2]);
});

test('parts of numbers', () => {
  const xs = [1, -3.75, 1e300, 5e-324, 2.3e-310, -0];
  const rows = xs.map((x) => [x]);
  const exponents = library.call('frexp_exponent', rows);
  expect(library.call('frexp_value', rows).map((v, i) => v * 2 ** (exponents[i] ?? 0 / 2))).toEqual(xs);
  expect(exponents).toEqual([1, 2, 997, -1073, -1028, 0]);
  expect(library.call('modf_value', [[3.75], [-2], [Infinity], [-0.5]])).toEqual([0.75, -0, 0, -0.5]);
  expect(library.call('modf_whole', [[3.75], [-2], [-Infinity]])).toEqual([3, -2, -Infinity]);
  expect(library.call('ldexp', [[1.5, -1074], [1.25, -1074], [1, 1023], [3, 5000], [1e-300, 2030]])).toEqual([1e-323, 5e-324, 2 ** 1023, Infinity, Infinity]); // prettier-ignore
  expect(library.call('scalbn', [[2 ** 1000, -2000], [5e-324, 1074], [-0, 5]])).toEqual([2 ** -1000, 1, -0]); // prettier-ignore
  expect(library.call('ldexpf', [[1.5, -149], [3, 126], [1, -5000]])).toEqual([2 ** -148, 3 * 2 ** 126, 0]); // prettier-ignore
  expect(library.call('logb', [[8], [5e-324], [0], [-Infinity], [0.3]])).toEqual([3, -1074, -Infinity, Infinity, -2]);
  expect(library.call('ilogb', [[8], [0], [Infinity]])).toEqual([3, -(2 ** 31), 2 ** 31 - 1]);
  expect(library.call('ilogbf', [[2 ** -149]])).toEqual([-149]);
  expect(library.call('nextafter', [[0, 1], [1, 2], [1, 0], [-0, -1], [3, 3], [Number.MAX_VALUE, Infinity]])).toEqual([5e-324, 1 + 2 ** -52, 1 - 2 ** -53, -5e-324, 3, Infinity]); // prettier-ignore
  expect(library.call('nextafterf', [[1, 2], [0, -1]])).toEqual([1 + 2 ** -23, -(2 ** -149)]); // prettier-ignore
  expect(library.call('copysignf', [[1, -0], [-2, 5]])).toEqual([-1, 2]); // prettier-ignore
});

test('least and greatest, classes, overloads', () => {
  const rows = [[1, NaN], [NaN, 2], [NaN, NaN], [-0, 0], [0, -0], [3, -4]]; // prettier-ignore
  expect(library.call('fmin', rows)).toEqual([1, 2, NaN, -0, -0, -4]);
  expect(library.call('fmax', rows)).toEqual([1, 2, NaN, 0, 0, 3]);
  expect(library.call('fmaxf', rows)).toEqual([1, 2, NaN, 0, 0, 3]);
  expect(library.call('fdim', [[3, 1], [1, 3], [NaN, 1]])).toEqual([2, 0, NaN]); // prettier-ignore
  expect(library.call('__saturatef', [[-1], [0.5], [7], [NaN]])).toEqual([0, 0.5, 1, 0]);
  const xs = [[1], [-0], [NaN], [-Infinity], [1e-310]];
  expect(library.call('class_double', xs).map((v) => v & 23)).toEqual([20, 4, 1, 2, 4]);
  expect(library.call('class_float', [[1], [-0], [-Infinity], [2 ** -140]])).toEqual([20, 12, 10, 4]);
  expect(library.call('mixed', [[4]])).toEqual([2 + 16 + 4 + 7 + 2.5 + 4 + 4]);
  expect(library.call('overloads', [[1]])).toEqual([20]);
  expect(library.call('norms', [[1, 2]])).toEqual([3000 + 1 / 3]);
  expect(library.call('both', [[0.7]])[0]).toBeCloseTo(2, 5);
});
