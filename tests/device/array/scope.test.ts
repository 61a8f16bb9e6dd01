import { describe, expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
import { keep, scope } from '../../../src/array/function/scope.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { thrown } from '../../helpers/thrown.ts';

describeArrays('scope', (engine) => {
  const of = (data: unknown): NDArray => array(engine(), data);

  test('closes what was made in it and is not returned', () => {
    using x = of([1, 2, 3]);
    const made: NDArray[] = [];
    const note = (made_: NDArray): NDArray => {
      made.push(made_);
      return made_;
    };
    using result = scope(() => {
      const twice = note(x.mul(2));
      const view = note(twice.at('1:'));
      return note(view.add(1));
    });
    expect(made.map(({ closed }) => closed)).toEqual([true, true, false]);
    expect([x.closed, result.toArray()]).toEqual([false, [5, 7]]);
  });

  test('keeps arrays in lists and plain objects, and views of what it closes', () => {
    using x = of([1, 2, 3]);
    let hidden: NDArray | undefined;
    const result = scope(() => {
      const twice = x.mul(2);
      hidden = twice;
      const holder = new (class {
        readonly array = x.add(1);
      })();
      return { first: twice.at(':2'), rest: [[x.add(2)], 5, null], holder };
    });
    const { first, rest, holder } = result;
    const [[second]] = rest as [[NDArray]];
    expect([hidden?.closed, first.toArray(), second.toArray()]).toEqual([true, [2, 4], [3, 4, 5]]);
    expect(holder.array.closed).toBe(true);
    first.close();
    second.close();
  });

  test('gives what it returns to the scope around it', () => {
    using x = of([1, 2]);
    let inner: NDArray | undefined;
    let temporary: NDArray | undefined;
    const sum = scope(() => {
      inner = scope(() => {
        temporary = x.mul(2);
        return temporary.add(1);
      });
      expect([temporary?.closed, inner.closed]).toEqual([true, false]);
      return inner.item(0);
    });
    expect([sum, inner?.closed]).toEqual([3, true]);
    // Nothing is noted any more.
    using later = x.add(1);
    expect(later.closed).toBe(false);
  });

  test('leaves open what is kept', () => {
    using x = of([1, 2]);
    let kept: NDArray | undefined;
    scope(() => {
      scope(() => {
        kept = keep(x.mul(2));
      });
    });
    expect(kept?.toArray()).toEqual([2, 4]);
    kept?.close();
    expect(thrown(() => keep(2 as never))).toBe('TypeError: keep must be given an NDArray, got 2');
  });

  test('closes everything but what is kept where the function throws', () => {
    using x = of([1, 2]);
    const made: NDArray[] = [];
    expect(
      thrown(() =>
        scope(() => {
          made.push(x.mul(2), keep(x.add(1)));
          throw new RangeError('stop');
        }),
      ),
    ).toBe('RangeError: stop');
    expect(made.map(({ closed }) => closed)).toEqual([true, false]);
    made[1]?.close();
  });

  test('refuses a promise, after it has closed its arrays', async () => {
    using x = of([1, 2]);
    let made: NDArray | undefined;
    const text = thrown(() =>
      scope(async () => {
        made = x.mul(2);
        await Promise.resolve();
        made.toArray();
      }),
    );
    expect(text).toMatch(/^TypeError: scope: the function must not be async, got a promise/);
    expect(made?.closed).toBe(true);
    // The function's own error, of a closed array, is not one that nobody handles.
    await new Promise((resolve) => setImmediate(resolve));
  });

  test('lets a read that has begun end', async () => {
    using x = of([
      [1, 2],
      [3, 4],
    ]);
    let promise: Promise<unknown> | undefined;
    scope(() => {
      promise = x.mul(2).T.read();
    });
    expect(await promise).toEqual(Float32Array.of(2, 6, 4, 8));
  });
});

describeArrays('an array where JavaScript wants a value', (engine) => {
  const of = (data: unknown): NDArray => array(engine(), data);

  test('has a text, and refuses to be a number', () => {
    using x = of(3);
    const value = x as unknown as number;
    const text = /^TypeError: An NDArray must be read to be a number or a condition: use item\(\) or await read\(\)/;
    for (const use of [() => value > 2, () => value * 2, () => value + 1, () => value == 3, () => Math.sin(value)]) {
      expect(thrown(use)).toMatch(text);
    }
    expect(`text ${value}`).toBe(`text ${x.toString()}`);
  });

  test('is iterated over by views of its first axis', () => {
    using x = of([
      [1, 2],
      [3, 4],
    ]);
    const rows = [...x];
    expect(rows.map((row) => row.toArray())).toEqual([
      [1, 2],
      [3, 4],
    ]);
    rows[1]?.set(0);
    expect(x.toArray()).toEqual([
      [1, 2],
      [0, 0],
    ]);
    for (const row of rows) row.close();
    using zero = of(1);
    expect(thrown(() => [...zero])).toMatch(/^TypeError: An NDArray must have an axis to be iterated over/);
  });
});

describe('scope without arrays', () => {
  test('returns what the function returns', () => {
    expect(scope(() => 2)).toBe(2);
    expect(scope(() => null)).toBeNull();
  });
});
