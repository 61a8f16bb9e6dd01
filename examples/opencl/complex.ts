// Complex numbers in kernels: a custom header, passed as text and included by name, and vectors of two as numbers.
// After PyOpenCL's example of complex arithmetic.
// requires: opencl
import * as cl from 'rawkernel/opencl';

const header = `
// A complex number: x is the real part, y the imaginary one.
typedef float2 complex_t;

complex_t c_new(float re, float im) { return (float2)(re, im); }
complex_t c_conj(complex_t a) { return c_new(a.x, -a.y); }
float c_norm(complex_t a) { return dot(a, a); }
complex_t c_mul(complex_t a, complex_t b) { return c_new(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
complex_t c_div(complex_t a, complex_t b) { return c_mul(a, c_conj(b)) / c_norm(b); }
complex_t c_exp(complex_t a) { return exp(a.x) * c_new(cos(a.y), sin(a.y)); }
complex_t c_sqrt(complex_t a)
{
  float large = sqrt(0.5f * (length(a) + fabs(a.x))); // of the two parts the one that loses no digits
  if (large == 0) return 0;
  float other = a.y / (2 * large);
  return a.x >= 0 ? c_new(large, other) : c_new(fabs(other), copysign(large, a.y));
}
`;
const source = `
#include "complex-numbers.h"

// z is on a line through the plane: a rational function, an exponential and a square root of it.
__kernel void evaluate(__global complex_t *out, __global const complex_t *z, complex_t a)
{
  int i = get_global_id(0);
  complex_t square = c_mul(z[i], z[i]);
  complex_t fraction = c_div(square + a, square - a);
  out[i] = c_mul(fraction, c_exp(c_new(0, z[i].x))) + c_sqrt(z[i]);
}`;

const n = 1000;
const z = Float32Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? i / n - 1 : 0.5 - i / (4 * n)));
const a: Complex = [0.25, 2];

using ctx = cl.createSomeContext();
using queue = new cl.CommandQueue(ctx);
using object = new cl.Program(ctx, source).compile('', { headers: { 'complex-numbers.h': header } });
using prg = cl.linkProgram(ctx, [object]);
const mf = cl.MemFlags;
using input = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, z);
using out = new cl.Buffer(ctx, mf.WRITE_ONLY, z.byteLength);
prg.kernel('evaluate')(queue, n, null, out, input, cl.float2(...a));
const result = new Float32Array(2 * n);
cl.enqueueCopy(queue, result, out);

type Complex = readonly [re: number, im: number];

const multiply = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c];
const divide = (x: Complex, [c, d]: Complex): Complex => {
  const [re, im] = multiply(x, [c, -d]);
  return [re / (c * c + d * d), im / (c * c + d * d)];
};
/** In polar form; the kernel uses real and imaginary parts. */
const root = ([x, y]: Complex): Complex => {
  const [length, angle] = [Math.sqrt(Math.hypot(x, y)), Math.atan2(y, x) / 2];
  return [length * Math.cos(angle), length * Math.sin(angle)];
};

let worst = 0;
for (let i = 0; i < n; i++) {
  const at: Complex = [z[2 * i] ?? NaN, z[2 * i + 1] ?? NaN];
  const [re, im] = multiply(at, at);
  const fraction = divide([re + a[0], im + a[1]], [re - a[0], im - a[1]]);
  const turned = multiply(fraction, [Math.cos(at[0]), Math.sin(at[0])]);
  const rooted = root(at);
  for (const part of [0, 1] as const) {
    const expected = turned[part] + rooted[part];
    worst = Math.max(worst, Math.abs((result[2 * i + part] ?? NaN) - expected) / (1 + Math.abs(expected)));
  }
}
console.log(`${n} numbers, the largest error ${worst.toExponential(1)}`);
const passed = worst < 1e-5;
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
