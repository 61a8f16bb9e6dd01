import { expect, test } from '@jest/globals';
import type { ArrayDType } from '../../../src/array/dtype.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { RandomGenerator } from '../../../src/array/random/generator.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { numbers } from '../../helpers/array-elements.ts';
import { deviceWays, inWay } from '../../helpers/device-ways.ts';
import {
  betaCdf,
  binomialWeights,
  countsOf,
  deviation,
  distance,
  gammaCdf,
  momentsOf,
  normalCdf,
  poissonWeights,
} from '../../helpers/distribution.ts';

const N = 2 ** 16;
const ways = deviceWays.slice(0, 2);
/** What distances and deviations of a list exceed once in ten thousand lists or so. The seeds are fixed. */
const FAR = 2.2;
const ODD = 4;

/** A number of the bytes of an array, which is another one for nearly all others. */
function fingerprint(x: NDArray): string {
  const { buffer, byteOffset, byteLength } = x.get();
  const hash = new Uint8Array(buffer, byteOffset, byteLength).reduce((h, byte) => Math.imul(h ^ byte, 0x01000193), -1);
  return (hash >>> 0).toString(16);
}

function floats(x: NDArray): number[] {
  if (x.dtype === 'f32' || x.dtype === 'f64') return numbers(x);
  using wide = x.astype('f32');
  return numbers(wide);
}

