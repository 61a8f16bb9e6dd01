import { at, kernelCase, range, type Case } from '../case.ts';

type Complex = readonly [re: number, im: number];

const add = ([a, b]: Complex, [c, d]: Complex): Complex => [a + c, b + d];
const times = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c];
const minus = (z: Complex): Complex => [-z[0], -z[1]];
const over = (z: Complex, [c, d]: Complex): Complex => times(z, [c / (c * c + d * d), -d / (c * c + d * d)]);
const exp = ([a, b]: Complex): Complex => [Math.exp(a) * Math.cos(b), Math.exp(a) * Math.sin(b)];
const log = ([a, b]: Complex): Complex => [Math.log(Math.hypot(a, b)), Math.atan2(b, a)];
const power = (z: Complex, w: Complex): Complex => exp(times(w, log(z)));
const root = (z: Complex): Complex => power(z, [0.5, 0]);
const ONE: Complex = [1, 0];
const I: Complex = [0, 1];
const HALF: Complex = [0.5, 0];

/** The functions by their definitions: exponentials and logarithms. */
const FUNCTIONS: Readonly<Record<string, (z: Complex) => Complex>> = {
  exp,
  log,
  log10: (z) => over(log(z), [Math.LN10, 0]),
  sqrt: root,
  sinh: (z) => times(HALF, add(exp(z), minus(exp(minus(z))))),
  cosh: (z) => times(HALF, add(exp(z), exp(minus(z)))),
  tanh: (z) => over(add(exp(z), minus(exp(minus(z)))), add(exp(z), exp(minus(z)))),
  sin: (z) => over(add(exp(times(I, z)), minus(exp(minus(times(I, z))))), [0, 2]),
  cos: (z) => times(HALF, add(exp(times(I, z)), exp(minus(times(I, z))))),
  tan: (z) => {
    const [plus, less] = [exp(times(I, z)), exp(minus(times(I, z)))];
    return over(add(plus, minus(less)), times(I, add(plus, less)));
  },
  asinh: (z) => log(add(z, root(add(times(z, z), ONE)))),
  acosh: (z) => log(add(z, times(root(add(z, ONE)), root(add(z, minus(ONE)))))),
  atanh: (z) => times(HALF, add(log(add(ONE, z)), minus(log(add(ONE, minus(z)))))),
  asin: (z) => over(log(add(times(I, z), root(add(ONE, minus(times(z, z)))))), I),
  acos: (z) => over(log(add(z, times(I, root(add(ONE, minus(times(z, z))))))), I),
  atan: (z) => over(add(log(add(ONE, times(I, z))), minus(log(add(ONE, minus(times(I, z)))))), [0, 2]),
};
const NAMES = Object.keys(FUNCTIONS);
const POINTS = 40;

function functionsOf(space: string, header: string, number: string): string {
  return `
      #include <${header}>
      __global__ void functions(const ${number} *x, ${number} *out)
      {
        int i = threadIdx.x;
        ${space}complex<${number}> z(x[2 * i], x[2 * i + 1]), w;
        ${number} *o = out + ${2 * NAMES.length} * i;
        ${NAMES.map((name) => `w = ${space}${name}(z); *o++ = w.real(); *o++ = w.imag();`).join('\n        ')}
      }`;
}

function functionCase(name: string, space: string, header: string, number: 'float' | 'double'): Case {
  const array = number === 'float' ? Float32Array : Float64Array;
  return kernelCase({
    name,
    nvcc: true,
    source: functionsOf(space, header, number),
    buffers: (random) => ({
      // Away from the cuts, beside which a rounding is another result.
      x: array.from([...random.ints(2 * POINTS, 1, 95)].map((value, i) => (i % 4 < 2 ? value / 32 : -value / 32))),
      out: new array(2 * NAMES.length * POINTS),
    }),
    launches: ({ x, out }) => [{ kernel: 'functions', args: [x, out], block: POINTS }],
    expected: ({ x }) => ({
      out: range(POINTS).flatMap((i) =>
        NAMES.flatMap((one) => FUNCTIONS[one]?.([at(x, 2 * i), at(x, 2 * i + 1)]) ?? []),
      ),
    }),
    tolerance: number === 'float' ? { relative: 2e-6, absolute: 2e-6 } : { relative: 1e-11, absolute: 1e-13 },
  });
}

/** Functions of complex numbers, and mixed arithmetic. */
export const complexNumberCases: readonly Case[] = [
  functionCase('complex-functions-of-doubles', 'thrust::', 'thrust/complex.h', 'double'),
  functionCase('complex-functions-of-floats', 'cuda::std::', 'cuda/std/complex', 'float'),

  kernelCase({
    name: 'complex-powers',
    nvcc: true,
    source: `
      #include <thrust/complex.h>
      // Powers, and a float beside a double: the result is of doubles.
      __global__ void powers(const float *x, double *out)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        thrust::complex<float> z(x[2 * i], x[2 * i + 1]);
        thrust::complex<double> mixed = z * 0.1, whole = thrust::pow(thrust::complex<double>(z), 3.0);
        thrust::complex<double> both = thrust::pow(thrust::complex<double>(z), thrust::complex<double>(0.5, -1));
        thrust::complex<double> base = thrust::pow(2.0, thrust::complex<double>(z));
        double *o = out + 8 * i;
        o[0] = mixed.real(), o[1] = mixed.imag(), o[2] = whole.real(), o[3] = whole.imag();
        o[4] = both.real(), o[5] = both.imag(), o[6] = base.real(), o[7] = base.imag();
      }`,
    buffers: (random) => ({
      x: Float32Array.from(random.ints(128, 1, 99), (value) => value / 16),
      out: new Float64Array(512),
    }),
    launches: ({ x, out }) => [{ kernel: 'powers', args: [x, out], block: 32, grid: 2 }],
    expected: ({ x }) => ({
      out: range(64).flatMap((i) => {
        const z: Complex = [at(x, 2 * i), at(x, 2 * i + 1)];
        const cube = times(z, times(z, z));
        return [times(z, [0.1, 0]), cube, power(z, [0.5, -1]), exp(times(z, [Math.LN2, 0]))].flat();
      }),
    }),
    tolerance: { relative: 1e-11, absolute: 1e-10 },
  }),
];
