// to = from transposed: from has `rows` rows of `columns` floats, to has `columns` rows of `rows`. Any sizes.
//
//   transpose(to, from, rows, columns)
//
// Launch: blocks of 32 x 8 threads, a grid of ceil(columns / 32) x ceil(rows / 32).
//
// The classic tiled transpose (Greg Ruetsch and Paulius Micikevicius, "Optimizing Matrix Transpose in CUDA", NVIDIA,
// 2009): a block reads a square tile by rows, keeps it in shared memory and writes it by rows again, so that all access
// to global memory is to neighbours. Each thread moves four elements, which hides more of the way to memory.

#define TILE 32
#define ROWS 8

extern "C" __global__ void __launch_bounds__(TILE * ROWS)
transpose(float *__restrict__ to, const float *__restrict__ from, int rows, int columns)
{
  __shared__ float tile[TILE][TILE + 1]; // one more: the elements of a column lie in different banks

  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  #pragma unroll
  for (int j = 0; j < TILE; j += ROWS)
    if (x < columns && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = from[(size_t)(y + j) * columns + x];
  __syncthreads();

  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  #pragma unroll
  for (int j = 0; j < TILE; j += ROWS)
    if (x < rows && y + j < columns) to[(size_t)(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}
