import { at, kernelCase, range, sum, type Case, type Tolerance } from '../case.ts';

const n = 400;

interface MathFunction {
  readonly code: string;
  readonly reference: (x: number) => number;
  readonly from: number;
  readonly to: number;
}

/** `y[k][i] = f_k(x_k[i])` for a list of functions, each with a range of arguments of its own. */
function table(name: string, type: 'float' | 'double', functions: readonly MathFunction[], tolerance: Tolerance): Case {
  const lines = functions.map(({ code }, k) => `        y[${k} * n + i] = ${code.replaceAll('$', `x[${k} * n + i]`)};`);
  const count = functions.length * n;
  return kernelCase({
    name,
    source: `
      __global__ void table(const ${type} *x, ${type} *y, int n)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
${lines.join('\n')}
      }`,
    buffers: (random) => ({
      x: (type === 'float' ? Float32Array : Float64Array).from(
        functions.flatMap(({ from, to }) => range(n, () => random.real(from, to))),
      ),
      y: type === 'float' ? new Float32Array(count) : new Float64Array(count),
    }),
    launches: ({ x, y }) => [{ kernel: 'table', args: [x, y, n], block: 128, grid: 4 }],
    expected: ({ x }) => ({
      y: functions.flatMap(({ reference }, k) => range(n, (i) => reference(at(x, k * n + i)))),
    }),
    tolerance,
  });
}

