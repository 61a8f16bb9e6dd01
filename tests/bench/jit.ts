// Kernels in TypeScript beside the same kernels in CUDA C, on one device and in one run: times on the device by events, and what the
// first launch takes. Run: npm run bench:jit
import * as cuda from 'rawkernel/cuda';
import * as xp from 'rawkernel/cuda/array';
import { cuda as k, jit, type F32, type JitFunction } from 'rawkernel/cuda/jit';
import { context } from 'rawkernel/cuda/autoinit';

interface Row {
  readonly title: string;
  readonly kernel: JitFunction<never>;
  readonly c: string;
  readonly args: readonly unknown[];
  readonly cArgs: readonly unknown[];
  readonly grid: readonly number[];
  readonly block: readonly number[];
}

const isEmbedded = new cuda.Device(0).isEmbedded;
const n = isEmbedded ? 1 << 18 : 1 << 26;
const side = isEmbedded ? 128 : 2048;
const [x, y, z] = [xp.random.defaultRng(1).uniform(0, 1, { shape: n }), xp.ones(n), xp.zeros(n)];
const [A, B, C] = [0, 1, 2].map((seed) => xp.random.defaultRng(seed).uniform(0, 1, { shape: [side, side] })) as [
  xp.NDArray,
  xp.NDArray,
  xp.NDArray,
];
const line = { grid: [Math.ceil(n / 256)], block: [256] };
const tiles = { grid: [side / 16, side / 16], block: [16, 16] };

const rows: readonly Row[] = [
  {
    title: 'saxpy',
    kernel: jit('void(f32, f32[], f32[])', (a, x, y) => {
      const i = k.grid(1);
      if (i < y.length) y[i]! += a * x[i]!;
    }),
    c: 'float a, const float *x, float *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += a * x[i]; }',
    args: [0.5, x, y],
    cArgs: [0.5, x, y, n],
    ...line,
  },
  {
    title: 'grid-stride',
    kernel: jit((x: F32, z: F32) => {
      for (let i = k.grid(1); i < x.length; i += k.gridsize(1)) z[i] = x[i]! * x[i]!;
    }),
    c: 'const float *x, float *z, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) z[i] = x[i] * x[i]; }',
    args: [x, z],
    cArgs: [x, z, n],
    grid: [isEmbedded ? 8 : 1056],
    block: [256],
  },
  {
    title: 'sine and root',
    kernel: jit((x: F32, z: F32) => {
      const i = k.grid(1);
      if (i < x.length) z[i] = Math.sin(x[i]!) * Math.sqrt(x[i]! + 1);
    }),
    c: 'const float *x, float *z, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) z[i] = sinf(x[i]) * sqrtf(x[i] + 1.0f); }',
    args: [x, z],
    cArgs: [x, z, n],
    ...line,
  },
  {
    title: 'convolution',
    kernel: jit(
      (x: F32, z: F32, { R }: { R: number }) => {
        const i = k.grid(1);
        if (i < R || i >= x.length - R) return;
        let sum = 0;
        for (let j = -R; j <= R; j++) sum += x[i + j]!;
        z[i] = sum;
      },
      { const: { R: 4 } },
    ),
    c: 'const float *x, float *z, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < 4 || i >= n - 4) return; float s = 0; for (int j = -4; j <= 4; j++) s += x[i + j]; z[i] = s; }',
    args: [x, z],
    cArgs: [x, z, n],
    ...line,
  },
  {
    title: 'sum by shared memory',
    kernel: jit((x: F32, z: F32) => {
      const part = k.shared.array(256, 'f32');
      const [i, t] = [k.grid(1), k.threadIdx.x];
      part[t] = i < x.length ? x[i]! : 0;
      k.syncthreads();
      for (let half = 128; half > 0; half >>= 1) {
        if (t < half) part[t] += part[t + half]!;
        k.syncthreads();
      }
      if (t === 0) z[k.blockIdx.x] = part[0]!;
    }),
    c: 'const float *x, float *z, int n) { __shared__ float part[256]; int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x; part[t] = i < n ? x[i] : 0; __syncthreads(); for (int half = 128; half > 0; half >>= 1) { if (t < half) part[t] += part[t + half]; __syncthreads(); } if (t == 0) z[blockIdx.x] = part[0]; }',
    args: [x, z],
    cArgs: [x, z, n],
    ...line,
  },
  {
    title: 'histogram',
    kernel: jit((x: F32, z: F32) => {
      const i = k.grid(1);
      if (i < x.length) k.atomic.add(z, (x[i]! * 1024) | 0, 1);
    }),
    c: 'const float *x, float *z, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) atomicAdd(&z[(int)(x[i] * 1024.0f)], 1.0f); }',
    args: [x, z],
    cArgs: [x, z, n],
    ...line,
  },
  {
    title: 'transpose',
    kernel: jit((a: F32<2>, c: F32<2>) => {
      const [x, y] = k.grid(2);
      if (y < a.shape[0] && x < a.shape[1]) c[x]![y] = a[y]![x]!;
    }),
    c: 'const float *a, float *c, int h, int w) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (y < h && x < w) c[x * h + y] = a[y * w + x]; }',
    args: [A, C],
    cArgs: [A, C, side, side],
    ...tiles,
  },
  {
    title: 'five points',
    kernel: jit((a: F32<2>, c: F32<2>) => {
      const [x, y] = k.grid(2);
      if (x > 0 && y > 0 && y < a.shape[0] - 1 && x < a.shape[1] - 1)
        c[y]![x] = 0.25 * (a[y]![x - 1]! + a[y]![x + 1]! + a[y - 1]![x]! + a[y + 1]![x]!);
    }),
    c: 'const float *a, float *c, int h, int w) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x > 0 && y > 0 && y < h - 1 && x < w - 1) c[y * w + x] = 0.25f * (a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x]); }',
    args: [A, C],
    cArgs: [A, C, side, side],
    ...tiles,
  },
  {
    title: 'product',
    kernel: jit((a: F32<2>, b: F32<2>, c: F32<2>) => {
      const [x, y] = k.grid(2);
      if (y >= c.shape[0] || x >= c.shape[1]) return;
      let sum = 0;
      for (let i = 0; i < a.shape[1]; i++) sum += a[y]![i]! * b[i]![x]!;
      c[y]![x] = sum;
    }),
    c: 'const float *a, const float *b, float *c, int h, int m, int w) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (y >= h || x >= w) return; float s = 0; for (int i = 0; i < m; i++) s += a[y * m + i] * b[i * w + x]; c[y * w + x] = s; }',
    args: [A, B, C],
    cArgs: [A, B, C, side, side, side],
    ...tiles,
  },
  {
    title: 'product in tiles',
    kernel: jit((a: F32<2>, b: F32<2>, c: F32<2>) => {
      const left = k.shared.array([16, 16], 'f32');
      const right = k.shared.array([16, 16], 'f32');
      const [x, y] = k.grid(2);
      const [i, j] = [k.threadIdx.x, k.threadIdx.y];
      let sum = 0;
      for (let t = 0; t < a.shape[1]; t += 16) {
        left[j]![i] = a[y]![t + i]!;
        right[j]![i] = b[t + j]![x]!;
        k.syncthreads();
        for (let l = 0; l < 16; l++) sum += left[j]![l]! * right[l]![i]!;
        k.syncthreads();
      }
      c[y]![x] = sum;
    }),
    c: 'const float *a, const float *b, float *c, int m, int w) { __shared__ float l[16][16], r[16][16]; int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y; float s = 0; for (int t = 0; t < m; t += 16) { l[threadIdx.y][threadIdx.x] = a[y * m + t + threadIdx.x]; r[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * w + x]; __syncthreads(); for (int i = 0; i < 16; i++) s += l[threadIdx.y][i] * r[i][threadIdx.x]; __syncthreads(); } c[y * w + x] = s; }',
    args: [A, B, C],
    cArgs: [A, B, C, side, side],
    ...tiles,
  },
];

