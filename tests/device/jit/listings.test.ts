import { expect, test } from '@jest/globals';
import { cuda, type F32 } from '../../../src/cuda/jit/index.ts';
import { byHand, resultOf } from '../../helpers/jit-case.ts';
import { describeJit } from '../../helpers/jit-halves.ts';
import { points, type KernelCase } from '../../helpers/jit-setting.ts';

// The kernels that introductions to Numba begin with, line by line, beside C: the same bits on devices and in the simulator.

const [M, K, N] = [17, 9, 21];
const listings: readonly (KernelCase & { readonly head: string; readonly body: string })[] = [
  ...['size', 'length'].map((bound) => ({
    title: `a sum of vectors, bounded by ${bound}`,
    setting: {
      arrays: [points(1000), points(1000, 2), new Float32Array(1000)],
      shapes: [[1000], [1000], [1000]],
      grid: [Math.ceil(1000 / 256)],
      block: [256],
    },
    kernel: ({ jit }: Parameters<KernelCase['kernel']>[0]) =>
      bound === 'size'
        ? jit((a: F32, b: F32, result: F32) => {
            const idx = cuda.grid(1);
            if (idx < a.size) result[idx] = a[idx]! + b[idx]!;
          })
        : jit((a: F32, b: F32, c: F32) => {
            const i = cuda.grid(1);
            if (i < c.length) c[i] = a[i]! + b[i]!;
          }),
    head: 'GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *out',
    body: 'if (x < 1000) out[x] = a[x] + b[x];',
  })),
  {
    title: 'a product of matrices',
    setting: {
      arrays: [points(M * K), points(K * N, 2), new Float32Array(M * N)],
      shapes: [
        [M, K],
        [K, N],
        [M, N],
      ],
      grid: [Math.ceil(M / 16), Math.ceil(N / 16)],
      block: [16, 16],
    },
    kernel: ({ jit }) =>
      jit((A: F32<2>, B: F32<2>, C: F32<2>) => {
        const [row, col] = cuda.grid(2);
        if (row < C.shape[0] && col < C.shape[1]) {
          let tmp = 0;
          for (let k = 0; k < A.shape[1]; k++) tmp += A[row]![k]! * B[k]![col]!;
          C[row]![col] = tmp;
        }
      }),
    head: 'GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *out',
    body: `if (x < ${M} && y < ${N}) { float tmp = 0; for (int k = 0; k < ${K}; k++) tmp += a[x * ${K} + k] * b[k * ${N} + y];
out[x * ${N} + y] = tmp; }`,
  },
];

describeJit('listings', (names) => {
  test.each(listings.map((one) => [one.title, one] as const))('%s', (_, one) => {
    const wanted = byHand(names.engine(), one.head, one.body, one.setting);
    expect(resultOf(names, one)).toEqual(wanted);
    expect(resultOf(names, one, 'simulated')).toEqual(wanted);
    expect(wanted.some((value) => value !== 0)).toBe(true);
  });
});
