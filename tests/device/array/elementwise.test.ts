import { expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
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
});
