import { expect, test } from '@jest/globals';
import { INPUTS, PlainFuzzer, RESULTS, simulatePlain, type PlainShape } from '../../../helpers/cpu-fuzz-plain.ts';
import { programOf, TestDevice } from '../../../helpers/cpu-program.ts';
import { isFull } from '../../../helpers/full.ts';

const KERNELS = 12;
/** `RAWKERNEL_FUZZ_ROUNDS` makes more of them. */
const ROUNDS = Number(process.env['RAWKERNEL_FUZZ_ROUNDS'] ?? (isFull ? 2 : 1));
const FIRST = Number(process.env['RAWKERNEL_FUZZ_SEED'] ?? 1);
const NOTHING = 0xdead_beef;

const SHAPES: readonly PlainShape[] = [
  { block: [33, 3], grid: [2, 2] },
  { block: [64, 1], grid: [3, 1] },
  { block: [7, 5], grid: [3, 2] },
];
const SIZES: readonly (readonly [n: number, m: number])[] = [
  [50, 4],
  [1000, 1000],
  [-1, 3],
  [0x7fff_ffff, 2],
  [-0x8000_0000, 9],
  [20, -5],
];

test.each(Array.from({ length: ROUNDS }, (_, i) => FIRST + i))(
  'random kernels without barriers do what their model does, seed %i',
  (seed) => {
    const fuzzer = new PlainFuzzer(seed * 6007);
    const kernels = Array.from({ length: KERNELS }, (_, i) => fuzzer.kernel(`k${i}`));
    const device = new TestDevice(programOf(kernels.map(({ cuda }) => cuda).join('\n')));
    const input = device.u32(Uint32Array.from({ length: INPUTS }, (_, i) => Math.imul(i + seed, 0x9e37_79b1) >>> 0));
    const most = Math.max(...SHAPES.map(({ block, grid }) => block[0] * block[1] * grid[0] * grid[1]));
    const out = device.u32(new Uint32Array(most * RESULTS));
    for (const [i, kernel] of kernels.entries()) {
      for (const shape of SHAPES) {
        for (const [n, m] of SIZES) {
          out.view.fill(NOTHING);
          device.launch(`k${i}`, shape.grid, shape.block, [out.address, input.address, n, m]);
          const wanted = simulatePlain(kernel, shape, input.view.slice(), n, m, NOTHING);
          const got = out.view.slice(0, wanted.length);
          const at = wanted.findIndex((value, k) => value !== got[k]);
          if (at >= 0)
            throw new Error(`k${i}, n = ${n}, m = ${m}, block ${shape.block.join()}, at ${at}:\n${kernel.cuda}`);
          expect(got.length).toBe(wanted.length);
        }
      }
    }
  },
  300_000,
);
