// Pi by random numbers: a generator fills arrays, whose points are counted by one fused kernel and a sum.
// requires: cuda
import * as xp from 'rawkernel/cuda/array';
import 'rawkernel/cuda/autoinit';

// The share of points of a square that are in its circle. The points are made in batches by one generator.
const [batches, size] = [16, 1 << 18];
const rng = new xp.random.Generator(1);
using x = xp.empty(size);
using y = xp.empty(size);
let hits = 0;
for (let i = 0; i < batches; i++) {
  rng.uniform(-1, 1, { out: x });
  rng.uniform(-1, 1, { out: y });
  using inside = xp.evaluate`${x} * ${x} + ${y} * ${y} < 1`;
  using count = inside.sum();
  hits += Number(count.item());
}

const darts = batches * size;
const pi = (4 * hits) / darts;
console.log(`pi after ${darts} points: ${pi}`);
// The same points come on every device: so does the number of hits, but for points at the edge, which devices round in two ways.
const passed = Math.abs(pi - Math.PI) < 0.005;
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
