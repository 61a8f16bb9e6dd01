// Sum of n floats, in two launches of one kernel: the first leaves a sum for each block, the second adds those up. Blocks
// write each to its own place and nothing is added atomically: the same grid gives the same bits every time.
//
//   reduction(sums, from, n)   from: n floats at an address that is a multiple of 16, n < 2^31
//                              sums: gridDim.x floats
//
// Launch: blocks of a multiple of 32 threads, at most 1024, with no dynamic shared memory. First as many blocks as the
// device holds at once (a few for each multiprocessor), then one block: reduction(sum, sums, blocks).
//
// The method is the one of Mark Harris, "Optimizing Parallel Reduction in CUDA" (NVIDIA, 2007), with what came later: the
// grid strides over the input, four floats a load, and the lanes of a warp exchange their sums by shuffles.

#define WARP 32
#define ALL_LANES 0xffffffffu

static __device__ float sum_of_warp(float sum)
{
  for (int apart = WARP / 2; apart > 0; apart /= 2) sum += __shfl_down_sync(ALL_LANES, sum, apart);
  return sum; // of lane 0 on
}

extern "C" __global__ void __launch_bounds__(1024)
reduction(float *__restrict__ sums, const float *__restrict__ from, int n)
{
  __shared__ float of_warps[WARP];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;
  const float4 *fours = reinterpret_cast<const float4 *>(from);

  float4 part = make_float4(0, 0, 0, 0);
  // Unrolled, so that several loads are under way before the first is added.
  #pragma unroll 4
  for (int i = thread; i < n / 4; i += threads) {
    const float4 four = fours[i];
    part.x += four.x;
    part.y += four.y;
    part.z += four.z;
    part.w += four.w;
  }
  float sum = (part.x + part.y) + (part.z + part.w);
  // The last ones, where n is no multiple of 4.
  if (thread < n % 4) sum += from[n - 1 - thread];

  const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
  sum = sum_of_warp(sum);
  if (lane == 0) of_warps[warp] = sum;
  __syncthreads();
  if (warp > 0) return;
  sum = sum_of_warp(lane < blockDim.x / WARP ? of_warps[lane] : 0.0f);
  if (lane == 0) sums[blockIdx.x] = sum;
}
