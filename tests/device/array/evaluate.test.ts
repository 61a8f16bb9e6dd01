import { expect, test } from '@jest/globals';
import { array, empty } from '../../../src/array/create.ts';
import type { ArrayDType } from '../../../src/array/dtype.ts';
import { evaluate } from '../../../src/array/function/evaluate.ts';
import { scope } from '../../../src/array/function/scope.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { thrown } from '../../helpers/thrown.ts';
import { randomExpression } from '../../helpers/random-expression.ts';

const grid = [
  [1, 2, 3],
  [4, 5, 6],
];

describeArrays('evaluate', (engine) => {
  const f32 = (data: unknown): NDArray => array(engine(), data, { dtype: 'f32' });
  const of = (data: unknown, dtype: ArrayDType): NDArray => array(engine(), data, { dtype });

  test('computes an expression with its operators in one go', () => {
    using x = f32(grid);
    using row = f32([1, 0, -1]);
    const sum = (by: number): unknown =>
      scope(() => evaluate`${x} * ${by} + maximum(${row}, 0) - -${x} ** 2 / 2`.toArray());
    expect(sum(2)).toEqual([
      [3.5, 6, 10.5],
      [17, 22.5, 30],
    ]);
    // The same kernel with another number, and one for fractions of the same dtype.
    expect(sum(0)).toEqual([
      [1.5, 2, 4.5],
      [9, 12.5, 18],
    ]);
    expect(sum(0.5)).toEqual([
      [2, 3, 6],
      [11, 15, 21],
    ]);
  });

  test('chooses by ? and :, and by names', () => {
    using x = f32(grid);
    using n = of([1, 2, 3], 'i32');
    using chosen = evaluate`${x} > 2 && ${n} != 3 ? ${x} : ${n} == 3 ? -1 : 0.5`;
    expect(chosen.toArray()).toEqual([
      [0.5, 0.5, -1],
      [4, 5, -1],
    ]);
    expect(chosen.dtype).toBe('f32');
    using named = evaluate`where(fabs(${x}) <= 2, sub(${x}, 1), clip(${x}, 0, 5))`;
    expect(named.toArray()).toEqual([
      [0, 1, 3],
      [4, 5, 5],
    ]);
  });

  test('gives every node the dtype that it has operation by operation', () => {
    using u8 = of([250, 3], 'u8');
    using i8 = of([-100, 3], 'i8');
    using i32 = of([7, -7], 'i32');
    const results = scope(() =>
      [
        evaluate`(${u8} + 10) * 2`,
        evaluate`${u8} * 2 + ${i8}`,
        evaluate`${i32} // 2 % 3`,
        evaluate`${i32} / 2`,
        evaluate`${u8} / 2`,
        evaluate`~${u8} & 0xf0`,
        evaluate`${i32} > 0`,
        evaluate`${u8} + 0.5`,
      ].map((result) => [result.dtype, result.toArray()]),
    );
    expect(results).toEqual([
      ['u8', [8, 26]],
      // 500 wraps around in u8 before i8 joins.
      ['i16', [244 - 100, 9]],
      ['i32', [0, 2]],
      ['f64', [3.5, -3.5]],
      ['f32', [125, 1.5]],
      ['u8', [0, 240]],
      ['bool', [true, false]],
      ['f32', [250.5, 3.5]],
    ]);
  });

  test('computes what has no array at full precision', () => {
    using x = of([1, 0.1], 'f64');
    const [a, b] = [0.1, 3n];
    using y = evaluate`2 * pi * ${a} / ${b} * ${x}`;
    expect(y.toArray()).toEqual([((2 * Math.PI * 0.1) / 3) * 1, ((2 * Math.PI * 0.1) / 3) * 0.1]);
    using i = of([1, 2], 'i64');
    using shifted = evaluate`${i} + (1n << 62n) - 2 ** 3`;
    expect(shifted.toArray()).toEqual([2n ** 62n - 7n, 2n ** 62n - 6n]);
  });

  test('takes complex numbers', () => {
    using z = of([{ re: 1, im: 1 }], 'c64');
    using w = evaluate`conj(${z}) * 2j + ${{ re: 1, im: 0 }}`;
    expect(w.toArray()).toEqual([{ re: 3, im: 2 }]);
  });

  test('compares integers with numbers that they cannot hold', () => {
    using u8 = of([0, 255], 'u8');
    const above = (limit: number): unknown => scope(() => evaluate`${u8} > ${limit} || ${limit} == ${u8}`.toArray());
    expect([above(254), above(300), above(-1), above(255), above(-1)]).toEqual([
      [false, true],
      [false, false],
      [true, true],
      [false, true],
      [true, true],
    ]);
  });

  test('writes to out, which may be one of its arrays or a part of it', () => {
    using x = f32([1, 2, 3, 4]);
    expect(evaluate.with({ out: x })`${x} * 2 + 1`).toBe(x);
    expect(x.toArray()).toEqual([3, 5, 7, 9]);
    using head = x.at(':3');
    using tail = x.at('1:');
    expect(evaluate.with({ out: tail })`${head} + ${tail}`).toBe(tail);
    expect(x.toArray()).toEqual([3, 8, 12, 16]);
    using wide = empty(engine(), [4], { dtype: 'f64' });
    expect(evaluate.with({ out: wide })`${x} / 4`.toArray()).toEqual([0.75, 2, 3, 4]);
  });

  test('takes views, arrays without elements and arrays of rank 0', () => {
    using x = f32(grid);
    using turned = x.at('::-1, ::2');
    using both = evaluate`${turned.T} - ${turned.T} * 0.5`;
    expect(both.toArray()).toEqual([
      [2, 0.5],
      [3, 1.5],
    ]);
    using none = x.at(':0');
    using empties = evaluate`${none} + ${x.at(0)}`;
    expect(empties.shape).toEqual([0, 3]);
    using zero = f32(3);
    using one = evaluate`${zero} ** 2`;
    expect([one.shape, one.item()]).toEqual([[], 9]);
    using same = evaluate`${x}`;
    expect([same.toArray(), same === x]).toEqual([grid, false]);
  });

  test('points at the operation that a dtype is wrong for', () => {
    using x = f32(grid);
    using n = of([1, 2, 3], 'u8');
    expect(thrown(() => evaluate`1 + (${x} & 3)`)).toBe(
      'TypeError: bitwiseAnd must be given elements of bool, i8, i16, i32, i64, u8, u16, u32, u64, got f32\n' +
        '  1 + (${0} & 3)\n            ^',
    );
    const add = (by: number): unknown => evaluate`sin(${n} + ${by})`;
    expect(thrown(() => add(300))).toMatch(
      /^RangeError: 300 is not in 0 to 255.*\n {2}sin\(\$\{0\} \+ \$\{1\}\)\n {11}\^$/s,
    );
    (add(1) as NDArray).close();
    expect(thrown(() => add(300))).toMatch(
      /^RangeError: 300 is not in 0 to 255.*\n {2}sin\(\$\{0\} \+ \$\{1\}\)\n {11}\^$/s,
    );
    expect(thrown(() => evaluate`${x} + (2 & 0.5)`)).toMatch(/^TypeError: bitwiseAnd must be .*\n {12}\^$/s);
  });

  test('refuses what it cannot take', () => {
    using x = f32(grid);
    using y = f32([1, 2]);
    expect(thrown(() => evaluate`1 + 2`)).toBe(
      'TypeError: evaluate must be given an NDArray among its values, got numbers alone',
    );
    expect(thrown(() => evaluate`${x} + ${'1' as unknown as number}`)).toMatch(
      /^TypeError: evaluate: \$\{1\} must be an NDArray or a number, got the string "1"/,
    );
    expect(thrown(() => evaluate`${x} + ${y}`)).toMatch(/^RangeError: Shapes .* do not broadcast/);
    expect(thrown(() => evaluate.with({ out: y })`${x} + 1`)).toMatch(/^RangeError: evaluate: out must have the shape/);
    expect(thrown(() => evaluate.with({ out: x, at: 1 } as object))).toMatch(/^TypeError: evaluate has no option 'at'/);
    using integers = of([1, 2], 'i32');
    expect(thrown(() => evaluate.with({ out: integers })`${y} * 2`)).toMatch(
      /^TypeError: evaluate: out must have a dtype/,
    );
    y.close();
    expect(thrown(() => evaluate`${y} + 1`)).toMatch(/^ClosedError/);
  });

  test('takes 30 arrays, and says so for more', () => {
    using x = f32([1, 2]);
    const views = Array.from({ length: 31 }, (_, i) => x.at(i % 2 === 0 ? ':' : '::-1'));
    const sum = (count: number): NDArray => {
      const strings = Array.from({ length: count + 1 }, (_, i) => (i === 0 || i === count ? '' : ' + '));
      return evaluate(strings as unknown as TemplateStringsArray, ...views.slice(0, count));
    };
    using all = sum(30);
    expect(all.toArray()).toEqual([45, 45]);
    expect(thrown(() => sum(31))).toBe(
      'RangeError: evaluate must be given at most 30 arrays, got 31; compute a part of it before',
    );
    for (const view of views) view.close();
    // The same array many times is one.
    const strings = Array.from({ length: 33 }, (_, i) => (i === 0 || i === 32 ? '' : ' + '));
    using many = evaluate(strings as unknown as TemplateStringsArray, ...Array.from({ length: 32 }, () => x));
    expect(many.toArray()).toEqual([32, 64]);
  });

  test('random expressions are what their operations give one by one', () => {
    for (let seed = 1; seed <= 3; seed++) {
      scope(() => {
        const { strings, values, eager } = randomExpression(seed, of);
        const fused = evaluate(strings as unknown as TemplateStringsArray, ...values);
        const text = `${seed}: ${strings.join('$')}`;
        expect([text, fused.dtype, fused.toArray()]).toEqual([text, eager.dtype, eager.toArray()]);
      });
    }
  });
});
