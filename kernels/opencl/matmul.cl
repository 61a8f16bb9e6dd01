// C = A * B for row-major float matrices: A is n rows by k, B is k rows by m, C is n rows by m.
//
// Each work-group computes one TILE x TILE tile of C and stages the tiles of A and B that it needs in local memory.
// Build with -DTILE=16 or another size whose square the device allows in a group.
// Launch with global [m, n] and local [TILE, TILE]; TILE must divide n, m and k.

#ifndef TILE
#define TILE 16
#endif

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul(__global const float *a, __global const float *b, __global float *c, int m, int k)
{
  __local float a_tile[TILE][TILE];
  __local float b_tile[TILE][TILE];
  const int i = get_local_id(0), j = get_local_id(1);
  const int column = get_global_id(0), row = get_global_id(1);

  float sum = 0.0f;
  for (int at = 0; at < k; at += TILE) {
    a_tile[j][i] = a[row * k + at + i];
    b_tile[j][i] = b[(at + j) * m + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int l = 0; l < TILE; l++)
      sum += a_tile[j][l] * b_tile[l][i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * m + column] = sum;
}
