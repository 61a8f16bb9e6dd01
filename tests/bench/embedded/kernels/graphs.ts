import { draws, integers, kernelsOf, noise, type BenchKernel } from './kernel.ts';

const NODES = 1 << 16;
const LEVEL = 3;

/** Rows of different lengths, around 16: where each begins, and the columns. */
function sparse(rows: number): { starts: Int32Array; columns: Int32Array } {
  const next = draws(11);
  const starts = new Int32Array(rows + 1);
  for (let i = 0; i < rows; i++) starts[i + 1] = (starts[i] ?? 0) + (next() % 32);
  return { starts, columns: integers(starts[rows] ?? 0, rows) };
}

const { starts, columns } = sparse(NODES);

/** Graphs and sparse matrices. */
export const GRAPHS: readonly BenchKernel[] = kernelsOf({
  'breadth-first level 2^16': {
    text: `int i = GX;
  if (i < n && level[i] == now) {
    for (int e = starts[i]; e < starts[i + 1]; e++) {
      int to = columns[e];
      if (level[to] > now) next[to] = now + 1;
    }
  }`,
    parameters: ['const int *starts', 'const int *columns', 'const int *level', 'int *next', 'int now', 'int n'],
    global: [NODES],
    local: [256],
    args: () => [starts, columns, integers(NODES, 6), new Int32Array(NODES), LEVEL, NODES],
    result: 3,
  },
  'sparse product, row a thread 2^16': {
    text: `int i = GX;
  if (i < n) {
    float sum = 0;
    for (int e = starts[i]; e < starts[i + 1]; e++) sum += values[e] * x[columns[e]];
    y[i] = sum;
  }`,
    parameters: [
      'const int *starts',
      'const int *columns',
      'const float *values',
      'const float *x',
      'float *y',
      'int n',
    ],
    global: [NODES],
    local: [128],
    args: () => [starts, columns, noise(columns.length), noise(NODES), new Float32Array(NODES), NODES],
    result: 4,
  },
  'sparse product, row a warp 2^16': {
    text: `LOCAL float part[128]; int t = LX, lane = t & 31, i = BLOCK * 4 + t / 32; float sum = 0;
  if (i < n) for (int e = starts[i] + lane; e < starts[i + 1]; e += 32) sum += values[e] * x[columns[e]];
  part[t] = sum;
  SYNC;
  for (int d = 16; d > 0; d /= 2) { if (lane < d) part[t] += part[t + d]; SYNC; }
  if (lane == 0 && i < n) y[i] = part[t];`,
    parameters: [
      'const int *starts',
      'const int *columns',
      'const float *values',
      'const float *x',
      'float *y',
      'int n',
    ],
    global: [NODES * 32],
    local: [128],
    args: () => [starts, columns, noise(columns.length), noise(NODES), new Float32Array(NODES), NODES],
    result: 4,
  },
  'page rank 2^16': {
    text: `int i = GX; if (i >= n) return;
  float sum = 0;
  for (int e = starts[i]; e < starts[i + 1]; e++) { int from = columns[e]; sum += rank[from] / (degree[from] + 1); }
  out[i] = 0.15f / n + 0.85f * sum;`,
    parameters: [
      'const int *starts',
      'const int *columns',
      'const int *degree',
      'const float *rank',
      'float *out',
      'int n',
    ],
    global: [NODES],
    local: [256],
    args: () => [starts, columns, integers(NODES, 32), noise(NODES), new Float32Array(NODES), NODES],
    result: 4,
  },
});
