// Particles in a box: an array of structs, moved by a generated kernel and summed up by a reduction to a struct.
// requires: cuda
import { struct } from 'rawkernel/cuda';
import * as xp from 'rawkernel/cuda/array';
import 'rawkernel/cuda/autoinit';

const [n, steps, dt] = [10_000, 100, 0.001];
const Particle = struct({ place: ['f32', 2], speed: ['f32', 2], mass: 'f32' });
const State = struct({ energy: 'f32', left: 'f32', right: 'f32' });

const move = new xp.ElementwiseKernel(
  'Particle *p, float dt',
  `for (int axis = 0; axis < 2; axis++) {
     float next = p[i].place[axis] + dt * p[i].speed[axis];
     // A wall turns the particle round.
     if (next < 0 || next > 1) p[i].speed[axis] = -p[i].speed[axis];
     p[i].place[axis] = next < 0 ? -next : next > 1 ? 2 - next : next;
   }`,
  { name: 'move_particles', types: { Particle } },
);

const observe = new xp.ReductionKernel(
  State,
  '{ 0, INFINITY, -INFINITY }',
  'state_joined(a, b)',
  'state_of(p[i].place[0], 0.5f * p[i].mass * (p[i].speed[0] * p[i].speed[0] + p[i].speed[1] * p[i].speed[1]))',
  'const Particle *p',
  {
    name: 'observe',
    types: { Particle, State },
    preamble: `
FN State state_of(float x, float energy) {
  State s = { energy, x, x };
  return s;
}
FN State state_joined(State a, State b) {
  State s = { a.energy + b.energy, fmin(a.left, b.left), fmax(a.right, b.right) };
  return s;
}`,
  },
);

const start = Array.from({ length: n }, (_, i) => ({
  place: [((i * 37) % 1000) / 1000, ((i * 91) % 1000) / 1000],
  speed: [Math.cos(i), Math.sin(i)],
  mass: 1,
}));
using particles = xp.asarray(Particle.pack(start));
const look = (): { energy: number; left: number; right: number } => {
  using state = observe(particles);
  const [seen = { energy: NaN, left: NaN, right: NaN }] = State.unpack(state.get());
  return seen;
};

const before = look();
for (let step = 0; step < steps; step++) move(particles, dt);
const after = look();
console.log(`energy ${before.energy} before, ${after.energy} after; x from ${after.left} to ${after.right}`);
const passed = Math.abs(after.energy - n / 2) < 0.01 * n && after.left >= 0 && after.right <= 1;
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
