import { expect, test } from '@jest/globals';
import { cudaBuiltins } from '../../../../src/jit/operation/builtin.ts';
import { mathBuiltins } from '../../../../src/jit/operation/math.ts';
import { BUILTIN_ROWS, builtinInputs, builtinPrograms, REFUSED_ROWS } from '../../../helpers/jit-builtins.ts';
import { comparePrograms } from '../../../helpers/jit-differential.ts';
import { describeJitEverywhere } from '../../../helpers/jit-halves.ts';
import { functionOf, ProgramKernel } from '../../../helpers/jit-program-kernel.ts';
import { TOGETHER_CASES } from '../../../helpers/jit-together.ts';

/** Programs of a kernel. */
const STEP = 220;

test('each row of the tables of functions has inputs here', () => {
  const rows = [...Object.keys(mathBuiltins), ...Object.keys(cudaBuiltins)].toSorted();
  const tried = [...Object.keys({ ...BUILTIN_ROWS, ...REFUSED_ROWS }), ...TOGETHER_CASES.flatMap((one) => one.rows)];
  expect([...new Set(tried)].toSorted()).toEqual(rows);
  // Nothing is said to be tried that is not.
  for (const { rows: own, text } of TOGETHER_CASES) for (const row of own) expect(text).toContain(`cuda.${row}`);
});

describeJitEverywhere('functions of values', ({ jit, isCuda }) => {
  test('each for each type: the simulator and the device have the same bits, or what the function promises', () => {
    const programs = builtinPrograms(isCuda());
    const inputs = builtinInputs(1);
    for (let from = 0; from < programs.length; from += STEP) {
      const kernel = new ProgramKernel(programs.slice(from, from + STEP), inputs);
      expect(comparePrograms(jit, kernel, {}).differences).toEqual([]);
    }
  });

  test.each(Object.entries(REFUSED_ROWS))('%s is refused by both', (_, { text, reason }) => {
    const kernel = jit(functionOf(`(x) => { x[0] = ${text}; }`));
    expect(() => {
      kernel.simulate(1, 1)(new Float32Array(1));
    }).toThrow(reason);
    expect(() => {
      kernel.at(1, 1)(new Float32Array(1));
    }).toThrow(reason);
  });
});
