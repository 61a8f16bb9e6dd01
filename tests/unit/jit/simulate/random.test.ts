import { describe, expect, test } from '@jest/globals';
import { Context } from '../../../../src/cuda/device/context.ts';
import { Device } from '../../../../src/cuda/device/device.ts';
import { jit as cudaJit } from '../../../../src/cuda/jit/index.ts';
import * as cl from '../../../../src/opencl/index.ts';
import { jit as openclJit } from '../../../../src/opencl/jit/index.ts';
import { checkedDevice } from '../../../../src/cuda/selection.ts';
import { some } from '../../../helpers/full.ts';
import { embeddedDescribe, embeddedOpenCL } from '../../../helpers/opencl-devices.ts';
import { RANDOM_THREADS, randomJitInputs, randomJitKernel, randomJitOutputs } from '../../../helpers/random-jit.ts';
import { needs } from '../../../helpers/require.ts';

const COUNT = 120;
const seeds = some(
  Array.from({ length: 40 }, (_, i) => i + 1),
  10,
);

type Outputs = readonly ArrayBufferView[];
type Jit = typeof cudaJit;

/** Rows whose results differ, with the text and the first input where they do. */
function differences(jit: Jit, seed: number, options: object): readonly string[] {
  const fn = randomJitKernel(seed, COUNT);
  const lines = fn.toString().split('\n').slice(3);
  const kernel = jit(fn as (...args: readonly unknown[]) => void);
  const inputs = randomJitInputs(seed);
  const [simulated, computed] = [randomJitOutputs(COUNT), randomJitOutputs(COUNT)];
  kernel.simulate(2, RANDOM_THREADS / 2)(...inputs, ...simulated);
  kernel.at(2, RANDOM_THREADS / 2, options)(...inputs, ...computed);
  return lines.slice(0, COUNT).flatMap((line, row) => differing(simulated, computed, row, line));
}

function differing(simulated: Outputs, computed: Outputs, row: number, line: string): readonly string[] {
  for (const [k, output] of simulated.entries()) {
    const [a, b] = [output, computed[k]] as unknown as readonly (readonly unknown[])[];
    for (let i = row * RANDOM_THREADS; i < (row + 1) * RANDOM_THREADS; i++) {
      if (!Object.is(a?.[i], b?.[i]))
        return [`${line}: thread ${i % RANDOM_THREADS}: ${String(a?.[i])}, ${String(b?.[i])}`];
    }
  }
  return [];
}

const missing = needs.cuda().missing ?? (checkedDevice() ? undefined : 'not the embedded device');
(missing === undefined ? describe : describe.skip)('random expressions on CUDA', () => {
  test.each(seeds)('seed %i: the simulator and the device have the same bits', (seed) => {
    const context = new Context(new Device(0));
    try {
      expect(differences(cudaJit, seed, {})).toEqual([]);
    } finally {
      context.close();
    }
  });
});

embeddedDescribe()('random expressions on OpenCL', () => {
  test.each(seeds)('seed %i: the simulator and the device have the same bits', (seed) => {
    using context = new cl.Context([embeddedOpenCL as cl.Device]);
    using queue = new cl.CommandQueue(context);
    expect(differences(openclJit, seed, { queue })).toEqual([]);
  });
});
