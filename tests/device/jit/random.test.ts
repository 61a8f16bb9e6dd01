import { expect, test } from '@jest/globals';
import {
  cuda,
  device,
  structArray,
  Xoroshiro128pState,
  type F32,
  type F64,
  type I32,
  type U64,
  type Xoroshiro128p,
} from '../../../src/cuda/jit/index.ts';
import type { JitFunction } from '../../../src/jit/jit-function.ts';
import { describeJit } from '../../helpers/jit-halves.ts';
import { referenceStates, type Xoroshiro128pReference } from '../../helpers/xoroshiro128p.ts';

/** What SplitMix64 makes of the seed 1. */
const WORD = 0x910a2dec89025cc1n;
const N = 40;
const ROUNDS = 5;

/** Numbers in the order in which a kernel draws them: round by round, of each generator. */
function drawn<T>(states: readonly Xoroshiro128pReference[], draw: (state: Xoroshiro128pReference) => T): T[] {
  return Array.from({ length: ROUNDS }, () => states.map(draw)).flat();
}

/** How far a number is from what it is to be, in parts of the larger of 1 and its size. */
function largestError(found: ArrayLike<number>, expected: readonly number[]): number {
  expect(found).toHaveLength(expected.length);
  return Math.max(...expected.map((value, i) => Math.abs((found[i] as number) - value) / Math.max(1, Math.abs(value))));
}

const words = (states: readonly Xoroshiro128pReference[]): bigint[] => states.flatMap(({ s0, s1 }) => [s0, s1]);

type Way = <A extends readonly unknown[]>(n: number, kernel: JitFunction<A>) => (...args: A) => void;
/** The device, and the same in JavaScript. */
const WAYS: readonly (readonly [string, Way])[] = [
  ['the device', (n, kernel) => kernel.forAll(n)],
  ['the simulator', (n, kernel) => kernel.simulate(Math.ceil(n / 16), 16)],
];

