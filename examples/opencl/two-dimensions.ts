// A two-dimensional result; if the build fails, the compiler's log of each device.
// After PyOpenCL's narray example.
// requires: opencl
import * as cl from 'rawkernel/opencl';

const [rows, columns] = [4, 6];

using ctx = cl.createSomeContext();
using queue = new cl.CommandQueue(ctx);
using prg = built(`
__kernel void outer(__global const float *a, __global const float *b, __global float *table)
{
  int row = get_global_id(1), column = get_global_id(0);
  table[row * get_global_size(0) + column] = a[row] * b[column];
}`);

const a = Float32Array.from({ length: rows }, (_, i) => i + 1);
const b = Float32Array.from({ length: columns }, (_, i) => i + 1);
const mf = cl.MemFlags;
using aG = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, a);
using bG = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, b);
using tableG = new cl.Buffer(ctx, mf.WRITE_ONLY, 4 * rows * columns);
prg.kernel('outer')(queue, [columns, rows], null, aG, bG, tableG);
const table = new Float32Array(rows * columns);
cl.enqueueCopy(queue, table, tableG);

for (let row = 0; row < rows; row++) {
  console.log(Array.from(table.subarray(row * columns, (row + 1) * columns), (x) => String(x).padStart(3)).join(''));
}
const passed = table.every((x, i) => x === (Math.floor(i / columns) + 1) * ((i % columns) + 1));
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;

function built(source: string): cl.Program {
  const program = new cl.Program(ctx, source);
  try {
    return program.build();
  } catch (error) {
    if (error instanceof cl.BuildError) for (const [device, log] of error.logs) console.log(`${device}:\n${log}`);
    throw error;
  }
}
