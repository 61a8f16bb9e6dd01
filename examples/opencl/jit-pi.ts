// Pi by random points: a kernel in TypeScript draws them, each thread with a generator of its own, as one writes it for Numba.
// The same kernel in JavaScript draws the same points.
// requires: opencl
import { createXoroshiro128pStates, cuda, jit, type I32, type Xoroshiro128p } from 'rawkernel/opencl/jit';

const [threads, blockSize, points] = [4096, 64, 2000];

const count = jit((states: Xoroshiro128p, counts: I32, points: number) => {
  const i = cuda.grid(1);
  if (i >= counts.length) return;
  let inside = 0;
  for (let k = 0; k < points; k++) {
    const x = cuda.random.xoroshiro128pUniformFloat32(states, i);
    const y = cuda.random.xoroshiro128pUniformFloat32(states, i);
    if (x * x + y * y < 1) inside++;
  }
  counts[i] = inside;
});

using states = createXoroshiro128pStates(threads, { seed: 1 });
const counts = new Int32Array(threads);
count.at(threads / blockSize, blockSize)(states, counts, points);
const pi = (4 * counts.reduce((sum, one) => sum + one, 0)) / (threads * points);

// Eight generators, from the 16th on.
using few = createXoroshiro128pStates(8, { seed: 1, subsequenceStart: 16 });
const inJavaScript = new Int32Array(8);
count.simulate(1, 8)(few, inJavaScript, points);

const tolerance = (4 * 1.642) / Math.sqrt(threads * points); // four standard deviations
const different = inJavaScript.filter((one, k) => one !== counts[16 + k]).length;
console.log(`pi is about ${pi.toFixed(5)} by ${threads * points} points; ${tolerance.toFixed(5)} is allowed`);
console.log(`${different} of 8 threads differ from those in JavaScript`);
const passed = Math.abs(pi - Math.PI) < tolerance && different === 0;
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
