// C = A * B for row-major matrices of floats: A has `rows` rows of `inner`, B has `inner` rows of `columns`, C has `rows`
// rows of `columns`. matmul.cl beside this is the plain way.
//
//   sgemm(c, a, b, rows, inner, columns)
//
// Build with -DTILE=64 -DSTEP=16 -DWORK=4 (which hold where they are not given): WORK divides TILE, and the square of
// TILE / WORK is the number of work-items in a group. A device of small groups takes -DTILE=16.
// Sizes: rows and columns are multiples of TILE, inner is one of STEP.
// Launch: local [TILE / WORK, TILE / WORK], global [columns / WORK, rows / WORK].
//
// The classic blocked product, as in Vasily Volkov and James Demmel, "Benchmarking GPUs to Tune Dense Linear Algebra" (SC
// 2008): a group makes TILE x TILE of C in steps along `inner`, for which it brings the tiles of A (turned) and B to local
// memory. Each work-item has WORK x WORK results in registers, which lie so far apart that neighbours read neighbours.

#ifndef TILE
#define TILE 64
#endif
#ifndef STEP
#define STEP 16
#endif
#ifndef WORK
#define WORK 4
#endif
#define SIDE (TILE / WORK)

__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
void sgemm(__global float *c, __global const float *a, __global const float *b, int rows, int inner, int columns)
{
  __local float a_tile[STEP][TILE + 1]; // one more: the elements of a row, which becomes a column, lie in different banks
  __local float b_tile[STEP][TILE];
  const int i = get_local_id(0), j = get_local_id(1);
  a += (size_t)get_group_id(1) * TILE * inner;
  b += get_group_id(0) * TILE;

  float sums[WORK][WORK] = {{0}};
  for (int k = 0; k < inner; k += STEP) {
    for (int at = j * SIDE + i; at < TILE * STEP; at += SIDE * SIDE) {
      a_tile[at % STEP][at / STEP] = a[(size_t)(at / STEP) * inner + k + at % STEP];
      b_tile[at / TILE][at % TILE] = b[(size_t)(k + at / TILE) * columns + at % TILE];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int l = 0; l < STEP; l++) {
      float right[WORK];
      for (int x = 0; x < WORK; x++) right[x] = b_tile[l][i + x * SIDE];
      for (int y = 0; y < WORK; y++) {
        const float left = a_tile[l][j + y * SIDE];
        for (int x = 0; x < WORK; x++) sums[y][x] += left * right[x];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  c += (size_t)get_group_id(1) * TILE * columns + get_group_id(0) * TILE;
  for (int y = 0; y < WORK; y++)
    for (int x = 0; x < WORK; x++) c[(size_t)(j + y * SIDE) * columns + i + x * SIDE] = sums[y][x];
}
