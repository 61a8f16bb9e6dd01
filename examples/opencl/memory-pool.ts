// Scratch memory from a pool: each step allocates a buffer and returns it while the device still uses it.
// After PyOpenCL's memory pool.
// requires: opencl
import * as cl from 'rawkernel/opencl';

const n = 10_000;
const steps = 50;

using ctx = cl.createSomeContext();
using queue = new cl.CommandQueue(ctx);
using prg = new cl.Program(
  ctx,
  `
__kernel void square(__global float *to, __global const float *from)
{
  int i = get_global_id(0);
  to[i] = from[i] * from[i];
}
__kernel void add(__global float *to, __global const float *from)
{
  int i = get_global_id(0);
  to[i] += from[i];
}`,
).build();
const { square, add } = prg.kernels;

const input = Float32Array.from({ length: n }, (_, i) => i % 10);
const mf = cl.MemFlags;
using source = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, input);
using sum = new cl.Buffer(ctx, mf.READ_WRITE, input.byteLength);
cl.enqueueFill(queue, sum, 0);

// The memory is allocated at once, not at a kernel's first use, so a lack of memory is reported early.
using pool = new cl.MemoryPool(new cl.ImmediateAllocator(queue));
for (let step = 0; step < steps; step++) {
  using scratch = pool.allocate(input.byteLength - 4 * step + 4 * steps); // similar sizes share a block
  square(queue, n, null, scratch, source);
  add(queue, n, null, sum, scratch);
} // no wait: commands of the block's next user run later

const result = new Float32Array(n);
cl.enqueueCopy(queue, result, sum);
console.log(`${steps} steps with ${pool.heldBlocks} block of ${pool.managedBytes} bytes`);
const passed = pool.heldBlocks === 1 && result.every((x, i) => x === steps * (i % 10) ** 2);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
