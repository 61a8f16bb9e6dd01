import { at, kernelCase, range, type Case } from '../case.ts';

/** Numbers of an engine that multiplies, after `skipped` others. */
function* multiplied(seed: number, multiplier: bigint, skipped = 0): Generator<number, never> {
  const modulus = 2147483647n;
  let x = BigInt(seed) % modulus === 0n ? 1n : BigInt(seed) % modulus;
  for (let i = 0; ; i++) {
    x = (x * multiplier) % modulus;
    if (i >= skipped) yield Number(x);
  }
}

/** Numbers of L'Ecuyer's combined Tausworthe engine, whose three parts begin with one seed. */
function* tausworthe(seed: number): Generator<number, never> {
  const parts = [
    { k: 31, q: 13, s: 12, z: seed },
    { k: 29, q: 2, s: 4, z: seed },
    { k: 28, q: 3, s: 17, z: seed },
  ];
  for (;;) {
    let all = 0;
    for (const part of parts) {
      const low = ((part.z << part.q) ^ part.z) >>> (part.k - part.s);
      part.z = ((part.z & (-1 << (32 - part.k))) << part.s) ^ low;
      all ^= part.z;
    }
    yield all >>> 0;
  }
}

/** The distribution function of the normal distribution, by its series around 0. */
function normalPart(x: number): number {
  let term = x;
  let total = x;
  for (let n = 1; n < 200; n++) {
    term *= (x * x) / (2 * n + 1);
    total += term;
  }
  return 0.5 + (total * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

/** thrust's engines and distributions. */
export const randomNumberCases: readonly Case[] = [
  kernelCase({
    name: 'thrust-engines',
    nvcc: true,
    source: `
      #include <thrust/random.h>
      template <class Engine> __device__ void fill(unsigned long long *out, Engine engine, int skipped)
      {
        engine.discard(skipped);
        for (int i = 0; i < 4; i++) out[i] = engine();
      }
      // Threads go on at different places of one sequence.
      __global__ void engines(unsigned long long *out)
      {
        int t = threadIdx.x;
        fill(out + 12 * t, thrust::minstd_rand(t), 100 * t);
        fill(out + 12 * t + 4, thrust::minstd_rand0(7), 1000000 * t);
        fill(out + 12 * t + 8, thrust::taus88(1000 + t), 0);
      }
      // What the documentation says that the 10000th number is.
      template <class Engine> __device__ unsigned long long last()
      {
        Engine engine;
        for (int i = 0; i < 9999; i++) engine();
        return engine();
      }
      __global__ void documented(unsigned long long *out)
      {
        out[0] = last<thrust::minstd_rand0>();
        out[1] = last<thrust::default_random_engine>();
        out[2] = last<thrust::random::taus88>();
        out[3] = last<thrust::random::ranlux24>();
        out[4] = last<thrust::random::ranlux48>();
      }`,
    buffers: () => ({ out: new BigUint64Array(96), known: new BigUint64Array(5) }),
    launches: ({ out, known }) => [
      { kernel: 'engines', args: [out], block: 8 },
      { kernel: 'documented', args: [known], block: 1 },
    ],
    expected: () => ({
      out: BigUint64Array.from(
        range(8).flatMap((t) => {
          const power = (): bigint => {
            let [x, base] = [1n, 16807n];
            for (let n = 1000000 * t; n > 0; n >>= 1, base = (base * base) % 2147483647n) {
              if (n & 1) x = (x * base) % 2147483647n;
            }
            return (7n * x) % 2147483647n;
          };
          const engines = [multiplied(t, 48271n, 100 * t), multiplied(Number(power()), 16807n), tausworthe(1000 + t)];
          return engines.flatMap((engine) => range(4, () => BigInt(engine.next().value)));
        }),
      ),
      known: [1043618065n, 399268537n, 3535848941n, 9901578n, 88229545517833n],
    }),
  }),

  kernelCase({
    name: 'thrust-uniform-numbers',
    nvcc: true,
    source: `
      #include <thrust/random.h>
      __global__ void draw(double *real, float *narrow, int *dice)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        thrust::default_random_engine engine(i + 1);
        thrust::uniform_real_distribution<double> reals(-2.0, 6.0);
        thrust::uniform_real_distribution<float> floats;
        thrust::uniform_int_distribution<int> ints(1, 6);
        for (int k = 0; k < 3; k++) {
          real[3 * i + k] = reals(engine);
          narrow[3 * i + k] = floats(engine);
          dice[3 * i + k] = ints(engine);
        }
      }`,
    buffers: () => ({ real: new Float64Array(192), narrow: new Float32Array(192), dice: new Int32Array(192) }),
    launches: ({ real, narrow, dice }) => [{ kernel: 'draw', args: [real, narrow, dice], block: 32, grid: 2 }],
    expected: () => {
      const rows = range(64).flatMap((i) => {
        const engine = multiplied(i + 1, 48271n);
        return range(3, () => range(3, () => (engine.next().value - 1) / 2147483646));
      });
      return {
        real: rows.map((row) => at(row, 0) * 8 - 2),
        narrow: rows.map((row) => at(row, 1)),
        dice: rows.map((row) => Math.trunc(at(row, 2) * 6 + 1)),
      };
    },
    tolerance: { relative: 2e-7, absolute: 1e-9 },
  }),

  kernelCase({
    name: 'thrust-normal-numbers',
    nvcc: true,
    source: `
      #include <thrust/random.h>
      __global__ void draw(double *out)
      {
        thrust::minstd_rand engine(threadIdx.x + 1);
        engine.discard(5);
        thrust::random::normal_distribution<double> normal(3.0, 2.0);
        out[threadIdx.x] = normal(engine);
      }`,
    buffers: () => ({ out: new Float64Array(64) }),
    launches: ({ out }) => [{ kernel: 'draw', args: [out], block: 64 }],
    expected: () => ({
      // Where the distribution function has the number that the engine gives, by bisection.
      out: range(64, (i) => {
        const steps = 2147483645;
        const part = (multiplied(i + 1, 48271n, 5).next().value - 1 + 0.5) / steps;
        let [low, high] = [-8, 8];
        for (let step = 0; step < 60; step++) {
          const middle = (low + high) / 2;
          if (normalPart(middle) < part) low = middle;
          else high = middle;
        }
        return 3 + 2 * low;
      }),
    }),
    // The upper half of the numbers mirrors the lower one: a number there is off by one of the engine's steps.
    tolerance: { absolute: 1e-6 },
  }),
];
