// Pi by random sampling: each work-item has its own random number generator, a group adds up its hits in local memory.
// requires: opencl
import * as cl from 'rawkernel/opencl';

const [items, groupSize, darts] = [4096, 64, 500];

using ctx = cl.createSomeContext();
using queue = new cl.CommandQueue(ctx, { profiling: true });
using prg = new cl.Program(
  ctx,
  `
// Marsaglia's 32-bit xorshift, seeded with a hash of the item's id.
uint hash(uint x)
{
  x = (x ^ 61) ^ (x >> 16);
  x *= 9;
  x ^= x >> 4;
  x *= 0x27d4eb2d;
  return x ^ (x >> 15);
}

uint next(uint *state)
{
  uint x = *state;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return *state = x;
}

__kernel void throw_darts(__global uint *hits, __local uint *scratch, uint seed, int darts)
{
  uint state = hash(get_global_id(0) ^ seed) | 1;
  uint count = 0;
  for (int i = 0; i < darts; i++) {
    ulong x = next(&state) >> 1, y = next(&state) >> 1; // 31 bits: the squares add up to 63
    count += x * x + y * y < (1UL << 62);
  }
  int at = get_local_id(0);
  scratch[at] = count;
  for (int left = get_local_size(0) / 2; left > 0; left /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (at < left) scratch[at] += scratch[at + left];
  }
  if (at == 0) hits[get_group_id(0)] = scratch[0];
}`,
).build();

using hits = new cl.Buffer(ctx, cl.MemFlags.WRITE_ONLY, (4 * items) / groupSize);
const result = new Uint32Array(items / groupSize);
const scratch = new cl.LocalMemory(4 * groupSize);
let passed = true;
let sum = 0;
const seeds = [1, 0x9e3779b9, 0xdeadbeef, 12345];
for (const seed of seeds) {
  using event = prg.kernels.throw_darts(queue, items, groupSize, hits, scratch, seed, darts);
  cl.enqueueCopy(queue, result, hits);
  passed &&= result[7] === countOnHost(7, seed);
  const pi = (4 * result.reduce((all, count) => all + count, 0)) / (items * darts);
  sum += pi / seeds.length;
  console.log(`pi is about ${pi.toFixed(5)}, of ${items * darts} darts in ${Number(event.duration) / 1e6} ms`);
}
// Four standard deviations for this number of samples.
const tolerance = (4 * 1.642) / Math.sqrt(seeds.length * items * darts);
passed &&= Math.abs(sum - Math.PI) < tolerance;
console.log(
  `together ${sum.toFixed(5)}, wrong by ${Math.abs(sum - Math.PI).toExponential(1)} of ${tolerance.toExponential(1)} allowed`,
);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;

/** The same for one group, on the host. */
function countOnHost(group: number, seed: number): number {
  let count = 0;
  for (let item = group * groupSize; item < (group + 1) * groupSize; item++) {
    let state = (hash(item ^ seed) | 1) >>> 0;
    const next = (): bigint => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return BigInt(state >>> 0) >> 1n;
    };
    for (let i = 0; i < darts; i++) {
      const [x, y] = [next(), next()];
      if (x * x + y * y < 1n << 62n) count++;
    }
  }
  return count;
}

function hash(key: number): number {
  let x = key >>> 0;
  x = (x ^ 61 ^ (x >>> 16)) >>> 0;
  x = Math.imul(x, 9) >>> 0;
  x = (x ^ (x >>> 4)) >>> 0;
  x = Math.imul(x, 0x27d4eb2d) >>> 0;
  return (x ^ (x >>> 15)) >>> 0;
}
