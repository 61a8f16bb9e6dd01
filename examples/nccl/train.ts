// A small neural network, trained by all ranks: each has a part of the points, and the gradients are averaged over the ranks.
// Parameters and gradients are flat arrays, so one all-reduce a step is enough.
// requires: nccl
import * as xp from 'rawkernel/cuda/array';
import { Communicator } from 'rawkernel/nccl';

const [points, hidden, steps, rate] = [840, 24, 120, 0.1];

// One GPU each; without a launcher, one rank.
await using communicator = await Communicator.fromEnvironment({ alone: true });
const { rank, size } = communicator;

/** Points that fill a square evenly, and a wave over it. */
const x = Float32Array.from({ length: 2 * points }, (_, i) => 2 * (((i >> 1) * (i % 2 ? 0.56984 : 0.75488)) % 1) - 1);
const y = Float32Array.from(
  { length: points },
  (_, i) => Math.sin(3 * (x[2 * i] ?? 0)) * Math.cos(2 * (x[2 * i + 1] ?? 0)),
);

/** The parts of the flat arrays: weights and offsets of two layers, and the loss. */
const shapes = { w1: [2, hidden], b1: [hidden], w2: [hidden, 1], b2: [1], loss: [1] } as const;
const length = Object.values(shapes).reduce((sum, shape) => sum + shape.reduce((a, b) => a * b, 1), 0);

function partsOf(flat: xp.NDArray<'f32'>): Record<keyof typeof shapes, xp.NDArray<'f32'>> {
  let at = 0;
  const parts = Object.entries(shapes).map(([name, shape]) => {
    const from = at;
    at += shape.reduce((a, b) => a * b, 1);
    return [name, flat.at(`${from}:${at}`).reshape(shape)] as const;
  });
  return Object.fromEntries(parts) as ReturnType<typeof partsOf>;
}

class Trainer {
  readonly parameters: xp.NDArray<'f32'>;
  /** Behind the gradient of each parameter, the loss. */
  readonly gradients: xp.NDArray<'f32'> = xp.zeros(length, { dtype: 'f32' });
  readonly #x: xp.NDArray<'f32'>;
  readonly #y: xp.NDArray<'f32'>;
  readonly #scale: number;

  /** @param share - the ranks that have the points: the mean of their gradients is that of all points */
  constructor(start: xp.NDArray<'f32'>, from: number, to: number, share: number) {
    this.parameters = start.copy();
    this.#x = xp.array(x.subarray(2 * from, 2 * to), { shape: [to - from, 2] });
    this.#y = xp.array(y.subarray(from, to), { shape: [to - from, 1] });
    this.#scale = share / points;
  }

  /** Gradients of the mean of squared errors. */
  differentiate(): void {
    xp.scope(() => {
      const { w1, b1, w2, b2 } = partsOf(this.parameters);
      const g = partsOf(this.gradients);
      const h = xp.evaluate`tanh(${this.#x.matmul(w1)} + ${b1})`;
      const error = xp.evaluate`${h.matmul(w2)} + ${b2} - ${this.#y}`;
      const out = xp.evaluate`2 * ${this.#scale} * ${error}`;
      const inner = xp.evaluate`${out.matmul(w2.T)} * (1 - ${h} ** 2)`;
      xp.matmul(this.#x.T, inner, { out: g.w1 });
      inner.sum({ axis: 0, out: g.b1 });
      xp.matmul(h.T, out, { out: g.w2 });
      out.sum({ axis: 0, out: g.b2 });
      xp.evaluate`${this.#scale} * ${error} ** 2`.sum({ axis: 0, out: g.loss });
    });
  }

  descend(): void {
    xp.scope(() => this.parameters.sub(this.gradients.mul(rate), { out: this.parameters }));
  }

  /** Waits in the event loop, where a rank hears of others that have failed; item() would not. */
  async loss(): Promise<number> {
    return (await this.gradients.read())[length - 1] ?? NaN;
  }
}

/** Where the points of each rank begin: parts that differ by one point, if the ranks do not divide them. */
const beginOf = (one: number): number => Math.floor((one * points) / size);

// Rank 0 draws the parameters, and the others get them.
const start = xp.zeros(length, { dtype: 'f32' });
if (rank === 0) new xp.random.Generator(7).normal(0, 0.7, { out: start });
await communicator.broadcast(start);

const own = new Trainer(start, beginOf(rank), beginOf(rank + 1), size);
const losses: number[] = [];
for (let step = 0; step < steps; step++) {
  own.differentiate();
  // The next kernels come behind the all-reduce on the array's stream.
  await communicator.allReduce(own.gradients, { op: 'avg' });
  own.descend();
  if (step % 40 === 0 || step === steps - 1) losses.push(await own.loss());
}

// Each rank has the same bits, since each element is added up in one place.
const [most, least] = [own.parameters.copy(), own.parameters.copy()];
await communicator.allReduce(most, { op: 'max' });
await communicator.allReduce(least, { op: 'min' });
const [spread = NaN] = await most.sub(least).max({ keepdims: true }).read();

if (rank === 0) {
  // The same by one rank with all points.
  const alone = new Trainer(start, 0, points, 1);
  for (let step = 0; step < steps; step++) {
    alone.differentiate();
    alone.descend();
  }
  const difference = Number(xp.evaluate`abs(${own.parameters} - ${alone.parameters})`.max().item());
  console.log(
    `${size} rank(s), ${points} points, ${length - 1} parameters, loss: ${losses.map((loss) => loss.toFixed(4)).join(', ')}`,
  );
  console.log(
    `largest difference between ranks: ${spread}, from one rank with all points: ${difference.toExponential(1)}`,
  );
  // Sums in another order differ by some 1e-7 of a gradient, which is below 1 here; 120 steps at a rate of 0.1 add up 12 of them.
  const isFalling = losses.every((loss, i) => i === 0 || loss < (losses[i - 1] ?? NaN));
  const passed = isFalling && spread === 0 && difference < 1e-5;
  console.log(passed ? 'PASSED' : 'FAILED');
  process.exitCode = passed ? 0 : 1;
}
