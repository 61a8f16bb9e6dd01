import { integers, kernelsOf, noise, type BenchKernel } from './kernel.ts';

const VECTOR = 1 << 24;
const REDUCED = 1 << 20;
const STRIDED = 1 << 16;

/** Vectors, reductions and scans. */
export const SUMS: readonly BenchKernel[] = kernelsOf({
  'vector add 2^24': {
    text: 'int i = GX; if (i < n) c[i] = a[i] + b[i];',
    parameters: ['const float *a', 'const float *b', 'float *c', 'int n'],
    global: [VECTOR, 1],
    local: [256, 1],
    args: () => [noise(VECTOR), noise(VECTOR), new Float32Array(VECTOR), VECTOR],
    result: 2,
  },
  'exp + sin 2^24': {
    text: 'int i = GX; if (i < n) b[i] = EXP(a[i]) + SIN(a[i]);',
    parameters: ['const float *a', 'float *b', 'int n'],
    global: [VECTOR, 1],
    local: [256, 1],
    args: () => [noise(VECTOR), new Float32Array(VECTOR), VECTOR],
    result: 1,
  },
  'reduction 2^20': {
    text: `LOCAL float s[256]; int l = LX; s[l] = a[GX];
  SYNC;
  for (int d = WIDTH / 2; d > 0; d /= 2) { if (l < d) s[l] += s[l + d]; SYNC; }
  if (l == 0) out[BLOCK] = s[0];`,
    parameters: ['const float *a', 'float *out'],
    global: [REDUCED, 1],
    local: [256, 1],
    args: () => [noise(REDUCED), new Float32Array(REDUCED / 256)],
    result: 1,
  },
  'grid-stride add 2^24': {
    text: 'for (int i = GX; i < n; i += THREADS) c[i] = a[i] + b[i];',
    parameters: ['const float *a', 'const float *b', 'float *c', 'int n'],
    global: [STRIDED, 1],
    local: [256, 1],
    args: () => [noise(VECTOR), noise(VECTOR), new Float32Array(VECTOR), VECTOR],
    result: 2,
  },
  'dot product, strided 2^22': {
    text: `LOCAL float s[256]; int l = LX; float sum = 0;
  for (int i = GX; i < n; i += THREADS) sum += a[i] * b[i];
  s[l] = sum;
  SYNC;
  if (l < 128) s[l] += s[l + 128]; SYNC;
  if (l < 64) s[l] += s[l + 64]; SYNC;
  if (l < 32) s[l] += s[l + 32]; SYNC;
  if (l < 16) s[l] += s[l + 16]; SYNC;
  if (l < 8) s[l] += s[l + 8]; SYNC;
  if (l < 4) s[l] += s[l + 4]; SYNC;
  if (l < 2) s[l] += s[l + 2]; SYNC;
  if (l == 0) out[BLOCK] = s[0] + s[1];`,
    parameters: ['const float *a', 'const float *b', 'float *out', 'int n'],
    global: [STRIDED],
    local: [256],
    args: () => [noise(1 << 22), noise(1 << 22), new Float32Array(STRIDED / 256), 1 << 22],
    result: 2,
  },
  'scan of blocks 2^20': {
    text: `LOCAL float s[2][256]; int l = LX, from = 0; s[0][l] = a[GX];
  SYNC;
  for (int d = 1; d < 256; d *= 2) {
    s[1 - from][l] = l >= d ? s[from][l] + s[from][l - d] : s[from][l];
    from = 1 - from;
    SYNC;
  }
  out[GX] = s[from][l];`,
    parameters: ['const float *a', 'float *out'],
    global: [REDUCED, 1],
    local: [256, 1],
    args: () => [noise(REDUCED), new Float32Array(REDUCED)],
    result: 1,
  },
  'scan, up and down 2^20': {
    text: `LOCAL float s[512]; int t = LX, offset = 1, from = BLOCK * 512;
  s[2 * t] = a[from + 2 * t]; s[2 * t + 1] = a[from + 2 * t + 1];
  for (int d = 256; d > 0; d /= 2) {
    SYNC;
    if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) s[511] = 0;
  for (int d = 1; d < 512; d *= 2) {
    offset /= 2;
    SYNC;
    if (t < d) {
      int low = offset * (2 * t + 1) - 1, high = offset * (2 * t + 2) - 1;
      float kept = s[low]; s[low] = s[high]; s[high] += kept;
    }
  }
  SYNC;
  out[from + 2 * t] = s[2 * t]; out[from + 2 * t + 1] = s[2 * t + 1];`,
    parameters: ['const float *a', 'float *out'],
    global: [REDUCED / 2],
    local: [256],
    args: () => [noise(REDUCED), new Float32Array(REDUCED)],
    result: 1,
  },
  'cheapest path, a row 2^20': {
    text: `LOCAL int before[256]; int l = LX, x = BLOCK * 254 - 1 + l; int inside = x >= 0 && x < n;
  before[l] = inside ? cost[x] : 1 << 20;
  SYNC;
  if (l >= 1 && l < 255 && inside) {
    int left = before[l - 1], up = before[l], right = before[l + 1], least = left < up ? left : up;
    out[x] = wall[x] + (least < right ? least : right);
  }`,
    parameters: ['const int *wall', 'const int *cost', 'int *out', 'int n'],
    global: [4129 * 256],
    local: [256],
    args: () => [integers(REDUCED, 10), integers(REDUCED, 1000), new Int32Array(REDUCED), REDUCED],
    result: 2,
  },
  'early exit 2^20': {
    text: `LOCAL float s[256]; int l = LX, i = GX; if (i >= n || l >= 200) return; s[l] = a[i];
  for (int round = 0; round < 4; round++) {
    SYNC; float next = s[(l + 1) % 200];
    SYNC; s[l] = 0.5f * (s[l] + next);
  }
  out[i] = s[l];`,
    parameters: ['const float *a', 'float *out', 'int n'],
    global: [REDUCED, 1],
    local: [256, 1],
    // A barrier that some threads never reach is beyond OpenCL.
    cudaOnly: true,
    args: () => [noise(REDUCED), new Float32Array(REDUCED), REDUCED],
    result: 1,
  },
  '5 shuffles 2^20': {
    text: `float v = a[GX]; for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (LX % 32 == 0) out[GX / 32] = v;`,
    parameters: ['const float *a', 'float *out'],
    global: [REDUCED, 1],
    local: [256, 1],
    cudaOnly: true,
    args: () => [noise(REDUCED), new Float32Array(REDUCED / 32)],
    result: 1,
  },
});
