import { expect } from '@jest/globals';
import { KernelFuzzer, simulate, THREADS } from '../../../helpers/cpu-fuzz.ts';
import { programOf, TestDevice } from '../../../helpers/cpu-program.ts';
import { needs } from '../../../helpers/require.ts';

const KERNELS = 10;
/** `RAWKERNEL_FUZZ_ROUNDS` makes more of them. */
const ROUNDS = Number(process.env['RAWKERNEL_FUZZ_ROUNDS'] ?? 2);
const FIRST = Number(process.env['RAWKERNEL_FUZZ_SEED'] ?? 1);

needs.full().test.each(Array.from({ length: ROUNDS }, (_, i) => FIRST + i))(
  'random kernels do what a lockstep simulation does, seed %i',
  (seed) => {
    const fuzzer = new KernelFuzzer(seed * 7919);
    const kernels = Array.from({ length: KERNELS }, (_, i) => fuzzer.kernel(`k${i}`));
    const device = new TestDevice(programOf(kernels.map(({ cuda }) => cuda).join('\n')));
    const out = device.u32(new Uint32Array(2 * THREADS * 4));
    for (const [i, kernel] of kernels.entries()) {
      for (const n of [0, 1, 5]) {
        out.view.fill(0);
        device.launch(`k${i}`, [2], [THREADS], [out.address, n]);
        const wanted = [...simulate(kernel, n, 0), ...simulate(kernel, n, 1)];
        if (wanted.some((value, at) => value !== out.view[at]))
          throw new Error(`k${i}, n = ${n}:\n${kernel.cuda}\n${kernel.model}`);
        expect([...out.view]).toEqual(wanted);
      }
    }
  },
  300_000,
);
