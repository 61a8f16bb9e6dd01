// Kernels on several streams, which a device may run concurrently, compared by events with the same kernels on one stream.
// After PyCUDA's kernel concurrency example.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const count = 8;
const n = 256;
const rounds = 20_000;

// One small block that runs long: a device has room for many of them.
using mod = new cuda.SourceModule(`
__global__ void iterate(unsigned *x, int rounds)
{
  unsigned value = x[threadIdx.x];
  for (int i = 0; i < rounds; i++) value = value * 1664525u + 1013904223u;
  x[threadIdx.x] = value;
}`);
const iterate = mod.getFunction('iterate');

const seeds = Array.from({ length: count }, (_, k) => Uint32Array.from({ length: n }, (_, i) => 1000 * k + i));
using main = new cuda.Stream();
const streams = seeds.map(() => new cuda.Stream());

/** Run all kernels, on these streams in turn, and measure from the first to the last. */
function run(on: readonly cuda.Stream[]): { ms: number; results: Uint32Array[] } {
  const memories = seeds.map((seed) => cuda.toDevice(seed));
  using start = new cuda.Event().record(main);
  for (const [k, memory] of memories.entries()) {
    const stream = on[k % on.length] ?? main;
    stream.waitForEvent(start);
    iterate(memory, rounds, { block: n, stream });
    using done = new cuda.Event().record(stream);
    main.waitForEvent(done);
  }
  using end = new cuda.Event().record(main);
  end.synchronize();
  const results = memories.map((memory) => cuda.fromDevice(memory, Uint32Array));
  for (const memory of memories) memory.free();
  return { ms: end.timeSince(start), results };
}

run(streams); // loads the kernel
const inTurn = run([main]);
const atOnce = run(streams);
for (const stream of streams) stream.close();

console.log(`one stream: ${inTurn.ms.toFixed(2)} ms, ${count} streams: ${atOnce.ms.toFixed(2)} ms`);
const passed = seeds.every((seed, k) =>
  seed.every((x, i) => [inTurn, atOnce].every(({ results }) => results[k]?.[i] === iterateOnHost(x))),
);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;

function iterateOnHost(x: number): number {
  let value = x;
  for (let i = 0; i < rounds; i++) value = (Math.imul(value, 1664525) + 1013904223) >>> 0;
  return value;
}
