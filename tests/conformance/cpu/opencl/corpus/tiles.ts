import { at, range, sum } from '../../case.ts';
import { openCLCase, type OpenCLCase } from '../case.ts';

/** Matrices, grids and what lies beside a cell. */
export const tileCases: readonly OpenCLCase[] = [
  openCLCase({
    name: 'tiled-matmul',
    source: `
      #define T 8
      kernel void matmul(global const float *a, global const float *b, global float *c, int m, int n, int k) {
        local float ta[T][T], tb[T][T];
        int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
        float sum = 0;
        for (int t = 0; t < k; t += T) {
          ta[ly][lx] = y < m && t + lx < k ? a[y * k + t + lx] : 0;
          tb[ly][lx] = x < n && t + ly < k ? b[(t + ly) * n + x] : 0;
          barrier(CLK_LOCAL_MEM_FENCE);
          for (int i = 0; i < T; i++) sum = mad(ta[ly][i], tb[i][lx], sum);
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (x < n && y < m) c[y * n + x] = sum;
      }`,
    buffers: (random) => ({ a: random.floats(30 * 45), b: random.floats(45 * 35), c: new Float32Array(30 * 35) }),
    launches: ({ a, b, c }) => [{ kernel: 'matmul', args: [a, b, c, 30, 35, 45], global: [40, 32], local: [8, 8] }],
    expected: ({ a, b }) => ({
      c: range(30 * 35, (i) => sum(45, (k) => at(a, Math.floor(i / 35) * 45 + k) * at(b, k * 35 + (i % 35)))),
    }),
    tolerance: { relative: 1e-5, absolute: 1e-5 },
  }),

  openCLCase({
    name: 'matrix-times-vector',
    source: `
      kernel void matvec(global const int4 *m, constant int4 *v, global int *out, int width) {
        local int parts[16][4];
        int row = get_global_id(1), l = get_local_id(0);
        int4 sum = 0;
        for (int i = l; i < width; i += 4) sum += m[row * width + i] * v[i];
        parts[get_local_id(1)][l] = sum.x + sum.y + sum.z + sum.w;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0) out[row] = parts[get_local_id(1)][0] + parts[get_local_id(1)][1] + parts[get_local_id(1)][2] + parts[get_local_id(1)][3];
      }`,
    buffers: (random) => ({ m: random.ints(64 * 40, -99, 99), v: random.ints(40, -99, 99), out: new Int32Array(64) }),
    launches: ({ m, v, out }) => [{ kernel: 'matvec', args: [m, v, out, 10], global: [4, 64], local: [4, 16] }],
    expected: ({ m, v }) => ({ out: range(64, (row) => sum(40, (k) => at(m, row * 40 + k) * at(v, k))) }),
  }),

  openCLCase({
    name: 'stencil-in-two-dimensions',
    source: `
      kernel void blur(global const float *in, global float *out, int width, int height) {
        local float tile[10][18];
        int lx = get_local_id(0), ly = get_local_id(1), x0 = get_group_id(0) * 16 - 1, y0 = get_group_id(1) * 8 - 1;
        for (int y = ly; y < 10; y += 8)
          for (int x = lx; x < 18; x += 16)
            tile[y][x] = in[clamp(y0 + y, 0, height - 1) * width + clamp(x0 + x, 0, width - 1)];
        barrier(CLK_LOCAL_MEM_FENCE);
        float sum = 0;
        for (int dy = 0; dy < 3; dy++)
          for (int dx = 0; dx < 3; dx++) sum += tile[ly + dy][lx + dx] * (1 << (dx == 1) << (dy == 1));
        if (get_global_id(0) < width && get_global_id(1) < height) out[get_global_id(1) * width + get_global_id(0)] = sum / 16;
      }`,
    buffers: (random) => ({
      in: random.floats(50 * 30).map((v) => Math.round(v * 128)),
      out: new Float32Array(50 * 30),
    }),
    launches: (memory) => [{ kernel: 'blur', args: [memory.in, memory.out, 50, 30], global: [64, 32], local: [16, 8] }],
    expected: (buffers) => {
      const cell = (x: number, y: number): number =>
        at(buffers.in, Math.min(29, Math.max(0, y)) * 50 + Math.min(49, Math.max(0, x)));
      const weight = (d: number): number => (d === 1 ? 2 : 1);
      return {
        out: range(1500, (i) => sum(9, (k) => {
          const [dx, dy] = [k % 3, Math.floor(k / 3)];
          return cell((i % 50) + dx - 1, Math.floor(i / 50) + dy - 1) * weight(dx) * weight(dy);
        }) / 16), // prettier-ignore
      };
    },
  }),

  openCLCase({
    name: 'stencil-in-three-dimensions',
    source: `
      kernel void diffuse(global const float *in, global float *out, float rate) {
        int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
        int w = get_global_size(0), h = get_global_size(1), d = get_global_size(2), i = (z * h + y) * w + x;
        float own = in[i], sum = 0;
        sum += (x > 0 ? in[i - 1] : own) + (x < w - 1 ? in[i + 1] : own);
        sum += (y > 0 ? in[i - w] : own) + (y < h - 1 ? in[i + w] : own);
        sum += (z > 0 ? in[i - w * h] : own) + (z < d - 1 ? in[i + w * h] : own);
        out[i] = own + rate * (sum - 6 * own);
      }`,
    buffers: (random) => ({ a: random.floats(12 * 10 * 8), b: new Float32Array(960) }),
    launches: ({ a, b }) =>
      range(4, (step) => ({
        kernel: 'diffuse',
        args: step % 2 === 0 ? [a, b, 0.125] : [b, a, 0.125],
        global: [12, 10, 8],
        local: [4, 5, 2],
      })),
    expected: ({ a }) => {
      let now = [...a];
      for (let step = 0; step < 4; step++) {
        const old = now;
        now = old.map((own, i) => {
          const [x, y, z] = [i % 12, Math.floor(i / 12) % 10, Math.floor(i / 120)];
          const other = (inside: boolean, by: number): number => (inside ? at(old, i + by) : own);
          const total =
            other(x > 0, -1) +
            other(x < 11, 1) +
            other(y > 0, -12) +
            other(y < 9, 12) +
            other(z > 0, -120) +
            other(z < 7, 120);
          return own + 0.125 * (total - 6 * own);
        });
      }
      return { a: now };
    },
    tolerance: { relative: 1e-5, absolute: 1e-6 },
  }),

  openCLCase({
    name: 'separable-filter',
    source: `
      constant float weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
      kernel void rows(global const float *in, global float *out, int n) {
        int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
        float sum = 0;
        for (int k = -n; k <= n; k++) sum += weights[k + n] * in[y * w + (x + k + w) % w];
        out[y * w + x] = sum;
      }
      kernel void columns(global const float *in, global float *out, int n) {
        int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
        float sum = 0;
        for (int k = -n; k <= n; k++) sum += weights[k + n] * in[(y + k + h) % h * w + x];
        out[y * w + x] = sum;
      }`,
    buffers: (random) => ({
      in: random.floats(32 * 20).map((v) => Math.round(v * 16)),
      between: new Float32Array(640),
      out: new Float32Array(640),
    }),
    launches: (memory) => [
      { kernel: 'rows', args: [memory.in, memory.between, 2], global: [32, 20], local: null },
      { kernel: 'columns', args: [memory.between, memory.out, 2], global: [32, 20], local: [8, 4] },
    ],
    expected: (buffers) => {
      const weights = [0.0625, 0.25, 0.375, 0.25, 0.0625];
      const rows = range(640, (i) =>
        sum(5, (k) => at(weights, k) * at(buffers.in, i - (i % 32) + ((i + k + 30) % 32))),
      );
      return {
        out: range(640, (i) =>
          sum(5, (k) => at(weights, k) * at(rows, (Math.floor(i / 32 + k + 18) % 20) * 32 + (i % 32))),
        ),
      };
    },
  }),

  openCLCase({
    name: 'game-of-life',
    source: `
      kernel void life(global const uchar *in, global uchar *out) {
        int w = get_global_size(0), h = get_global_size(1), x = get_global_id(0), y = get_global_id(1), count = 0;
        for (int dy = -1; dy <= 1; dy++)
          for (int dx = -1; dx <= 1; dx++) count += (dx || dy) && in[(y + dy + h) % h * w + (x + dx + w) % w];
        out[y * w + x] = count == 3 || (count == 2 && in[y * w + x]);
      }`,
    buffers: (random) => ({ a: random.bytes(40 * 24, 0, 10).map((v) => (v < 4 ? 1 : 0)), b: new Uint8Array(960) }),
    launches: ({ a, b }) =>
      range(6, (step) => ({
        kernel: 'life',
        args: step % 2 === 0 ? [a, b] : [b, a],
        global: [40, 24],
        local: [8, 8],
      })),
    expected: ({ a }) => {
      let now = [...a];
      for (let step = 0; step < 6; step++) {
        const old = now;
        now = old.map((own, i) => {
          const [x, y] = [(i % 40) + 40, Math.floor(i / 40) + 24];
          const around = [-1, 0, 1].flatMap((dy) =>
            [-1, 0, 1].map((dx) => at(old, ((y + dy) % 24) * 40 + ((x + dx) % 40))),
          );
          const count = around.reduce((p, q) => p + q) - own;
          return count === 3 || (count === 2 && own === 1) ? 1 : 0;
        });
      }
      return { a: now };
    },
  }),

  openCLCase({
    name: 'sparse-matrix-times-vector',
    source: `
      kernel void spmv(global const int *starts, global const int *columns, global const double *values,
                       global const double *x, global double *y, int n) {
        for (int row = get_global_id(0); row < n; row += get_global_size(0)) {
          double sum = 0;
          for (int k = starts[row]; k < starts[row + 1]; k++) sum += values[k] * x[columns[k]];
          y[row] = sum;
        }
      }`,
    buffers: (random) => {
      const lengths = random.ints(150, 0, 9);
      let total = 0;
      const starts = Int32Array.from([0, ...Array.from(lengths, (v) => (total += v))]);
      return {
        starts,
        columns: random.ints(total, 0, 150),
        values: random.doubles(total),
        x: random.doubles(150),
        y: new Float64Array(150),
      };
    },
    launches: ({ starts, columns, values, x, y }) => [
      { kernel: 'spmv', args: [starts, columns, values, x, y, 150], global: 64, local: 16 },
    ],
    expected: ({ starts, columns, values, x }) => ({
      y: range(150, (row) =>
        sum(
          at(starts, row + 1) - at(starts, row),
          (k) => at(values, at(starts, row) + k) * at(x, at(columns, at(starts, row) + k)),
        ),
      ),
    }),
    tolerance: { relative: 1e-13, absolute: 1e-15 },
  }),
];
