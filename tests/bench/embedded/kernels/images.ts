import { bytes, kernelsOf, noise, type BenchKernel } from './kernel.ts';

const PIXELS = 1 << 22;
const SIDE = 512;

/** Pixels. */
export const IMAGES: readonly BenchKernel[] = kernelsOf({
  'Mandelbrot 1024': {
    text: `int x = GX, y = GY; float cr = x * (3.0f / n) - 2.0f, ci = y * (2.0f / n) - 1.0f, r = 0, i = 0; int k = 0;
  while (k < 256 && r * r + i * i < 4.0f) { float t = r * r - i * i + cr; i = 2 * r * i + ci; r = t; k++; }
  out[y * n + x] = k;`,
    parameters: ['float *out', 'int n'],
    global: [1024, 1024],
    local: [16, 16],
    args: () => [new Float32Array(1 << 20), 1024],
    result: 0,
  },
  'histogram, atomics 2^22': {
    text: `LOCAL uint counts[256]; counts[LX] = 0;
  SYNC;
  for (int i = GX; i < n; i += THREADS) ATOMIC_ADD(&counts[data[i]], 1u);
  SYNC;
  ATOMIC_ADD(&out[LX], counts[LX]);`,
    parameters: ['const uchar *data', 'uint *out', 'int n'],
    global: [64 * 256],
    local: [256],
    args: () => [bytes(PIXELS), new Uint32Array(256), PIXELS],
    result: 1,
  },
  'grey of colours 2^22': {
    text: `int i = GX;
  if (i < n) { uchar4 c = in[i]; out[i] = (uchar)(0.299f * c.x + 0.587f * c.y + 0.114f * c.z); }`,
    parameters: ['const uchar4 *in', 'uchar *out', 'int n'],
    global: [PIXELS],
    local: [256],
    args: () => [bytes(4 * PIXELS), new Uint8Array(PIXELS), PIXELS],
    result: 1,
  },
  'bilateral filter, radius 3 512^2': {
    text: `int x = GX, y = GY; if (x >= n || y >= n) return;
  float sum = 0, weights = 0, centre = in[y * n + x];
  for (int dy = -3; dy <= 3; dy++) for (int dx = -3; dx <= 3; dx++) {
    int px = x + dx < 0 ? 0 : x + dx > n - 1 ? n - 1 : x + dx, py = y + dy < 0 ? 0 : y + dy > n - 1 ? n - 1 : y + dy;
    float value = in[py * n + px], apart = value - centre;
    float weight = EXP(-(dx * dx + dy * dy) * 0.05f - apart * apart * 8.0f);
    sum += weight * value; weights += weight;
  }
  out[y * n + x] = sum / weights;`,
    parameters: ['const float *in', 'float *out', 'int n'],
    global: [SIDE, SIDE],
    local: [16, 16],
    args: () => [noise(SIDE * SIDE), new Float32Array(SIDE * SIDE), SIDE],
    result: 1,
  },
  'edges of bytes 2048^2': {
    text: `int x = GX, y = GY;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
    int i = y * n + x;
    int h = in[i - n + 1] + 2 * in[i + 1] + in[i + n + 1] - in[i - n - 1] - 2 * in[i - 1] - in[i + n - 1];
    int v = in[i + n - 1] + 2 * in[i + n] + in[i + n + 1] - in[i - n - 1] - 2 * in[i - n] - in[i - n + 1];
    int sum = (h < 0 ? -h : h) + (v < 0 ? -v : v);
    out[i] = sum > 255 ? 255 : sum;
  }`,
    parameters: ['const uchar *in', 'uchar *out', 'int n'],
    global: [2048, 2048],
    local: [16, 16],
    args: () => [bytes(PIXELS), new Uint8Array(PIXELS), 2048],
    result: 1,
  },
});
