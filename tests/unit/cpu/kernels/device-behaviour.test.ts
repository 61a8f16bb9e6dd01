import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { benchOf, COMPILE_MS } from './device-functions/compile.ts';
import { dataOf, type Bench } from './device-functions/bench.ts';

const BLOCK = 64;
const threads = Array.from({ length: BLOCK }, (_, i) => i);
const lanes = threads.slice(0, 32);
const sum = (values: readonly number[]): number => values.reduce((total, x) => total + x, 0);

let bench: Bench;
beforeAll(async () => {
  const source = new URL('device-functions/behaviour.cu', import.meta.url);
  bench = await benchOf(readFileSync(source, 'utf8'));
}, COMPILE_MS);

describe('atomics', () => {
  /** What 64 threads leave in words that were 100. */
  function left(): bigint[] {
    let [added, taken, least, most, and, xor] = [100, 100, 100, 100, 100, 100];
    for (const i of threads) {
      added += i + 1;
      taken -= i + 1;
      least = Math.min(least, i + 1);
      most = Math.max(most, (i + 1) * 3);
      and &= ~(1 << (i % 8));
      xor ^= i + 1;
    }
    return [added, taken, least, most, and, -1, xor].map(BigInt);
  }

  test.each([
    ['atomics32', 'int', 32],
    ['atomics32u', 'unsigned', 32],
    ['atomics64', 'long long', 64],
    ['atomics64u', 'unsigned long long', 64],
  ] as const)('%s', (symbol, type, bits) => {
    const words = dataOf(
      type,
      Array.from({ length: 12 }, () => (bits === 64 ? 100n : 100)),
    );
    const olds = dataOf(
      type,
      threads.map(() => (bits === 64 ? 0n : 0)),
    );
    bench.run(symbol, BLOCK, 1, [words, olds]);
    const results = Array.from(words as ArrayLike<number | bigint>, BigInt);
    const expected = left();
    if (bits === 64) {
      expected[1] = 100n;
      expected[5] = (1n << 32n) - 1n;
    }
    const unsigned = type.startsWith('unsigned');
    const size = (x: bigint): bigint => (unsigned ? BigInt.asUintN(bits, x) : BigInt.asIntN(bits, x));
    const first = type === 'long long' ? 2 : 0;
    expect(results.slice(first, 7)).toEqual(expected.slice(first).map(size));
    if (type === 'long long') return;
    // Each thread saw what another one, or the start, had put there; the last one's value remains.
    const seen = [...Array.from(olds as ArrayLike<number | bigint>, Number), Number(results[7])].sort((a, b) => a - b);
    expect(seen).toEqual([...threads.map((i) => i + 1), 100]);
    expect(results[8]).toBeGreaterThan(100n);
    if (symbol === 'atomics32u') {
      // 100 is beyond 10, so the first thread sets 0, and 63 more go round a cycle of 11.
      expect(results[9]).toBe(BigInt(63 % 11));
      expect(results[10]).toBe(100n - 64n);
    }
  });

  test('16 bits by comparing and exchanging', () => {
    const words = Uint16Array.of(65000, 7);
    bench.run('atomics16', BLOCK, 1, [words]);
    expect([...words]).toEqual([(65000 + 3 * BLOCK) % 65536, 7]);
  });

  test('float and double', () => {
    const floats = Float32Array.of(1, 2, 3);
    const doubles = Float64Array.of(1);
    bench.run('atomicsReal', BLOCK, 1, [floats, doubles]);
    expect([...floats, ...doubles]).toEqual([33, 3, 7.5, 17]);
  });
});

test.each([
  ['whole warps', 64],
  ['half a warp', 48],
])('functions of %s', (_, count) => {
  const start = (i: number): number => i & ~31;
  const here = (i: number): number[] => lanes.map((lane) => start(i) + lane).filter((k) => k < count);
  const ofWarp = (i: number, f: (k: number) => boolean): number =>
    here(i).reduce((bits, k) => bits | (Number(f(k)) << (k & 31)), 0);
  const shuffle = (i: number, source: number, inside: boolean): number | undefined => {
    const k = inside ? start(i) + source : i;
    // What a thread that does not exist gives is not defined.
    return k < count ? k * 10 : undefined;
  };
  const lines: ((i: number, lane: number) => number | undefined)[] = [
    (i) => shuffle(i, 3, true),
    (i, lane) => shuffle(i, (lane & ~7) + 3, true),
    (i, lane) => shuffle(i, lane - 2, lane >= 2),
    (i, lane) => shuffle(i, lane - 2, lane % 8 >= 2),
    (i, lane) => shuffle(i, lane + 2, lane + 2 < 32),
    (i, lane) => shuffle(i, lane + 2, (lane % 8) + 2 < 8),
    (i, lane) => shuffle(i, lane ^ 5, true),
    (i, lane) => shuffle(i, lane ^ 5, (lane ^ 5) < (lane & ~3) + 4),
    (i, lane) => (i + 1 < count || lane === 31 ? Math.trunc((lane < 31 ? i + 1 : i) * 3) : undefined),
    (i, lane) => (i + 1 < count || lane === 31 ? (lane < 31 ? i + 1 : i) : undefined),
    (i) => ofWarp(i, (k) => k % 3 === 0),
    (i) => Number(here(i).includes(40)),
    (i) => Number(i < 32),
    (i) => ofWarp(i, (k) => Math.floor((k & 31) / 5) === Math.floor((i & 31) / 5)),
  ];
  const whole: typeof lines = [
    () => -1,
    () => 1,
    () => 0,
    (i) => sum(here(i).map((k) => k - 20)),
    (i) => Math.min(...here(i)) - 20,
    (i) => Math.max(...here(i)),
    (i) => here(i).reduce((x, k) => x ^ (k * 3), 0),
  ];
  const block: typeof lines = [
    () => threads.filter((i) => i < count && i % 5 === 0).length,
    () => threads.filter((i) => i < count && i % 7 === 0).length,
    () => 1,
    () => 0,
  ];
  const results = new Int32Array(26 * BLOCK);
  // Threads beyond the count return at once; a warp that is not whole is tested as far as it is defined.
  bench.run('warps', count, 1, [results, count]);
  const expectLine = (line: number, f: (i: number, lane: number) => number | undefined): void => {
    const defined = threads.filter((i) => i < count && f(i, i & 31) !== undefined);
    expect([line, ...defined.map((i) => results[line * BLOCK + i])]).toEqual([
      line,
      ...defined.map((i) => f(i, i & 31)),
    ]);
  };
  lines.forEach((f, line) => expectLine(line, f));
  if (count === BLOCK) whole.forEach((f, k) => expectLine(lines.length + k, f));
  block.forEach((f, k) => expectLine(lines.length + whole.length + k, f));
  expectLine(25, (i) => ofWarp(i, () => true));
});

