import { randomInt } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { isFull, isGate } from '../../../helpers/full.ts';
import { comparePrograms, type Comparison } from '../../../helpers/jit-differential.ts';
import { describeJitEverywhere } from '../../../helpers/jit-halves.ts';
import { ProgramKernel } from '../../../helpers/jit-program-kernel.ts';
import { randomJitInputs } from '../../../helpers/random-jit-inputs.ts';
import { randomPrograms } from '../../../helpers/random-jit.ts';

/** Programs of a kernel, and what each is run with. */
const COUNT = isFull ? 160 : 80;
const INPUTS = 32;

/** One seed that no run has had before; a failure names it. */
const fresh = randomInt(2 ** 31);
const seeds = [...Array.from({ length: isGate ? 4 : isFull ? 15 : 1 }, (_, i) => i + 1), fresh];

describeJitEverywhere('random programs', ({ jit }) => {
  test.each(seeds)('seed %i: the simulator and the device have the same bits', (seed) => {
    const kernel = new ProgramKernel(randomPrograms(seed, COUNT), randomJitInputs(seed, INPUTS));
    let found: Comparison;
    try {
      found = comparePrograms(jit, kernel, {});
    } catch (error) {
      throw new Error(`seed ${seed}:\n${kernel.text}`, { cause: error });
    }
    expect(found.differences).toEqual([]);
    // Most threads come to the end, and some make the mistakes that the simulator is to find.
    expect(found.compared).toBeGreaterThan(0.8 * COUNT * INPUTS);
    expect(found.failed).toBeGreaterThan(0);
  });
});
