// to = from transposed: from has `rows` rows of `columns` floats, to has `columns` rows of `rows`. Any sizes.
//
//   transpose(to, from, rows, columns)
//
// Build with -DTILE=16 (32 where it is not given) and -DROWS=16 (8): ROWS divides TILE, and a group has TILE x ROWS work-items.
// Launch: local [TILE, ROWS], global [TILE * ceil(columns / TILE), ROWS * ceil(rows / TILE)].
//
// The classic tiled transpose (Greg Ruetsch and Paulius Micikevicius, "Optimizing Matrix Transpose in CUDA", NVIDIA,
// 2009): a group reads a square tile by rows, keeps it in local memory and writes it by rows again, so that all access to
// global memory is to neighbours. Each work-item moves TILE / ROWS elements.

#ifndef TILE
#define TILE 32
#endif
#ifndef ROWS
#define ROWS 8
#endif

__kernel __attribute__((reqd_work_group_size(TILE, ROWS, 1)))
void transpose(__global float *to, __global const float *from, int rows, int columns)
{
  __local float tile[TILE][TILE + 1]; // one more: the elements of a column lie in different banks
  const int i = get_local_id(0), j = get_local_id(1);

  int x = get_group_id(0) * TILE + i;
  int y = get_group_id(1) * TILE + j;
  for (int down = 0; down < TILE; down += ROWS)
    if (x < columns && y + down < rows) tile[j + down][i] = from[(size_t)(y + down) * columns + x];
  barrier(CLK_LOCAL_MEM_FENCE);

  x = get_group_id(1) * TILE + i;
  y = get_group_id(0) * TILE + j;
  for (int down = 0; down < TILE; down += ROWS)
    if (x < rows && y + down < columns) to[(size_t)(y + down) * rows + x] = tile[i][j + down];
}
