import { describe, expect, test } from '@jest/globals';
import type { WeakScalar } from '../../../src/array/dtype.ts';
import { fold } from '../../../src/array/expression/fold.ts';
import { operations, type OperationName } from '../../../src/array/operation/table.ts';
import { thrown } from '../../helpers/thrown.ts';

const of = (name: OperationName, ...operands: WeakScalar[]): WeakScalar => fold(operations[name], operands);

describe('operations of scalars alone', () => {
  test.each<readonly [OperationName, readonly WeakScalar[], WeakScalar]>([
    ['multiply', [2, Math.PI], 2 * Math.PI],
    ['divide', [7, 2], 3.5],
    ['divide', [7n, 2n], 3.5],
    ['floorDivide', [-7, 2], -4],
    ['floorDivide', [7n, -2n], -4n],
    ['floorDivide', [7n, 0n], 0n],
    ['floorDivide', [1, 0.1], 9],
    ['remainder', [-7, 3], 2],
    ['remainder', [7n, -3n], -2n],
    ['remainder', [5.5, -2], -0.5],
    ['fmod', [-7, 3], -1],
    ['pow', [2, 0.5], Math.SQRT2],
    ['pow', [2n, 100n], 2n ** 100n],
    ['pow', [2n, -1n], 0n],
    ['pow', [1, NaN], 1],
    ['round', [2.5], 2],
    ['round', [-2.5], -2],
    ['round', [3.5], 4],
    ['round', [5n], 5n],
    ['sign', [-0.5], -1],
    ['copysign', [3, -0], -3],
    ['signbit', [-0], true],
    ['logaddexp', [0, 0], Math.LN2],
    ['maximum', [1, NaN], NaN],
    ['fmax', [1, NaN], 1],
    ['clip', [5, 0, 3], 3],
    ['add', [1n, 2], 3n],
    ['add', [1n, 0.5], 1.5],
    ['bitwiseAnd', [6, 3], 2],
    ['bitwiseXor', [6n, 3], 5n],
    ['bitwiseInvert', [0], -1],
    ['bitwiseLeftShift', [1, 40], 2 ** 40],
    ['bitwiseLeftShift', [1, 60], 2n ** 60n],
    ['bitwiseRightShift', [-5n, 200n], -1n],
    ['bitwiseCount', [-7], 3],
    ['gcd', [12, -18], 6],
    ['lcm', [4n, 6n], 12n],
    ['less', [1, 2n], true],
    ['equal', [2 ** 53, 2n ** 53n + 1n], false],
    ['isfinite', [Infinity], false],
    ['where', [0, 1, 2.5], 2.5],
    ['where', [{ re: 0, im: 1 }, 1, 2], 1],
  ])('%s of %j', (name, operands, result) => {
    expect(of(name, ...operands)).toBe(result);
  });

  test('truth values stay truth values where those of arrays do', () => {
    expect([of('add', true, true), of('multiply', true, false), of('bitwiseXor', true, true)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([of('logicalAnd', 2, 0), of('logicalOr', 0n, 0.5), of('logicalNot', 0)]).toEqual([false, true, true]);
    expect(of('add', true, 1)).toBe(2);
    expect(of('divide', true, true)).toBe(1);
  });

  test('complex numbers', () => {
    const [a, b] = [
      { re: 1, im: 2 },
      { re: 3, im: -1 },
    ];
    expect(of('multiply', a, b)).toEqual({ re: 5, im: 5 });
    expect(of('divide', { re: 4, im: 2 }, { re: 1, im: 1 })).toEqual({ re: 3, im: -1 });
    expect(of('add', a, 1)).toEqual({ re: 2, im: 2 });
    expect(of('abs', { re: 3, im: -4 })).toBe(5);
    expect(of('sqrt', { re: -4, im: 0 })).toEqual({ re: 0, im: 2 });
    expect(of('sqrt', { re: -4, im: -0 })).toEqual({ re: 0, im: -2 });
    expect(of('pow', { re: 0, im: 1 }, 2)).toEqual({ re: -1, im: 0 });
    const turned = of('exp', { re: 0, im: Math.PI }) as { readonly re: number; readonly im: number };
    expect([turned.re, turned.im]).toEqual([-1, expect.closeTo(0)]);
    expect(of('imag', a)).toBe(2);
    expect(of('notEqual', a, { re: 1, im: 2 })).toBe(false);
  });

  test('what arrays refuse is refused', () => {
    expect(thrown(() => of('subtract', true, true))).toMatch(/^TypeError: subtract must be given elements of .* bool/);
    expect(thrown(() => of('bitwiseAnd', 0.5, 1))).toMatch(/^TypeError: bitwiseAnd must be given elements of .* f64/);
    expect(thrown(() => of('less', { re: 1, im: 1 }, 2))).toMatch(/^TypeError: less .* c128/);
  });

  test('what JavaScript cannot compute needs an array', () => {
    const text = /^TypeError: \w+ must be given an NDArray among its operands, got numbers alone; compute it before/;
    expect(thrown(() => of('erf', 0.5))).toMatch(text);
    expect(thrown(() => of('sin', { re: 1, im: 1 }))).toMatch(text);
  });

  test('integers without end are refused', () => {
    expect(thrown(() => of('pow', 2n, 2n ** 40n))).toMatch(/^RangeError: pow: the exponent must be at most 1024/);
    expect(thrown(() => of('bitwiseLeftShift', 1, 2 ** 40))).toMatch(/^RangeError: bitwiseLeftShift: the shift/);
  });
});
