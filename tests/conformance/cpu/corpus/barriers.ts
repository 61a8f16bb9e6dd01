import { at, kernelCase, range, sum, type Case } from '../case.ts';

/** Where barriers may stand: after early exits, in helpers, loops and branches that the whole block takes. */
export const barrierCases: readonly Case[] = [
  kernelCase({
    name: 'early-return-before-barrier',
    source: `
      __global__ void rotate_front(const int *x, int *y, int n)
      {
        __shared__ int cache[64];
        int i = threadIdx.x;
        if (i >= n) return;
        cache[i] = x[blockIdx.x * n + i];
        __syncthreads();
        y[blockIdx.x * n + i] = cache[(i + 1) % n];
      }`,
    buffers: (random) => ({ x: random.ints(50 * 3), y: new Int32Array(50 * 3) }),
    launches: ({ x, y }) => [{ kernel: 'rotate_front', args: [x, y, 50], block: 64, grid: 3 }],
    expected: ({ x }) => ({ y: range(150, (i) => at(x, i - (i % 50) + ((i + 1) % 50))) }),
  }),

  kernelCase({
    name: 'barrier-in-helpers',
    source: `
      template <typename T> __device__ T broadcast_from(T value, int thread)
      {
        __shared__ T box;
        __syncthreads();
        if (threadIdx.x == thread) box = value;
        __syncthreads();
        return box;
      }
      __device__ int total(int value) 
      {
        int sum = 0;
        for (int t = 0; t < blockDim.x; t += 7) sum += broadcast_from(value, t);
        return sum;
      }
      __global__ void helpers(const int *x, int *y, float *z)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        int sum = total(x[i]);
        float last = broadcast_from((float)x[i], blockDim.x - 1);
        y[i] = sum + x[i];
        z[i] = last * 0.5f;
      }`,
    buffers: (random) => ({ x: random.ints(96, -500, 500), y: new Int32Array(96), z: new Float32Array(96) }),
    launches: ({ x, y, z }) => [{ kernel: 'helpers', args: [x, y, z], block: 48, grid: 2 }],
    expected: ({ x }) => ({
      y: Array.from(x, (v, i) => v + sum(7, (k) => at(x, i - (i % 48) + 7 * k))),
      z: range(96, (i) => at(x, i - (i % 48) + 47) / 2),
    }),
  }),

  kernelCase({
    name: 'barriers-in-loops',
    source: `
      // Heat in a rod: both ends are kept, each step waits for the one before.
      __global__ void heat(float *rod, int n, int steps, float stop)
      {
        extern __shared__ float cells[];
        float *now = cells, *next = cells + n;
        int i = threadIdx.x;
        now[i] = rod[blockIdx.x * n + i];
        __syncthreads();
        for (int s = 0; s < steps; s++) {
          bool edge = i == 0 || i == n - 1;
          next[i] = edge ? now[i] : 0.25f * now[i - 1] + 0.5f * now[i] + 0.25f * now[i + 1];
          __syncthreads();
          float *old = now;
          now = next;
          next = old;
          if (now[n / 2] > stop) break;
        }
        rod[blockIdx.x * n + i] = now[i];
      }`,
    buffers: (random) => ({ rod: random.floats(4 * 40, 0, 1).map((v, i) => (i % 40 === 0 ? 5 + i : v)) }),
    launches: ({ rod }) => [{ kernel: 'heat', args: [rod, 40, 120, 1.25], block: 40, grid: 4, shared: 40 * 8 }],
    expected: ({ rod }) => ({
      rod: range(4, (b) => {
        let now = [...rod.subarray(b * 40, b * 40 + 40)];
        for (let s = 0; s < 120; s++) {
          now = now.map((v, i) => (i % 39 === 0 ? v : 0.25 * at(now, i - 1) + 0.5 * v + 0.25 * at(now, i + 1)));
          if (at(now, 20) > 1.25) break;
        }
        return now;
      }).flat(),
    }),
    tolerance: { relative: 1e-5 },
  }),

  kernelCase({
    name: 'uniform-branches',
    source: `
      __global__ void branches(const int *x, int *y, const int *modes)
      {
        __shared__ int a[32], b[32];
        int i = threadIdx.x, g = blockIdx.x * 32 + i;
        a[i] = x[g];
        __syncthreads();
        switch (modes[blockIdx.x]) {
        case 0:
          y[g] = a[31 - i];
          break;
        case 1:
          b[i] = a[i] + a[(i + 1) % 32];
          __syncthreads();
          y[g] = b[31 - i];
          break;
        case 2:
          for (int k = 0; k < 3; k++) {
            b[i] = a[(i + 1) % 32];
            __syncthreads();
            a[i] = b[i] + k;
            __syncthreads();
          }
          // fall through
        default:
          if (i % 2) y[g] = a[i];
          else y[g] = a[i] * 2;
        }
      }`,
    buffers: (random) => ({
      x: random.ints(6 * 32, -1000, 1000),
      y: new Int32Array(6 * 32),
      modes: Int32Array.of(2, 0, 1, 3, 2, 1),
    }),
    launches: ({ x, y, modes }) => [{ kernel: 'branches', args: [x, y, modes], block: 32, grid: 6 }],
    expected: ({ x, modes }) => ({
      y: range(192, (g) => {
        const i = g % 32;
        const v = (k: number): number => at(x, g - i + (k % 32));
        const plain = (value: number): number => (i % 2 === 1 ? value : 2 * value);
        const byMode = [v(31 - i), v(31 - i) + v(32 - i), plain(v(i + 3) + 3), plain(v(i))];
        return at(byMode, at(modes, Math.floor(g / 32)));
      }),
    }),
  }),

  kernelCase({
    name: 'counting-barriers',
    source: `
      __global__ void votes(const int *x, int *y)
      {
        int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
        int negative = __syncthreads_count(x[i] < 0);
        int all = __syncthreads_and(x[i] > -90);
        int some = __syncthreads_or(x[i] > 90);
        y[i] = negative * 4 + (all != 0) * 2 + (some != 0);
      }`,
    buffers: (random) => ({ x: random.ints(45 * 16, -92, 93), y: new Int32Array(45 * 16) }),
    launches: ({ x, y }) => [{ kernel: 'votes', args: [x, y], block: [9, 5], grid: 16 }],
    expected: ({ x }) => ({
      y: range(720, (i) => {
        const block = [...x.subarray(i - (i % 45), i - (i % 45) + 45)];
        const [all, some] = [Math.min(...block) > -90, Math.max(...block) > 90];
        return block.filter((v) => v < 0).length * 4 + Number(all) * 2 + Number(some);
      }),
    }),
  }),

  kernelCase({
    name: 'or-until-settled',
    source: `
      // Labels of connected cells: each takes the least label beside it until no cell of the block changes.
      __global__ void label(const unsigned char *cells, int *labels)
      {
        constexpr int SIDE = 12;
        __shared__ int shared[SIDE + 2][SIDE + 2];
        int x = threadIdx.x + 1, y = threadIdx.y + 1, i = threadIdx.y * SIDE + threadIdx.x;
        bool full = cells[blockIdx.x * SIDE * SIDE + i];
        for (int k = i; k < (SIDE + 2) * (SIDE + 2); k += SIDE * SIDE) shared[k / (SIDE + 2)][k % (SIDE + 2)] = 9999;
        __syncthreads();
        if (full) shared[y][x] = i;
        bool changed;
        do {
          __syncthreads();
          int least = min(min(shared[y - 1][x], shared[y + 1][x]), min(shared[y][x - 1], shared[y][x + 1]));
          changed = full && least < shared[y][x];
          __syncthreads();
          if (changed) shared[y][x] = least;
        } while (__syncthreads_or(changed));
        labels[blockIdx.x * SIDE * SIDE + i] = shared[y][x];
      }`,
    buffers: (random) => ({
      cells: random.bytes(288, 0, 100).map((v) => (v < 58 ? 1 : 0)),
      labels: new Int32Array(288),
    }),
    launches: ({ cells, labels }) => [{ kernel: 'label', args: [cells, labels], block: [12, 12], grid: 2 }],
    expected: ({ cells }) => {
      const labels = range(288, () => 9999);
      const fill = (cell: number, label: number): void => {
        if (cells[cell] !== 1 || labels[cell] !== 9999) return;
        labels[cell] = label;
        const [column, row] = [cell % 12, Math.floor((cell % 144) / 12)];
        if (column > 0) fill(cell - 1, label);
        if (column < 11) fill(cell + 1, label);
        if (row > 0) fill(cell - 12, label);
        if (row < 11) fill(cell + 12, label);
      };
      range(288).forEach((cell) => fill(cell, cell % 144));
      return { labels };
    },
  }),

  kernelCase({
    name: 'private-pointers-across-barriers',
    source: `
      __global__ void pick(const int *x, int *y)
      {
        __shared__ int best[16];
        int i = threadIdx.x, values[6], *place = values;
        for (int k = 0; k < 6; k++) {
          values[k] = x[i * 6 + k];
          if (values[k] > *place) place = &values[k];
        }
        best[i] = *place;
        __syncthreads();
        *place = best[(i + 1) % 16];
        values[0] += 1;
        __syncthreads();
        best[i] = values[0] + values[5];
        __syncthreads();
        int sum = 0;
        for (int k = 0; k < 6; k++) sum += (k + 1) * values[k];
        y[i] = sum + best[(i + 3) % 16] + (int)(place - values);
      }`,
    buffers: (random) => ({ x: random.ints(96, -100, 100), y: new Int32Array(16) }),
    launches: ({ x, y }) => [{ kernel: 'pick', args: [x, y], block: 16 }],
    expected: ({ x }) => {
      const rows = range(16, (i) => [...x.subarray(i * 6, i * 6 + 6)]);
      const places = rows.map((row) => row.indexOf(Math.max(...row)));
      const after = rows.map((row, i) => {
        const next = rows[(i + 1) % 16] ?? [];
        return row.map((v, k) => (k === places[i] ? Math.max(...next) : v) + (k === 0 ? 1 : 0));
      });
      const ends = after.map((row) => at(row, 0) + at(row, 5));
      return {
        y: after.map((row, i) => sum(6, (k) => (k + 1) * at(row, k)) + at(ends, (i + 3) % 16) + at(places, i)),
      };
    },
  }),

  kernelCase({
    name: 'nested-loops-with-barriers',
    source: `
      __global__ void nested(const int *x, int *y, int rounds)
      {
        __shared__ int cells[3][24];
        int i = threadIdx.x, value = x[blockIdx.x * 24 + i];
        for (int r = 0; r < rounds; r++) {
          for (int level = 0; level <= r % 3; level++) {
            cells[level][i] = value + level;
            __syncthreads();
            int left = cells[level][(i + 23) % 24];
            if (level == 1 && r > 3) continue;
            value = value * 3 + left;
            __syncthreads();
          }
          value &= 0xffff;
        }
        y[blockIdx.x * 24 + i] = value;
      }`,
    buffers: (random) => ({ x: random.ints(48, 0, 1000), y: new Int32Array(48) }),
    launches: ({ x, y }) => [{ kernel: 'nested', args: [x, y, 8], block: 24, grid: 2 }],
    expected: ({ x }) => ({
      y: range(2, (b) => {
        let row = [...x.subarray(b * 24, b * 24 + 24)];
        for (let r = 0; r < 8; r++) {
          for (let level = 0; level <= r % 3; level++) {
            if (level === 1 && r > 3) continue;
            row = row.map((v, i) => v * 3 + at(row, (i + 23) % 24) + level);
          }
          row = row.map((v) => v & 0xffff);
        }
        return row;
      }).flat(),
    }),
  }),

  kernelCase({
    name: 'barriers-in-three-dimensions',
    source: `
      __global__ void flip(const int *x, int *y)
      {
        __shared__ int box[3][4][5];
        int n = 60, block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
        int i = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
        box[threadIdx.z][threadIdx.y][threadIdx.x] = x[block * n + i];
        __syncthreads();
        y[block * n + i] = box[2 - threadIdx.z][3 - threadIdx.y][4 - threadIdx.x] + (int)(gridDim.z * 100 + blockDim.z);
      }`,
    buffers: (random) => ({ x: random.ints(60 * 12, -999, 999), y: new Int32Array(60 * 12) }),
    launches: ({ x, y }) => [{ kernel: 'flip', args: [x, y], block: [5, 4, 3], grid: [3, 2, 2] }],
    expected: ({ x }) => ({ y: range(720, (g) => at(x, g - (g % 60) + 59 - (g % 60)) + 203) }),
  }),
];
