import { expect, test } from '@jest/globals';
import { Xoroshiro128pState } from '../../../../src/jit/random/states.ts';
import { describeJitEverywhere } from '../../../helpers/jit-halves.ts';
import { functionOf } from '../../../helpers/jit-program-kernel.ts';
import { TOGETHER_CASES, type TogetherCase } from '../../../helpers/jit-together.ts';

type List = readonly (number | bigint)[];

/** What the arrays hold, in an order where they have none. */
function left(arrays: readonly unknown[], { unordered = [] }: TogetherCase): readonly List[] {
  return arrays.map((array, k) => {
    const list = Array.from(array as ArrayLike<number | bigint>);
    return unordered.includes(k) ? list.toSorted((a, b) => (a < b ? -1 : Number(a > b))) : list;
  });
}

/** The first elements that differ, of each array. */
function differences(simulated: readonly List[], computed: readonly List[]): readonly string[] {
  return simulated.flatMap((list, k) => {
    const at = list.findIndex((value, i) => !Object.is(value, computed[k]?.[i]));
    return at < 0
      ? []
      : [`array ${k}, element ${at}: simulator ${String(list[at])}, device ${String(computed[k]?.[at])}`];
  });
}

describeJitEverywhere('threads together', ({ jit, isCuda }) => {
  test.each(TOGETHER_CASES)('$title: the simulator and the device leave the same', (one) => {
    const constants = { const: { table: [1, 0.5, 4, -3], State: Xoroshiro128pState } };
    const fn = functionOf(one.text);
    const kernel = /\{ \w+ \}\) =>/.test(one.text) ? jit(fn, constants) : jit(fn);
    const [simulated, computed] = [one.arrays(), one.arrays()];
    const run = (): void => {
      kernel.at(one.grid, one.block)(...computed);
    };
    if (one.isCuda === true && !isCuda()) {
      expect(run).toThrow('OpenCL C has no ');
      return;
    }
    run();
    kernel.simulate(one.grid, one.block)(...simulated);
    if (one.title.startsWith('atomic exchange')) {
      for (const [last, seen, first] of [simulated, computed] as unknown as readonly (readonly List[])[]) {
        const all = [...(seen ?? []), ...(last ?? [])].map(Number).toSorted((a, b) => a - b);
        expect(all).toEqual(Array.from({ length: 1025 }, (_, i) => i));
        expect([...(first ?? [])]).toEqual([7, 1]);
      }
      return;
    }
    expect(differences(left(simulated, one), left(computed, one))).toEqual([]);
  });
});
