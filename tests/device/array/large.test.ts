import { expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
import { InclusiveScanKernel } from '../../../src/array/generated/scan-kernel.ts';
import { segmentedReduce } from '../../../src/array/generated/segments.ts';
import { bincount } from '../../../src/array/function/bincount.ts';
import { cumsum } from '../../../src/array/function/scan.ts';
import { argsort, sort } from '../../../src/array/function/sort.ts';
import { unique } from '../../../src/array/function/unique.ts';
import type { Engine } from '../../../src/array/engine.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { describeArrays, describeCudaArrays } from '../../helpers/array-halves.ts';
import { randomOf } from '../../helpers/math-points.ts';
import { needs } from '../../helpers/require.ts';

const isGpu = needs.gpu().missing === undefined;
/** On a processor the tests of each operation have sizes enough. */
const SIZES = isGpu ? [16, 20].flatMap(around) : [4097];
const TIMEOUT = 600_000;

/** One below, at and above a power of two. */
function around(k: number): number[] {
  return [2 ** k - 1, 2 ** k, 2 ** k + 1];
}

const KINDS = [Uint8Array, Int16Array, Uint32Array, Float32Array, Float64Array, BigInt64Array] as const;

/** Whole numbers of a narrow or a wide range, as elements of any kind. */
function whole<T extends (typeof KINDS)[number]>(Kind: T, n: number): InstanceType<T> {
  const random = randomOf(n);
  const isBig = (Kind as unknown) === BigInt64Array;
  const data = new Kind(n) as unknown as (number | bigint)[];
  for (let i = 0; i < n; i++) {
    const value = Math.floor(random() * 2 ** 20) - 2 ** 19;
    data[i] = isBig ? BigInt(value) : value;
  }
  return data as unknown as InstanceType<T>;
}

/** The first place where two differ; -1 where none do. Of millions of elements a matcher takes minutes. */
function differs(a: ArrayLike<unknown>, b: ArrayLike<unknown>): number {
  if (a.length !== b.length) return Math.min(a.length, b.length);
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return i;
  return -1;
}

const got = (x: unknown): ArrayLike<number> => (x as NDArray).get() as unknown as ArrayLike<number>;

function testSizes(sizes: readonly number[], engine: () => Engine): void {
  test.each(sizes)(
    'sorted, scanned and chosen: %i',
    (n) => {
      // The three sizes of a power have all kinds between them: the host's own sorts are what takes the time.
      const kinds = KINDS.filter((_, i) => i % 3 === sizes.indexOf(n) % 3);
      for (const Kind of kinds) {
        const data = whole(Kind, n);
        using x = array(engine(), data as Float32Array);
        const sorted = data.slice().sort() as unknown as ArrayLike<unknown>;
        using inOrder = sort(x);
        expect(differs(got(inOrder), sorted)).toBe(-1);
        using order = argsort(x);
        const places = order.get() as unknown as ArrayLike<bigint>;
        const values = data as unknown as ArrayLike<number>;
        let wrong = -1;
        for (let i = 1; i < n && wrong < 0; i++) {
          const [a, b] = [Number(places[i - 1]), Number(places[i])];
          const [left, right] = [values[a] as number, values[b] as number];
          if (left > right || (left === right && a >= b)) wrong = i;
        }
        expect(wrong).toBe(-1);
      }
      const small = whole(Uint8Array, n);
      using bytes = array(engine(), small);
      using counts = bincount(bytes);
      const counted = new Array<number>(256).fill(0);
      for (const byte of small) counted[byte] = (counted[byte] as number) + 1;
      expect(Array.from(got(counts), Number)).toEqual(counted);
      const ints = Int32Array.from(small, (byte) => byte - 100);
      using y = array(engine(), ints);
      let sum = 0;
      const sums = ints.map((value) => (sum += value));
      using scanned = cumsum(y, { dtype: 'i32' });
      expect(differs(got(scanned), sums)).toBe(-1);
      using generated = new InclusiveScanKernel('int', 'a + b', 0)(y, 'new');
      expect(differs(got(generated), sums)).toBe(-1);
      using positive = y.greater(0);
      using chosen = y.at(positive);
      expect(
        differs(
          got(chosen),
          ints.filter((value) => value > 0),
        ),
      ).toBe(-1);
      using wide = array(engine(), whole(Uint32Array, n));
      using once = unique(wide);
      expect(differs(got(once), Uint32Array.from(new Set(whole(Uint32Array, n))).sort())).toBe(-1);
      const offsets = Int32Array.from({ length: 1001 }, (_, i) => Math.floor((i / 1000) ** 3 * n));
      using starts = array(engine(), offsets);
      using parts = segmentedReduce(y, starts);
      const before = (at: number): number => sums[at - 1] ?? 0;
      const expected = Int32Array.from({ length: 1000 }, (_, i) => {
        return before(offsets[i + 1] as number) - before(offsets[i] as number);
      });
      expect(differs(got(parts), expected)).toBe(-1);
    },
    TIMEOUT,
  );
}

describeArrays('many elements', (engine) => {
  testSizes(SIZES, engine);
});

// The host's own sorts take a minute for each size: on one half.
if (isGpu) {
  describeCudaArrays('sixteen million elements', (engine) => {
    testSizes(around(24), engine);
  });
}
