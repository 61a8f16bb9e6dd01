import { expect, test } from '@jest/globals';
import type { Engine } from '../../../src/array/engine.ts';
import { cuda, type F32, type I32, type JitFunction } from '../../../src/cuda/jit/index.ts';
import { array } from '../../../src/array/create.ts';
import { describeJit, type JitNames } from '../../helpers/jit-halves.ts';

// The kernels with which one learns to program a GPU, from an element a thread to a product in tiles: each in TypeScript, and in C
// by hand, whose results must be the same bits.

/** What a puzzle is made of: the arrays, of which the last is the result, and the shape of the launch. */
interface Setting {
  readonly arrays: readonly (Float32Array | Int32Array)[];
  readonly shapes: readonly (readonly number[])[];
  readonly numbers?: readonly number[];
  readonly grid: readonly number[];
  readonly block: readonly number[];
}

function points(length: number, seed = 1): Float32Array {
  return Float32Array.from({ length }, (_, i) => Math.sin(i * 12.9898 + seed) * 100);
}

/** The kernel by hand: names of both languages are those of the prelude of arrays. */
function byHand(
  engine: Engine,
  head: string,
  body: string,
  { arrays, numbers = [], grid, block }: Setting,
): Float32Array {
  const isCuda = engine.dialect.name === 'cuda';
  const source = `${isCuda ? '' : '#pragma OPENCL FP_CONTRACT OFF\n'}${engine.dialect.prelude}
${isCuda ? 'extern "C" __global__' : '__kernel'} void by_hand(${head}) {
  const int x = (int)(GROUP_ID(x) * LOCAL_SIZE(x) + LOCAL_ID(x)), y = (int)(GROUP_ID(y) * LOCAL_SIZE(y) + LOCAL_ID(y));
${body}
}`;
  const lane = engine.defaultLane;
  const kernel = engine.build(source, 'by_hand', isCuda ? ['--fmad=false'] : []);
  const memories = arrays.map((host) => {
    const memory = engine.allocate(host.byteLength, lane);
    engine.write(memory, 0, new Uint8Array(host.buffer), lane);
    return memory;
  });
  kernel.launchGrid(
    lane,
    { grid, block, shared: 0 },
    [...memories, ...numbers],
    memories.map(() => true),
  );
  const out = new Float32Array((arrays.at(-1) as Float32Array).length);
  engine.read(memories.at(-1) as (typeof memories)[0], 0, new Uint8Array(out.buffer), lane);
  for (const memory of memories) memory.handle.release();
  return out;
}

interface Puzzle {
  readonly title: string;
  readonly setting: Setting;
  readonly kernel: (names: JitNames) => object;
  readonly head: string;
  readonly body: string;
}

const line = { grid: [2], block: [64] };
const f = 'GLOBAL const float *a, GLOBAL float *out';
const fg = 'GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *out';
const T = 8;

