// Heat that spreads along a rod: two steps are recorded once, and replayed as one command.
// requires: opencl, cl_khr_command_buffer
import * as cl from 'rawkernel/opencl';

const [cells, replays] = [1024, 500];

using ctx = cl.createSomeContext();
using queue = new cl.CommandQueue(ctx);
using prg = new cl.Program(
  ctx,
  `__kernel void spread(__global const float *from, __global float *to, float rate)
{
  int i = get_global_id(0), last = get_global_size(0) - 1;
  float left = from[max(i - 1, 0)], right = from[min(i + 1, last)];
  to[i] = from[i] + rate * (left - 2 * from[i] + right);
}`,
).build();

const rod = Float32Array.from({ length: cells }, (_, i) => (i < cells / 2 ? 100 : 0));
using a = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE | cl.MemFlags.COPY_HOST_PTR, rod);
using b = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, a.byteLength);
const spread = prg.kernel('spread');

using step = new cl.CommandBuffer(queue);
const there = step.kernel(spread, cells, null, a, b, 0.25);
step.kernel(spread, cells, null, b, a, 0.25, { waitFor: [there] });
step.finalize();

for (let i = 0; i < replays; i++) step.enqueue();
const replayed = new Float32Array(cells);
cl.enqueueCopy(queue, replayed, a);

// The same without a command buffer.
cl.enqueueCopy(queue, a, rod);
for (let i = 0; i < replays; i++) {
  spread(queue, cells, null, a, b, 0.25);
  spread(queue, cells, null, b, a, 0.25);
}
const called = new Float32Array(cells);
cl.enqueueCopy(queue, called, a);

console.log(
  `${step.length} commands, replayed ${replays} times; in the middle ${(replayed[cells / 2] ?? 0).toFixed(2)}`,
);
const passed = replayed.every((x, i) => x === called[i]) && (replayed[cells / 2] ?? 0) > 40;
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
