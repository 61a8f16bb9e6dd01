// A fast matrix product in plain float arithmetic: each thread has 8 x 8 results in registers. The program prints its
// throughput and the peak from the clock and the number of multiprocessors. matmul-tiled.ts is the previous step.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';
// Written by: npx rawkernel types kernels/cuda/sgemm.cu
import type sgemmSource from '../../kernels/cuda/sgemm.cu.d.ts';

const device = new cuda.Device(0);
const n = device.isEmbedded ? 256 : 4096;
const rounds = 5;

const file = new URL('../../kernels/cuda/sgemm.cu', import.meta.url);
using mod = cuda.SourceModule.fromFile<typeof sgemmSource>(file);
const sgemm = mod.getFunction('sgemm').prepare({ block: 256, grid: [n / 128, n / 128] });

const a = new Float32Array(n * n).map(() => Math.random() - 0.5);
const b = new Float32Array(n * n).map(() => Math.random() - 0.5);
using aGpu = cuda.toDevice(a);
using bGpu = cuda.toDevice(b);
using cGpu = cuda.memAlloc(a.byteLength);
sgemm(cGpu, aGpu, bGpu, n, n, n); // loads the kernel

using start = new cuda.Event().record();
for (let round = 0; round < rounds; round++) sgemm(cGpu, aGpu, bGpu, n, n, n);
using end = new cuda.Event().record();
end.synchronize();
const seconds = end.timeSince(start) / rounds / 1000;
const teraflops = (2 * n ** 3) / seconds / 1e12;
console.log(`${n} x ${n}: ${(seconds * 1e3).toFixed(2)} ms, ${teraflops.toFixed(3)} TFLOP/s`);
if (!device.isEmbedded) {
  // A multiprocessor has 128 lanes (before compute capability 8.6: 64), each with a multiplication and an addition a cycle.
  const [major, minor] = device.computeCapability;
  const lanes = 10 * major + minor < 86 ? 64 : 128;
  const most = (2 * lanes * device.multiprocessorCount * device.getAttribute('CLOCK_RATE') * 1000) / 1e12;
  console.log(`${((100 * teraflops) / most).toFixed(0)} % of ${most.toFixed(1)} TFLOP/s`);
}

// Only some rows: all rows would take a minute in JavaScript.
const c = cuda.fromDevice(cGpu, Float32Array);
let worst = 0;
for (const row of [0, 1, 127, 128, n - 1]) {
  const wanted = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    const factor = a[row * n + k] ?? NaN;
    for (let column = 0; column < n; column++)
      wanted[column] = (wanted[column] ?? NaN) + factor * (b[k * n + column] ?? NaN);
  }
  for (const [column, x] of wanted.entries()) worst = Math.max(worst, Math.abs(x - (c[row * n + column] ?? NaN)));
}
const passed = worst < 1e-4;
console.log(`largest difference from the host's product: ${worst.toExponential(1)}`);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
