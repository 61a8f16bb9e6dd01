import { kernelsOf, noise, type BenchKernel } from './kernel.ts';

const SIDE = 2048;
const CELLS = SIDE * SIDE;
const CUBE = 128;
const RADIUS = 8;

/** A cell from its neighbours. */
export const STENCILS: readonly BenchKernel[] = kernelsOf({
  'stencil 2048^2': {
    text: `int x = GX, y = GY; if (x < 1 || y < 1 || x >= w - 1 || y >= w - 1) return;
  int i = y * w + x; out[i] = 0.2f * (a[i] + a[i - 1] + a[i + 1] + a[i - w] + a[i + w]);`,
    parameters: ['const float *a', 'float *out', 'int w'],
    global: [2048, 2048],
    local: [32, 8],
    args: () => [noise(1 << 22), new Float32Array(1 << 22), 2040],
    result: 1,
  },
  'Jacobi, 5 points 2048^2': {
    functions: '#define N 2048',
    text: `int i = GY, j = GX;
  if ((i >= 1) && (i < (n - 1)) && (j >= 1) && (j < (n - 1))) {
    b[i * N + j] = 0.2f * (a[i * N + j] + a[i * N + (j - 1)] + a[i * N + (1 + j)] + a[(1 + i) * N + j] + a[(i - 1) * N + j]);
  }`,
    parameters: ['int n', 'float *a', 'float *b'],
    global: [SIDE, SIDE],
    local: [32, 8],
    args: () => [SIDE, noise(CELLS), new Float32Array(CELLS)],
    result: 2,
  },
  'convolution 3 x 3 2048^2': {
    functions: '#define N 2048',
    text: `int j = GX, i = GY; float c11 = 0.2f, c21 = 0.5f, c31 = -0.8f, c12 = -0.3f, c22 = 0.6f, c32 = -0.9f,
    c13 = 0.4f, c23 = 0.7f, c33 = 0.1f;
  if ((i < n - 1) && (j < n - 1) && (i > 0) && (j > 0)) {
    b[i * N + j] = c11 * a[(i - 1) * N + (j - 1)] + c21 * a[(i - 1) * N + j] + c31 * a[(i - 1) * N + (j + 1)]
      + c12 * a[i * N + (j - 1)] + c22 * a[i * N + j] + c32 * a[i * N + (j + 1)]
      + c13 * a[(i + 1) * N + (j - 1)] + c23 * a[(i + 1) * N + j] + c33 * a[(i + 1) * N + (j + 1)];
  }`,
    parameters: ['int n', 'const float *a', 'float *b'],
    global: [SIDE, SIDE],
    local: [32, 8],
    args: () => [SIDE, noise(CELLS), new Float32Array(CELLS)],
    result: 2,
  },
  '9 points, double 1024^2': {
    text: `int x = GX, y = GY;
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1) {
    double sides = a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x];
    double corners = a[(y - 1) * n + x - 1] + a[(y - 1) * n + x + 1] + a[(y + 1) * n + x - 1] + a[(y + 1) * n + x + 1];
    out[y * n + x] = 0.5 * a[y * n + x] + 0.1 * sides + 0.025 * corners;
  }`,
    parameters: ['const double *a', 'double *out', 'int n'],
    global: [1024, 1024],
    local: [16, 16],
    args: () => [Float64Array.from(noise(1 << 20)), new Float64Array(1 << 20), 1024],
    result: 1,
  },
  '7 points in space 128^3': {
    text: `int x = GX, y = GY;
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1) {
    for (int z = 1; z < n - 1; z++) {
      int at = (z * n + y) * n + x;
      out[at] = c1 * (a[at - 1] + a[at + 1] + a[at - n] + a[at + n] + a[at - n * n] + a[at + n * n]) - c0 * a[at];
    }
  }`,
    parameters: ['const float *a', 'float *out', 'float c0', 'float c1', 'int n'],
    global: [CUBE, CUBE],
    local: [32, 4],
    args: () => [noise(CUBE ** 3), new Float32Array(CUBE ** 3), 0.5, 0.1, CUBE],
    result: 1,
  },
  'heat in tiles 1024^2': {
    text: `LOCAL float before[16][16]; LOCAL float heat[16][16];
  int x = BLOCK * 14 - 1 + LX, y = BLOCK_Y * 14 - 1 + LY, i = y * n + x, lx = LX, ly = LY;
  if (x >= 0 && y >= 0 && x < n && y < n) { before[ly][lx] = t[i]; heat[ly][lx] = power[i]; }
  SYNC;
  int north = y <= 0 ? ly : ly - 1, south = y >= n - 1 ? ly : ly + 1;
  int west = x <= 0 ? lx : lx - 1, east = x >= n - 1 ? lx : lx + 1;
  if (lx >= 1 && lx <= 14 && ly >= 1 && ly <= 14 && x < n && y < n) {
    float c = before[ly][lx];
    out[i] = c + 0.1f * (heat[ly][lx] + (before[south][lx] + before[north][lx] - 2.0f * c) * ry
      + (before[ly][east] + before[ly][west] - 2.0f * c) * rx + (80.0f - c) * rz);
  }`,
    parameters: ['const float *power', 'const float *t', 'float *out', 'int n', 'float rx', 'float ry', 'float rz'],
    global: [74 * 16, 74 * 16],
    local: [16, 16],
    args: () => [noise(1 << 20), noise(1 << 20), new Float32Array(1 << 20), 1024, 0.1, 0.2, 0.01],
    result: 2,
  },
  'row convolution, 17 taps 2048^2': {
    text: `LOCAL float s[4][160]; int from = BLOCK * 128 - 16, at = (BLOCK_Y * 4 + LY) * n;
  for (int i = LX; i < 160; i += 16) { int x = from + i; s[LY][i] = x >= 0 && x < n ? a[at + x] : 0; }
  SYNC;
  for (int i = 0; i < 8; i++) {
    float sum = 0;
    for (int j = -8; j <= 8; j++) sum += taps[8 - j] * s[LY][16 + LX + i * 16 + j];
    out[at + BLOCK * 128 + i * 16 + LX] = sum;
  }`,
    parameters: ['const float *a', 'const float *taps', 'float *out', 'int n'],
    global: [SIDE / 8, SIDE],
    local: [16, 4],
    args: () => [noise(CELLS), noise(2 * RADIUS + 1), new Float32Array(CELLS), SIDE],
    result: 2,
  },
  'electric field step 2048^2': {
    text: `int x = GX, y = GY;
  if (y < n && x < n && x > 0) ex[y * (n + 1) + x] -= 0.5f * (hz[y * n + x] - hz[y * n + x - 1]);`,
    parameters: ['float *ex', 'const float *hz', 'int n'],
    global: [SIDE, SIDE],
    local: [32, 8],
    args: () => [noise(SIDE * (SIDE + 1)), noise(CELLS), SIDE],
    result: 0,
  },
});
