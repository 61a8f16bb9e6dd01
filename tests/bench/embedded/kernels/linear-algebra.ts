import { kernelsOf, noise, type BenchKernel } from './kernel.ts';

const SIDE = 512;
const ROWS = 4096;
const COLUMNS = 1024;
const WHOLE = 2048;

/** Products, transposes, and steps of factorisations. */
export const LINEAR_ALGEBRA: readonly BenchKernel[] = kernelsOf({
  'naive matmul 512': {
    text: `int x = GX, y = GY; float sum = 0;
  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;`,
    parameters: ['const float *a', 'const float *b', 'float *c', 'int n'],
    global: [512, 512],
    local: [16, 16],
    args: () => [noise(512 * 512), noise(512 * 512), new Float32Array(512 * 512), 512],
    result: 2,
  },
  'tiled matmul 256': {
    text: `LOCAL float ta[16][16]; LOCAL float tb[16][16]; int x = GX, y = GY; float sum = 0;
  for (int t = 0; t < n; t += 16) {
    ta[LY][LX] = a[y * n + t + LX]; tb[LY][LX] = b[(t + LY) * n + x];
    SYNC;
    for (int k = 0; k < 16; k++) sum += ta[LY][k] * tb[k][LX];
    SYNC;
  }
  c[y * n + x] = sum;`,
    parameters: ['const float *a', 'const float *b', 'float *c', 'int n'],
    global: [256, 256],
    local: [16, 16],
    args: () => [noise(65_536), noise(65_536), new Float32Array(65_536), 256],
    result: 2,
  },
  'guarded matmul 500': {
    text: `int x = GX, y = GY;
  if (y < n && x < n) {
    c[y * n + x] *= beta;
    for (int k = 0; k < n; k++) c[y * n + x] += alpha * a[y * n + k] * b[k * n + x];
  }`,
    parameters: ['const float *a', 'const float *b', 'float *c', 'float alpha', 'float beta', 'int n'],
    global: [512, 512],
    local: [32, 8],
    args: () => [noise(250_000), noise(250_000), new Float32Array(250_000), 0.5, 0.25, 500],
    result: 2,
  },
  'sgemm 4 x 4 a thread 512': {
    text: `LOCAL float ta[16][64]; LOCAL float tb[16][64]; float sum[4][4];
  int t = LY * 16 + LX, row = BLOCK_Y * 64, column = BLOCK * 64;
  for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) sum[i][j] = 0;
  for (int from = 0; from < n; from += 16) {
    for (int i = 0; i < 4; i++) {
      int at = t + i * 256;
      ta[at % 16][at / 16] = a[(row + at / 16) * n + from + at % 16];
      tb[at / 64][at % 64] = b[(from + at / 64) * n + column + at % 64];
    }
    SYNC;
    for (int k = 0; k < 16; k++) {
      float left[4], right[4];
      for (int i = 0; i < 4; i++) { left[i] = ta[k][LY * 4 + i]; right[i] = tb[k][LX * 4 + i]; }
      for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) sum[i][j] += left[i] * right[j];
    }
    SYNC;
  }
  for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) c[(row + LY * 4 + i) * n + column + LX * 4 + j] = sum[i][j];`,
    parameters: ['const float *a', 'const float *b', 'float *c', 'int n'],
    global: [SIDE / 4, SIDE / 4],
    local: [16, 16],
    args: () => [noise(SIDE * SIDE), noise(SIDE * SIDE), new Float32Array(SIDE * SIDE), SIDE],
    result: 2,
  },
  'matrix-vector 4096 x 1024': {
    text: `int i = GX;
  if (i < rows) {
    y[i] = 0;
    for (int j = 0; j < columns; j++) y[i] += a[i * columns + j] * x[j];
  }`,
    parameters: ['const float *a', 'const float *x', 'float *y', 'int rows', 'int columns'],
    global: [ROWS],
    local: [256],
    args: () => [noise(ROWS * COLUMNS), noise(COLUMNS), new Float32Array(ROWS), ROWS, COLUMNS],
    result: 2,
  },
  'transposed matvec 4096 x 1024': {
    text: `int j = GX;
  if (j < columns) {
    y[j] = 0;
    for (int i = 0; i < rows; i++) y[j] += a[i * columns + j] * x[i];
  }`,
    parameters: ['const float *a', 'const float *x', 'float *y', 'int rows', 'int columns'],
    global: [COLUMNS],
    local: [256],
    args: () => [noise(ROWS * COLUMNS), noise(ROWS), new Float32Array(COLUMNS), ROWS, COLUMNS],
    result: 2,
  },
  'symmetric rank-k update 256': {
    text: `int j = GX, i = GY;
  if (i < n && j < n) {
    c[i * n + j] *= 0.5f;
    for (int k = 0; k < m; k++) c[i * n + j] += 0.25f * a[i * m + k] * a[j * m + k];
  }`,
    parameters: ['const float *a', 'float *c', 'int n', 'int m'],
    global: [256, 256],
    local: [32, 8],
    args: () => [noise(256 * 256), new Float32Array(256 * 256), 256, 256],
    result: 1,
  },
  'naive transpose 2048^2': {
    text: 'int x = GX, y = GY; if (x < n && y < n) b[x * n + y] = a[y * n + x];',
    parameters: ['const float *a', 'float *b', 'int n'],
    global: [WHOLE, WHOLE],
    local: [16, 16],
    args: () => [noise(WHOLE * WHOLE), new Float32Array(WHOLE * WHOLE), WHOLE],
    result: 1,
  },
  'tiled transpose 2048^2': {
    text: `LOCAL float tile[32][33]; int x = BLOCK * 32 + LX, y = BLOCK_Y * 32 + LY;
  for (int j = 0; j < 32; j += 8) tile[LY + j][LX] = a[(y + j) * n + x];
  SYNC;
  x = BLOCK_Y * 32 + LX; y = BLOCK * 32 + LY;
  for (int j = 0; j < 32; j += 8) b[(y + j) * n + x] = tile[LX][LY + j];`,
    parameters: ['const float *a', 'float *b', 'int n'],
    global: [WHOLE, WHOLE / 4],
    local: [32, 8],
    args: () => [noise(WHOLE * WHOLE), new Float32Array(WHOLE * WHOLE), WHOLE],
    result: 1,
  },
  'elimination step 2048^2': {
    text: `int x = GX, y = GY;
  if (y >= n - 1 - t || x >= n - t) return;
  a[n * (y + 1 + t) + (x + t)] -= m[n * (y + 1 + t) + t] * a[n * t + (x + t)];`,
    parameters: ['const float *m', 'float *a', 'int n', 'int t'],
    global: [WHOLE, WHOLE],
    local: [16, 16],
    args: () => [noise(WHOLE * WHOLE), noise(WHOLE * WHOLE), WHOLE, 5],
    result: 1,
  },
  'triangular product 2048': {
    text: `int i = GX;
  if (i < n) {
    float sum = 0;
    for (int j = 0; j <= i; j++) sum += a[j * n + i] * x[j];
    y[i] = sum;
  }`,
    parameters: ['const float *a', 'const float *x', 'float *y', 'int n'],
    global: [WHOLE],
    local: [256],
    args: () => [noise(WHOLE * WHOLE), noise(WHOLE), new Float32Array(WHOLE), WHOLE],
    result: 2,
  },
});
