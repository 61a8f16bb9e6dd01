import { expect, test } from '@jest/globals';
import { array, empty } from '../../../src/array/create.ts';
import type { ArrayDType } from '../../../src/array/dtype.ts';
import { diagonal, trace } from '../../../src/array/function/diagonal.ts';
import { dot, einsum, inner, kron, matmul, outer, tensordot, vecdot } from '../../../src/array/function/product.ts';
import { viewOf, type NDArray } from '../../../src/array/ndarray.ts';
import { permute } from '../../../src/array/view.ts';
import { expected, found, integersOf, numbers } from '../../helpers/array-elements.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { deviceWays, inWay } from '../../helpers/device-ways.ts';

const ways = deviceWays.slice(0, 2);

describeArrays('contractions', (engine) => {
  const integers = (shape: readonly number[], seed: number, dtype?: ArrayDType): NDArray =>
    integersOf(engine(), shape, seed, dtype);

  test('sum over axes of two arrays that a number or two lists name', () => {
    using x = integers([3, 4, 5], 1);
    using y = integers([4, 5, 2], 2);
    using two = tensordot(x, y);
    expect(found(two)).toEqual(expected('abc,bcd->ad', x, y));
    using none = tensordot(x, y, { axes: 0 });
    expect(found(none)).toEqual(expected('abc,def->abcdef', x, y));
    using lists = tensordot(x, y, {
      axes: [
        [-1, 1],
        [1, 0],
      ],
    });
    expect(found(lists)).toEqual(expected('abc,bcd->ad', x, y));
    using single = tensordot(x, y, { axes: [2, 1] });
    expect(found(single)).toEqual(expected('abc,dce->abde', x, y));
    using space = empty(engine(), [3, 4], { dtype: 'f32' });
    using out = space.T;
    using turned = viewOf(x, permute(x, [1, 0, 2]));
    using matrix = integers([5], 3);
    tensordot(turned, matrix, { axes: 1, out });
    expect(found(out)).toEqual(expected('bac,c->ba', turned, matrix));
  });

  test.each([
    ['ij,jk->ik', [3, 4], [4, 5]],
    ['ij,jk', [3, 4], [4, 5]],
    ['ij,kj->ki', [3, 4], [5, 4]],
    ['ji', [3, 4]],
    ['ij->', [3, 4]],
    ['ij->j', [3, 4]],
    ['ijk->ik', [3, 4, 5]],
    ['ii', [4, 4]],
    ['ii->i', [4, 4]],
    ['iij->ji', [3, 3, 4]],
    ['i,i', [7], [7]],
    ['i,j->ij', [3], [4]],
    ['i,j->ji', [3], [4]],
    ['ij,ij->ij', [3, 4], [3, 4]],
    ['ij,ij->i', [3, 4], [3, 4]],
    ['bij,bjk->bik', [2, 3, 4], [2, 4, 5]],
    ['bij,bjk->kbi', [2, 3, 4], [2, 4, 5]],
    ['ij,k->k', [3, 4], [5]],
    ['ij,jk,kl->il', [2, 3], [3, 4], [4, 5]],
    ['ij,jk,kl', [2, 3], [3, 4], [4, 5]],
    ['i,i,i->i', [5], [5], [5]],
    ['ijk,jil->kl', [3, 4, 5], [4, 3, 2]],
    ['ij,ij', [1, 3], [2, 3]],
    ['abc,cd,db->ad', [2, 3, 4], [4, 5], [5, 3]],
    [' i j , j k -> i k ', [3, 4], [4, 5]],
    ['ij,jk->ik', [3, 0], [0, 5]],
    [',ij->ij', [], [3, 4]],
  ] as const)('sum as einsum has it: %s', (subscripts, ...shapes) => {
    const arrays = shapes.map((shape, i) => integers(shape as readonly number[], i + 1));
    using result = einsum(subscripts, ...arrays);
    expect(found(result)).toEqual(expected(subscripts, ...arrays));
    for (const each of arrays) each.close();
  });

  test('let dots stand for any axes, which broadcast', () => {
    using x = integers([2, 1, 3, 4], 1);
    using y = integers([5, 4, 2], 2);
    using product = einsum('...ij,...jk->...ik', x, y);
    using other = matmul(x, y);
    expect(found(product)).toEqual(found(other));
    using implied = einsum('...ij,...jk', x, y);
    expect(found(implied)).toEqual(found(other));
    using first = einsum('i...->...', x);
    expect(found(first)).toEqual(expected('abcd->bcd', x));
    using turned = einsum('...ij->...ji', x);
    expect(found(turned)).toEqual(expected('abcd->abdc', x));
    using all = einsum('...', x);
    expect(found(all)).toEqual(found(x));
  });

  test('write what einsum sums into an array, in the dtype that the operands have in common', () => {
    using x = integers([3, 4], 1, 'i16');
    using y = integers([4, 3], 2, 'i32');
    using space = empty(engine(), [3, 3], { dtype: 'f64' });
    using out = space.T;
    expect(einsum('ij,jk->ik', x, y, { out })).toBe(out);
    expect(found(out)).toEqual(expected('ij,jk->ik', x, y));
    using own = einsum('ij,jk->ik', x, y);
    expect(own.dtype).toBe('i32');
    using truths = integers([3, 4], 3).astype('bool');
    using any = einsum('ij->i', truths);
    expect([any.dtype, any.toArray()]).toEqual(['bool', [true, true, true]]);
  });

  test('multiply vectors, and arrays as dot and inner have it', () => {
    using x = integers([3, 4], 1);
    using y = integers([2, 4, 5], 2);
    using rows = integers([6, 4], 3);
    using vector = integers([4], 4);
    using ofDot = dot(x, y);
    expect(found(ofDot)).toEqual(expected('ij,ajk->iak', x, y));
    using ofVector = x.dot(vector);
    expect(found(ofVector)).toEqual(expected('ij,j->i', x, vector));
    using ofVectors = vector.dot(vector);
    expect(found(ofVectors)).toEqual(expected('i,i->', vector, vector));
    using ofInner = inner(x, rows);
    expect(found(ofInner)).toEqual(expected('ij,kj->ik', x, rows));
    using scalar = array(engine(), 3);
    using scaled = inner(x, scalar);
    expect(found(scaled)).toEqual(expected('ij,->ij', x, scalar));
    using ofOuter = outer(vector, x);
    using flat = x.reshape([12]);
    expect(found(ofOuter)).toEqual(expected('i,j->ij', vector, flat));
  });

  test.each(ways)('sum products of vectors along an axis, of the first ones’ conjugates, %s', (_, way) => {
    inWay(engine(), way, () => {
      using x = integers([3, 1, 40], 1);
      using y = integers([5, 40], 2);
      using last = vecdot(x, y);
      expect(found(last)).toEqual(expected('acj,bj->ab', x, y));
      using turned = viewOf(x, permute(x, [2, 0, 1]));
      using other = integers([40, 3, 5], 3);
      using first = vecdot(turned, other, { axis: 0 });
      expect(found(first)).toEqual(expected('jac,jab->ab', turned, other));
      using z = array(
        engine(),
        [
          { re: 1, im: 2 },
          { re: 0, im: 1 },
        ],
        { dtype: 'c64' },
      );
      using product = vecdot(z, z);
      expect(product.toArray()).toEqual({ re: 6, im: 0 });
    });
  });

  test('multiply every element by a whole array', () => {
    using x = integers([2, 3], 1);
    using y = integers([4], 2);
    using product = kron(x, y);
    const { elements } = expected('ij,k->ijk', x, y);
    expect(found(product)).toEqual({ shape: [2, 12], elements });
    using eye = array(engine(), [
      [1, 0],
      [0, 1],
    ]);
    using blocks = kron(eye, x);
    expect(found(blocks)).toEqual({ ...expected('ac,bd->abcd', eye, x), shape: [4, 6] });
  });

  test('view diagonals, and sum them', () => {
    using x = integers([4, 5], 1, 'i32');
    const at = (i: number, j: number): number => x.item(i, j) as number;
    using main = diagonal(x);
    expect(numbers(main)).toEqual([0, 1, 2, 3].map((i) => at(i, i)));
    using above = x.diagonal({ offset: 2 });
    expect(numbers(above)).toEqual([0, 1, 2].map((i) => at(i, i + 2)));
    using below = x.diagonal({ offset: -3 });
    expect(numbers(below)).toEqual([at(3, 0)]);
    using none = x.diagonal({ offset: 9 });
    expect(none.shape).toEqual([0]);
    using sum = trace(x);
    expect([sum.dtype, sum.item()]).toEqual(['i64', BigInt(numbers(main).reduce((a, b) => a + b))]);
    using cube = integers([3, 4, 3], 2);
    using sums = cube.trace({ axis1: 0, axis2: 2 });
    expect(found(sums)).toEqual(expected('iji->j', cube));
    main.set(0);
    expect(x.item(2, 2)).toBe(0);
  });

  test('name the shapes that do not fit', () => {
    using x = integers([2, 3], 1);
    using y = integers([4, 5], 2);
    using scalar = array(engine(), 3);
    using batches = integers([2, 3, 3], 3);
    using others = integers([4, 3, 3], 4);
    using vector = integers([4], 5);
    expect(() => x.matmul(y)).toThrow(
      'matmul: shapes [2, 3] and [4, 5] do not fit: axis -1 of the first has 3, axis -2 of the second 4',
    );
    expect(() => x.matmul(vector)).toThrow('axis -1 of the first has 3, axis -1 of the second 4');
    expect(() => x.matmul(scalar)).toThrow('got one of rank 0; write multiply()');
    expect(() => batches.matmul(others)).toThrow(
      'matmul: shapes [2, 3, 3] and [4, 3, 3] do not fit: their other axes, [2] and [4], do not broadcast',
    );
    expect(() => tensordot(x, y, { axes: 1 })).toThrow(
      'tensordot: shapes [2, 3] and [4, 5] do not fit: axis 1 of the first has 3, axis 0 of the second 4',
    );
    expect(() => tensordot(x, y, { axes: 3 })).toThrow('tensordot: axes must be at most the rank of both, got 3');
    expect(() => dot(x, y)).toThrow('dot: shapes [2, 3] and [4, 5] do not fit');
    expect(() => inner(x, y)).toThrow('inner: shapes [2, 3] and [4, 5] do not fit');
    expect(() => vecdot(x, y)).toThrow('axis -1 of the first has 3, of the second 5');
    expect(() => x.matmul(x.T, { out: y })).toThrow('matmul: out must have the shape [2, 2], got [4, 5]');
    expect(() => vector.diagonal()).toThrow('diagonal must be given an array of two axes or more, got shape [4]');
    expect(() => x.diagonal({ axis1: 1 })).toThrow('axis1 and axis2 must be two axes, got 1 twice');
    expect(() => matmul(x, 3 as never)).toThrow('matmul: operand 1 must be an NDArray, got 3');
  });

  test('point at the letter of subscripts that have no meaning', () => {
    using x = integers([2, 3], 1);
    using y = integers([4, 5], 2);
    const mistake = (subscripts: string, ...arrays: NDArray[]) => {
      return (): void => {
        einsum(subscripts, ...arrays).close();
      };
    };
    expect(mistake('ij,jk->ik', x, y)).toThrow(
      "einsum: 'j' has 3 elements before, 4 in operand 1 of shape [4, 5]\n  ij,jk->ik\n     ^",
    );
    expect(mistake('i1', x)).toThrow("einsum: '1' is neither a letter nor '...'\n  i1\n   ^");
    expect(mistake('ij->ik', x)).toThrow("einsum: 'k' is no axis of an operand\n  ij->ik\n       ^");
    expect(mistake('ij->ii', x)).toThrow("einsum: 'i' stands twice in the result\n  ij->ii\n       ^");
    expect(mistake('ijk', x)).toThrow("einsum: 'ijk' names 3 axes, operand 0 of shape [2, 3] has 2\n  ijk\n  ^");
    expect(mistake('ij,jk', x)).toThrow("einsum: subscripts must name the axes of 1 operands, got 2 in 'ij,jk'");
    expect(mistake('...->', x)).toThrow("einsum: the result must have '...', since an operand has axes there");
    expect(mistake('......', x)).toThrow("einsum: '...' stands twice");
    expect(() => einsum('ij')).toThrow('einsum must be given an NDArray behind the subscripts, got none');
    expect(() => einsum(3 as never, x)).toThrow("einsum: subscripts must be a string such as 'ij,jk->ik', got 3");
  });
});
