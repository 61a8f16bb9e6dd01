import { expect, test } from '@jest/globals';
import { cuda, type F32, type I32 } from '../../../src/cuda/jit/index.ts';
import { byHand, resultOf } from '../../helpers/jit-case.ts';
import { describeJit } from '../../helpers/jit-halves.ts';
import { points } from '../../helpers/jit-setting.ts';
import { programs } from '../../helpers/jit-programs.ts';
import { puzzles } from '../../helpers/jit-puzzles.ts';

// The kernels with which one learns to program a GPU, each in TypeScript, and in C by hand, whose results must be the same bits.
// The simulator computes them, too, and what further kernels do.

const f = 'GLOBAL const float *a, GLOBAL float *out';
const fg = 'GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *out';

/** The kernels in C: the head and the body. */
const inC: Readonly<Record<string, readonly [head: string, body: string]>> = {
  map: [f, 'out[x] = a[x] + 10.0f;'],
  zip: [fg, 'out[x] = a[x] * b[x];'],
  guards: [f, 'if (x < 100) out[x] = a[x] / 3.0f;'],
  'two axes': [f, 'if (y < 7 && x < 10) out[y * 10 + x] = a[y * 10 + x] + (float)(10 * y);'],
  broadcast: [fg, 'if (y < 7 && x < 10) out[y * 10 + x] = a[x] + b[y];'],
  blocks: [f, 'for (int i = x; i < 128; i += 64) out[i] = a[i] - (float)(int)GROUP_ID(x);'],
  'shared memory': [f, 'SHARED float tile[64]; tile[LOCAL_ID(x)] = a[x]; BARRIER(); out[x] = tile[63 - LOCAL_ID(x)];'],
  pooling: [
    f,
    'float most = a[x]; for (int k = x < 2 ? 0 : x - 2; k < x; k++) if (a[k] > most) most = a[k]; out[x] = most;',
  ],
  'dot product': [
    fg,
    `SHARED float part[64]; part[x] = a[x] * b[x]; BARRIER();
for (int half_ = 32; half_ > 0; half_ /= 2) { if (x < half_) part[x] += part[x + half_]; BARRIER(); }
if (x == 0) out[0] = part[0];`,
  ],
  convolution: [
    fg,
    'float sum = 0; for (int k = 0; k < 4; k++) if (x + k < 128) sum += a[x + k] * b[k]; out[x] = sum;',
  ],
  'prefix sum': [
    f,
    `SHARED float sums[2][64]; int now = 0; sums[0][x] = a[x];
for (int step_ = 1; step_ < 64; step_ *= 2) { BARRIER();
  sums[1 - now][x] = x >= step_ ? sums[now][x] + sums[now][x - step_] : sums[now][x]; now = 1 - now; }
out[x] = sums[now][x];`,
  ],
  'sum of an axis': [
    f,
    'if (x < 6) { float sum = 0; for (int k = 0; k < 10; k++) sum += a[x * 10 + k]; out[x] = sum; }',
  ],
  'product of matrices': [
    fg,
    `if (y < 13 && x < 11) { float sum = 0; for (int k = 0; k < 9; k++) sum += a[y * 9 + k] * b[k * 11 + x];
out[y * 11 + x] = sum; }`,
  ],
  'product in tiles': [
    fg,
    `SHARED float left[8][8], right[8][8]; float sum = 0; const int i = (int)LOCAL_ID(x), j = (int)LOCAL_ID(y);
for (int t = 0; t < 9; t += 8) {
  left[j][i] = y < 13 && t + i < 9 ? a[y * 9 + t + i] : 0; right[j][i] = t + j < 9 && x < 11 ? b[(t + j) * 11 + x] : 0;
  BARRIER(); for (int k = 0; k < 8; k++) sum += left[j][k] * right[k][i]; BARRIER();
}
if (y < 13 && x < 11) out[y * 11 + x] = sum;`,
  ],
};

describeJit('puzzles', (names) => {
  test.each(puzzles.map((puzzle) => [puzzle.title, puzzle] as const))(
    '%s: the bits of the kernel in C, and of the simulator',
    (title, puzzle) => {
      const { setting } = puzzle;
      const [head, body] = inC[title] as (typeof inC)[string];
      const wanted = byHand(names.engine(), head, body, setting);
      expect(resultOf(names, puzzle)).toEqual(wanted);
      expect(resultOf(names, puzzle, 'simulated')).toEqual(wanted);
      expect(wanted.some((value) => value !== 0)).toBe(true);
    },
  );

  test.each(programs.map((program) => [program.title, program] as const))(
    '%s: the simulator computes the bits of the device',
    (_, program) => {
      const found = resultOf(names, program);
      expect(resultOf(names, program, 'simulated')).toEqual(found);
      expect(found.some((value) => value !== 0)).toBe(true);
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
