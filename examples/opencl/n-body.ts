// Stars that attract each other: leapfrog integration, positions by tiles in local memory. Energy and momentum show whether
// the steps are correct.
// requires: opencl
import * as cl from 'rawkernel/opencl';
// Written by: npx rawkernel types kernels/opencl/n-body.cl
import type nBodySource from '../../kernels/opencl/n-body.cl.d.ts';

const [n, groupSize, steps] = [256, 64, 100];
const [dt, softening] = [0.005, 0.05];

using ctx = cl.createSomeContext();
using queue = new cl.CommandQueue(ctx);
const file = new URL('../../kernels/opencl/n-body.cl', import.meta.url);
using prg = cl.Program.fromFile<typeof nBodySource>(ctx, file).build();
const [kick, drift] = [prg.kernel('kick'), prg.kernel('drift')];

const stars = new Float32Array(4 * n);
const velocity = new Float32Array(4 * n);
let seed = 1;
const random = (): number => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32 - 0.5;
for (let i = 0; i < n; i++) {
  const [x, y] = [2 * random(), 2 * random()];
  // A disc that turns.
  stars.set([x, y, 0.1 * random(), 1 / n], 4 * i);
  velocity.set([-0.8 * y, 0.8 * x, 0, 0], 4 * i);
}

const mf = cl.MemFlags;
using starsG = new cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, stars);
using velocityG = new cl.Buffer(ctx, mf.READ_WRITE | mf.COPY_HOST_PTR, velocity);
const tile = new cl.LocalMemory(16 * groupSize);
const before = measure();
const first = pull(0);
for (let step = 0; step < steps; step++) {
  kick(queue, n, groupSize, velocityG, starsG, tile, n, softening, dt / 2);
  if (step === 0) cl.enqueueCopy(queue, velocity, velocityG);
  drift(queue, n, groupSize, starsG, velocityG, n, dt);
  kick(queue, n, groupSize, velocityG, starsG, tile, n, softening, dt / 2);
}
const moved = [0, 1, 2].map((axis) =>
  Math.abs((velocity[axis] ?? NaN) - (before.velocity[axis] ?? NaN) - (first[axis] ?? NaN) * (dt / 2)),
);
cl.enqueueCopy(queue, stars, starsG);
cl.enqueueCopy(queue, velocity, velocityG);
const after = measure();
const lost = Math.abs((after.energy - before.energy) / before.energy);
const pushed = Math.hypot(...after.momentum.map((p, axis) => p - (before.momentum[axis] ?? NaN)));
console.log(
  `energy ${before.energy.toFixed(5)}, after ${steps} steps ${after.energy.toFixed(5)}: ${(100 * lost).toFixed(3)} % off`,
);
console.log(`momentum off by ${pushed.toExponential(1)}, the first pull by ${Math.max(...moved).toExponential(1)}`);
const passed = lost < 0.005 && pushed < 1e-4 && moved.every((error) => error < 1e-5);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;

/** Energy and momentum of the state on the host. */
function measure(): { readonly energy: number; readonly momentum: number[]; readonly velocity: Float32Array } {
  let energy = 0;
  const momentum = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const mass = stars[4 * i + 3] ?? NaN;
    const v = velocity.subarray(4 * i, 4 * i + 3);
    energy += (mass * Math.hypot(...v) ** 2) / 2;
    for (const axis of [0, 1, 2]) momentum[axis] = (momentum[axis] ?? 0) + mass * (v[axis] ?? NaN);
    for (let j = 0; j < i; j++) energy -= (mass * (stars[4 * j + 3] ?? NaN)) / Math.sqrt(squareApart(i, j));
  }
  return { energy, momentum, velocity: velocity.slice() };
}

/** The attraction of a star by the others. */
function pull(i: number): number[] {
  const sum = [0, 0, 0];
  for (let j = 0; j < n; j++) {
    const weight = (stars[4 * j + 3] ?? NaN) / squareApart(i, j) ** 1.5;
    for (const axis of [0, 1, 2]) sum[axis] = (sum[axis] ?? 0) + apart(i, j, axis) * weight;
  }
  return sum;
}

function apart(i: number, j: number, axis: number): number {
  return (stars[4 * j + axis] ?? NaN) - (stars[4 * i + axis] ?? NaN);
}

function squareApart(i: number, j: number): number {
  return [0, 1, 2].reduce((sum, axis) => sum + apart(i, j, axis) ** 2, softening ** 2);
}
