import { integers, kernelsOf, noise, type BenchKernel } from './kernel.ts';

const KEYS = 1 << 20;

/** Sorting and hashing. */
export const INTEGERS: readonly BenchKernel[] = kernelsOf({
  'bitonic step 2^20': {
    text: `uint t = GX, low = t & (stride - 1), at = 2 * t - low; uint a = keys[at], b = keys[at + stride];
  int up = (t & (size / 2)) == 0;
  if ((a > b) == up) { uint c = a; a = b; b = c; }
  keys[at] = a; keys[at + stride] = b;`,
    parameters: ['uint *keys', 'uint stride', 'uint size'],
    global: [KEYS / 2],
    local: [256],
    args: () => [Uint32Array.from(integers(KEYS, 1 << 24)), 64, 256],
    result: 0,
  },
  'bitonic sort of blocks 2^18': {
    text: `LOCAL uint s[512]; uint t = LX, from = BLOCK * 512; s[t] = keys[from + t]; s[t + 256] = keys[from + t + 256];
  for (uint size = 2; size <= 512; size *= 2) {
    int up = (t & (size / 2)) == 0;
    for (uint stride = size / 2; stride > 0; stride /= 2) {
      SYNC;
      uint at = 2 * t - (t & (stride - 1));
      uint a = s[at], b = s[at + stride];
      if ((a > b) == up) { s[at] = b; s[at + stride] = a; }
    }
  }
  SYNC;
  out[from + t] = s[t]; out[from + t + 256] = s[t + 256];`,
    parameters: ['const uint *keys', 'uint *out'],
    global: [1 << 17],
    local: [256],
    args: () => [Uint32Array.from(integers(1 << 18, 1 << 24)), new Uint32Array(1 << 18)],
    result: 1,
  },
  'radix digits 2^20': {
    text: `LOCAL uint counts[16]; uint t = LX; if (t < 16) counts[t] = 0;
  SYNC;
  for (uint i = 0; i < 4; i++) ATOMIC_ADD(&counts[(keys[BLOCK * 1024 + i * 256 + t] >> shift) & 15], 1u);
  SYNC;
  if (t < 16) out[t * groups + BLOCK] = counts[t];`,
    parameters: ['const uint *keys', 'uint *out', 'uint shift', 'uint groups'],
    global: [KEYS / 4],
    local: [256],
    args: () => [Uint32Array.from(integers(KEYS, 1 << 24)), new Uint32Array(KEYS / 64), 4, KEYS / 1024],
    result: 1,
  },
  'mixing, 32 bits 2^20': {
    text: `uint i = GX, h = seed ^ keys[i];
  for (int round = 0; round < 8; round++) {
    uint k = keys[i] + round; k *= 0xcc9e2d51u; k = (k << 15) | (k >> 17); k *= 0x1b873593u;
    h ^= k; h = (h << 13) | (h >> 19); h = h * 5 + 0xe6546b64u;
  }
  h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; h *= 0xc2b2ae35u; h ^= h >> 16;
  out[i] = h;`,
    parameters: ['const uint *keys', 'uint *out', 'uint seed'],
    global: [KEYS],
    local: [256],
    args: () => [Uint32Array.from(integers(KEYS, 1 << 24)), new Uint32Array(KEYS), 42],
    result: 1,
  },
  'digest, 64 rounds 2^16': {
    functions: `#define ROTATE(x, n) (((x) >> (n)) | ((x) << (32 - (n))))`,
    text: `uint i = GX, w[16], a = 0x6a09e667u, b = 0xbb67ae85u, c = 0x3c6ef372u, d = 0xa54ff53au;
  uint e = 0x510e527fu, f = 0x9b05688cu, g = 0x1f83d9abu, h = 0x5be0cd19u;
  for (int j = 0; j < 16; j++) w[j] = keys[i] * (j + 1) ^ i;
  for (int j = 0; j < 64; j++) {
    uint s0 = ROTATE(w[(j + 1) & 15], 7) ^ ROTATE(w[(j + 1) & 15], 18) ^ (w[(j + 1) & 15] >> 3);
    uint s1 = ROTATE(w[(j + 14) & 15], 17) ^ ROTATE(w[(j + 14) & 15], 19) ^ (w[(j + 14) & 15] >> 10);
    uint t1 = h + (ROTATE(e, 6) ^ ROTATE(e, 11) ^ ROTATE(e, 25)) + ((e & f) ^ (~e & g)) + w[j & 15] + 0x428a2f98u * j;
    uint t2 = (ROTATE(a, 2) ^ ROTATE(a, 13) ^ ROTATE(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    w[j & 15] += s0 + w[(j + 9) & 15] + s1;
    h = g; g = f; f = e; e = d + t1; d = c; c = b; b = a; a = t1 + t2;
  }
  out[i] = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;`,
    parameters: ['const uint *keys', 'uint *out'],
    global: [1 << 16],
    local: [128],
    args: () => [Uint32Array.from(integers(1 << 16, 1 << 24)), new Uint32Array(1 << 16)],
    result: 1,
  },
  'mixing, 64 bits 2^19': {
    text: `int i = GX; ULONG x = keys[i], sum = 0;
  for (int round = 0; round < 16; round++) {
    x += 0x9e3779b97f4a7c15ul;
    ULONG z = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ul; z = (z ^ (z >> 27)) * 0x94d049bb133111ebul;
    sum ^= z ^ (z >> 31);
  }
  out[i] = (uint)(sum >> 32);`,
    parameters: ['const uint *keys', 'uint *out'],
    global: [1 << 19],
    local: [256],
    args: () => [Uint32Array.from(integers(1 << 19, 1 << 24)), new Uint32Array(1 << 19)],
    result: 1,
  },
  'nearest of 16 points 2^18': {
    text: `int i = GX; if (i >= n) return;
  int best = 0; float least = 3.4e38f;
  for (int c = 0; c < 16; c++) {
    float d = 0;
    for (int k = 0; k < 8; k++) { float e = points[k * n + i] - centres[c * 8 + k]; d += e * e; }
    if (d < least) { least = d; best = c; }
  }
  out[i] = best;`,
    parameters: ['const float *points', 'const float *centres', 'int *out', 'int n'],
    global: [1 << 18],
    local: [256],
    args: () => [noise(8 << 18), noise(128), new Int32Array(1 << 18), 1 << 18],
    result: 2,
  },
});