describeArrays('random distributions', (engine) => {
  const generator = (seed = 1): RandomGenerator => new RandomGenerator(engine, seed);

  test.each(['f32', 'f64'] as const)('are uniform, in %s', (dtype) => {
    using x = generator().uniform(-2, 3, { shape: N, dtype });
    const all = numbers(x);
    expect(distance(all, (value) => (value + 2) / 5)).toBeLessThan(FAR);
    expect(Math.min(...all.slice(0, 9999))).toBeGreaterThanOrEqual(-2);
    expect(Math.max(...all.slice(0, 9999))).toBeLessThanOrEqual(3);
  });

  test.each(['f32', 'f64', 'f16'] as const)('are normal, in %s', (dtype) => {
    using x = generator().standardNormal([2, N / 2], { dtype });
    const all = floats(x);
    const [mean, variance, skewness, kurtosis] = momentsOf(all);
    const root = Math.sqrt(N);
    expect(Math.abs(mean)).toBeLessThan(4 / root);
    expect(Math.abs(variance - 1)).toBeLessThan((4 * Math.SQRT2) / root);
    expect(Math.abs(skewness)).toBeLessThan((4 * Math.sqrt(6)) / root);
    expect(Math.abs(kurtosis - 3)).toBeLessThan((4 * Math.sqrt(24)) / root);
    // Halves have no numbers in between.
    if (dtype !== 'f16') expect(distance(all, normalCdf)).toBeLessThan(FAR);
    // The two numbers of a pair, and neighbours of two pairs, have nothing in common.
    for (const step of [1, 2, 3]) {
      const products = all.slice(step).reduce((sum, value, i) => sum + value * (all[i] ?? 0), 0);
      expect(Math.abs(products)).toBeLessThan(4 * root);
    }
  });

  test('are lognormal, exponential, gamma and beta numbers', () => {
    const rng = generator();
    using logs = rng.lognormal(0.5, 0.8, { shape: N });
    expect(distance(numbers(logs), (x) => normalCdf((Math.log(x) - 0.5) / 0.8))).toBeLessThan(FAR);
    using times = rng.exponential(2.5, { shape: N });
    expect(distance(numbers(times), (x) => 1 - Math.exp(-x / 2.5))).toBeLessThan(FAR);
    for (const shape of [0.05, 0.5, 1, 2.5, 40]) {
      using x = rng.gamma(shape, 3, { shape: N / 4 });
      expect(distance(numbers(x), (value) => gammaCdf(value / 3, shape))).toBeLessThan(FAR);
    }
    for (const [a, b] of [
      [0.5, 1.5],
      [2, 3],
      [30, 4],
    ] as const) {
      using x = rng.beta(a, b, { shape: N / 16 });
      expect(distance(numbers(x), (value) => betaCdf(value, a, b))).toBeLessThan(FAR);
    }
    // A shape so small that most gamma numbers are below the least f32.
    using ends = rng.beta(0.01, 0.01, { shape: 1000 });
    const all = numbers(ends);
    expect(all.every((x) => x >= 0 && x <= 1)).toBe(true);
    expect(Math.abs(all.filter((x) => x > 0.5).length - 500)).toBeLessThan(70);
  });

  test('are Poisson and binomial counts', () => {
    const rng = generator();
    for (const mean of [0.3, 4, 9.9, 10, 70, 2000]) {
      using x = rng.poisson(mean, { shape: N / 2 });
      const most = Math.ceil(mean + 12 * Math.sqrt(mean) + 12);
      expect(deviation(countsOf(numbers(x), most), poissonWeights(mean, most))).toBeLessThan(ODD);
    }
    for (const [n, p] of [
      [1, 0.25],
      [20, 0.1],
      [20, 0.9],
      [40, 0.5],
      [1000, 0.005],
      [1000, 0.3],
      [1000, 0.99],
    ] as const) {
      using x = rng.binomial(n, p, { shape: N / 2 });
      expect(deviation(countsOf(numbers(x), n + 1), binomialWeights(n, p))).toBeLessThan(ODD);
    }
    using large = rng.poisson(1e12, { shape: 2000 });
    const [mean, variance] = momentsOf(numbers(large).map((x) => (x - 1e12) / 1e6));
    expect([Math.abs(mean) < 0.09, Math.abs(variance - 1) < 0.13]).toEqual([true, true]);
  });

  test('have the values that are certain', () => {
    const rng = generator();
    const all = (x: NDArray): number[] => {
      using array = x;
      return [...new Set(numbers(array))];
    };
    expect(all(rng.poisson(0, { shape: 99 }))).toEqual([0]);
    expect(all(rng.binomial(7, 0, { shape: 99 }))).toEqual([0]);
    expect(all(rng.binomial(7, 1, { shape: 99 }))).toEqual([7]);
    expect(all(rng.binomial(0, 0.5, { shape: 99 }))).toEqual([0]);
    expect(all(rng.gamma(0, { shape: 99 }))).toEqual([0]);
    expect(all(rng.normal(2, 0, { shape: 99 }))).toEqual([2]);
    expect(all(rng.exponential(0, { shape: 99 }))).toEqual([0]);
    expect(all(rng.uniform(3, 3, { shape: 99 }))).toEqual([3]);
    expect(all(rng.lognormal(-Infinity, 1, { shape: 99 }))).toEqual([0]);
    expect(all(rng.lognormal(200, 1, { shape: 99 }))).toEqual([Infinity]);
    expect(all(rng.integers(5, 6, { shape: 99 }))).toEqual([5]);
  });

  test.each(ways)('are the same bits on every device, %s', (_, way) => {
    inWay(engine(), way, () => {
      const of = (draw: (rng: RandomGenerator) => unknown): string => {
        using x = draw(generator(7)) as NDArray;
        return fingerprint(x);
      };
      const shape = 4001;
      expect({
        normal: of((rng) => rng.normal({ shape, dtype: 'f64' })),
        lognormal: of((rng) => rng.lognormal(0, 2, { shape })),
        gamma: of((rng) => rng.gamma(0.7, 1.5, { shape })),
        poisson: of((rng) => rng.poisson(31, { shape })),
        few: of((rng) => rng.poisson(3, { shape })),
        binomial: of((rng) => rng.binomial(90, 0.4, { shape })),
        rare: of((rng) => rng.binomial(90, 0.01, { shape })),
      }).toEqual({
        normal: 'a66f9a37',
        lognormal: 'fdbf6c41',
        gamma: '8f268b5a',
        poisson: '4023f447',
        few: '1a25bdb2',
        binomial: '11500a69',
        rare: 'a033edf9',
      });
    });
  });

  test('are drawn in every dtype that PyOpenCL and PyCUDA have, and in a range', () => {
    for (const dtype of ['f32', 'f64', 'i32', 'i64'] satisfies ArrayDType[]) {
      const rng = generator();
      const isFloat = dtype === 'f32' || dtype === 'f64';
      for (const shape of [1, 2, 3, 10, 50, 1000]) {
        using x = isFloat ? rng.uniform(4, 7, { shape, dtype }) : rng.integers(200, 300, { shape, dtype });
        const [low, high] = isFloat ? [4, 7] : [200, 300];
        expect(numbers(x).every((value) => value >= low && value < high)).toBe(true);
      }
    }
    using x = generator().integers(200, 300, { shape: N, dtype: 'i32' });
    const counts = countsOf(
      numbers(x).map((value) => value - 200),
      100,
    );
    expect(deviation(counts, new Array<number>(100).fill(0.01))).toBeLessThan(ODD);
  });
});