/** The error function by its series. */
function erf(x: number): number {
  let term = x;
  let total = x;
  for (let k = 1; k < 80; k++) {
    term *= (-x * x) / k;
    total += term / (2 * k + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * total;
}

/** The gamma function by Stirling's series, far enough out. */
function gamma(x: number): number {
  if (x < 20) return gamma(x + 1) / x;
  const series = 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5) - 1 / (1680 * x ** 7) + 1 / (1188 * x ** 9);
  return Math.sqrt((2 * Math.PI) / x) * Math.exp(x * Math.log(x) - x + series);
}

function functionsOf(suffix: '' | 'f'): MathFunction[] {
  const entry = (
    name: string,
    reference: (x: number) => number,
    from: number,
    to: number,
    rest = '',
  ): MathFunction => ({ code: `${name}${suffix}($${rest})`, reference, from, to });
  return [
    entry('sin', Math.sin, -20, 20),
    entry('cos', Math.cos, -20, 20),
    entry('tan', Math.tan, -1.4, 1.4),
    entry('asin', Math.asin, -1, 1),
    entry('acos', Math.acos, -1, 0.9),
    entry('atan', Math.atan, -50, 50),
    entry('atan2', (x) => Math.atan2(x, -0.75), -3, 3, `, (decltype(x[0] + 0))-0.75`),
    entry('exp', Math.exp, -30, 30),
    entry('exp2', (x) => 2 ** x, -30, 30),
    entry('exp10', (x) => 10 ** x, -12, 12),
    entry('expm1', Math.expm1, -2, 2),
    entry('log', Math.log, 1.2, 1e6),
    entry('log2', Math.log2, 1.2, 1e6),
    entry('log10', Math.log10, 1.2, 1e6),
    entry('log1p', Math.log1p, -0.9, 3),
    entry('sqrt', Math.sqrt, 0, 1e6),
    entry('rsqrt', (x) => 1 / Math.sqrt(x), 1e-3, 1e6),
    entry('cbrt', Math.cbrt, -1e6, 1e6),
    entry('sinh', Math.sinh, -8, 8),
    entry('cosh', Math.cosh, -8, 8),
    entry('tanh', Math.tanh, -8, 8),
    entry('asinh', Math.asinh, -30, 30),
    entry('acosh', Math.acosh, 1.5, 30),
    entry('atanh', Math.atanh, -0.9, 0.9),
    entry('pow', (x) => x ** 2.5, 0, 50, `, (decltype(x[0] + 0))2.5`),
    entry('hypot', (x) => Math.hypot(x, 3), -50, 50, `, (decltype(x[0] + 0))3`),
    entry('erf', erf, -1, 1),
    entry('erfc', (x) => 1 - erf(x), -1, 0.4),
    entry('sinpi', (x) => Math.sin(Math.PI * x), -0.9, 0.9),
    entry('fma', (x) => x * 0.5 + 0.25, -8, 8, `, (decltype(x[0] + 0))0.5, (decltype(x[0] + 0))0.25`),
  ];
}

/** Functions of CUDA's math library against JavaScript's. */
export const mathCases: readonly Case[] = [
  table('math-of-floats', 'float', functionsOf('f'), { ulps: 12, absolute: 1e-7 }),
  table('math-of-doubles', 'double', functionsOf(''), { ulps: 24, absolute: 3e-15 }),
  table(
    'math-of-gamma',
    'double',
    [
      { code: 'tgamma($)', reference: gamma, from: 0.5, to: 12 },
      { code: 'lgamma($)', reference: (x) => Math.log(gamma(x)), from: 3, to: 40 },
    ],
    { relative: 1e-12 },
  ),
  table(
    'math-of-fast-floats',
    'float',
    [
      { code: '__sinf($)', reference: Math.sin, from: -3, to: 3 },
      { code: '__cosf($)', reference: Math.cos, from: -3, to: 3 },
      { code: '__expf($)', reference: Math.exp, from: -5, to: 5 },
      { code: '__logf($)', reference: Math.log, from: 2, to: 50 },
      { code: '__log2f($)', reference: Math.log2, from: 2.5, to: 50 },
      { code: '__powf($, 1.5f)', reference: (x) => x ** 1.5, from: 0.1, to: 9 },
      { code: '__fdividef($, 7.0f)', reference: (x) => x / 7, from: -9, to: 9 },
      { code: '__frsqrt_rn($)', reference: (x) => 1 / Math.sqrt(x), from: 0.1, to: 9 },
      { code: '__frcp_rn($)', reference: (x) => 1 / x, from: 0.1, to: 9 },
      { code: '__saturatef($)', reference: (x) => Math.min(1, Math.max(0, x)), from: -2, to: 2 },
    ],
    { relative: 1e-5, absolute: 1e-6 },
  ),

  kernelCase({
    name: 'math-exact',
    source: `
      template <typename T> __global__ void exact(const T *x, T *y, int n)
      {
        int i = threadIdx.x;
        T v = x[i], w = x[n - 1 - i];
        y[i] = floor(v);
        y[n + i] = ceil(v);
        y[2 * n + i] = trunc(v);
        y[3 * n + i] = rint(v);
        y[4 * n + i] = round(v);
        y[5 * n + i] = fabs(v);
        y[6 * n + i] = fmin(v, w);
        y[7 * n + i] = fmax(v, w);
        y[8 * n + i] = fmod(v, w);
        y[9 * n + i] = copysign(v, w);
        y[10 * n + i] = fdim(v, w);
        y[11 * n + i] = remainder(v, w);
        y[12 * n + i] = sqrt(fabs(v));
        int exponent;
        T fraction = frexp(v, &exponent);
        y[13 * n + i] = fraction;
        y[14 * n + i] = exponent;
        y[15 * n + i] = ldexp(v, i % 9 - 4);
        T whole, part = modf(v, &whole);
        y[16 * n + i] = whole + 1000 * part;
        y[17 * n + i] = lrint(v) + 1000 * llround(w);
        y[18 * n + i] = logb(v) + ilogb(w) * 1000;
      }`,
    nameExpressions: ['exact<float>', 'exact<double>'],
    options: ['--fmad=false'],
    buffers: (random) => {
      const x = Float32Array.from({ length: 64 }, () => (random.integer(-400, 400) || 1) / 8);
      return { x, y: new Float32Array(19 * 64), xd: Float64Array.from(x), yd: new Float64Array(19 * 64) };
    },
    launches: ({ x, y, xd, yd }) => [
      { kernel: 'exact<float>', args: [x, y, 64], block: 64 },
      { kernel: 'exact<double>', args: [xd, yd, 64], block: 64 },
    ],
    expected: ({ x, xd }) => ({ y: exactly(x, Math.fround), yd: exactly(xd, (v) => v) }),
  }),

  kernelCase({
    name: 'math-of-special-values',
    source: `
      __global__ void special(const double *x, int *kinds, double *y)
      {
        int i = threadIdx.x;
        double v = x[i];
        float f = (float)v;
        kinds[i] = (isnan(v) != 0) + 2 * (isinf(v) != 0) + 4 * (isfinite(v) != 0) + 8 * (signbit(v) != 0) + 16 * (f != f);
        y[4 * i] = fmax(v, 1.0);
        y[4 * i + 1] = sqrt(v);
        y[4 * i + 2] = exp(v);
        y[4 * i + 3] = log(v) + 0 * f;
      }`,
    buffers: () => ({
      x: Float64Array.of(0, -0, 1, -1, Infinity, -Infinity, NaN, 1e-310, 800, -800),
      kinds: new Int32Array(10),
      y: new Float64Array(40),
    }),
    launches: ({ x, kinds, y }) => [{ kernel: 'special', args: [x, kinds, y], block: 10 }],
    expected: ({ x }) => ({
      kinds: Array.from(
        x,
        (v) =>
          17 * Number(Number.isNaN(v)) +
          2 * Number(Math.abs(v) === Infinity) +
          4 * Number(Number.isFinite(v)) +
          8 * Number(v < 0 || Object.is(v, -0)),
      ),
      y: Array.from(x, (v) => [
        Number.isNaN(v) ? 1 : Math.max(v, 1),
        Math.sqrt(v),
        Math.exp(v),
        Math.log(v) + 0 * v,
      ]).flat(),
    }),
    tolerance: { ulps: 4 },
  }),

  kernelCase({
    name: 'math-mixed',
    source: `
      // Black and Scholes: the price of an option needs exp, log, sqrt, fabs and erf in one expression.
      __device__ float normal(float d) { return 0.5f * erfcf(-d * 0.70710678f); }
      __global__ void prices(const float *spot, const float *strike, const float *years, float *call, float rate, float sigma)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        float root = sigma * sqrtf(years[i]);
        float d1 = (logf(spot[i] / strike[i]) + (rate + 0.5f * sigma * sigma) * years[i]) / root;
        call[i] = spot[i] * normal(d1) - strike[i] * expf(-rate * years[i]) * normal(d1 - root);
      }`,
    buffers: (random) => ({
      spot: random.floats(64, 20, 25),
      strike: random.floats(64, 18, 25),
      years: random.floats(64, 0.5, 2),
      call: new Float32Array(64),
    }),
    launches: ({ spot, strike, years, call }) => [
      { kernel: 'prices', args: [spot, strike, years, call, 0.02, 0.3], block: 32, grid: 2 },
    ],
    // The mean of the pay-off over the prices that a fine grid of normal deviates leads to.
    expected: ({ spot, strike, years }) => ({
      call: range(64, (i) => {
        const [s, k, t] = [at(spot, i), at(strike, i), at(years, i)];
        const steps = 4000;
        return sum(steps, (j) => {
          const z = -8 + (16 * (j + 0.5)) / steps;
          const later = s * Math.exp((0.02 - 0.045) * t + 0.3 * Math.sqrt(t) * z);
          const weight = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * (16 / steps);
          return Math.exp(-0.02 * t) * Math.max(0, later - k) * weight;
        });
      }),
    }),
    tolerance: { absolute: 2e-4 },
  }),
];

/** The rows of math-exact, in JavaScript. */
function exactly(x: ArrayLike<number>, round: (v: number) => number): number[] {
  const count = x.length;
  const pairs = range(count, (i) => [at(x, i), at(x, count - 1 - i), i] as const);
  const even = (v: number): number => (Math.abs(v % 1) === 0.5 ? 2 * Math.round(v / 2) : Math.round(v));
  const away = (v: number): number => Math.sign(v) * Math.round(Math.abs(v));
  const exponent = (v: number): number => Math.floor(Math.log2(Math.abs(v)));
  const rows: ((v: number, w: number, i: number) => number)[] = [
    Math.floor,
    Math.ceil,
    Math.trunc,
    even,
    away,
    Math.abs,
    (v, w) => Math.min(v, w),
    (v, w) => Math.max(v, w),
    (v, w) => v % w,
    (v, w) => (w < 0 ? -Math.abs(v) : Math.abs(v)),
    (v, w) => Math.max(v - w, 0),
    (v, w) => v - w * even(v / w),
    (v) => round(Math.sqrt(Math.abs(v))),
    (v) => v / 2 ** (exponent(v) + 1),
    (v) => exponent(v) + 1,
    (v, _, i) => v * 2 ** ((i % 9) - 4),
    (v) => Math.trunc(v) + 1000 * (v - Math.trunc(v)),
    (v, w) => even(v) + 1000 * away(w),
    (v, w) => exponent(v) + 1000 * exponent(w),
  ];
  return rows.flatMap((row) => pairs.map(([v, w, i]) => row(v, w, i)));
}
