import { expect, test } from '@jest/globals';
import { array, empty } from '../../../src/array/create.ts';
import type { ArrayDType } from '../../../src/array/dtype.ts';
import type { FusedValue } from '../../../src/array/expression/fused-value.ts';
import { evaluate } from '../../../src/array/function/evaluate.ts';
import { scope } from '../../../src/array/function/scope.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import * as xp from '../../../src/array/public.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { thrown } from '../../helpers/thrown.ts';

const grid = [
  [1, 2, 3],
  [4, 5, 6],
];
const HOLDS = 'A fused function must hold elementwise operations of its operands alone';

describeArrays('fuse', (engine) => {
  const of = (data: unknown, dtype: ArrayDType = 'f32'): NDArray => array(engine(), data, { dtype });

  test('computes methods and functions in one kernel, whose function is called once for each set of dtypes', () => {
    let calls = 0;
    const f = xp.fuse((x, y) => {
      calls++;
      return xp.add(x.mul(2), y.square()).sub(1);
    });
    using x = of(grid);
    using y = of([1, 2, 3], 'i32');
    using z = f(x, y);
    expect([z.dtype, z.toArray()]).toEqual([
      'f64',
      [
        [2, 7, 14],
        [8, 13, 20],
      ],
    ]);
    using t = x.T;
    using again = f(x, y);
    using turned = f(t, t);
    using scalar = f(x, 3);
    expect([again.toArray(), turned.at(0).toArray(), scalar.at(0).toArray()]).toEqual([
      z.toArray(),
      [2, 23],
      [10, 12, 14],
    ]);
    expect(calls).toBe(3);
    using other = f(x, 4);
    expect([other.at(0).toArray(), calls]).toEqual([[17, 19, 21], 3]);
  });

  test('gives several results from one kernel', () => {
    const parts = xp.fuse((x, limit) => {
      const [whole, isLarge] = [x.floor(), x.greater(limit)];
      return [whole, x.sub(whole), isLarge, xp.where(isLarge, limit, x)];
    });
    using x = of([0.5, 1.25, 7.75]);
    const results = parts(x, 1);
    expect(results.map((result) => [result.dtype, result.toArray()])).toEqual([
      ['f32', [0, 1, 7]],
      ['f32', [0.5, 0.25, 0.75]],
      ['bool', [false, true, true]],
      ['f32', [0.5, 1, 1]],
    ]);
    for (const result of results) result.close();
  });

  test('writes to out, which may be its operands', () => {
    const step = xp.fuse((x, y) => [x.add(y), x.sub(y)]);
    using x = of([1, 2, 3, 4]);
    using y = of([4, 3, 2, 1]);
    const results = step(x, y, { out: [x, y] });
    expect([results[0] === x, results[1] === y]).toEqual([true, true]);
    expect([x.toArray(), y.toArray()]).toEqual([
      [5, 5, 5, 5],
      [-3, -1, 1, 3],
    ]);
    // Backwards in the same memory: what is read must not be written before.
    using back = y.at('::-1');
    using made = empty(engine(), [4], { dtype: 'f64' });
    step(x, back, { out: [made, y] });
    expect([made.toArray(), y.toArray()]).toEqual([
      [8, 6, 4, 2],
      [2, 4, 6, 8],
    ]);
    const twice = xp.fuse((a) => a.mul(2));
    expect(twice(x, { out: x })).toBe(x);
    expect(x.toArray()).toEqual([10, 10, 10, 10]);
    expect(thrown(() => step(x, y, { out: x }))).toBe('TypeError: fuse: out must be a list of 2 arrays, got 1');
    using part = x.at(':');
    expect(thrown(() => step(x, y, { out: [x, part] }))).toMatch(/^RangeError: fuse: each result must have an array/);
  });

  test('has dtypes, conversions and choices', () => {
    const f = xp.fuse((x) => {
      expect([x.dtype, x.mul(2).dtype, x.less(3).dtype, x.sqrt().dtype]).toEqual(['u8', 'u8', 'bool', 'f32']);
      return x.astype('f32').mul(0.1).astype('f16').clip(null, 20).add(x.less(3));
    });
    using x = of([1, 10, 255], 'u8');
    using y = f(x);
    // 0.1 in f16, and 1 for the truth value.
    expect([y.dtype, y.astype('f32').toArray()]).toEqual(['f16', [1.099609375, 1, 20]]);
  });

  test('can be called in another one, and with the text of an expression', () => {
    const half = xp.fuse((x) => x.mul(0.5));
    const f = xp.fuse((x, y) => half(x).add(evaluate`${y} ** 2 > 4 ? 1 + 1 : 0`));
    using x = of([2, 4, 6]);
    using y = of([1, 2, 3]);
    using z = f(x, y);
    expect(z.toArray()).toEqual([1, 2, 5]);
  });

  test('computes with scalars alone at full precision, each time', () => {
    const f = xp.fuse((x, s) => x.mul(s.mul(Math.PI).div(3)));
    using x = of([1, 3], 'f64');
    const at = (s: number | bigint): unknown => scope(() => f(x, s).toArray());
    expect(at(0.5)).toEqual([(0.5 * Math.PI) / 3, ((0.5 * Math.PI) / 3) * 3]);
    expect(at(2)).toEqual([(2 * Math.PI) / 3, ((2 * Math.PI) / 3) * 3]);
    expect(at(3n)).toEqual([Math.PI, Math.PI * 3]);
  });

  test('says what a fused function can hold', () => {
    using x = of(grid);
    const bad = (define: (value: never) => unknown): string => thrown(() => xp.fuse(define as never)(x as never));
    expect(bad((v: NDArray) => v.sum())).toBe(
      `TypeError: ${HOLDS}, got sum; compute that outside and pass it as an operand`,
    );
    expect(bad((v: NDArray) => v.shape)).toMatch(/got shape; compute that outside/);
    expect(bad((v: number) => (v > 2 ? v : 0))).toBe(
      `TypeError: ${HOLDS}, got an operator or a condition of JavaScript; write add, less, where`,
    );
    expect(bad((v: string) => `text ${v}`)).toMatch(/got an operator/);
    expect(bad((v: never[]) => [...v])).toMatch(/got a loop over the elements of one/);
    expect(bad((v: NDArray) => v.add(x))).toMatch(
      /^TypeError: add must be given values of the fused function and numbers/,
    );
    expect(bad((v: NDArray) => x.add(v))).toMatch(
      /^TypeError: add must be given values of the fused function and numbers/,
    );
    expect(bad((v: NDArray) => v.add(1, { out: x }))).toMatch(
      /^TypeError: add must have no options in a fused function/,
    );
    expect(bad(() => 2)).toMatch(/^TypeError: fuse: the function must return a value that it computed.*got 2/);
    expect(bad(() => [])).toMatch(/got an empty list/);
    expect(bad((v: FusedValue) => v.bitwiseAnd(2))).toMatch(
      /^TypeError: bitwiseAnd must be given elements of .* got f32/,
    );
  });

  test('says what is wrong with a call', () => {
    using x = of(grid);
    using y = of([1, 2]);
    using row = of([1, 2, 3]);
    const f = xp.fuse((a, b) => a.add(b));
    expect(thrown(() => (f as unknown as (a: NDArray) => unknown)(x))).toBe(
      'TypeError: fuse: the function must be given 2 operands, got 1',
    );
    expect(thrown(() => f(1, 2))).toMatch(/^TypeError: fuse must be given an NDArray among its values/);
    expect(thrown(() => f(x, y))).toMatch(/^RangeError: Shapes .* do not broadcast/);
    expect(thrown(() => f(x, 'a' as unknown as number))).toMatch(/^TypeError: fuse: operand 1 must be an NDArray/);
    expect(thrown(() => f(x, 1, { output: x } as object))).toMatch(/^TypeError: fuse has no option 'output'/);
    const two = xp.fuse((a, b) => [a.add(b), b.mul(2)]);
    expect(thrown(() => two(x, row))).toMatch(
      /^RangeError: fuse: the results must have one shape, got \[3\] for result 1/,
    );
    expect(thrown(() => xp.fuse((a, b) => [a, b.mul(2)])(x, 2))).toMatch(/result 1 must be computed from an array/);
    let leaked: FusedValue | undefined;
    xp.fuse((a) => (leaked = a.mul(1)))(x).close();
    expect(thrown(() => leaked?.add(1))).toMatch(
      /^TypeError: add: a value of a fused function must be used in that call/,
    );
    expect(thrown(() => xp.fuse(2 as never))).toBe('TypeError: fuse must be given a function, got 2');
  });

  test('is refused where a function has too many operations', () => {
    using x = of([1]);
    const sum = (count: number): ((v: FusedValue) => FusedValue) => {
      return (v) => {
        let result = v;
        for (let i = 0; i < count; i++) result = result.add(v);
        return result;
      };
    };
    using many = xp.fuse(sum(200))(x);
    expect(many.toArray()).toEqual([201]);
    expect(thrown(() => xp.fuse(sum(1001))(x))).toMatch(
      /^RangeError: A fused function must have at most 1000 operations/,
    );
  });
});
