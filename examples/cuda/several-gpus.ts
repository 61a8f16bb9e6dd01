// Heat in a rod that is split over all devices: each has a part, and gets the cells at its edges from its neighbours.
// Streams run beside each other; events order the copies. One device is enough.
// requires: cuda
import * as cuda from 'rawkernel/cuda';

const cells = 1 << 18;
const steps = 200;
const source = `
extern "C" __global__ void step(float *to, const float *from, int n)
{
  // Cell 0 and cell n + 1 are the neighbours' edges.
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (i <= n) to[i] = from[i] + 0.25f * (from[i - 1] - 2 * from[i] + from[i + 1]);
}`;

const devices = cuda.Device.all();
const perDevice = Math.ceil(cells / devices.length);
const start = Float32Array.from({ length: cells }, (_, i) => (i % 1000 < 500 ? 1 : 0));

/** A device's part of the rod, with an edge cell on both sides. */
const parts = devices.map((device, i) => {
  // An object belongs to the context that is current when it is made.
  const context = new cuda.Context(device);
  const own = start.subarray(i * perDevice, (i + 1) * perDevice);
  const padded = new Float32Array(own.length + 2);
  padded.set(own, 1);
  const buffers = [cuda.toDevice(padded), cuda.toDevice(padded)] as const;
  const mod = new cuda.SourceModule(source);
  const [stream, done] = [new cuda.Stream({ nonBlocking: true }), new cuda.Event({ timing: false })];
  return { context, buffers, n: own.length, mod, step: mod.getFunction('step'), stream, done };
});
type Part = (typeof parts)[number];

/** Enqueue the copy of one cell to a neighbour, on the neighbour's stream and after what this part has done. */
function sendCell(from: Part, cell: number, to: Part, edge: number, now: 0 | 1): void {
  to.stream.waitForEvent(from.done);
  const ends = { srcContext: from.context, dstContext: to.context };
  const target = to.buffers[now].slice(4 * edge, 4);
  cuda.memcpyPeerAsync(target, from.buffers[now].slice(4 * cell, 4), 4, ends, to.stream);
}

for (let s = 0; s < steps; s++) {
  const [now, next] = s % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
  for (const part of parts) {
    part.context.makeCurrent();
    part.done.record(part.stream);
  }
  for (const [i, part] of parts.entries()) {
    part.context.makeCurrent();
    const [left, right] = [parts[i - 1], parts[i + 1]];
    if (left) sendCell(left, left.n, part, 0, now);
    if (right) sendCell(right, 1, part, part.n + 1, now);
  }
  // A neighbour may overwrite a cell only when it has been copied.
  for (const part of parts) {
    part.context.makeCurrent();
    part.done.record(part.stream);
  }
  for (const [i, part] of parts.entries()) {
    part.context.makeCurrent();
    for (const other of [parts[i - 1], parts[i + 1]]) if (other) part.stream.waitForEvent(other.done);
    const shape = { block: 256, grid: Math.ceil(part.n / 256), stream: part.stream };
    part.step(part.buffers[next], part.buffers[now], part.n, shape);
  }
}

const result = new Float32Array(cells);
for (const [i, { context, buffers, n, stream }] of parts.entries()) {
  context.makeCurrent();
  stream.synchronize();
  result.set(cuda.fromDevice(buffers[steps % 2 === 0 ? 0 : 1], Float32Array).subarray(1, n + 1), i * perDevice);
}

/** The same on the host, in single precision. */
let [from, to] = [new Float32Array(cells + 2), new Float32Array(cells + 2)];
from.set(start, 1);
for (let s = 0; s < steps; s++, [from, to] = [to, from]) {
  for (let i = 1; i <= cells; i++) {
    const [left = 0, mid = 0, right = 0] = [from[i - 1], from[i], from[i + 1]];
    to[i] = mid + 0.25 * (left - 2 * mid + right);
  }
}
let worst = 0;
for (let i = 0; i < cells; i++) worst = Math.max(worst, Math.abs((result[i] ?? NaN) - (from[i + 1] ?? NaN)));

for (const { context, buffers, mod, stream, done } of parts.reverse()) {
  for (const object of [...buffers, mod, stream, done, context]) object.close();
}
console.log(
  `${devices.length} device(s), ${cells} cells, ${steps} steps: largest difference ${worst.toExponential(1)}`,
);
const passed = worst < 1e-5;
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
