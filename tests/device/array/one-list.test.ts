import { expect, test } from '@jest/globals';
import { creationOf } from '../../../src/array/creation/creation.ts';
import { tile } from '../../../src/array/function/join.ts';
import { broadcastTo, permuteDims } from '../../../src/array/function/shape.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { thrown } from '../../helpers/thrown.ts';

type Loose = (...args: unknown[]) => unknown;

describeArrays('numbers in the place of one list', (engine) => {
  const make = (name: 'zeros' | 'ones' | 'empty' | 'full'): Loose => creationOf(engine)[name] as Loose;

  test.each<[string, (x: Record<string, Loose>) => unknown]>([
    ['reshape([2, 3])', (x) => x['reshape']?.(2, 3)],
    ['reshape([1, -1, 3])', (x) => x['reshape']?.(1, -1, 3)],
    ['permuteDims([1, 0])', (x) => x['transpose']?.(1, 0)],
    ['permuteDims([1, 0])', (x) => x['permuteDims']?.(1, 0)],
    ['squeeze([0, 1])', (x) => x['squeeze']?.(0, 1)],
    ['expandDims([0, 1])', (x) => x['expandDims']?.(0, 1)],
    ['flip([0, 1])', (x) => x['flip']?.(0, 1)],
    ['broadcastTo([4, 2, 3])', (x) => x['broadcastTo']?.(4, 2, 3)],
    ['permuteDims([1, 0])', (x) => (permuteDims as Loose)(x, 1, 0)],
    ['broadcastTo([2, 3])', (x) => (broadcastTo as Loose)(x, 2, 3)],
    ['tile([2, 3])', (x) => (tile as Loose)(x, 2, 3)],
    ['zeros([2, 3])', () => make('zeros')(2, 3)],
    ['ones([2, 3n])', () => make('ones')(2, 3n)],
    ['empty([2, 3, 4])', () => make('empty')(2, 3, 4)],
    ['full([2, 3], 7)', () => make('full')(2, 3, 7)],
    ['sum({ axis: 0 })', (x) => x['sum']?.(0, 1)],
  ])('is an error that says %s', (text, call) => {
    using x = make('ones')([2, 3]) as NDArray;
    const error = thrown(() => call(x as unknown as Record<string, Loose>));
    expect(error).toMatch(/^TypeError: /);
    expect(error).toContain(text);
  });

  test('is not what other arguments are', () => {
    using x = make('zeros')(6) as NDArray;
    using y = x.reshape(6, { copy: true });
    using z = make('full')(2, 3) as NDArray;
    expect([y.shape, z.toArray(), x.reshape([2, 3]).transpose([1, 0]).shape, x.flip(0).shape]).toEqual([
      [6],
      [3, 3],
      [3, 2],
      [6],
    ]);
  });
});
