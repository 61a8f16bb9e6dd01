import { randomInt } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { isFull } from '../../../helpers/full.ts';
import { comparePrograms } from '../../../helpers/jit-differential.ts';
import { describeJitEverywhere } from '../../../helpers/jit-halves.ts';
import { ProgramKernel } from '../../../helpers/jit-program-kernel.ts';
import { newNumbers, randomJitInputs } from '../../../helpers/random-jit-inputs.ts';
import { randomPlainPrograms } from '../../../helpers/random-plain.ts';

const COUNT = isFull ? 120 : 50;
const INPUTS = 64;

/** What JavaScript itself makes of the programs, in the arrays of a kernel's outputs. */
function plainResults(kernel: ProgramKernel): readonly (number | bigint)[] {
  return kernel.programs.flatMap(({ type, before = '', value = '' }) => {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the text is made here
    const plain = new Function('i', ...kernel.inputs.keys(), `${before}\nreturn ${value};`) as (
      ...args: unknown[]
    ) => number;
    const list = newNumbers(type, INPUTS);
    for (let i = 0; i < INPUTS; i++) list[i] = plain(i, ...kernel.inputs.values());
    return Array.from(list);
  });
}

describeJitEverywhere('programs that are JavaScript', ({ jit }) => {
  test.each([1, randomInt(2 ** 31)])('seed %i: JavaScript, the simulator and the device have the same bits', (seed) => {
    const inputs = new Map([...randomJitInputs(seed, INPUTS)].filter(([name]) => /^(?:i32|f64)/.test(name)));
    const kernel = new ProgramKernel(randomPlainPrograms(seed, COUNT), inputs);
    const { differences, mistakes, simulated } = comparePrograms(jit, kernel, {});
    expect(differences).toEqual([]);
    expect(mistakes).toEqual([]);
    const wrong = plainResults(kernel).findIndex(
      (value, thread) => !Object.is(value, kernel.resultOf(simulated, thread)),
    );
    expect(wrong < 0 ? '' : kernel.describe(wrong)).toBe('');
  });
});