const ROUNDS = 9;
/** Between two events: the device must not wait for the host. */
const LAUNCHES = isEmbedded ? 3 : 50;
const [start, end] = [new cuda.Event(), new cuda.Event()];

function measure(run: () => void): number {
  run();
  context.synchronize();
  const times = Array.from({ length: ROUNDS }, () => {
    start.record();
    for (let i = 0; i < LAUNCHES; i++) run();
    end.record();
    end.synchronize();
    return start.timeTill(end) / LAUNCHES;
  });
  return times.sort((a, b) => a - b)[ROUNDS >> 1] as number;
}

console.log('ms on the device, medians; the first launch compiles\n');
console.log('kernel                 TypeScript         C   ratio   first launch   of C');
for (const { title, kernel, c, args, cArgs, grid, block } of rows) {
  const before = performance.now();
  kernel.at(grid, block)(...(args as never));
  const first = performance.now() - before;
  const beforeC = performance.now();
  const module = new cuda.SourceModule<string>(`extern "C" __global__ void by_hand(${c}`, {
    options: ['--fmad=false'],
  });
  const byHand = module.getFunction('by_hand');
  byHand(...(cArgs as never[]), { grid, block } as never);
  const firstC = performance.now() - beforeC;
  const mine = measure(() => kernel.at(grid, block)(...(args as never)));
  const theirs = measure(() => byHand(...(cArgs as never[]), { grid, block } as never));
  const numbers = [mine.toFixed(4).padStart(10), theirs.toFixed(4).padStart(9), (mine / theirs).toFixed(2).padStart(7)];
  console.log(
    `${title.padEnd(21)} ${numbers.join(' ')} ${first.toFixed(1).padStart(14)} ${firstC.toFixed(1).padStart(6)}`,
  );
  module.close();
}
