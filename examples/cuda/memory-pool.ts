// Stream-ordered memory from a pool: the temporary of each step is allocated and freed without a wait.
// After the memory pool example of cuda.core.
// requires: cuda, MEMORY_POOLS_SUPPORTED
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const n = 10_000;
const steps = 20;
const shape = { block: 256, grid: Math.ceil(n / 256) };

using mod = new cuda.SourceModule(`
__global__ void square(float *to, const float *from, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i] * from[i];
}
__global__ void add(float *to, const float *from, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += from[i];
}`);
const square = mod.getFunction('square');
const add = mod.getFunction('add');

// Up to 16 MiB stay in the pool at a synchronization.
using pool = new cuda.MemPool({ releaseThreshold: 16 << 20 });
using stream = new cuda.Stream({ nonBlocking: true });
const input = Float32Array.from({ length: n }, (_, i) => i % 10);

const source = pool.alloc(4 * n, stream);
const sum = pool.alloc(4 * n, stream);
cuda.memcpyHtoDAsync(source, input, stream);
cuda.memsetD32Async(sum, 0, n, stream);
for (let i = 0; i < steps; i++) {
  const squares = pool.alloc(4 * n, stream);
  square(squares, source, n, { ...shape, stream });
  add(sum, squares, n, { ...shape, stream });
  squares.freeAsync();
}
const result = new Float32Array(n);
cuda.memcpyDtoHAsync(result, sum, stream);
source.freeAsync();
sum.freeAsync();
await stream.done();

const { used, reserved } = pool;
console.log(`in use at most ${(used.high / 1024).toFixed(0)} KiB, now ${used.current}; held ${reserved.current} bytes`);
pool.trimTo(0);
console.log(`after trimTo(0) held ${pool.reserved.current} bytes`);

// The temporaries of all steps were never allocated at the same time.
const isReused = used.high < (steps * 4 * n) / 2 && used.current === 0;
const passed = isReused && result.every((x, i) => x === steps * (i % 10) ** 2);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
