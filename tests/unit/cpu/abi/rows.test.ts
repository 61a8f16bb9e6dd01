import { expect, test } from '@jest/globals';
import { bindRows, type Rows } from '../../../../src/cpu/abi/rows.ts';

interface Table {
  readonly add: (value: number) => number;
  readonly total: () => number;
}
interface State {
  total: number;
}

const rows: Rows<State, Table> = {
  add: (state, value) => (state.total += value),
  total: ({ total }) => total,
};

test('bindRows() fixes the state of each table', () => {
  const [first, second]: readonly Table[] = [bindRows({ total: 1 }, rows), bindRows({ total: 2 }, rows)];
  expect(first?.add(10)).toBe(11);
  expect(second?.total()).toBe(2);
  expect(first?.total()).toBe(11);
});

test('bindRows() keeps the parameters of the prototypes', () => {
  const table = bindRows({ total: 0 }, rows);
  expect([table.add.length, table.total.length]).toEqual([1, 0]);
});
