import { expect, test } from '@jest/globals';
import { empty } from '../../../src/array/create.ts';
import { kernelFor } from '../../../src/array/kernel-cache.ts';
import { memoryOf } from '../../../src/array/ndarray.ts';
import { RandomGenerator } from '../../../src/array/random/generator.ts';
import { philox, type PhiloxBlock } from '../../../src/array/random/philox.ts';
import { philoxText } from '../../../src/array/random/philox-text.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { numbers } from '../../helpers/array-elements.ts';
import { deviceWays, inWay } from '../../helpers/device-ways.ts';
import { block, boundedWords, exponentials, normals, wideWords, words } from '../../helpers/philox-reference.ts';

/** The known answers that Random123 has: counter, key, block. */
const known: readonly (readonly [counter: PhiloxBlock, key: readonly [number, number], words: PhiloxBlock])[] = [
  [
    [0, 0, 0, 0],
    [0, 0],
    [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
  ],
  [
    [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
    [0xffffffff, 0xffffffff],
    [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
  ],
  [
    [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
    [0xa4093822, 0x299f31d0],
    [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
  ],
];

test('the host has the known answers of Philox4x32-10', () => {
  for (const [counter, key, answer] of known) {
    expect(philox(counter, key)).toEqual(answer);
    expect(block(counter.map(BigInt), key.map(BigInt))).toEqual(answer);
  }
});

const ways = deviceWays.slice(0, 2);
const SEED = 0x0123456789abcdefn;

describeArrays('random words', (engine) => {
  const generator = (seed: number | bigint = SEED): RandomGenerator => new RandomGenerator(engine, seed);

  test('are the known answers of Philox4x32-10', () => {
    using out = empty(engine(), 4, { dtype: 'u32' });
    const names = ['c0', 'c1', 'c2', 'c3', 'k0', 'k1'];
    const kernel = kernelFor(engine(), 'test philox', () => ({
      name: 'known_answer',
      parameters: [
        { name: 'out', dtype: 'u32', kind: 'output' },
        ...names.map((name) => ({ name, dtype: 'u32', kind: 'number' }) as const),
      ],
      preamble: philoxText,
      body: 'const words w = philox(c0, c1, c2, c3, k0, k1);\nfor (int i = 0; i < 4; i++) out[i] = w.v[i];',
    }));
    for (const [counter, key, answer] of known) {
      kernel.launch(engine().defaultLane, 1, 1, 1, [memoryOf(out), ...counter, ...key], 1);
      expect(Array.from(out.get())).toEqual(answer);
    }
  });

  test.each(ways)('are those of the seed, of any number and in any place, %s', (_, way) => {
    inWay(engine(), way, () => {
      const all = words({ seed: SEED }, 5000);
      for (const n of [1, 2, 3, 4, 5, 1023, 4096, 5000]) {
        using x = generator().bits(n);
        expect(numbers(x)).toEqual(all.slice(0, n));
      }
      using space = empty(engine(), [5000, 2], { dtype: 'u32' });
      using column = space.at(':4999, 1');
      expect(generator().bits({ out: column })).toBe(column);
      expect(numbers(column)).toEqual(all.slice(0, 4999));
      using flat = space.ravel();
      for (const first of [1, 2, 4]) {
        using part = flat.at(`${first}:4500`);
        generator().bits({ out: part });
        expect(numbers(part)).toEqual(all.slice(0, 4500 - first));
      }
      using none = generator().bits([0, 3]);
      expect(none.shape).toEqual([0, 3]);
      using one = generator().bits();
      expect([one.shape, one.item()]).toEqual([[], all[0]]);
    });
  });

  test.each(ways)('follow each other from call to call, by whole blocks, and go around, %s', (_, way) => {
    inWay(engine(), way, () => {
      const rng = generator();
      using first = rng.bits(5);
      using second = rng.bits(3);
      expect(numbers(second)).toEqual(words({ seed: SEED, counter: 2n }, 3));
      // The lowest word of the counter goes around within a call, then the lowest two.
      for (const counter of [2n ** 32n - 3n, 2n ** 64n - 2n]) {
        rng.state = { ...rng.state, counter: String(counter), jumps: 7 };
        using across = rng.bits(30);
        expect(numbers(across)).toEqual(words({ seed: SEED, counter, jumps: 7n }, 30));
        expect(rng.state.counter).toBe(String(BigInt.asUintN(64, counter + 8n)));
      }
      expect(first.size).toBe(5);
    });
  });

  test.each(ways)('have 64 bits where they are asked for, %s', (_, way) => {
    inWay(engine(), way, () => {
      using wide = generator().bits(1001, { dtype: 'u64' });
      expect(Array.from(wide.get())).toEqual(wideWords({ seed: SEED }, 1001));
    });
  });

  test.each(ways)('are fractions of as many bits as a float has, %s', (_, way) => {
    inWay(engine(), way, () => {
      const all = words({ seed: SEED }, 1001);
      using single = generator().random(1001);
      expect(numbers(single)).toEqual(all.map((word) => (word >>> 8) / 2 ** 24));
      using double = generator().random(1001, { dtype: 'f64' });
      expect(numbers(double)).toEqual(wideWords({ seed: SEED }, 1001).map((word) => Number(word >> 11n) / 2 ** 53));
    });
  });

  test('have as many of the highest bits as small elements hold', () => {
    const all = words({ seed: SEED }, 1001);
    using small = generator().bits(1001, { dtype: 'i8' });
    expect(numbers(small)).toEqual(all.map((word) => word >> 24));
    using half = generator().random(1001, { dtype: 'f16' });
    using wider = half.astype('f32');
    expect(numbers(wider)).toEqual(all.map((word) => (word >>> 21) / 2 ** 11));
    using brain = generator().random(1001, { dtype: 'bf16' });
    using other = brain.astype('f32');
    expect(numbers(other)).toEqual(all.map((word) => (word >>> 24) / 2 ** 8));
  });

  test.each(ways)('make integers that all have the same probability, %s', (_, way) => {
    inWay(engine(), way, () => {
      // Of the second number nearly every second word is drawn again.
      for (const count of [10, 2 ** 31 + 1]) {
        using x = generator().integers(-5, count - 5, { shape: 3001, dtype: 'i64' });
        expect(numbers(x)).toEqual(boundedWords({ seed: SEED }, 3001, count).map((word) => word - 5));
      }
      using whole = generator().integers(-(2 ** 31), 2 ** 31 - 1, { shape: 9, dtype: 'i32', endpoint: true });
      expect(numbers(whole)).toEqual(words({ seed: SEED }, 9).map((word) => word | 0));
    });
  });

  test.each(ways)('make normal and exponential numbers by arithmetic that every device has, %s', (_, way) => {
    inWay(engine(), way, () => {
      using x = generator().standardNormal(20_001);
      expect(numbers(x)).toEqual(normals({ seed: SEED }, 20_001).map((number) => number + 0));
      using y = generator().exponential({ shape: 20_001 });
      expect(numbers(y)).toEqual(exponentials({ seed: SEED }, 20_001));
      using scaled = generator().normal(3, 0.1, { shape: 1001 });
      const { fround } = Math;
      const expected = normals({ seed: SEED }, 1001).map((number) => fround(fround(number * fround(0.1)) + 3));
      expect(numbers(scaled)).toEqual(expected);
    });
  });

  test.each(ways)('give numbers at the limits of a word, %s', (_, way) => {
    // A radius of the first is of the word 58, one of the second of 2^32 - 95, which is 2^32 as a float.
    inWay(engine(), way, () => {
      for (const seed of [12_121_362, 2_871_038]) {
        using x = generator(seed).standardNormal(4);
        expect(numbers(x)).toEqual(normals({ seed: BigInt(seed) }, 4).map((number) => number + 0));
        using y = generator(seed).exponential({ shape: 4 });
        expect(numbers(y)).toEqual(exponentials({ seed: BigInt(seed) }, 4));
      }
    });
  });
});
