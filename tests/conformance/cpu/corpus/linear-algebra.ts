import { at, kernelCase, range, sum, type Case } from '../case.ts';

/** Matrices and vectors, dense and sparse. */
export const linearAlgebraCases: readonly Case[] = [
  kernelCase({
    name: 'spmv-csr',
    source: `
      // Compressed rows: a warp walks along a row, then sums what its lanes have.
      __global__ void spmv(const int *start, const int *column, const float *value, const float *x, float *y, int rows)
      {
        int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
        if (row >= rows) return;
        float sum = 0;
        for (int e = start[row] + lane; e < start[row + 1]; e += 32) sum += value[e] * x[column[e]];
        for (int lanes = 16; lanes; lanes /= 2) sum += __shfl_down_sync(0xffffffff, sum, lanes);
        if (lane == 0) y[row] = sum;
      }`,
    buffers: (random) => {
      const rows = range(45, () => range(60).filter(() => random.real() < 0.4));
      const starts = rows.map((_, r) => sum(r, (k) => rows[k]?.length ?? 0));
      const entries = rows.flat();
      return {
        start: Int32Array.of(...starts, entries.length),
        column: Int32Array.from(entries),
        value: random.floats(entries.length),
        x: random.floats(60),
        y: new Float32Array(45),
      };
    },
    launches: ({ start, column, value, x, y }) => [
      { kernel: 'spmv', args: [start, column, value, x, y, 45], block: 128, grid: 12 },
    ],
    expected: ({ start, column, value, x }) => {
      const dense = range(45, () => new Float64Array(60));
      dense.forEach((row, r) => {
        for (let e = at(start, r); e < at(start, r + 1); e++) row[at(column, e)] = at(value, e);
      });
      return { y: dense.map((row) => sum(60, (c) => at(row, c) * at(x, c))) };
    },
    tolerance: { absolute: 1e-5 },
  }),

  kernelCase({
    name: 'matrix-vector',
    source: `
      // A block a row; the vector lies in constant memory.
      __constant__ double vector[100];
      __global__ void multiply(const double *a, double *y, int columns)
      {
        __shared__ double cache[64];
        double sum = 0;
        for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += a[blockIdx.x * columns + c] * vector[c];
        cache[threadIdx.x] = sum;
        for (int half = 32; half > 0; half /= 2) {
          __syncthreads();
          if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
        }
        if (!threadIdx.x) y[blockIdx.x] = cache[0];
      }`,
    buffers: (random) => ({ a: random.doubles(30 * 100), x: random.doubles(100), y: new Float64Array(30) }),
    globals: ({ x }) => ({ vector: x }),
    launches: ({ a, y }) => [{ kernel: 'multiply', args: [a, y, 100], block: 64, grid: 30 }],
    expected: ({ a, x }) => ({ y: range(30, (r) => sum(100, (c) => at(a, r * 100 + c) * at(x, c))) }),
    tolerance: { absolute: 1e-13 },
  }),

  kernelCase({
    name: 'floyd-warshall',
    source: `
      __global__ void relax(int *distance, int n, int k)
      {
        int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n || j >= n || i == k || j == k) return;
        int through = min(distance[i * n + k] + distance[k * n + j], 1000000);
        if (through < distance[i * n + j]) distance[i * n + j] = through;
      }`,
    buffers: (random) => ({
      distance: Int32Array.from(
        range(900, (e) => (e % 31 === 0 ? 0 : random.real() < 0.12 ? random.integer(1, 50) : 1_000_000)),
      ),
    }),
    launches: ({ distance }) =>
      range(30, (k) => ({ kernel: 'relax', args: [distance, 30, k], block: [8, 8], grid: [4, 4] })),
    // Bellman and Ford, from each vertex.
    expected: ({ distance }) => ({
      distance: range(30, (from) => {
        let best = [...distance.subarray(from * 30, from * 30 + 30)];
        for (let round = 0; round < 30; round++) {
          best = best.map((d, to) => Math.min(d, ...best.map((via, v) => via + at(distance, v * 30 + to))));
        }
        return best;
      }).flat(),
    }),
  }),

  kernelCase({
    name: 'lu-step',
    source: `
      // Elimination without pivots, a block a matrix: one column after the other, with barriers between.
      __global__ void lu(double *matrices, int n)
      {
        extern __shared__ double a[];
        double *matrix = matrices + blockIdx.x * n * n;
        int x = threadIdx.x, y = threadIdx.y;
        a[y * n + x] = matrix[y * n + x];
        __syncthreads();
        for (int k = 0; k < n - 1; k++) {
          if (x == k && y > k) a[y * n + k] /= a[k * n + k];
          __syncthreads();
          if (x > k && y > k) a[y * n + x] -= a[y * n + k] * a[k * n + x];
          __syncthreads();
        }
        matrix[y * n + x] = a[y * n + x];
      }
      __global__ void multiply(const double *matrices, double *products, int n)
      {
        const double *m = matrices + blockIdx.x * n * n;
        int x = threadIdx.x, y = threadIdx.y;
        double sum = 0;
        for (int k = 0; k <= min(x, y); k++) sum += (k == y ? 1 : m[y * n + k]) * m[k * n + x];
        products[(blockIdx.x * n + y) * n + x] = sum;
      }`,
    buffers: (random) => ({
      matrices: random.doubles(3 * 144).map((v, e) => ((e % 144) % 13 === 0 ? v + 12 : v)),
      products: new Float64Array(3 * 144),
    }),
    launches: ({ matrices, products }) => [
      { kernel: 'lu', args: [matrices, 12], block: [12, 12], grid: 3, shared: 144 * 8 },
      { kernel: 'multiply', args: [matrices, products, 12], block: [12, 12], grid: 3 },
    ],
    // The factors multiply to the matrix.
    expected: ({ matrices }) => ({ products: matrices }),
    tolerance: { absolute: 1e-13 },
  }),

  kernelCase({
    name: 'jacobi-solver',
    source: `
      // Until no unknown moves by more than a bound, or too many rounds have gone by.
      __global__ void solve(const float *a, const float *b, float *x, int n, float bound, int *rounds)
      {
        __shared__ float now[64];
        int i = threadIdx.x, round = 0;
        bool moving = true;
        if (i < n) now[i] = 0;
        __syncthreads();
        for (; moving && round < 100; round++) {
          float next = 0;
          if (i < n) {
            next = b[i];
            for (int j = 0; j < n; j++)
              if (j != i) next -= a[i * n + j] * now[j];
            next /= a[i * n + i];
          }
          moving = __syncthreads_or(i < n && fabsf(next - now[i]) > bound);
          if (i < n) now[i] = next;
          __syncthreads();
        }
        if (i < n) x[i] = now[i];
        if (i == 0) *rounds = round;
      }
      __global__ void residual(const float *a, const float *b, const float *x, float *r, int n, const int *rounds)
      {
        float sum = -b[threadIdx.x];
        for (int j = 0; j < n; j++) sum += a[threadIdx.x * n + j] * x[j];
        r[threadIdx.x] = *rounds < 100 ? sum : 1;
      }`,
    buffers: (random) => ({
      a: random.floats(40 * 40, 0, 1).map((v, e) => (e % 41 === 0 ? 40 + v : v)),
      b: random.floats(40),
      x: new Float32Array(40),
      r: new Float32Array(40),
      rounds: new Int32Array(1),
    }),
    launches: ({ a, b, x, r, rounds }) => [
      { kernel: 'solve', args: [a, b, x, 40, 1e-6, rounds], block: 64 },
      { kernel: 'residual', args: [a, b, x, r, 40, rounds], block: 40 },
    ],
    expected: () => ({ r: new Float32Array(40) }),
    tolerance: { absolute: 1e-4 },
  }),
];
