import { expect, test } from '@jest/globals';
import { array, asarray, empty, full, ones, zeros } from '../../../src/array/create.ts';
import { arange } from '../../../src/array/creation/arange.ts';
import { diag, eye, identity } from '../../../src/array/creation/diagonal.ts';
import { fromFunction } from '../../../src/array/creation/from-function.ts';
import { emptyLike, fullLike, onesLike, zerosLike } from '../../../src/array/creation/like.ts';
import { meshgrid } from '../../../src/array/creation/meshgrid.ts';
import { geomspace, linspace, logspace } from '../../../src/array/creation/space.ts';
import { tri, tril, triu } from '../../../src/array/creation/triangle.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { inWay } from '../../helpers/device-ways.ts';

describeArrays('creation', (engine) => {
  test('zeros, ones and full have the dtype that is asked for, or that of the value', () => {
    using zero = zeros(engine(), [2, 3]);
    using one = ones(engine(), 2, { dtype: 'i32' });
    using half = full(engine(), [2], 0.5);
    using big = full(engine(), [2], -7n);
    using flags = full(engine(), [2], true);
    using complex = full(engine(), 1, { re: 1, im: -2 });
    expect([zero.dtype, one.dtype, half.dtype, big.dtype, flags.dtype, complex.dtype]).toEqual([
      'f32',
      'i32',
      'f32',
      'i64',
      'bool',
      'c64',
    ]);
    expect(zero.toArray()).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    expect(one.toArray()).toEqual([1, 1]);
    expect(half.toArray()).toEqual([0.5, 0.5]);
    expect(big.toArray()).toEqual([-7n, -7n]);
    expect(flags.toArray()).toEqual([true, true]);
    expect(complex.toArray()).toEqual([{ re: 1, im: -2 }]);
  });

  test('arrays without elements, and of rank 0', () => {
    using none = zeros(engine(), [0, 3]);
    using scalar = full(engine(), [], 4);
    using nested = array(engine(), [[], []]);
    expect(none.toArray()).toEqual([]);
    expect(scalar.item()).toBe(4);
    expect(nested.shape).toEqual([2, 0]);
    using nothing = arange(engine(), 0);
    expect(nothing.shape).toEqual([0]);
  });

  test('full refuses what the dtype does not hold', () => {
    expect(() => full(engine(), 2, 0.5, { dtype: 'i32' })).toThrow('0.5 is not an integer');
    expect(() => full(engine(), 2, 300, { dtype: 'u8' })).toThrow('300 is not in 0 to 255');
    expect(() => full(engine(), 2, { re: 1, im: 1 }, { dtype: 'f32' })).toThrow(TypeError);
    expect(() => zeros(engine(), [2, -1])).toThrow('must hold integers >= 0');
    expect(() => zeros(engine(), 2, { dtype: 'f99' as 'f32' })).toThrow('dtype must be one of');
  });

  test('like functions take shape and dtype of an array', () => {
    using x = array(engine(), [[1, 2, 3]], { dtype: 'i32' });
    using made = emptyLike(x);
    expect([made.shape, made.dtype]).toEqual([[1, 3], 'i32']);
    using zero = zerosLike(x, { dtype: 'f32' });
    using one = onesLike(x, { shape: [2], dtype: 'f32' });
    using seven = fullLike(x, 7);
    expect([zero.toArray(), one.toArray(), seven.toArray()]).toEqual([[[0, 0, 0]], [1, 1], [[7, 7, 7]]]);
    expect(() => fullLike(x, 1.5)).toThrow('is not an integer');
  });

  test('arange has the numbers of NumPy', () => {
    using simple = arange(engine(), 5);
    using down = arange(engine(), 10, 0, -3);
    using fractions = arange(engine(), 0, 1, 0.1);
    using big = arange(engine(), 2n ** 60n, 2n ** 60n + 3n);
    using none = arange(engine(), 3, 1);
    expect(simple.get()).toEqual(Float32Array.of(0, 1, 2, 3, 4));
    expect(down.get()).toEqual(Float32Array.of(10, 7, 4, 1));
    expect(fractions.get()).toEqual(Float32Array.from({ length: 10 }, (_, i) => i * 0.1));
    expect(big.get()).toEqual(BigInt64Array.of(2n ** 60n, 2n ** 60n + 1n, 2n ** 60n + 2n));
    expect(none.size).toBe(0);
    using negative = arange(engine(), -1n, -4n, -1n);
    expect(negative.toArray()).toEqual([-1n, -2n, -3n]);
  });

  test('arange refuses what it cannot count or hold', () => {
    expect(() => arange(engine(), 0, 1, 0)).toThrow('step must not be 0');
    expect(() => arange(engine(), NaN)).toThrow('must be finite numbers');
    expect(() => arange(engine(), 0, 300, { dtype: 'u8' })).toThrow('299 is not in 0 to 255');
    expect(() => arange(engine(), 0, 2, 0.5, { dtype: 'i32' })).toThrow('must be integers within 2^53');
    expect(() => arange(engine(), 2, { dtype: 'bool' })).toThrow('must be one of numbers');
    expect(() => arange(engine(), 'a' as unknown as number)).toThrow('stop must be a number');
  });

  test('every element of a long arange is exact', () => {
    const length = 100_003;
    using x = arange(engine(), 5, 5 + length);
    expect(x.get()).toEqual(Float32Array.from({ length }, (_, i) => 5 + i));
  });

  test('the places of elements are right where a thread has several', () => {
    inWay(engine(), { packBytes: 16 }, () => {
      using x = arange(engine(), 0, 1003, { dtype: 'i16' });
      expect(x.get()).toEqual(Int16Array.from({ length: 1003 }, (_, i) => i));
    });
  });

  test('linspace ends at the stop, or before it', () => {
    using whole = linspace(engine(), 0, 1, 4);
    using open = linspace(engine(), 0, 1, { num: 4, endpoint: false });
    using one = linspace(engine(), 3, 9, 1);
    using none = linspace(engine(), 3, 9, 0);
    using standard = linspace(engine(), 0, 49);
    using integers = linspace(engine(), -3, 3, 5, { dtype: 'i32' });
    expect(whole.get()).toEqual(Float32Array.of(0, 1 / 3, 2 / 3, 1));
    expect(open.get()).toEqual(Float32Array.of(0, 0.25, 0.5, 0.75));
    expect([one.toArray(), none.toArray()]).toEqual([[3], []]);
    expect(standard.size).toBe(50);
    // As NumPy, which rounds down.
    expect(integers.toArray()).toEqual([-3, -2, 0, 1, 3]);
    expect(() => linspace(engine(), 0, Infinity)).toThrow('stop must be a finite number');
    expect(() => linspace(engine(), 0, 1, -1)).toThrow('num must be an integer >= 0');
  });

  test('logspace and geomspace', () => {
    using log = logspace(engine(), 0, 3, 4);
    using two = logspace(engine(), 0, 3, { num: 4, base: 2 });
    using geometric = geomspace(engine(), -1, -1000, 4);
    expect(log.toArray()).toEqual([1, 10, 100, 1000]);
    expect(two.toArray()).toEqual([1, 2, 4, 8]);
    expect(geometric.toArray()).toEqual([-1, -10, -100, -1000]);
    expect(() => geomspace(engine(), 1, -1)).toThrow('must be of one sign');
  });

  test('eye, identity and diag', () => {
    using wide = eye(engine(), 2, 3, { k: 1 });
    using low = eye(engine(), 3, 2, { k: -1 });
    using far = eye(engine(), 2, { k: 5 });
    using unit = identity(engine(), 2);
    expect(wide.toArray()).toEqual([
      [0, 1, 0],
      [0, 0, 1],
    ]);
    expect(low.toArray()).toEqual([
      [0, 0],
      [1, 0],
      [0, 1],
    ]);
    expect(far.toArray()).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(unit.toArray()).toEqual([
      [1, 0],
      [0, 1],
    ]);
    using x = array(engine(), [1, 2]);
    using matrix = diag(x, -1);
    expect(matrix.toArray()).toEqual([
      [0, 0, 0],
      [1, 0, 0],
      [0, 2, 0],
    ]);
    using diagonal = diag(matrix, { k: -1 });
    expect(diagonal.toArray()).toEqual([1, 2]);
    diagonal.set(5);
    expect(matrix.toArray()).toEqual([
      [0, 0, 0],
      [5, 0, 0],
      [0, 5, 0],
    ]);
  });

  test('tri, tril and triu, of matrices with gaps and of stacks of them', () => {
    using ramp = arange(engine(), 24);
    using stack = asarray(engine(), ramp, { shape: [2, 3, 4] });
    const reference = (keep: (row: number, column: number) => boolean): number[] =>
      Array.from({ length: 24 }, (_, i) => (keep(Math.floor(i / 4) % 3, i % 4) ? i : 0));
    using lower = tril(stack, 1);
    using upper = triu(stack, { k: -1 });
    expect([...lower.get()]).toEqual(reference((row, column) => column <= row + 1));
    expect([...upper.get()]).toEqual(reference((row, column) => column >= row - 1));
    using turned = stack.at(1, '::-1, ::-1');
    using part = tril(turned);
    expect(part.toArray()).toEqual([
      [23, 0, 0, 0],
      [19, 18, 0, 0],
      [15, 14, 13, 0],
    ]);
    using mask = tri(engine(), 2, 3, { k: 1 });
    expect(mask.toArray()).toEqual([
      [1, 1, 0],
      [1, 1, 1],
    ]);
    expect(() => tril(ramp)).toThrow('at least two axes');
  });

  test('meshgrid by columns and rows, by axes, and as views', () => {
    using x = array(engine(), [1, 2, 3]);
    using y = array(engine(), [10, 20]);
    const [byColumn, byRow] = meshgrid(x, y);
    expect(byColumn?.toArray()).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    expect(byRow?.toArray()).toEqual([
      [10, 10, 10],
      [20, 20, 20],
    ]);
    const [first] = meshgrid(x, y, { indexing: 'ij' });
    expect(first?.toArray()).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    const [columns, rows] = meshgrid(x, y, { sparse: true });
    expect([columns?.shape, rows?.shape]).toEqual([
      [1, 3],
      [2, 1],
    ]);
    x.set(7);
    expect(columns?.toArray()).toEqual([[7, 7, 7]]);
    expect([...(byColumn?.get() ?? [])]).toEqual([1, 2, 3, 1, 2, 3]);
    for (const each of [byColumn, byRow, first, columns, rows]) each?.close();
    expect(() => meshgrid(x, { indexing: 'yx' as 'xy' })).toThrow("must be 'xy' or 'ij'");
  });

  test('fromFunction calls with the index of each element', () => {
    using sums = fromFunction(engine(), [2, 3], (i, j) => 10 * i + j);
    using flags = fromFunction(engine(), 3, (i) => i === 1);
    expect(sums.toArray()).toEqual([
      [0, 1, 2],
      [10, 11, 12],
    ]);
    expect([flags.dtype, flags.toArray()]).toEqual(['bool', [false, true, false]]);
    expect(() => fromFunction(engine(), 1, () => 'a' as unknown as number)).toThrow('must return numbers');
  });

  test('array copies, asarray is a view of an array of the same context', () => {
    using x = array(engine(), [
      [1, 2],
      [3, 4],
    ]);
    using copy = array(engine(), x);
    using view = asarray(engine(), x, { shape: [-1] });
    using converted = asarray(engine(), x, { dtype: 'i32' });
    x.set(9);
    expect(copy.toArray()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(view.toArray()).toEqual([9, 9, 9, 9]);
    expect([converted.dtype, converted.toArray()]).toEqual([
      'i32',
      [
        [1, 2],
        [3, 4],
      ],
    ]);
    using turned = x.at(':, ::-1');
    using flat = asarray(engine(), turned, { shape: 4 });
    expect(flat.toArray()).toEqual([9, 9, 9, 9]);
    expect(() => asarray(engine(), x, { shape: [3] })).toThrow('cannot be reshaped');
    x.close();
    expect(view.toArray()).toEqual([9, 9, 9, 9]);
    expect(() => asarray(engine(), x)).toThrow('closed');
  });

  test('a failure leaves no array behind', () => {
    expect(() => array(engine(), [1, 2], { shape: [3] })).toThrow('cannot be reshaped');
    expect(() => empty(engine(), 2, { wrong: 1 } as object)).toThrow("no option 'wrong'");
  });
});