test('cooperative groups', () => {
  const lines: ((i: number, lane: number) => number)[] = [
    (i) => i % 8,
    (i) => Math.floor(i / 8),
    (_, lane) => Math.floor(lane / 4) * 100 + 8,
    (i) => (i & ~7) + 2,
    (i) => (i % 8 < 5 ? i + 3 : i),
    () => 0b10101010,
    (i) => (i & ~7) * 8 + 28,
    (i) => Math.max(...lanes.map((lane) => (((i & 32) + lane) * 7) % 32)),
    (i) => sum(threads.slice(i & ~7, i + 1)),
    (_, lane) => lane,
    (i) => Math.trunc(((i & 32) + 9) * 2.5) + (i & 32) + 9,
    (_, lane) => Math.floor(lane / 2) * 100 + 16,
    (i, lane) => sum(lanes.filter((k) => k % 2 === lane % 2).map((k) => (i & 32) + k)),
    (_, lane) => Math.floor(lane / 10) * 10000 + (lane % 10) * 100 + (lane < 30 ? 10 : 2),
    (i, lane) => (i & 32) + Math.floor(lane / 10) * 10 + 1,
    (i) => i % 16,
    (i) => i,
    () => 32,
  ];
  const results = new Int32Array(lines.length * BLOCK);
  bench.run('groups', BLOCK, 1, [results]);
  lines.forEach((f, line) => {
    expect([line, ...results.subarray(line * BLOCK, (line + 1) * BLOCK)]).toEqual([
      line,
      ...threads.map((i) => f(i, i & 31)),
    ]);
  });
});

describe('cuRAND', () => {
  test('XORWOW: the values that cuRAND prints, and jumps ahead', () => {
    const results = new Uint32Array(50);
    const uniform = new Float32Array(16);
    bench.run('random32', 16, 1, [results, uniform]);
    // The output of the first example in cuRAND's guide: ten uniform numbers of seed 1234, one of each sequence.
    const printed = [
      '0.1455',
      '0.8202',
      '0.5504',
      '0.2948',
      '0.9147',
      '0.8690',
      '0.3219',
      '0.7829',
      '0.0113',
      '0.2855',
    ];
    expect(Array.from(uniform.subarray(0, 10), (x) => x.toFixed(4))).toEqual(printed);
    expect([...results.subarray(0, 48)]).toEqual(Array.from({ length: 48 }, () => 1));
    // Seed 0, as curandGenerateUniform gives it: 0.740219…, 0.438451… follow from the first words.
    expect(results[48]).toBe(3179217846);
    expect(results[49]).toBe(1883133293);
  });

  test('Philox4x32-10: the known answers of its authors, and jumps ahead', () => {
    const results = new Uint32Array(32);
    bench.run('philox', 8, 1, [results, 0]);
    expect(Array.from(results.subarray(0, 12), (x) => x.toString(16).padStart(8, '0'))).toEqual([
      ...['6627e8d5', 'e169c58d', 'bc57ac4c', '9b00dbd8'],
      ...['408f276d', '41c83b0e', 'a20bc7c6', '6d5451fd'],
      ...['d16cfe09', '94fdcceb', '5001e420', '24126ea1'],
    ]);
    expect([...results.subarray(12, 20)]).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  });

  test('means and variances', () => {
    const draws = 1000;
    const sums = new Float64Array(16);
    bench.run('moments', 32, 1, [sums, draws]);
    const count = draws * 32;
    const expected = [
      [0.5, 1 / 12],
      [0, 1],
      [0, 1],
      [0, 1],
      [1, 0.25],
      [7, 7],
      [300, 300],
      [0.5, 1 / 12],
    ] as const;
    expected.forEach(([mean, variance], k) => {
      const actual = (sums[2 * k] ?? NaN) / count;
      expect(Math.abs(actual - mean)).toBeLessThan(5 * Math.sqrt(variance / count));
      const spread = (sums[2 * k + 1] ?? NaN) / count - actual * actual;
      expect(Math.abs(spread / variance - 1)).toBeLessThan(0.06);
    });
  });
});

test('memory, strings, the C++ library, vectors', () => {
  const results = new Int32Array(24);
  bench.run('memory', 1, 1, [results]);
  expect([...results.subarray(0, 21)]).toEqual([
    ...[49, 0, 99, 0, 1],
    ...[9, 1, 0, 7, 4, 1, 113],
    ...[213, 1, 1],
    ...[4, 122416, 60416, 451, 132, 1],
  ]);
});
