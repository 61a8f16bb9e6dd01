// C = A * B for row-major matrices of floats: A has `rows` rows of `inner`, B has `inner` rows of `columns`, C has `rows`
// rows of `columns`.
//
//   sgemm(c, a, b, rows, inner, columns)   addresses that are multiples of 16
//
// Sizes: rows and columns are multiples of 128, inner is one of 8.
// Launch: blocks of 256 threads, a grid of columns / 128 x rows / 128.
//
// The classic blocked product, as in Vasily Volkov and James Demmel, "Benchmarking GPUs to Tune Dense Linear Algebra" (SC
// 2008), with the shape that CUTLASS's documentation describes: a block makes 128 x 128 of C in steps of 8 along `inner`,
// each of its 8 warps 32 x 64 of those, each thread 8 x 8 of these, in registers. The tiles of A (turned, so that a
// thread's rows are neighbours) and of B go through shared memory, which has two of each: while one is computed with,
// the next one is on its way from global memory and is put into the other.

#define TILE 128
#define STEP 8
#define PAD 4 // the elements of a row of A, which become a column, lie in different banks; 16 bytes, for float4
#define HALF_ROWS 16 // a thread's 8 rows are 4 and 4 that lie so far apart,
#define HALF_COLUMNS 32 // its columns likewise: a warp reads neighbours, and from all banks

static __device__ __forceinline__ float4 &four(float *at) { return *reinterpret_cast<float4 *>(at); }

static __device__ __forceinline__ float4 load(const float *at) { return *reinterpret_cast<const float4 *>(at); }

extern "C" __global__ void __launch_bounds__(256, 2)
sgemm(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int rows, int inner, int columns)
{
  __shared__ __align__(16) float a_tile[2][STEP][TILE + PAD];
  __shared__ __align__(16) float b_tile[2][STEP][TILE];

  // What this thread brings of each tile: four elements of a row of A, and of B.
  const int a_row = threadIdx.x / 2, a_column = threadIdx.x % 2 * 4;
  const int b_row = threadIdx.x / 32, b_column = threadIdx.x % 32 * 4;
  a += (size_t)(blockIdx.y * TILE + a_row) * inner + a_column;
  b += (size_t)b_row * columns + blockIdx.x * TILE + b_column;

  // What it computes: the warps lie 4 x 2 in the tile, the lanes 4 x 8 in the warp's part.
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = warp / 2 * 32 + lane / 8 * 4;
  const int column = warp % 2 * 64 + lane % 8 * 4;

  float sums[8][8] = {};
  float4 next_a = load(a), next_b = load(b);
  for (int k = 0, now = 0; k < inner; k += STEP, now ^= 1) {
    a_tile[now][a_column + 0][a_row] = next_a.x;
    a_tile[now][a_column + 1][a_row] = next_a.y;
    a_tile[now][a_column + 2][a_row] = next_a.z;
    a_tile[now][a_column + 3][a_row] = next_a.w;
    four(&b_tile[now][b_row][b_column]) = next_b;
    // One barrier a step is enough: whoever is past it has read all of the tile that is written next.
    __syncthreads();
    if (k + STEP < inner) {
      next_a = load(a += STEP);
      next_b = load(b += (size_t)STEP * columns);
    }
    #pragma unroll
    for (int l = 0; l < STEP; l++) {
      float left[8], right[8];
      four(left) = four(&a_tile[now][l][row]);
      four(left + 4) = four(&a_tile[now][l][row + HALF_ROWS]);
      four(right) = four(&b_tile[now][l][column]);
      four(right + 4) = four(&b_tile[now][l][column + HALF_COLUMNS]);
      #pragma unroll
      for (int i = 0; i < 8; i++)
        #pragma unroll
        for (int j = 0; j < 8; j++) sums[i][j] += left[i] * right[j];
    }
  }

  c += (size_t)(blockIdx.y * TILE + row) * columns + blockIdx.x * TILE + column;
  #pragma unroll
  for (int i = 0; i < 8; i++) {
    float *line = c + (size_t)(i / 4 * HALF_ROWS + i % 4) * columns;
    four(line) = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
    four(line + HALF_COLUMNS) = make_float4(sums[i][4], sums[i][5], sums[i][6], sums[i][7]);
  }
}
