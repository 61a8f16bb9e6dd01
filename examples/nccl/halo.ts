// Heat in a plate whose rows are split over the ranks. In each step neighbours exchange the rows at their edges, while a kernel
// on another stream computes the rows inside, which need none of them.
// requires: nccl
import * as cuda from 'rawkernel/cuda';
import { Communicator, group } from 'rawkernel/nccl';

const [width, height, steps] = [96, 120, 100];
const source = `
// Rows begin to begin + gridDim.y - 1; the cells at the border of the plate stay as they are.
extern "C" __global__ void step(float *to, const float *from, int begin, int width)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, at = (begin + blockIdx.y) * width + x;
  if (x >= width) return;
  float here = from[at];
  bool inside = x > 0 && x < width - 1;
  to[at] = inside ? here + 0.2f * (from[at - width] + from[at + width] + from[at - 1] + from[at + 1] - 4 * here) : here;
}`;

await using communicator = await Communicator.fromEnvironment({ alone: true });
const { rank, size } = communicator;
const mod = new cuda.SourceModule(source);
const step = mod.getFunction('step');

// The first and the last row of the plate are its border.
const beginOf = (one: number): number => 1 + Math.floor((one * (height - 2)) / size);
const plate = Float32Array.from({ length: width * height }, (_, i) => ((i * 7919) % 1000 < 300 ? 1 : 0));

/** Some rows of the plate, with the row before and the row behind them; twice, for now and next. */
class Part {
  readonly rows: number;
  readonly #buffers: readonly [cuda.DeviceAllocation<'f32'>, cuda.DeviceAllocation<'f32'>];

  constructor(begin: number, end: number) {
    this.rows = end - begin;
    const cells = plate.subarray((begin - 1) * width, (end + 1) * width);
    this.#buffers = [cuda.toDevice(cells), cuda.toDevice(cells)];
  }

  /** Some rows at a time; row 0 and row `rows + 1` are those of the neighbours. */
  at(time: number, row: number, count = 1): cuda.DeviceSlice<'f32'> {
    return this.#buffers[time % 2 === 0 ? 0 : 1].slice(4 * width * row, 4 * width * count);
  }

  /** Compute some rows of the next time. */
  step(time: number, row: number, count: number, stream: cuda.Stream): void {
    if (count < 1) return;
    const [to, from] = [this.at(time + 1, 0, this.rows + 2), this.at(time, 0, this.rows + 2)];
    step(to, from, row, width, { block: [32, 1], grid: [Math.ceil(width / 32), count], stream });
  }
}

const part = new Part(beginOf(rank), beginOf(rank + 1));
const { rows } = part;
const [inside, edges] = [new cuda.Stream({ nonBlocking: true }), new cuda.Stream({ nonBlocking: true })];
const [insideDone, edgesDone] = [new cuda.Event({ timing: false }), new cuda.Event({ timing: false })];
const neighbours = [
  { peer: rank - 1, edge: 1, halo: 0 },
  { peer: rank + 1, edge: rows, halo: rows + 1 },
].filter(({ peer }) => peer >= 0 && peer < size);

for (let time = 0; time < steps; time++) {
  inside.waitForEvent(edgesDone);
  part.step(time, 2, rows - 2, inside);
  insideDone.record(inside);
  // Sends and receives that wait for each other go into one group. When NCCL has it, a kernel on its stream comes behind.
  await group(() =>
    neighbours.flatMap(({ peer, edge, halo }) => [
      communicator.send(part.at(time, edge), peer, { stream: edges }),
      communicator.recv(part.at(time, halo), peer, { stream: edges }),
    ]),
  );
  // The rows at the edges need the second row, and write where the kernel inside has read.
  edges.waitForEvent(insideDone);
  part.step(time, 1, 1, edges);
  part.step(time, rows, rows > 1 ? 1 : 0, edges);
  edgesDone.record(edges);
}

// Rank 0 gets the parts, which differ in size by one row.
const whole = rank === 0 ? cuda.toDevice(plate) : undefined;
await group(() => {
  const calls = [communicator.send(part.at(steps, 1, rows), 0, { stream: edges })];
  for (let from = 0; whole && from < size; from++) {
    const [begin, end] = [beginOf(from), beginOf(from + 1)];
    const place = whole.slice(4 * width * begin, 4 * width * (end - begin));
    calls.push(communicator.recv(place, from, { stream: edges }));
  }
  return calls;
});
await edges.done();

if (whole) {
  const alone = new Part(1, height - 1);
  for (let time = 0; time < steps; time++) alone.step(time, 1, height - 2, inside);
  inside.synchronize();
  const expected = cuda.fromDevice(alone.at(steps, 0, height), Float32Array);
  const found = cuda.fromDevice(whole, Float32Array);
  const differing = found.reduce((sum, cell, i) => sum + (Object.is(cell, expected[i]) ? 0 : 1), 0);
  const sum = found.reduce((all, cell) => all + cell, 0);
  console.log(`${size} rank(s), ${height} x ${width} cells, ${steps} steps: heat ${sum.toFixed(3)}`);
  console.log(`${differing} cells differ from those of one rank`);
  const passed = differing === 0 && found.some((cell, i) => cell !== plate[i]);
  console.log(passed ? 'PASSED' : 'FAILED');
  process.exitCode = passed ? 0 : 1;
}
