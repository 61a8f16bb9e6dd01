// Multiply two 1024 x 1024 matrices tile by tile through local memory, and time the kernel with profiling events.
// After PyOpenCL's examples/matrix-multiply.py.
// requires: opencl
import * as cl from 'rawkernel/opencl';
// Written by: npx rawkernel types kernels/opencl/matmul.cl
import type matmulSource from '../kernels/opencl/matmul.cl.d.ts';

const n = 1024;
const file = new URL('../kernels/opencl/matmul.cl', import.meta.url);

using ctx = cl.createSomeContext();
using queue = new cl.CommandQueue(ctx, { profiling: true });
const { maxWorkGroupSize } = queue.device;
const tile = maxWorkGroupSize >= 256 ? 16 : maxWorkGroupSize >= 64 ? 8 : 1;
using prg = cl.Program.fromFile<typeof matmulSource>(ctx, file).build([`-DTILE=${tile}`]);
const matmul = prg.kernel('matmul');

const a = Float32Array.from({ length: n * n }, Math.random);
const b = Float32Array.from({ length: n * n }, Math.random);
const c = new Float32Array(n * n);

const mf = cl.MemFlags;
using aG = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, a);
using bG = new cl.Buffer(ctx, mf.READ_ONLY | mf.COPY_HOST_PTR, b);
using cG = new cl.Buffer(ctx, mf.WRITE_ONLY, c.byteLength);

// Some drivers finish the compilation in the first launch, so it is not timed.
matmul(queue, [n, n], [tile, tile], aG, bG, cG, n, n).wait();
const event = matmul(queue, [n, n], [tile, tile], aG, bG, cG, n, n);
event.wait();
cl.enqueueCopy(queue, c, cG);

const seconds = Number(event.duration) / 1e9;
console.log(
  `${n} x ${n}, tiles of ${tile}: ${(seconds * 1e3).toFixed(2)} ms, ${((2 * n ** 3) / seconds / 1e9).toFixed(1)} GFLOP/s`,
);

const expected = multiply(a, b);
let worst = 0;
for (let i = 0; i < c.length; i++) worst = Math.max(worst, Math.abs((c[i] ?? NaN) / (expected[i] ?? NaN) - 1));
const passed = worst < 1e-5;
console.log(`largest relative error ${worst.toExponential(1)}`);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;

/** The same product in JavaScript; the inner loop reads and writes along rows. */
function multiply(left: Float32Array, right: Float32Array): Float64Array {
  const product = new Float64Array(n * n);
  for (let y = 0; y < n; y++) {
    for (let k = 0; k < n; k++) {
      const factor = left[y * n + k] ?? 0;
      for (let x = 0; x < n; x++) product[y * n + x] = (product[y * n + x] ?? 0) + factor * (right[k * n + x] ?? 0);
    }
  }
  return product;
}
