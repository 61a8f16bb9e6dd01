// Add two vectors with OpenCL: context, queue, three buffers, a program, a launch, a copy back.
// After the demo of PyOpenCL (create_some_context, enqueue_copy).
// requires: opencl
import * as cl from 'rawkernel/opencl';

using ctx = cl.createSomeContext();
using queue = new cl.CommandQueue(ctx);

const a = Float32Array.from({ length: 1000 }, Math.random);
const b = Float32Array.from({ length: 1000 }, Math.random);
const c = new Float32Array(1000);

const mf = cl.MemFlags;
using aG = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, a);
using bG = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, b);
using cG = new cl.Buffer(ctx, mf.WRITE_ONLY, c.byteLength);

using prg = new cl.Program(
  ctx,
  `
__kernel void add(__global const float *a, __global const float *b, __global float *c)
{
  int i = get_global_id(0);
  c[i] = a[i] + b[i];
}`,
).build();

prg.kernels.add(queue, [1000], null, aG, bG, cG);
cl.enqueueCopy(queue, c, cG);

const expected = a.map((x, i) => x + (b[i] ?? NaN));
const passed = c.every((x, i) => x === expected[i]);
console.log(`c[0..2] = ${c.slice(0, 3).join(', ')}`);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