const puzzles: readonly Puzzle[] = [
  {
    title: 'map',
    setting: { arrays: [points(128), new Float32Array(128)], shapes: [[128], [128]], ...line },
    kernel: ({ jit }) =>
      jit((a: F32, out: F32) => {
        const i = cuda.grid(1);
        out[i] = a[i]! + 10;
      }),
    head: f,
    body: 'out[x] = a[x] + 10.0f;',
  },
  {
    title: 'zip',
    setting: { arrays: [points(128), points(128, 2), new Float32Array(128)], shapes: [[128], [128], [128]], ...line },
    kernel: ({ jit }) =>
      jit((a: F32, b: F32, out: F32) => {
        const i = cuda.grid(1);
        out[i] = a[i]! * b[i]!;
      }),
    head: fg,
    body: 'out[x] = a[x] * b[x];',
  },
  {
    title: 'guards',
    setting: { arrays: [points(100), new Float32Array(100)], shapes: [[100], [100]], ...line },
    kernel: ({ jit }) =>
      jit((a: F32, out: F32) => {
        const i = cuda.grid(1);
        if (i < out.size) out[i] = a[i]! / 3;
      }),
    head: f,
    body: 'if (x < 100) out[x] = a[x] / 3.0f;',
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
    head: f,
    body: 'if (y < 7 && x < 10) out[y * 10 + x] = a[y * 10 + x] + (float)(10 * y);',
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
    head: fg,
    body: 'if (y < 7 && x < 10) out[y * 10 + x] = a[x] + b[y];',
  },
  {
    title: 'blocks',
    setting: { arrays: [points(128), new Float32Array(128)], shapes: [[128], [128]], grid: [4], block: [16] },
    kernel: ({ jit }) =>
      jit((a: F32, out: F32) => {
        for (let i = cuda.grid(1); i < a.length; i += cuda.gridsize(1)) out[i] = a[i]! - cuda.blockIdx.x;
      }),
    head: f,
    body: 'for (int i = x; i < 128; i += 64) out[i] = a[i] - (float)(int)GROUP_ID(x);',
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
    head: f,
    body: 'SHARED float tile[64]; tile[LOCAL_ID(x)] = a[x]; BARRIER(); out[x] = tile[63 - LOCAL_ID(x)];',
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
    head: f,
    body: 'float most = a[x]; for (int k = x < 2 ? 0 : x - 2; k < x; k++) if (a[k] > most) most = a[k]; out[x] = most;',
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
    head: fg,
    body: `SHARED float part[64]; part[x] = a[x] * b[x]; BARRIER();
for (int half_ = 32; half_ > 0; half_ /= 2) { if (x < half_) part[x] += part[x + half_]; BARRIER(); }
if (x == 0) out[0] = part[0];`,
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
    head: fg,
    body: 'float sum = 0; for (int k = 0; k < 4; k++) if (x + k < 128) sum += a[x + k] * b[k]; out[x] = sum;',
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
    head: f,
    body: `SHARED float sums[2][64]; int now = 0; sums[0][x] = a[x];
for (int step_ = 1; step_ < 64; step_ *= 2) { BARRIER();
  sums[1 - now][x] = x >= step_ ? sums[now][x] + sums[now][x - step_] : sums[now][x]; now = 1 - now; }
out[x] = sums[now][x];`,
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
    head: f,
    body: 'if (x < 6) { float sum = 0; for (int k = 0; k < 10; k++) sum += a[x * 10 + k]; out[x] = sum; }',
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
    head: fg,
    body: `if (y < 13 && x < 11) { float sum = 0; for (int k = 0; k < 9; k++) sum += a[y * 9 + k] * b[k * 11 + x];
out[y * 11 + x] = sum; }`,
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
    head: fg,
    body: `SHARED float left[8][8], right[8][8]; float sum = 0; const int i = (int)LOCAL_ID(x), j = (int)LOCAL_ID(y);
for (int t = 0; t < 9; t += 8) {
  left[j][i] = y < 13 && t + i < 9 ? a[y * 9 + t + i] : 0; right[j][i] = t + j < 9 && x < 11 ? b[(t + j) * 11 + x] : 0;
  BARRIER(); for (int k = 0; k < 8; k++) sum += left[j][k] * right[k][i]; BARRIER();
}
if (y < 13 && x < 11) out[y * 11 + x] = sum;`,
  },
];

describeJit('puzzles', (names) => {
  test.each(puzzles.map((puzzle) => [puzzle.title, puzzle] as const))(
    '%s: the bits of the kernel in C',
    (_, puzzle) => {
      const { setting, head, body } = puzzle;
      const wanted = byHand(names.engine(), head, body, setting);
      const arrays = setting.arrays.map((host, i) =>
        array(names.engine(), host, undefined).reshape([...(setting.shapes[i] as number[])]),
      );
      const kernel = puzzle.kernel(names) as JitFunction;
      kernel.at(setting.grid, setting.block)(...arrays);
      const found = (arrays.at(-1) as (typeof arrays)[0]).get() as Float32Array;
      expect(new Uint32Array(found.buffer)).toEqual(new Uint32Array(wanted.buffer));
      expect(wanted.some((value) => value !== 0)).toBe(true);
      for (const one of arrays) one.close();
    },
  );

  test('arrays of the host are copied back where the kernel writes them, and nowhere else', () => {
    const { jit } = names;
    const [a, b, out] = [points(50), points(50, 2), new Float32Array(50)];
    const before = a.slice();
    jit((x: F32, y: F32, z: F32) => {
      const i = cuda.grid(1);
      if (i < z.length) z[i] = x[i]! + y[i]!;
    }).forAll(50)(a, b, out);
    expect(out).toEqual(a.map((x, i) => x + (b[i] as number)));
    expect(a).toEqual(before);
  });

  test('integers: | 0 wraps around, quotients round as they are written, bits are as in JavaScript', () => {
    const { jit } = names;
    const x = Int32Array.from([7, -7, 2147483647, -2147483648, 123456789, 0]);
    const out = new Int32Array(6 * 6);
    const kernel = jit((x: I32, out: I32) => {
      const i = cuda.grid(1);
      if (i >= x.length) return;
      const v = x[i]!;
      out[6 * i] = (v * 3 + 1) | 0;
      out[6 * i + 1] = Math.floor(v / 2);
      out[6 * i + 2] = Math.trunc(v / 2);
      out[6 * i + 3] = (v << 5) ^ (v >>> 3) ^ (v >> 2);
      out[6 * i + 4] = Math.imul(v, 0x9e3779b1);
      out[6 * i + 5] = v % 5;
    });
    kernel.forAll(6)(x, out);
    const wanted = [...x].flatMap((v) => [
      (Math.imul(v, 3) + 1) | 0,
      Math.floor(v / 2),
      Math.trunc(v / 2),
      (v << 5) ^ (v >>> 3) ^ (v >> 2),
      Math.imul(v, 0x9e3779b1),
      (v % 5) | 0,
    ]);
    expect([...out]).toEqual(wanted);
  });
});
