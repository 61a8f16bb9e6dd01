import { expect, jest, test } from '@jest/globals';
import { array, zeros } from '../../../src/array/create.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { cuda, type F32 } from '../../../src/cuda/jit/index.ts';
import { RepeatedLaunch } from '../../../src/jit/repeated-launch.ts';
import { describeJit } from '../../helpers/jit-halves.ts';

const ramp = (length: number): Float32Array => Float32Array.from({ length }, (_, i) => i);

describeJit('launches of kinds that were launched before', ({ jit, engine }) => {
  const times = () =>
    jit((a: number, x: F32, y: F32) => {
      const i = cuda.grid(1);
      if (i < y.length) y[i] = a * x[i]!;
    });
  const valuesOf = (y: NDArray): readonly number[] => [...(y.get() as Float32Array)];

  /** How many of the launches of a function did not look at their arguments anew. */
  function repeatedIn(run: () => void): number {
    const launch = jest.spyOn(RepeatedLaunch.prototype, 'launch');
    try {
      run();
      return launch.mock.calls.length;
    } finally {
      launch.mockRestore();
    }
  }

  test('other arrays, lengths and numbers of the same kinds are those of the call', () => {
    const f = times();
    using x = array(engine(), ramp(5));
    using y = zeros(engine(), 5);
    using w = zeros(engine(), 3);
    using longer = array(engine(), ramp(70));
    using z = zeros(engine(), 70);
    f.forAll(5)(0.5, x, y);
    const count = repeatedIn(() => {
      f.forAll(5)(1.5, x, y);
      f.at(2, 64)(-2.5, longer, z);
      f.forAll(3)(-0, x, w);
    });
    expect(count).toBe(3);
    // An integer would have lost its sign.
    expect(valuesOf(w)).toEqual([-0, -0, -0]);
    expect(valuesOf(y)).toEqual([0, 1.5, 3, 4.5, 6]);
    expect(valuesOf(z).slice(60)).toEqual([...ramp(70)].slice(60).map((v) => -2.5 * v));
  });

  test('another kind is looked at: integers, strides, other dtypes, arrays of the host', () => {
    const f = times();
    using x = array(engine(), ramp(6));
    using y = zeros(engine(), 6);
    using backwards = x.at('::-1');
    using integers = x.astype('i32');
    f.forAll(6)(0.5, x, y);
    const calls: readonly (readonly [number, unknown, readonly number[]])[] = [
      [2, x, [0, 2, 4, 6, 8, 10]],
      [2 ** 40, x, [...ramp(6)].map((v) => v * 2 ** 40)],
      [0.5, backwards, [2.5, 2, 1.5, 1, 0.5, 0]],
      [0.5, Float64Array.from(ramp(6)), [0, 0.5, 1, 1.5, 2, 2.5]],
      [0.5, integers, [0, 0.5, 1, 1.5, 2, 2.5]],
    ];
    const count = repeatedIn(() => {
      for (const [a, from, wanted] of calls) {
        f.forAll(6)(a, from as NDArray<'f32'>, y);
        expect(valuesOf(y)).toEqual(wanted);
      }
    });
    expect(count).toBe(0);
    expect(f.inspect()).toContain('int');
  });

  test('kinds that take turns are all remembered', () => {
    const f = times();
    using x = array(engine(), ramp(6));
    using y = zeros(engine(), 6);
    const turns = [0.5, 3, 0.25, 4];
    const run = (): void => {
      for (const a of turns) f.forAll(6)(a, x, y);
    };
    run();
    expect(repeatedIn(run)).toBe(4);
    expect(valuesOf(y)).toEqual([0, 4, 8, 12, 16, 20]);
  });

  test('with a signature every number is of its type', () => {
    const f = jit('void(f32, f32[], f32[])', (a, x, y) => {
      const i = cuda.grid(1);
      if (i < y.length) y[i] = a * x[i]!;
    });
    using x = array(engine(), ramp(3));
    using y = zeros(engine(), 3);
    f.forAll(3)(1, x, y);
    expect(
      repeatedIn(() => {
        f.forAll(3)(0.5, x, y);
      }),
    ).toBe(1);
    expect(valuesOf(y)).toEqual([0, 0.5, 1]);
  });

  test('a number that the type of a signature does not hold is looked at', () => {
    const f = jit('void(bool, u8, f32[])', (b, n, y) => {
      y[cuda.threadIdx.x] = Number(b) * 100 + n;
    });
    using y = zeros(engine(), 1);
    const run = (b: number, n: number): readonly number[] => {
      Reflect.apply(f.at(1, 1), undefined, [b, n, y]);
      return valuesOf(y);
    };
    expect(run(1, 7)).toEqual([107]);
    expect(run(5, 7)).toEqual([107]);
    const g = jit('void(u8, f32[])', (n, y) => {
      y[cuda.threadIdx.x] = n;
    });
    g.at(1, 1)(7, y);
    expect(
      repeatedIn(() => {
        g.at(1, 1)(255, y);
      }),
    ).toBe(1);
    expect(valuesOf(y)).toEqual([255]);
    for (const n of [2.5, 256, -1]) expect(() => g.at(1, 1)(n, y)).toThrow('argument 1');
  });

  test('a closed array and a missing argument are refused as at first', () => {
    const f = times();
    using x = array(engine(), ramp(3));
    const y = zeros(engine(), 3);
    f.forAll(3)(0.5, x, y);
    f.forAll(3)(0.5, x, y);
    expect(() => {
      Reflect.apply(f.forAll(3), undefined, [0.5, x]);
    }).toThrow('is given 2 arguments');
    using other = y.reshape([3]);
    y.close();
    expect(() => {
      f.forAll(3)(0.5, x, y);
    }).toThrow(/closed/);
    f.forAll(3)(0.25, x, other);
    expect(valuesOf(other)).toEqual([0, 0.25, 0.5]);
  });
});
