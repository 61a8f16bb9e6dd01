import { expect, test } from '@jest/globals';
import { array, empty } from '../../../src/array/create.ts';
import { GenericScanKernel } from '../../../src/array/generated/generic-scan-kernel.ts';
import { ExclusiveScanKernel, InclusiveScanKernel } from '../../../src/array/generated/scan-kernel.ts';
import { reduceByKey, scanByKey } from '../../../src/array/generated/by-key.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { struct } from '../../../src/core/struct.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { deviceWays, inWay } from '../../helpers/device-ways.ts';
import { randomOf } from '../../helpers/math-points.ts';

const SIZES = [1, 2, 31, 33, 255, 257, 4095, 4097, 9001];

function integers(n: number, seed: number): Int32Array {
  const random = randomOf(seed);
  return Int32Array.from({ length: n }, () => Math.floor(random() * 9) - 4);
}

function flags(n: number, seed: number, share = 0.02): Uint8Array {
  const random = randomOf(seed);
  return Uint8Array.from({ length: n }, () => Number(random() < share));
}

/** What the items up to each come to; where a segment begins they begin anew. */
function scanned(items: Int32Array, starts?: Uint8Array): { readonly up: number[]; readonly before: number[] } {
  const up: number[] = [];
  const before: number[] = [];
  let sum = 0;
  items.forEach((item, i) => {
    if (starts?.[i] === 1) sum = 0;
    before.push(sum);
    sum += item;
    up.push(sum);
  });
  return { up, before };
}

const numbers = (x: NDArray): number[] => Array.from(x.get() as ArrayLike<number>, Number);

