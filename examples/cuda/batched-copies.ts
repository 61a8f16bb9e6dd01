// Many small copies in one call: each row of a table is copied to its own allocation, and all results are copied back.
// After the batched copy example of cuda.core.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const n = 256;
const rows = 50;

using mod = new cuda.SourceModule(`
__global__ void subtractFirst(int *row)
{
  int first = row[0];
  __syncthreads();
  row[threadIdx.x] -= first;
}`);
const subtractFirst = mod.getFunction('subtractFirst');

using stream = new cuda.Stream({ nonBlocking: true });
// Copies from and to memory that is not pinned may block the host.
using table = cuda.pagelockedEmpty(rows * n, Int32Array);
table.set(Int32Array.from(table, (_, i) => 3 * i));
using results = cuda.pagelockedZeros(rows * n, Int32Array);

const memories = Array.from({ length: rows }, () => cuda.memAlloc(4 * n));
const row = (array: Int32Array, i: number) => array.subarray(i * n, (i + 1) * n);
cuda.memcpyBatchAsync(
  memories.map((dst, i) => ({ dst, src: row(table, i) })),
  stream,
);
for (const memory of memories) subtractFirst(memory, { block: n, stream });
cuda.memcpyBatchAsync(
  memories.map((src, i) => ({ dst: row(results, i), src })),
  stream,
);
await stream.done();
for (const memory of memories) memory.free();

const passed = results.every((x, i) => x === 3 * (i % n));
console.log(`${rows} copies there and ${rows} back, each ${4 * n} bytes`);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
