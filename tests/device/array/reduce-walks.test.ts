import { expect, test } from '@jest/globals';
import { array, empty } from '../../../src/array/create.ts';
import { permute } from '../../../src/array/view.ts';
import { broadcastTo } from '../../../src/array/broadcast.ts';
import type { Engine } from '../../../src/array/engine.ts';
import { viewOf, type NDArray } from '../../../src/array/ndarray.ts';
import { OpenCLEngine } from '../../../src/opencl/array/engine.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { inWay } from '../../helpers/device-ways.ts';
import { randomOf } from '../../helpers/math-points.ts';
import { isSound, lacks } from '../../helpers/opencl-devices.ts';
import { placeOf, reduced } from '../../helpers/reduce-reference.ts';

const SUBSETS = [[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2], []];

function integers(engine: Engine, shape: readonly number[], seed: number, dtype: 'i32' | 'f32' = 'i32'): NDArray {
  const random = randomOf(seed);
  const length = shape.reduce((product, each) => product * each, 1);
  const data = new (dtype === 'i32' ? Int32Array : Float32Array)(length).map(() => Math.floor(random() * 200) - 100);
  return array(engine, data, { shape });
}

/** Run tests as a processor has them, and with groups of threads as a GPU has them. */
function bothWays(engine: () => Engine, run: (engine: Engine) => void): void {
  const it = engine();
  const device = it instanceof OpenCLEngine ? it.context.devices[0] : undefined;
  const ways = [{ packBytes: 0, groups: 2 }];
  if (!device || !lacks(device, 'sound PoCL', isSound(device))) ways.push({ packBytes: 16, groups: 64 });
  for (const way of ways)
    inWay(it, way, () => {
      run(it);
    });
}

const sumOf = (elements: readonly unknown[]): bigint =>
  elements.reduce<bigint>((sum, element) => sum + BigInt(Number(element)), 0n);

describeArrays('the walks of reductions', (engine) => {
  test('sum over any axes of arrays without gaps, transposed, reversed and repeated', () => {
    bothWays(engine, (it) => {
      using whole = integers(it, [7, 12, 36], 1);
      using transposed = viewOf(whole, permute(whole, [2, 0, 1]));
      using part = whole.at('::-1, 1:11:3, ::-2');
      using row = whole.at('2:3, :, :');
      using repeated = viewOf(row, broadcastTo(row, [5, 12, 36]));
      for (const view of [whole, transposed, part, repeated]) {
        for (const axes of SUBSETS) {
          using sum = view.sum({ axis: axes });
          expect([axes, sum.toArray()]).toEqual([axes, reduced(view, axes, sumOf)]);
        }
      }
    });
  });

  test('find the place of the greatest along any axis, and among all elements of any order of axes', () => {
    bothWays(engine, (it) => {
      using whole = integers(it, [7, 12, 36], 2, 'f32');
      using transposed = viewOf(whole, permute(whole, [2, 0, 1]));
      using part = whole.at('::-1, 1:11:3, ::-2');
      for (const view of [whole, transposed, part]) {
        for (const axis of [0, 1, 2, undefined]) {
          using place = view.argmax({ axis });
          const axes = axis === undefined ? [0, 1, 2] : [axis];
          expect([axis, place.toArray()]).toEqual([axis, reduced(view, axes, (list) => placeOf(list, 1))]);
        }
      }
    });
  });

  test.each([0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 2 ** 16 + 1, 300_000])(
    'sum and find places among %i elements',
    (n) => {
      bothWays(engine, (it) => {
        using data = integers(it, [n + 1], n + 3, 'f32');
        using x = data.at('1:');
        using aligned = data.at(`:${n}`);
        for (const view of [x, aligned]) {
          using sum = view.sum();
          expect(sum.item()).toBe(Number(sumOf(view.toArray() as number[])));
          if (n === 0) continue;
          using place = view.argmin();
          expect(place.item()).toBe(placeOf(view.toArray() as number[], -1));
        }
      });
    },
  );

  test('split long columns and long rows over groups', () => {
    bothWays(engine, (it) => {
      using x = integers(it, [4000, 33], 4);
      using rows = viewOf(x, permute(x, [1, 0]));
      for (const [view, axis] of [
        [x, 0],
        [rows, 1],
      ] as const) {
        using sum = view.sum({ axis });
        expect(sum.toArray()).toEqual(reduced(view, [axis], sumOf));
        using variance = view.var({ axis });
        const expected = reduced(view, [axis], (list) => {
          const mean = Number(sumOf(list)) / list.length;
          return list.reduce<number>((total, each) => total + (Number(each) - mean) ** 2, 0) / list.length;
        }) as number[];
        for (const [i, each] of (variance.toArray() as number[]).entries())
          expect(each).toBeCloseTo(expected[i] ?? 0, 6);
      }
    });
  });

  test('sum many short rows', () => {
    bothWays(engine, (it) => {
      for (const length of [1, 3, 20]) {
        using x = integers(it, [1000, length], length);
        using sum = x.sum({ axis: -1 });
        expect(sum.toArray()).toEqual(reduced(x, [1], sumOf));
        using columns = x.sum({ axis: 0 });
        expect(columns.toArray()).toEqual(reduced(x, [0], sumOf));
      }
    });
  });

  test('count elements beyond 2^31, whose places take 64 bits', () => {
    using one = array(engine(), [true], { dtype: 'bool' });
    using many = viewOf(one, broadcastTo(one, [2, 2 ** 30 + 1]));
    using count = many.countNonzero();
    expect(count.item()).toBe(2n ** 31n + 2n);
  });

  test('write into an array with gaps, or one that is read', () => {
    using x = integers(engine(), [6, 8], 5);
    using target = empty(engine(), [8, 2], { dtype: 'i64' });
    using column = target.at(':, 1');
    x.sum({ axis: 0, out: column });
    expect(column.toArray()).toEqual(reduced(x, [0], sumOf));
    const expected = reduced(x, [0], (list) => Math.max(...list.map(Number)));
    using first = x.at('0');
    x.max({ axis: 0, out: first });
    expect(first.toArray()).toEqual(expected);
  });
});
