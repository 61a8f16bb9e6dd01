// A generated kernel: template literals unroll its loop, and a map of expressions becomes its functions.
// After PyOpenCL's examples of code generation.
// requires: opencl
import * as cl from 'rawkernel/opencl';

const [perItem, groupSize, groups] = [8, 32, 16];
const n = perItem * groupSize * groups;

/** The texts for 0, 1, 2 … */
function unrolled(count: number, line: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => line(i)).join('\n  ');
}

const expressions = { add: 'x + y', longer: 'hypot(x, y)', larger: 'fmax(x, y)' } as const;

function kernelText(name: string, expression: string): string {
  return `
__kernel void ${name}(__global float *out, __global const float *a, __global const float *b)
{
  int at = get_local_id(0) + ${groupSize * perItem} * get_group_id(0);
  float x, y;
  ${unrolled(perItem, (i) => `x = a[at + ${i * groupSize}]; y = b[at + ${i * groupSize}]; out[at + ${i * groupSize}] = ${expression};`)}
}`;
}

const source = Object.entries(expressions)
  .map(([name, expression]) => kernelText(name, expression))
  .join('\n');
console.log(kernelText('add', expressions.add));

using ctx = cl.createSomeContext();
using queue = new cl.CommandQueue(ctx);
using prg = new cl.Program(ctx, source).build();
const [a, b] = [0, 1].map(() => Float32Array.from({ length: n }, Math.random)) as [Float32Array, Float32Array];
const mf = cl.MemFlags;
using aG = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, a);
using bG = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, b);
using out = new cl.Buffer(ctx, mf.WRITE_ONLY, a.byteLength);

const expected = {
  add: (x: number, y: number): number => x + y,
  longer: (x: number, y: number): number => Math.hypot(x, y),
  larger: (x: number, y: number): number => Math.max(x, y),
};
let passed = true;
for (const [name, compute] of Object.entries(expected)) {
  prg.kernel(name)(queue, n / perItem, groupSize, out, aG, bG);
  const result = new Float32Array(n);
  cl.enqueueCopy(queue, result, out);
  passed &&= result.every((value, i) => Math.abs(value - compute(a[i] ?? NaN, b[i] ?? NaN)) < 1e-6);
}
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
