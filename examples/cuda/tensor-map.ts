// The tensor memory accelerator copies tiles of a matrix to shared memory: one thread starts the copy, all threads wait at a
// barrier that counts bytes. A tensor map describes the matrix; replaceAddress() puts another matrix into the same map.
// After the tensor map examples of cuda.core.
// requires: cuda, TENSOR_MAP_ACCESS_SUPPORTED
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const [rows, columns] = [100, 152];
const tile = { rows: 16, columns: 32 };
const grid = [Math.ceil(columns / tile.columns), Math.ceil(rows / tile.rows)] as const;

using mod = new cuda.SourceModule(
  `
struct alignas(64) TensorMap { char bytes[128]; }; // CUtensorMap, so that no header is needed

__global__ void sumTiles(const __grid_constant__ TensorMap map, int *sums)
{
  __shared__ alignas(128) int tile[ROWS * COLUMNS];
  __shared__ alignas(8) unsigned long long barrier;
  unsigned arrived = (unsigned)__cvta_generic_to_shared(&barrier), to = (unsigned)__cvta_generic_to_shared(tile);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(arrived) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // the accelerator is to see the barrier
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 ::"r"(arrived), "r"((unsigned)sizeof tile) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 ::"r"(to), "l"(&map), "r"(blockIdx.x * COLUMNS), "r"(blockIdx.y * ROWS), "r"(arrived) : "memory");
  }
  __syncthreads(); // the barrier is there
  for (unsigned done = 0; !done;)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(arrived) : "memory");
  // What lies outside of the matrix is 0: there is no edge to look for.
  int sum = 0;
  for (int i = threadIdx.x; i < ROWS * COLUMNS; i += blockDim.x) sum += tile[i];
  atomicAdd(&sums[blockIdx.y * gridDim.x + blockIdx.x], sum);
}`,
  { options: [`-DROWS=${tile.rows}`, `-DCOLUMNS=${tile.columns}`] },
);
const sumTiles = mod.getFunction('sumTiles');

/** Whether the sums computed through the map are those of this matrix. */
function isSummed(map: cuda.TensorMap, matrix: Int32Array): boolean {
  using sums = cuda.toDevice(new Int32Array(grid[0] * grid[1]));
  sumTiles(map, sums, { block: 128, grid });
  const expected = new Int32Array(grid[0] * grid[1]);
  for (const [i, value] of matrix.entries()) {
    const [x, y] = [Math.floor((i % columns) / tile.columns), Math.floor(i / columns / tile.rows)];
    expected[y * grid[0] + x] = (expected[y * grid[0] + x] ?? 0) + value;
  }
  const result = cuda.fromDevice(sums, Int32Array);
  console.log(`${result.length} tiles, sums ${result.slice(0, 4).join(', ')}, ...`);
  return result.every((sum, i) => sum === expected[i]);
}

const first = Int32Array.from({ length: rows * columns }, (_, i) => i);
const second = first.map((x) => (x % 7) - 100);
using firstGpu = cuda.toDevice(first);
using secondGpu = cuda.toDevice(second);

const map = cuda.tensorMap(firstGpu, { dtype: 'i32', shape: [rows, columns], box: [tile.rows, tile.columns] });
let passed = isSummed(map, first);
map.replaceAddress(secondGpu);
passed = isSummed(map, second) && passed;
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
