// Blocks of a cluster read each other's shared memory: a histogram whose bins are distributed over a cluster.
// After the thread block cluster example of cuda.core.
// requires: cuda, CLUSTER_LAUNCH
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const n = 1 << 16;
const bins = 1024;
const cluster = 4;

// In PTX, so that no header is needed; <cooperative_groups.h> has C++ functions for these instructions.
using mod = new cuda.SourceModule(
  `
__device__ unsigned rankInCluster()
{
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ void syncCluster()
{
  asm volatile("barrier.cluster.arrive.aligned;\\n\\tbarrier.cluster.wait.aligned;" ::: "memory");
}
// Add 1 to a counter in the shared memory of a block of this cluster.
__device__ void countAt(unsigned *counter, unsigned rank)
{
  unsigned at, mine = (unsigned)__cvta_generic_to_shared(counter);
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(mine), "r"(rank));
  asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(at) : "memory");
}

__global__ void histogram(unsigned *counts, const unsigned *x, int n)
{
  const int each = BINS / CLUSTER;
  __shared__ unsigned mine[each]; // the bins of this block
  for (int i = threadIdx.x; i < each; i += blockDim.x) mine[i] = 0;
  syncCluster();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned bin = x[i] % BINS;
    countAt(&mine[bin % each], bin / each);
  }
  syncCluster();
  for (int i = threadIdx.x; i < each; i += blockDim.x) atomicAdd(&counts[rankInCluster() * each + i], mine[i]);
}`,
  { options: [`-DBINS=${bins}`, `-DCLUSTER=${cluster}`] },
);
const histogram = mod.getFunction('histogram');

const x = Uint32Array.from({ length: n }, () => Math.floor(Math.random() * 2 ** 32));
using input = cuda.toDevice(x);
using counts = cuda.toDevice(new Uint32Array(bins));
const shape = { block: 256, grid: 16, cluster };
histogram(counts, input, n, shape); // 16 blocks: 4 clusters
const result = cuda.fromDevice(counts, Uint32Array);

const expected = new Uint32Array(bins);
for (const value of x) expected[value % bins] = (expected[value % bins] ?? 0) + 1;
const passed = result.every((count, bin) => count === expected[bin]);
console.log(`clusters of ${cluster} blocks, ${histogram.maxActiveClusters(shape)} at once; bin 0 has ${result[0]}`);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
