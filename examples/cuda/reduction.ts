// The sum of many floats in two launches of one kernel: shuffles in a warp, shared memory in a block, and a sum for each
// block, which the second launch adds up. The work is limited by reads, so the bandwidth of a copy is the reference.
// After the CUDA samples' reduction and PyCUDA's ReductionKernel.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';
// Written by: npx rawkernel types kernels/cuda/reduction.cu
import type reductionSource from '../../kernels/cuda/reduction.cu.d.ts';

const device = new cuda.Device(0);
const n = device.isEmbedded ? 1 << 20 : 1 << 26;
const [block, blocks, rounds] = [512, 4 * device.multiprocessorCount, 10];

const file = new URL('../../kernels/cuda/reduction.cu', import.meta.url);
using mod = cuda.SourceModule.fromFile<typeof reductionSource>(file);
const reduction = mod.getFunction('reduction');
const first = reduction.prepare({ block, grid: blocks });
const second = reduction.prepare({ block });

const numbers = new Float32Array(n).map((_, i) => (i % 1001) / 1000);
using from = cuda.toDevice(numbers);
using other = cuda.memAlloc(numbers.byteLength);
using sums = cuda.memAlloc(4 * blocks);
using sum = cuda.memAlloc(4);

const sumUp = (): void => {
  first(sums, from, n);
  second(sum, sums, blocks);
};
sumUp(); // loads the kernel
const [found = NaN] = cuda.fromDevice(sum, 'f32');

const ms = measure(sumUp);
const copyMs = measure(() => {
  cuda.memcpyDtoDAsync(other, from, from.byteLength);
});
// A copy moves each byte twice: a read and a write.
const [speed, copySpeed] = [from.byteLength / ms / 1e6, (2 * from.byteLength) / copyMs / 1e6];
console.log(`${n} floats by ${blocks} blocks of ${block}: ${ms.toFixed(3)} ms, ${speed.toFixed(1)} GB/s`);
console.log(
  `a copy: ${copySpeed.toFixed(1)} GB/s; the sum reaches ${((100 * speed) / copySpeed).toFixed(0)} % of that`,
);

const expected = numbers.reduce((total, x) => total + x, 0);
const error = Math.abs(found / expected - 1);
const again = cuda.fromDevice(sum, 'f32')[0];
console.log(`sum ${found}, off by ${error.toExponential(1)}; the same each time: ${again === found}`);
const passed = error < 1e-6 && again === found;
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;

/** Mean milliseconds per run, by events. */
function measure(run: () => void): number {
  run();
  using start = new cuda.Event().record();
  for (let round = 0; round < rounds; round++) run();
  using end = new cuda.Event().record();
  end.synchronize();
  return end.timeSince(start) / rounds;
}