describeJit('random numbers of kernels', ({ jit, random }) => {
  const { createXoroshiro128pStates, initXoroshiro128pStates } = random;

  test.each(WAYS)('on %s, words and uniform numbers have the bits of the reference', (_, way) => {
    const draw = jit((states: Xoroshiro128p, next: U64, single: F32, double: F64) => {
      const i = cuda.grid(1);
      const n = states.length;
      if (i >= n) return;
      for (let at = i; at < next.length; at += n) {
        next[at] = cuda.random.xoroshiro128pNext(states, i);
        single[at] = cuda.random.xoroshiro128pUniformFloat32(states, i);
        double[at] = cuda.random.xoroshiro128pUniformFloat64(states, i);
      }
    });
    const reference = referenceStates(N, WORD, 2);
    using states = createXoroshiro128pStates(N, { seed: 1, subsequenceStart: 2n });
    expect([...states.memory.get()]).toEqual(words(reference));
    const length = N * ROUNDS;
    const [next, single, double] = [new BigUint64Array(length), new Float32Array(length), new Float64Array(length)];
    way(N, draw)(states, next, single, double);
    const expected = drawn(reference, (one) => [one.next(), one.uniform32(), one.uniform64()] as const);
    expect([...next]).toEqual(expected.map(([value]) => value));
    expect([...single]).toEqual(expected.map(([, value]) => value));
    expect([...double]).toEqual(expected.map(([, , value]) => value));
    expect([...states.memory.get()]).toEqual(words(reference));
  });

  test.each(WAYS)('on %s, normal numbers are those of Box and Muller, of two steps each', (_, way) => {
    const draw = jit((states: Xoroshiro128p, single: F32, double: F64) => {
      const i = cuda.grid(1);
      const n = states.length;
      if (i >= n) return;
      for (let at = i; at < single.length; at += n) {
        single[at] = cuda.random.xoroshiro128pNormalFloat32(states, i);
        double[at] = cuda.random.xoroshiro128pNormalFloat64(states, i);
      }
    });
    const reference = referenceStates(N, WORD, 0);
    using states = createXoroshiro128pStates(N, { seed: 1n });
    const [single, double] = [new Float32Array(N * ROUNDS), new Float64Array(N * ROUNDS)];
    way(N, draw)(states, single, double);
    const expected = drawn(
      reference,
      (one) => [one.normal(() => one.uniform32()), one.normal(() => one.uniform64())] as const,
    );
    // The angle, up to 2 pi, is rounded twice, and the radius is a factor of that; then come 3 ulp of log and 4 of cos.
    expect(
      largestError(
        single,
        expected.map(([value]) => value),
      ),
    ).toBeLessThan(48 * 2 ** -24);
    expect(
      largestError(
        double,
        expected.map(([, value]) => value),
      ),
    ).toBeLessThan(48 * 2 ** -53);
    expect([...states.memory.get()]).toEqual(words(reference));
  });

  test.each(WAYS)('on %s, the ends of the range: 0 is there, 1 is not, and normal numbers are finite', (_, way) => {
    const draw = jit(
      (
        states: Xoroshiro128p,
        single: F32,
        double: F64,
        normal: F32,
        { State }: { State: typeof Xoroshiro128pState },
      ) => {
        const i = cuda.grid(1);
        if (i >= single.length) return;
        const copies = cuda.local.array(1, State);
        copies[0] = states[i]!;
        double[i] = cuda.random.xoroshiro128pUniformFloat64(copies, 0);
        copies[0] = states[i]!;
        normal[i] = cuda.random.xoroshiro128pNormalFloat32(copies, 0);
        single[i] = cuda.random.xoroshiro128pUniformFloat32(states, i);
      },
      { const: { State: Xoroshiro128pState } },
    );
    // Words whose sum is 0, one beyond the lowest bit that counts, and the largest.
    const sums = [0n, 2n ** 11n, 2n ** 64n - 1n, 2n ** 64n - 2n ** 39n, 2n ** 64n - 2n ** 39n - 2n ** 11n];
    const states = structArray(
      Xoroshiro128pState,
      sums.map((sum) => ({ s0: 99n, s1: BigInt.asUintN(64, sum - 99n) })),
    );
    const [single, double, normal] = [new Float32Array(5), new Float64Array(5), new Float32Array(5)];
    way(5, draw)(states, single, double, normal);
    const below = 1 - 2 ** -24;
    expect([...single]).toEqual([0, 2 ** -53, below, below, below]);
    expect([...double]).toEqual([0, 2 ** -53, 1 - 2 ** -53, 1 - 2 ** -25, 1 - 2 ** -25 - 2 ** -53]);
    expect(normal.every((value) => Math.abs(value) < 8.66)).toBe(true);
  });

  test.each(WAYS)(
    'on %s, numbers of one expression are drawn from left to right, indices are computed once',
    (_, way) => {
      const two = device((states: Xoroshiro128p, at: number) => {
        const first = cuda.random.xoroshiro128pUniformFloat32(states, at);
        return first - cuda.random.xoroshiro128pUniformFloat32(states, at);
      });
      const draw = jit(
        (states: Xoroshiro128p, out: F32, counts: I32, { two }) => {
          const i = cuda.grid(1);
          if (i >= states.length) return;
          let k = i;
          out[i] =
            cuda.random.xoroshiro128pUniformFloat32(states, k++) -
            2 * cuda.random.xoroshiro128pUniformFloat32(states, --k);
          out[i] += 4 * two(states, i);
          counts[i] = k;
        },
        { const: { two } },
      );
      const reference = referenceStates(N, WORD, 0);
      using states = createXoroshiro128pStates(N, { seed: 1 });
      const [out, counts] = [new Float32Array(N), new Int32Array(N)];
      way(N, draw)(states, out, counts);
      const f = Math.fround;
      const expected = reference.map((one) => {
        const first = f(one.uniform32() - 2 * one.uniform32());
        return f(first + f(4 * f(one.uniform32() - one.uniform32())));
      });
      expect([...out]).toEqual(expected);
      expect([...counts]).toEqual(Array.from({ length: N }, (_, i) => i));
    },
  );

  test('a signature names the state, and states are put back to a seed', () => {
    const draw = jit(
      'void(State[], f32[])',
      (states, out) => {
        const i = cuda.grid(1);
        if (i < out.length) out[i] = cuda.random.xoroshiro128pUniformFloat32(states, i);
      },
      { types: { State: Xoroshiro128pState } },
    );
    using states = createXoroshiro128pStates(N, { seed: 9 });
    const [first, second, again] = [new Float32Array(N), new Float32Array(N), new Float32Array(N)];
    draw.forAll(N)(states, first);
    draw.forAll(N)(states, second);
    expect([...second]).not.toEqual([...first]);
    initXoroshiro128pStates(states, { seed: 9 });
    draw.forAll(N)(states, again);
    expect([...again]).toEqual([...first]);
    initXoroshiro128pStates(states, { seed: 1, subsequenceStart: 3 });
    expect([...states.memory.get()]).toEqual(words(referenceStates(N, WORD, 3)));
  });

  test('many numbers: means, deviations, and a hundred boxes that are filled alike', () => {
    const [threads, each] = [512, 200];
    const boxes = 100;
    const draw = jit((states: Xoroshiro128p, uniform: F32, normal: F64) => {
      const i = cuda.grid(1);
      const n = states.length;
      if (i >= n) return;
      for (let at = i; at < uniform.length; at += n) {
        uniform[at] = cuda.random.xoroshiro128pUniformFloat32(states, i);
        normal[at] = cuda.random.xoroshiro128pNormalFloat64(states, i);
      }
    });
    const count = threads * each;
    using states = createXoroshiro128pStates(threads, { seed: 2026 });
    const [uniform, normal] = [new Float32Array(count), new Float64Array(count)];
    draw.forAll(threads)(states, uniform, normal);
    const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / count;
    // Five standard deviations of each estimate.
    const limit = 5 / Math.sqrt(count);
    const [u, z] = [[...uniform], [...normal]];
    expect(Math.abs(mean(u) - 1 / 2)).toBeLessThan(limit * Math.sqrt(1 / 12));
    expect(Math.abs(mean(u.map((x) => (x - 1 / 2) ** 2)) - 1 / 12)).toBeLessThan(limit * Math.sqrt(1 / 180));
    expect(Math.abs(mean(z))).toBeLessThan(limit);
    expect(Math.abs(mean(z.map((x) => x ** 2)) - 1)).toBeLessThan(limit * Math.sqrt(2));
    expect(Math.abs(mean(z.map((x) => x ** 3)))).toBeLessThan(limit * Math.sqrt(15));
    expect(Math.abs(mean(z.map((x) => x ** 4)) - 3)).toBeLessThan(limit * Math.sqrt(96));
    // Neighbours among the threads, and the next number of the same thread.
    for (const lag of [1, threads]) {
      const products = u.map((x, k) => (x - 1 / 2) * ((u[(k + lag) % count] as number) - 1 / 2));
      expect(Math.abs(mean(products))).toBeLessThan(limit / 12);
    }
    const filled = new Array<number>(boxes).fill(0);
    for (const x of u) filled[Math.floor(x * boxes)] = (filled[Math.floor(x * boxes)] as number) + 1;
    const expected = count / boxes;
    const chiSquare = filled.reduce((sum, found) => sum + (found - expected) ** 2 / expected, 0);
    // Of 99 degrees of freedom: quantiles of 1e-6 and 1 - 1e-6.
    expect(chiSquare).toBeGreaterThan(45);
    expect(chiSquare).toBeLessThan(180);
  });
});
