import { struct } from '../../../../src/core/struct.ts';
import { at, kernelCase, range, sum, type Case } from '../case.ts';

const n = 300;
const shape = { block: 64, grid: 5 } as const;

/** Templates, functions as values, recursion, control flow. */
export const languageCases: readonly Case[] = [
  kernelCase({
    name: 'template-kernels',
    source: `
      template <typename T, int DEGREE> __device__ T horner(const T *c, T x)
      {
        T value = c[DEGREE];
        for (int i = DEGREE - 1; i >= 0; i--) value = value * x + c[i];
        return value;
      }
      template <typename T, int DEGREE> __global__ void polynomial(const T *c, const T *x, T *y, int n)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) y[i] = horner<T, DEGREE>(c, x[i]);
      }`,
    nameExpressions: ['polynomial<double, 4>', 'polynomial<int, 2>'],
    buffers: (random) => ({
      c: random.doubles(5),
      x: random.doubles(n),
      y: new Float64Array(n),
      ci: random.ints(3, -50, 50),
      xi: random.ints(n, -1000, 1000),
      yi: new Int32Array(n),
    }),
    launches: ({ c, x, y, ci, xi, yi }) => [
      { kernel: 'polynomial<double, 4>', args: [c, x, y, n], ...shape },
      { kernel: 'polynomial<int, 2>', args: [ci, xi, yi, n], ...shape },
    ],
    expected: ({ c, x, ci, xi }) => ({
      y: Array.from(x, (v) => sum(5, (k) => at(c, k) * v ** k)),
      yi: Array.from(xi, (v) => sum(3, (k) => at(ci, k) * v ** k)),
    }),
    tolerance: { absolute: 1e-13 },
  }),

  kernelCase({
    name: 'template-lambda-apply',
    source: `
      template <typename F> __device__ void each(int first, int end, int step, F f)
      {
        for (int i = first; i < end; i += step) f(i);
      }
      __global__ void squares_over(const int *x, int *y, int least, int n)
      {
        int start = blockIdx.x * blockDim.x + threadIdx.x, taken = 0;
        each(start, n, gridDim.x * blockDim.x, [=, &taken](int i) {
          y[i] = x[i] > least ? x[i] * x[i] : 0;
          taken += x[i] > least;
        });
        auto add = [](int a, int b) { return a + b; };
        y[n + start] = add(taken, 1);
      }`,
    buffers: (random) => ({ x: random.ints(n, -100, 100), y: new Int32Array(n + 128) }),
    launches: ({ x, y }) => [{ kernel: 'squares_over', args: [x, y, 10, n], block: 32, grid: 4 }],
    expected: ({ x }) => ({
      y: [
        ...Array.from(x, (v) => (v > 10 ? v * v : 0)),
        ...range(128, (t) => 1 + x.filter((v, i) => i % 128 === t && v > 10).length),
      ],
    }),
  }),

  kernelCase({
    name: 'functor-argument',
    source: `
      struct Affine { float scale, shift; __device__ float operator()(float x) const { return scale * x + shift; } };
      struct Clamp { float low, high; __device__ float operator()(float x) const { return x < low ? low : x > high ? high : x; } };
      template <typename F> __global__ void transform(F f, const float *x, float *y, int n)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) y[i] = f(x[i]);
      }`,
    nameExpressions: ['transform<Affine>', 'transform<Clamp>'],
    buffers: (random) => ({ x: random.floats(n), y: new Float32Array(n), z: new Float32Array(n) }),
    launches: ({ x, y, z }) => {
      const Pair = struct({ a: 'f32', b: 'f32' });
      return [
        { kernel: 'transform<Affine>', args: [Pair({ a: 2, b: -0.5 }), x, y, n], ...shape },
        { kernel: 'transform<Clamp>', args: [Pair({ a: -0.25, b: 0.5 }), x, z, n], ...shape },
      ];
    },
    expected: ({ x }) => ({
      y: Array.from(x, (v) => 2 * v - 0.5),
      z: Array.from(x, (v) => Math.min(0.5, Math.max(-0.25, v))),
    }),
    tolerance: { absolute: 1e-6 },
  }),

  kernelCase({
    name: 'function-pointers',
    source: `
      typedef int (*Operation)(int, int);
      __device__ int plus(int a, int b) { return a + b; }
      __device__ int minus(int a, int b) { return a - b; }
      __device__ int times(int a, int b) { return a * b; }
      __device__ int larger(int a, int b) { return a > b ? a : b; }
      __device__ int fold(Operation f, const int *x, int n)
      {
        int value = x[0];
        for (int i = 1; i < n; i++) value = f(value, x[i]);
        return value;
      }
      __device__ Operation table[4] = { plus, minus, times, larger };
      __global__ void fold_rows(const int *x, int *y, int width)
      {
        int row = blockIdx.x * blockDim.x + threadIdx.x;
        y[row] = fold(table[row % 4], x + row * width, width);
      }`,
    buffers: (random) => ({ x: random.ints(64 * 9, -20, 20), y: new Int32Array(64) }),
    launches: ({ x, y }) => [{ kernel: 'fold_rows', args: [x, y, 9], block: 32, grid: 2 }],
    expected: ({ x }) => ({
      y: range(64, (row) => {
        const values = [...x.subarray(row * 9, row * 9 + 9)];
        const folds = [
          (a: number, b: number) => a + b,
          (a: number, b: number) => a - b,
          Math.imul,
          (a: number, b: number) => Math.max(a, b),
        ];
        return values.reduce((a, b) => folds[row % 4]?.(a, b) ?? NaN);
      }),
    }),
  }),

  kernelCase({
    name: 'recursion',
    source: `
      __device__ int ackermann(int m, int n)
      {
        if (m == 0) return n + 1;
        return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
      }
      __device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
      __device__ bool odd(int n);
      __device__ bool even(int n) { return n == 0 || odd(n - 1); }
      __device__ bool odd(int n) { return n != 0 && even(n - 1); }
      __device__ void hanoi(int discs, int from, int to, int via, int *moves, int &count)
      {
        if (discs == 0) return;
        hanoi(discs - 1, from, via, to, moves, count);
        moves[count++] = from * 3 + to;
        hanoi(discs - 1, via, to, from, moves, count);
      }
      __global__ void recurse(int *a, int *f, int *parity, int *moves)
      {
        int i = threadIdx.x, count = 0;
        a[i] = ackermann(2, i);
        f[i] = fibonacci(i);
        parity[i] = even(i * 3);
        if (i == 0) hanoi(4, 0, 1, 2, moves, count);
      }`,
    buffers: () => ({
      a: new Int32Array(16),
      f: new Int32Array(16),
      parity: new Int32Array(16),
      moves: new Int32Array(15),
    }),
    launches: ({ a, f, parity, moves }) => [{ kernel: 'recurse', args: [a, f, parity, moves], block: 16 }],
    expected: () => ({
      a: range(16, (i) => 2 * i + 3),
      f: range(16, (i) => Math.round(((1 + Math.sqrt(5)) / 2) ** i / Math.sqrt(5))),
      parity: range(16, (i) => 1 - (i % 2)),
      // The k-th move by its bits, a known closed form.
      moves: range(15, (step) => {
        const k = step + 1;
        return ((k & (k - 1)) % 3) * 3 + (((k | (k - 1)) + 1) % 3);
      }),
    }),
  }),

  kernelCase({
    name: 'constexpr-and-if-constexpr',
    source: `
      constexpr __device__ int power(int base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }
      template <int N> struct Factorial { static constexpr long long value = N * Factorial<N - 1>::value; };
      template <> struct Factorial<0> { static constexpr long long value = 1; };
      template <typename T> __device__ long long widen(T x)
      {
        if constexpr (sizeof(T) == 1) return x + 1;
        else if constexpr (sizeof(T) == 2) return x + 2;
        else return x + Factorial<20>::value;
      }
      template <typename... Ts> __device__ long long total(Ts... xs) { return (widen(xs) + ...); }
      static_assert(power(3, 4) == 81);
      __global__ void constants(const int *x, long long *y)
      {
        int i = threadIdx.x;
        constexpr int weights[] = { power(2, 0), power(3, 1), power(5, 2), power(7, 3) };
        y[i] = weights[i % 4] * total((signed char)x[i], (short)x[i], x[i]);
      }`,
    buffers: (random) => ({ x: random.ints(32), y: new BigInt64Array(32) }),
    launches: ({ x, y }) => [{ kernel: 'constants', args: [x, y], block: 32 }],
    expected: ({ x }) => ({
      y: Array.from(x, (v, i) => {
        const total = BigInt(((v << 24) >> 24) + 1 + ((v << 16) >> 16) + 2 + v) + 2432902008176640000n;
        return BigInt.asIntN(64, BigInt([1, 3, 25, 343][i % 4] ?? 0) * total);
      }),
    }),
  }),

  kernelCase({
    name: 'switch-and-goto',
    source: `
      // A machine that reads digits, signs and blanks: it sums the numbers of a text.
      __global__ void sum_numbers(const char *text, int width, int *sums)
      {
        const char *p = text + threadIdx.x * width, *end = p + width;
        int sum = 0, sign = 1;
        unsigned value = 0;
      start:
        if (p == end) goto done;
        switch (*p) {
        case '-':
          sign = -sign;
          // fall through
        case '+':
          p++;
          goto start;
        case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
          goto number;
        default:
          sign = 1;
          p++;
          goto start;
        }
      number:
        value = 0;
        do value = value * 10 + (*p++ - '0');
        while (p != end && *p >= '0' && *p <= '9');
        sum += sign * (int)value;
        sign = 1;
        goto start;
      done:
        sums[threadIdx.x] = sum;
      }`,
    buffers: (random) => ({
      text: Uint8Array.from({ length: 40 * 25 }, () => '+-0123456789  0123456789'.charCodeAt(random.integer(0, 24))),
      sums: new Int32Array(40),
    }),
    launches: ({ text, sums }) => [{ kernel: 'sum_numbers', args: [text, 25, sums], block: 40 }],
    expected: ({ text }) => ({
      sums: range(40, (row) => {
        const line = String.fromCharCode(...text.subarray(row * 25, row * 25 + 25));
        const found = [...line.matchAll(/([+-]*)([0-9]+)/g)];
        return found.reduce((total, [, signs = '', digits]) => {
          const sign = (-1) ** signs.replaceAll('+', '').length;
          return (total + sign * Number(BigInt.asIntN(32, BigInt(digits ?? 0)))) | 0;
        }, 0);
      }),
    }),
  }),

  kernelCase({
    name: 'collatz',
    source: `
      __global__ void collatz(int *steps, int n)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        unsigned long long x = i + 1;
        int count = 0;
        while (true) {
          if (x == 1) break;
          count++;
          if (x % 2 == 0) { x /= 2; continue; }
          x = 3 * x + 1;
        }
        steps[i] = count;
      }`,
    buffers: () => ({ steps: new Int32Array(1000) }),
    launches: ({ steps }) => [{ kernel: 'collatz', args: [steps, 1000], block: 128, grid: 8 }],
    expected: () => {
      const memo = new Map([[1, 0]]);
      const length = (x: number): number => {
        const known = memo.get(x) ?? 1 + length(x % 2 === 0 ? x / 2 : 3 * x + 1);
        memo.set(x, known);
        return known;
      };
      return { steps: range(1000, (i) => length(i + 1)) };
    },
  }),

  kernelCase({
    name: 'private-arrays',
    source: `
      __global__ void sort_rows(const int *x, int *y)
      {
        constexpr int WIDTH = 13;
        int row = blockIdx.x * blockDim.x + threadIdx.x, values[WIDTH];
        for (int i = 0; i < WIDTH; i++) {
          int v = x[row * WIDTH + i], j = i;
          for (; j > 0 && values[j - 1] > v; j--) values[j] = values[j - 1];
          values[j] = v;
        }
        for (int i = 0; i < WIDTH; i++) y[row * WIDTH + i] = values[i];
      }`,
    buffers: (random) => ({ x: random.ints(96 * 13), y: new Int32Array(96 * 13) }),
    launches: ({ x, y }) => [{ kernel: 'sort_rows', args: [x, y], block: 48, grid: 2 }],
    expected: ({ x }) => ({ y: range(96, (row) => [...x.slice(row * 13, row * 13 + 13).sort()]).flat() }),
  }),

  kernelCase({
    name: 'references-and-range-for',
    source: `
      struct Range { int low, high; };
      __device__ Range limits(const int (&values)[8])
      {
        Range r = { values[0], values[0] };
        for (const int &v : values) {
          if (v < r.low) r.low = v;
          if (v > r.high) r.high = v;
        }
        return r;
      }
      __device__ void swap(int &a, int &b) { int t = a; a = b; b = t; }
      __device__ int scaled(int x, int by = 3) { return x * by; }
      __global__ void describe(const int *x, int *low, int *high)
      {
        int i = threadIdx.x, values[8];
        for (int k = 0; k < 8; k++) values[k] = x[i * 8 + k];
        auto [a, b] = limits(values);
        if (i % 2 == 0) swap(a, b);
        low[i] = scaled(a);
        high[i] = scaled(b, 5);
      }`,
    buffers: (random) => ({ x: random.ints(8 * 50, -999, 999), low: new Int32Array(50), high: new Int32Array(50) }),
    launches: ({ x, low, high }) => [{ kernel: 'describe', args: [x, low, high], block: 50 }],
    expected: ({ x }) => {
      const rows = range(50, (i) => [...x.subarray(i * 8, i * 8 + 8)]);
      const limits = rows.map((row, i) => {
        const pair = [Math.min(...row), Math.max(...row)] as const;
        return i % 2 === 0 ? ([pair[1], pair[0]] as const) : pair;
      });
      return { low: limits.map(([a]) => 3 * a), high: limits.map(([, b]) => 5 * b) };
    },
  }),

  kernelCase({
    name: 'overloads-and-namespaces',
    source: `
      namespace metric {
        namespace { __device__ float root(float x) { return sqrtf(x); } }
        __device__ float length(float2 v) { return root(v.x * v.x + v.y * v.y); }
        __device__ float length(float3 v) { return root(v.x * v.x + v.y * v.y + v.z * v.z); }
        __device__ int length(int v) { return v < 0 ? -v : v; }
      }
      using metric::length;
      extern "C" __global__ void lengths(const float *x, float *y)
      {
        int i = threadIdx.x;
        const float *p = x + 3 * i;
        y[i] = i % 3 == 0 ? length(make_float2(p[0], p[1]))
             : i % 3 == 1 ? length(make_float3(p[0], p[1], p[2])) : length((int)(100 * p[0]));
      }`,
    buffers: (random) => ({ x: random.floats(150), y: new Float32Array(50) }),
    launches: ({ x, y }) => [{ kernel: 'lengths', args: [x, y], block: 50 }],
    expected: ({ x }) => ({
      y: range(50, (i) => {
        const [a, b, c] = [at(x, 3 * i), at(x, 3 * i + 1), at(x, 3 * i + 2)];
        if (i % 3 === 2) return Math.abs(Math.trunc(Math.fround(100 * a)));
        return i % 3 === 0 ? Math.hypot(a, b) : Math.hypot(a, b, c);
      }),
    }),
    tolerance: { ulps: 3 },
  }),
];
