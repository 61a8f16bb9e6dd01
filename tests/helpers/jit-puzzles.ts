import { cuda, type F32 } from '../../src/cuda/jit/index.ts';
import { line, points, type KernelCase } from './jit-setting.ts';

const T = 8;

/** The kernels with which one learns to program a GPU, from an element a thread to a product in tiles. */
export const puzzles: readonly KernelCase[] = [
  {
    title: 'map',
    setting: { arrays: [points(128), new Float32Array(128)], shapes: [[128], [128]], ...line },
    kernel: ({ jit }) =>
      jit((a: F32, out: F32) => {
        const i = cuda.grid(1);
        out[i] = a[i]! + 10;
      }),
  },
  {
    title: 'zip',
    setting: { arrays: [points(128), points(128, 2), new Float32Array(128)], shapes: [[128], [128], [128]], ...line },
    kernel: ({ jit }) =>
      jit((a: F32, b: F32, out: F32) => {
        const i = cuda.grid(1);
        out[i] = a[i]! * b[i]!;
      }),
  },
  {
    title: 'guards',
    setting: { arrays: [points(100), new Float32Array(100)], shapes: [[100], [100]], ...line },
    kernel: ({ jit }) =>
      jit((a: F32, out: F32) => {
        const i = cuda.grid(1);
        if (i < out.size) out[i] = a[i]! / 3;
      }),
  },
  {
    title: 'two axes',
    setting: {
      arrays: [points(70), new Float32Array(70)],
      shapes: [
        [7, 10],
        [7, 10],
      ],
      grid: [2, 1],
      block: [8, 8],
    },
    kernel: ({ jit }) =>
      jit((a: F32<2>, out: F32<2>) => {
        const [x, y] = cuda.grid(2);
        if (y < out.shape[0] && x < out.shape[1]) out[y]![x] = a[y]![x]! + 10 * y;
      }),
  },
  {
    title: 'broadcast',
    setting: {
      arrays: [points(10), points(7, 3), new Float32Array(70)],
      shapes: [[10], [7], [7, 10]],
      grid: [2, 1],
      block: [8, 8],
    },
    kernel: ({ jit }) =>
      jit((row: F32, column: F32, out: F32<2>) => {
        const [x, y] = cuda.grid(2);
        if (y >= out.shape[0] || x >= out.shape[1]) return;
        out[y]![x] = row[x]! + column[y]!;
      }),
  },
  {
    title: 'blocks',
    setting: { arrays: [points(128), new Float32Array(128)], shapes: [[128], [128]], grid: [4], block: [16] },
    kernel: ({ jit }) =>
      jit((a: F32, out: F32) => {
        for (let i = cuda.grid(1); i < a.length; i += cuda.gridsize(1)) out[i] = a[i]! - cuda.blockIdx.x;
      }),
  },
  {
    title: 'shared memory',
    setting: { arrays: [points(128), new Float32Array(128)], shapes: [[128], [128]], ...line },
    kernel: ({ jit }) =>
      jit((a: F32, out: F32) => {
        const tile = cuda.shared.array(64, 'f32');
        const [i, local] = [cuda.grid(1), cuda.threadIdx.x];
        tile[local] = a[i]!;
        cuda.syncthreads();
        out[i] = tile[63 - local]!;
      }),
  },
  {
    title: 'pooling',
    setting: { arrays: [points(128), new Float32Array(128)], shapes: [[128], [128]], ...line },
    kernel: ({ jit }) =>
      jit((a: F32, out: F32) => {
        const i = cuda.grid(1);
        let most = -Infinity;
        for (let k = Math.max(i - 2, 0); k <= i; k++) most = Math.max(most, a[k]!);
        out[i] = most;
      }),
  },
  {
    title: 'dot product',
    setting: {
      arrays: [points(64), points(64, 2), new Float32Array(1)],
      shapes: [[64], [64], [1]],
      grid: [1],
      block: [64],
    },
    kernel: ({ jit }) =>
      jit((a: F32, b: F32, out: F32) => {
        const part = cuda.shared.array(64, 'f32');
        const i = cuda.threadIdx.x;
        part[i] = a[i]! * b[i]!;
        cuda.syncthreads();
        for (let half = 32; half > 0; half >>= 1) {
          if (i < half) part[i] += part[i + half]!;
          cuda.syncthreads();
        }
        if (i === 0) out[0] = part[0]!;
      }),
  },
  {
    title: 'convolution',
    setting: { arrays: [points(128), points(4, 5), new Float32Array(128)], shapes: [[128], [4], [128]], ...line },
    kernel: ({ jit }) =>
      jit((a: F32, taps: F32, out: F32) => {
        const i = cuda.grid(1);
        let sum = 0;
        for (let k = 0; k < taps.length; k++) if (i + k < a.length) sum += a[i + k]! * taps[k]!;
        out[i] = sum;
      }),
  },
  {
    title: 'prefix sum',
    setting: { arrays: [points(64), new Float32Array(64)], shapes: [[64], [64]], grid: [1], block: [64] },
    kernel: ({ jit }) =>
      jit((a: F32, out: F32) => {
        const sums = cuda.shared.array([2, 64], 'f32');
        const i = cuda.threadIdx.x;
        let now = 0;
        sums[0]![i] = a[i]!;
        for (let step = 1; step < 64; step *= 2) {
          cuda.syncthreads();
          sums[1 - now]![i] = i >= step ? sums[now]![i]! + sums[now]![i - step]! : sums[now]![i]!;
          now = 1 - now;
        }
        out[i] = sums[now]![i]!;
      }),
  },
  {
    title: 'sum of an axis',
    setting: { arrays: [points(60), new Float32Array(6)], shapes: [[6, 10], [6]], grid: [1], block: [8] },
    kernel: ({ jit }) =>
      jit((a: F32<2>, out: F32) => {
        const y = cuda.grid(1);
        if (y >= a.shape[0]) return;
        const row = a[y]!;
        let sum = 0;
        for (let x = 0; x < row.length; x++) sum += row[x]!;
        out[y] = sum;
      }),
  },
  {
    title: 'product of matrices',
    setting: {
      arrays: [points(13 * 9), points(9 * 11, 2), new Float32Array(13 * 11)],
      shapes: [
        [13, 9],
        [9, 11],
        [13, 11],
      ],
      grid: [2, 2],
      block: [8, 8],
    },
    kernel: ({ jit }) =>
      jit((a: F32<2>, b: F32<2>, out: F32<2>) => {
        const [x, y] = cuda.grid(2);
        if (y < out.shape[0] && x < out.shape[1]) {
          let sum = 0;
          for (let k = 0; k < a.shape[1]; k++) sum += a[y]![k]! * b[k]![x]!;
          out[y]![x] = sum;
        }
      }),
  },
  {
    title: 'product in tiles',
    setting: {
      arrays: [points(13 * 9), points(9 * 11, 2), new Float32Array(13 * 11)],
      shapes: [
        [13, 9],
        [9, 11],
        [13, 11],
      ],
      grid: [2, 2],
      block: [T, T],
    },
    kernel: ({ jit }) =>
      jit(
        (a: F32<2>, b: F32<2>, out: F32<2>, { T }) => {
          const left = cuda.shared.array([T, T], 'f32');
          const right = cuda.shared.array([T, T], 'f32');
          const [x, y] = cuda.grid(2);
          const { x: i, y: j } = { x: cuda.threadIdx.x, y: cuda.threadIdx.y };
          let sum = 0;
          for (let t = 0; t < a.shape[1]; t += T) {
            left[j]![i] = y < a.shape[0] && t + i < a.shape[1] ? a[y]![t + i]! : 0;
            right[j]![i] = t + j < b.shape[0] && x < b.shape[1] ? b[t + j]![x]! : 0;
            cuda.syncthreads();
            for (let k = 0; k < T; k++) sum += left[j]![k]! * right[k]![i]!;
            cuda.syncthreads();
          }
          if (y < out.shape[0] && x < out.shape[1]) out[y]![x] = sum;
        },
        { const: { T } },
      ),
  },
];
