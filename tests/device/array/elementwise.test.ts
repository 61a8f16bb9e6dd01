import { expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
import { logicalAnd } from '../../../src/array/function/comparison.ts';
import { where } from '../../../src/array/function/other.ts';
import { describeArrays } from '../../helpers/array-halves.ts';

describeArrays('elementwise operations', (engine) => {
  test('add an array and a row that is repeated', () => {
    using x = array(engine(), [
      [1, 2, 3],
      [4, 5, 6],
    ]);
    using row = x.at(0);
    using sum = x.add(row);
    expect(sum.toArray()).toEqual([
      [2, 4, 6],
      [5, 7, 9],
    ]);
  });

  test('take a scalar as a truth value: NaN and complex numbers are true where they are other than 0', () => {
    using truths = array(engine(), [true, false]);
    using no = truths.at(1);
    for (const [scalar, isTrue] of [
      [NaN, true],
      [-0, false],
      [0n, false],
      [{ re: 0, im: 0.5 }, true],
      [{ re: 0, im: -0 }, false],
    ] as const) {
      using both = logicalAnd(truths, scalar);
      expect(both.toArray()).toEqual([isTrue, false]);
      using chosen = where(scalar, truths, no);
      expect(chosen.toArray()).toEqual([isTrue, false]);
    }
  });
});