describeArrays('generated scans', (engine) => {
  const ints = (data: Int32Array): NDArray<'i32'> => array(engine(), data);
  const out = (n: number): NDArray<'i32'> => empty(engine(), n, { dtype: 'i32' });

  test.each(deviceWays)('go over items by an expression, with segments and without, %s', (_, way) => {
    const inclusive = new InclusiveScanKernel('int', 'a + b', 0);
    const exclusive = new ExclusiveScanKernel('int', 'a + b', '0');
    const segmented = new GenericScanKernel(
      'int',
      '__global const int *x, const unsigned char *flags, int *up, int *before',
      'x[i]',
      'across_seg_boundary ? b : a + b',
      '0',
      'up[i] = item; before[i] = prev_item;',
      { isSegmentStartExpr: 'flags[i]', name: 'segmented' },
    );
    const rising = new GenericScanKernel(
      'int',
      'const int *x, int limit, int *left',
      'last > x[i] + limit',
      'a + b',
      0,
      'left[i] = last_item - item',
      {
        inputFetchExprs: [['last', 'x', -1]],
      },
    );
    inWay(engine(), way, () => {
      for (const n of SIZES) {
        const data = integers(n, n);
        const marks = flags(n, n + 1);
        using x = ints(data);
        using starts = array(engine(), marks);
        const plain = scanned(data);
        expect(numbers(inclusive(x, 'new'))).toEqual(plain.up);
        expect(numbers(exclusive(x, 'new'))).toEqual(plain.before);
        using up = out(n);
        using before = out(n);
        segmented(x, starts, up, before);
        const parts = scanned(data, marks);
        expect(numbers(up)).toEqual(parts.up);
        expect(numbers(before)).toEqual(parts.before);
        rising(x, 1, up);
        const falls = data.map((item, i) => Number(i > 0 && (data[i - 1] as number) > item + 1));
        const sums = scanned(falls).up;
        expect(numbers(up)).toEqual(sums.map((sum) => (sums.at(-1) as number) - sum));
        inclusive(x);
        expect(numbers(x)).toEqual(plain.up);
      }
    });
    expect(segmented.source).toContain('across_seg_boundary ? b : a + b');
    expect(inclusive.source).toContain('return a + b;');
  });

  test.each(deviceWays)('put together structs in their order, %s', (_, way) => {
    // Maps x -> m x + c modulo 2^32: the order matters.
    const Affine = struct({ m: 'u32', c: 'u32' });
    const compose = new InclusiveScanKernel(Affine, 'then(a, b)', undefined, {
      types: { Affine },
      preamble: `
FN Affine then(Affine a, Affine b) {
  Affine both;
  both.m = a.m * b.m;
  both.c = a.c * b.m + b.c;
  return both;
}`,
    });
    inWay(engine(), way, () => {
      const random = randomOf(3);
      const word = (): number => Math.floor(random() * 2 ** 32);
      const maps = Array.from({ length: 3000 }, () => ({ m: (word() | 1) >>> 0, c: word() }));
      using x = array(engine(), Affine.pack(maps));
      compose(x);
      let [m, c] = [1, 0];
      const expected = maps.map((map) => {
        c = (Math.imul(c, map.m) + map.c) >>> 0;
        m = Math.imul(m, map.m) >>> 0;
        return { m, c };
      });
      expect(Affine.unpack(x.get())).toEqual(expected);
    });
  });

  test.each(deviceWays)('go along runs of equal keys, %s', (_, way) => {
    inWay(engine(), way, () => {
      for (const n of [1, 257, 9001]) {
        const data = integers(n, n).map((item) => item - 9);
        let key = 0;
        const ids = Int32Array.from(flags(n, n, 0.05), (mark) => (key += mark));
        using x = ints(data);
        using keys = ints(ids);
        const [runs, largest] = reduceByKey(keys, x, 'a > b ? a : b');
        const of = new Map<number, number>();
        ids.forEach((id, i) => of.set(id, Math.max(of.get(id) ?? -Infinity, data[i] as number)));
        expect(numbers(runs as unknown as NDArray)).toEqual([...of.keys()]);
        expect(numbers(largest as unknown as NDArray)).toEqual([...of.values()]);
        const starts = Uint8Array.from(ids, (id, i) => Number(i === 0 || id !== ids[i - 1]));
        const { up, before } = scanned(data, starts);
        expect(numbers(scanByKey(keys as unknown as NDArray, x) as unknown as NDArray)).toEqual(up);
        using exclusive = scanByKey(keys as unknown as NDArray, x, 'a + b', { exclusive: true, neutral: 0 });
        expect(numbers(exclusive as unknown as NDArray)).toEqual(before);
      }
      using none = out(0);
      const [keys, sums] = reduceByKey(none, none);
      expect([keys.size, sums.size]).toEqual([0, 0]);
    });
  });

  test('go along an axis, into another array, and in place over a view', () => {
    const product = new ExclusiveScanKernel('float', 'a * b', 1);
    using x = array(engine(), [
      [1, 2, 3],
      [4, 5, 6],
    ]);
    using down = product(x, 'new', { axis: 0 });
    expect(down.toArray()).toEqual([
      [1, 1, 1],
      [1, 2, 3],
    ]);
    using column = x.at(':, 1');
    product(column);
    expect(x.toArray()).toEqual([
      [1, 1, 3],
      [4, 2, 6],
    ]);
    using target = empty(engine(), [2, 3]);
    expect(product(x, target, { axis: 1 })).toBe(target);
    expect(target.toArray()).toEqual([
      [1, 1, 1],
      [1, 4, 8],
    ]);
  });

  test('take numbers for what changes nothing: infinities, complex ones, and comments behind expressions', () => {
    using x = array(engine(), [0, 3, 6, 3]);
    using highest = new InclusiveScanKernel('f32', 'a > b ? a : b', -Infinity)(x, 'new');
    expect(highest.toArray()).toEqual([0, 3, 6, 6]);
    using lowest = new ExclusiveScanKernel('f32', 'a < b ? a : b; // the lower one', Infinity)(x, 'new');
    expect(lowest.toArray()).toEqual([Infinity, 0, 0, 0]);
    using z = array(engine(), new Float32Array([1, 1, 0, 2]), { dtype: 'c64' });
    using product = new InclusiveScanKernel('c64', 'cfloat_mul(a, b)', 1)(z, 'new');
    expect(Array.from(product.get() as Float32Array)).toEqual([1, 1, -2, 2]);
    using last = empty(engine(), 1);
    const most = new GenericScanKernel(
      'float',
      'const float *x, float *y',
      'x[i] // as it is',
      'a > b ? a : b',
      -Infinity,
      'y[0] = last_item',
    );
    most(x, last);
    expect(last.item()).toBe(6);
    using ones = array(engine(), new Int32Array([1, 1, 2]));
    const [, tops] = reduceByKey(ones as unknown as NDArray, array(engine(), [4, 8, 2]), 'a > b ? a : b', {
      neutral: -Infinity,
    });
    expect(tops.toArray()).toEqual([8, 2]);
  });

  test('refuse what has no meaning', () => {
    const Pair = struct({ a: 'f32', b: 'f32' });
    expect(() => new InclusiveScanKernel('int', 'a > b ? a : b', -Infinity)).toThrow(
      'InclusiveScanKernel: the neutral element must be an integer for i32, got -Infinity',
    );
    expect(() => new GenericScanKernel('int', 'int *x', 'x[i]', 'a + b', 0.5, '')).toThrow('for i32, got 0.5');
    expect(() => new InclusiveScanKernel('Pair', 'a', 0, { types: { Pair } })).toThrow('must be a text in C, got 0');
    expect(() => new InclusiveScanKernel('int', ' ; ', 0)).toThrow('must be an expression in C, got an empty text');
    using x = ints(integers(4, 1));
    using f = array(engine(), [1, 2]);
    const sum = new InclusiveScanKernel('int', 'a + b', 0);
    expect(() => sum(f as never)).toThrow("the array must have the dtype i32, got f32; write astype('i32')");
    expect(() => sum(x, f as never)).toThrow('out must have the shape');
    expect(() => sum(x, 'new', { axis: 1 })).toThrow('axis');
    expect(() => new InclusiveScanKernel('halfway', 'a + b')).toThrow('the dtype must be one of');
    expect(() => new InclusiveScanKernel('f16', 'a + b')).toThrow('must be one that kernels compute in, got f16');
    expect(() => new ExclusiveScanKernel('int', 'a + b', undefined as never)).toThrow('the neutral element');
    expect(() => new GenericScanKernel('int', 'int *item', '1', 'a + b', 0, '')).toThrow(
      'another name than i, N, item',
    );
    expect(
      () => new GenericScanKernel('int', 'int *x', '1', 'a + b', 0, '', { inputFetchExprs: [['y', 'z', 0]] }),
    ).toThrow('the array must be one of the parameters x, got');
    const wrong = new GenericScanKernel('int', 'int *x', 'x[i] +', 'a + b', 0, 'x[i] = item;');
    expect(() => {
      wrong(x);
    }).toThrow('x[i] +');
    expect(() => scanByKey(x as unknown as NDArray, f)).toThrow(
      'keys and values must have one axis of the same length',
    );
    expect(() => scanByKey(x as unknown as NDArray, x, 'a + b', { exclusive: true })).toThrow(
      'must be given a neutral element',
    );
  });
});
