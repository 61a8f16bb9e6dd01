import { expect, test } from '@jest/globals';
import { array, empty, full } from '../../../src/array/create.ts';
import type { NDArray } from '../../../src/array/ndarray.ts';
import { RandomGenerator } from '../../../src/array/random/generator.ts';
import { describeArrays } from '../../helpers/array-halves.ts';
import { numbers } from '../../helpers/array-elements.ts';
import { momentsOf } from '../../helpers/distribution.ts';
import { block, normals, words } from '../../helpers/philox-reference.ts';

describeArrays('random generators', (engine) => {
  const generator = (seed: number | bigint = 1): RandomGenerator => new RandomGenerator(engine, seed);
  const read = (x: NDArray): number[] => {
    using array = x;
    return numbers(array);
  };

  test('go on from a state that JSON has kept', () => {
    const rng = generator(2n ** 64n - 1n);
    rng.bits(5).close();
    rng.split(3);
    rng.jump(2);
    const text = JSON.stringify(rng.state);
    expect(JSON.parse(text)).toEqual({
      algorithm: 'philox4x32-10',
      key: '0xffffffffffffffff',
      counter: '2',
      jumps: 2,
      children: 3,
    });
    const next = read(rng.bits(9));
    const other = generator(5);
    other.state = JSON.parse(text) as typeof other.state;
    expect(read(other.bits(9))).toEqual(next);
    expect(next).toEqual(words({ seed: 2n ** 64n - 1n, counter: 2n, jumps: 2n }, 9));
    expect(other.state).toEqual(rng.state);
  });

  test('skip blocks, jump, and split', () => {
    const rng = generator(3);
    expect(read(rng.advance(1000).bits(4))).toEqual(words({ seed: 3n, counter: 1000n }, 4));
    expect(read(rng.advance(-1001).bits(4))).toEqual(words({ seed: 3n }, 4));
    expect(read(rng.advance(2n ** 64n - 2n).bits(4))).toEqual(words({ seed: 3n, counter: 2n ** 64n - 1n }, 4));
    rng.state = { ...rng.state, counter: '0' };
    expect(read(rng.jump().bits(4))).toEqual(words({ seed: 3n, jumps: 1n }, 4));
    const [first, second] = rng.split(2);
    const [third] = rng.split(1);
    const keys = [first, second, third].map((child) => BigInt(child?.state.key ?? ''));
    const jumps = BigInt(rng.state.jumps);
    const expected = [0n, 1n, 2n].map((child) => {
      const [low = 0, high = 0] = block([child, 0n, 0xffffffffn, jumps], [3n, 0n]);
      return (BigInt(high) << 32n) | BigInt(low);
    });
    expect(keys).toEqual(expected);
    expect(read((second as RandomGenerator).bits(6))).toEqual(words({ seed: keys[1] as bigint }, 6));
    expect(rng.split(0)).toEqual([]);
  });

  test('have seeds of the system where none is given', () => {
    const [one, other] = [new RandomGenerator(engine, undefined), new RandomGenerator(engine, undefined)];
    expect(one.state.key).not.toBe(other.state.key);
    expect(generator(0).state.key).toBe('0x0000000000000000');
  });

  test('take parameters that are arrays, which broadcast', () => {
    const start = { seed: 1n };
    const { fround } = Math;
    using loc = array(engine(), [[10], [20]]);
    using scale = array(engine(), [1, 2, 3]);
    const expected = normals(start, 6).map((z, i) => fround(fround(z * ((i % 3) + 1)) + (i < 3 ? 10 : 20)));
    expect(read(generator().normal(loc, scale))).toEqual(expected);
    using out = empty(engine(), [2, 3]);
    expect(generator().normal(loc, scale, { out })).toBe(out);
    expect(numbers(out)).toEqual(expected);
    // The same as numbers give, also where the result takes the place of a parameter.
    using twos = full(engine(), 6, 2);
    const scaled = read(generator().normal(2, 3, { shape: 6 }));
    expect(read(generator().normal(twos, 3))).toEqual(scaled);
    generator().normal(twos, 3, { out: twos });
    expect(numbers(twos)).toEqual(scaled);
    using lows = array(engine(), [0, 100]);
    const fractions = words(start, 8).map((word) => (word >>> 8) / 2 ** 24);
    expect(read(generator().uniform(lows, 200, { shape: [4, 2] }))).toEqual(
      fractions.map((u, i) => (i % 2 === 0 ? fround(u * 200) : fround(fround(u * 100) + 100))),
    );
    const logs = read(generator().lognormal(loc, scale));
    expect(logs.map((x, i) => Math.abs(Math.log(x) - (expected[i] as number)) < 1e-5)).toEqual(new Array(6).fill(true));
  });

  test('take shapes and means of each element', () => {
    using shapes = array(engine(), [0.5, 3, NaN, -1, 0]);
    using x = generator().gamma(shapes, { shape: [4000, 5] });
    const rows = x.toArray() as number[][];
    const column = (k: number): number[] => rows.map((row) => row[k] as number);
    expect(Math.abs(momentsOf(column(0))[0] - 0.5)).toBeLessThan(0.05);
    expect(Math.abs(momentsOf(column(1))[0] - 3)).toBeLessThan(0.12);
    expect([column(2).every(Number.isNaN), column(3).every(Number.isNaN)]).toEqual([true, true]);
    expect(column(4).every((value) => value === 0)).toBe(true);
    using means = array(engine(), [0, 3, 50, -1, NaN], { dtype: 'f64' });
    using counts = generator().poisson(means, { shape: [4000, 5] });
    const sums = counts.mean({ axis: 0 });
    const [none, few, many, bad, worse] = numbers(sums);
    expect([none, bad, worse]).toEqual([0, 0, 0]);
    expect(Math.abs((few as number) - 3)).toBeLessThan(0.12);
    expect(Math.abs((many as number) - 50)).toBeLessThan(0.5);
    using trials = array(engine(), [[10], [100]], { dtype: 'i32' });
    using hits = generator().binomial(trials, 0.4, { shape: [2, 4000] });
    const [ten, hundred] = numbers(hits.mean({ axis: 1 }));
    expect(Math.abs((ten as number) - 4)).toBeLessThan(0.1);
    expect(Math.abs((hundred as number) - 40)).toBeLessThan(0.3);
    sums.close();
    // Written over its own parameter.
    using same = full(engine(), 1000, 4);
    const expected = read(generator().gamma(4, { shape: 1000 }));
    expect(numbers(generator().gamma(same, { out: same }) as unknown as NDArray)).toEqual(expected);
  });

  test('refuse what no distribution has, and then have drawn nothing', () => {
    const rng = generator();
    const before = rng.state;
    const refused = (draw: () => unknown, message: string): void => {
      expect(draw).toThrow(message);
    };
    using x = array(engine(), [1, 2]);
    using y = array(engine(), [1, 2, 3]);
    using z = array(engine(), [{ re: 1, im: 2 }]);
    refused(() => rng.normal(0, -1), 'normal: scale must be a number >= 0, got -1');
    refused(() => rng.normal(NaN, 1), 'normal: loc must be a number, got NaN');
    refused(() => rng.normal('a' as never, 1), 'normal: loc must be a number or an NDArray, got the string "a"');
    refused(() => rng.normal(0, z), 'normal: scale must be given elements of bool, i8');
    refused(() => rng.normal(0, x, { shape: 3 }), 'do not broadcast');
    refused(() => rng.normal(0, x, { shape: [] }), 'normal: shape must be one that the parameters broadcast to');
    refused(() => rng.uniform(1, 0), 'uniform: high must be at least low, 1, got 0');
    refused(() => rng.uniform(0, Infinity), 'uniform: high must be a finite number, got Infinity');
    refused(() => rng.uniform(-2e38, 3e38), 'uniform: high - low must be at most 3.4028234e+38 for f32');
    refused(() => rng.exponential(-0.5), 'exponential: scale must be a number >= 0, got -0.5');
    refused(() => rng.lognormal(0, -1), 'lognormal: sigma must be a number >= 0, got -1');
    refused(() => rng.gamma(-1), 'gamma: shape must be a number >= 0, got -1');
    refused(() => rng.gamma(undefined as never), 'gamma: shape must be a number >= 0 or an NDArray, got undefined');
    refused(() => rng.beta(0, 1), 'beta: a must be a number > 0, got 0');
    refused(() => rng.poisson(-1), 'poisson: lam must be a number from 0 to 1e+15, got -1');
    refused(() => rng.poisson(1000, { dtype: 'u8' }), 'poisson: lam = 1000 must have counts that u8 holds, up to 255');
    refused(() => rng.binomial(1.5, 0.5), 'binomial: n must be an integer from 0 to 1e+15, got 1.5');
    refused(() => rng.binomial(10, 1.1), 'binomial: p must be a number from 0 to 1, got 1.1');
    refused(() => rng.binomial(300, 0.1, { dtype: 'i8' }), 'binomial: n = 300 must have counts that i8 holds');
    refused(() => rng.integers(5, 5), 'integers: high must be greater than low, 5, got 5');
    refused(() => rng.integers(5, 4, { endpoint: true }), 'integers: high must be at least low, 5, got 4');
    refused(() => rng.integers(0, 257, { dtype: 'u8' }), '256 is not in 0 to 255, the range of u8');
    refused(() => rng.integers(0, 3, { dtype: 'bool' }), '2 is not in 0 to 1, the range of bool');
    refused(() => rng.integers(0.5), 'integers: high must be an integer or a bigint, got 0.5');
    refused(() => rng.integers(3, { dtype: 'f32' }), 'integers: dtype must be one of i64, i32');
    refused(() => rng.random(3, { dtype: 'i32' }), 'random: dtype must be one of f32, f64, f16, bf16, got');
    refused(() => rng.random(-1), 'random: shape must be an integer >= 0');
    refused(() => rng.random({ out: x, shape: 3 }), 'random: out must have the shape [3], got [2]');
    refused(() => rng.random({ out: x, dtype: 'f64' } as never), 'random: dtype must be that of out, f32, got f64');
    refused(() => rng.random({ size: 3 } as never), "random has no option 'size'; it knows shape, dtype, out");
    refused(() => rng.normal(x, y), 'do not broadcast');
    refused(() => rng.jump(-1), 'jump: times must be an integer from 0 to 4294967295, got -1');
    refused(() => rng.split(-1), 'split: count must be an integer >= 0, got -1');
    refused(
      () => generator(-1),
      'Generator: seed must be an integer from 0 to 2^53 - 1, or a bigint below 2^64, got -1',
    );
    refused(() => generator(2n ** 64n), 'got 18446744073709551616n');
    refused(() => generator('a' as never), 'Generator: seed must be an integer or a bigint, got the string "a"');
    for (const [part, message] of [
      [{ algorithm: 'xorwow' }, "Generator: state must be one of 'philox4x32-10', got algorithm"],
      [{ key: '0x1ffffffffffffffff' }, 'Generator: state.key must be the digits of an integer from 0 below 2^64'],
      [{ counter: -1 }, 'Generator: state.counter must be the digits'],
      [{ jumps: 0.5 }, 'Generator: state.jumps must be an integer'],
      [{ children: -1 }, 'Generator: state.children must be an integer'],
    ] as const) {
      refused(() => (rng.state = { ...before, ...part } as never), message);
    }
    expect(rng.state).toEqual(before);
  });
});
