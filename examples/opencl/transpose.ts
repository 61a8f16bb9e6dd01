// Transpose a matrix in two ways: directly, with scattered writes, and by tiles in local memory, with contiguous writes.
// After PyOpenCL's matrix transpose, measured by the events of a profiling queue.
// requires: opencl
import * as cl from 'rawkernel/opencl';
// Written by: npx rawkernel types kernels/opencl/transpose.cl
import type transposeSource from '../../kernels/opencl/transpose.cl.d.ts';

const [rows, columns, tile] = [768, 1024, 16];

using ctx = cl.createSomeContext();
using queue = new cl.CommandQueue(ctx, { profiling: true });
using straight = new cl.Program(
  ctx,
  `
__kernel void straight(__global float *to, __global const float *from, int rows, int columns)
{
  int x = get_global_id(0), y = get_global_id(1);
  to[x * rows + y] = from[y * columns + x];
}`,
).build();
const file = new URL('../../kernels/opencl/transpose.cl', import.meta.url);
using tiled = cl.Program.fromFile<typeof transposeSource>(ctx, file).build([`-DTILE=${tile}`, `-DROWS=${tile}`]);
const kernels = { straight: straight.kernel('straight'), tiled: tiled.kernel('transpose') };

const matrix = Float32Array.from({ length: rows * columns }, Math.random);
const mf = cl.MemFlags;
using from = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, matrix);
using to = new cl.Buffer(ctx, mf.READ_WRITE, matrix.byteLength);

let passed = true;
for (const [name, kernel] of Object.entries(kernels)) {
  const launch = (): cl.Event => kernel(queue, [columns, rows], [tile, tile], to, from, rows, columns);
  cl.enqueueFill(queue, to, 0);
  launch();
  const result = new Float32Array(rows * columns);
  cl.enqueueCopy(queue, result, to);
  passed &&= result.every((x, i) => x === matrix[(i % rows) * columns + Math.floor(i / rows)]);

  const events = Array.from({ length: 10 }, launch);
  cl.waitForEvents(events);
  const nanoseconds = Math.min(...events.map((event) => Number(event.duration)));
  console.log(`${name}: ${((2 * matrix.byteLength) / nanoseconds).toFixed(1)} GB/s`);
}
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
