// The heat equation on a plate: shifted views of an array are the neighbours of each point, one fused kernel is a step.
// requires: cuda
import * as xp from 'rawkernel/cuda/array';
import 'rawkernel/cuda/autoinit';

const [n, steps, rate] = [65, 500, 0.2];

// Half a wave along each axis, cold edges: the plate keeps this form, and every step takes the same share of the heat.
using wave = xp.linspace(0, Math.PI, n).sin();
using start = wave.at(':, None').mul(wave);

interface Plate {
  readonly all: xp.NDArray<'f32'>;
  readonly inner: xp.NDArray<'f32'>;
  readonly neighbours: readonly xp.NDArray<'f32'>[];
}

function plateOf(all: xp.NDArray<'f32'>): Plate {
  const neighbours = [':-2, 1:-1', '2:, 1:-1', '1:-1, :-2', '1:-1, 2:'].map((part) => all.at(part));
  return { all, inner: all.at('1:-1, 1:-1'), neighbours };
}

const step = xp.fuse((here, up, down, left, right, rate) =>
  up.add(down).add(left).add(right).sub(here.mul(4)).mul(rate).add(here),
);
let [from, to] = [plateOf(start.copy()), plateOf(start.copy())];
for (let i = 0; i < steps; i++) {
  const [up, down, left, right] = from.neighbours as [xp.NDArray, xp.NDArray, xp.NDArray, xp.NDArray];
  step(from.inner, up, down, left, right, rate, { out: to.inner });
  [from, to] = [to, from];
}

const share = (1 - 8 * rate * Math.sin(Math.PI / (2 * (n - 1))) ** 2) ** steps;
using error = xp.evaluate`abs(${from.all} - ${share} * ${start})`.max();
console.log(`in the middle after ${steps} steps: ${Number(from.all.item(n >> 1, n >> 1))}, by the formula ${share}`);
const largest = Number(error.item());
console.log(`largest error: ${largest}`);
const passed = largest < 1e-4;
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
for (const { all, inner, neighbours } of [from, to]) for (const array of [all, inner, ...neighbours]) array.close();
