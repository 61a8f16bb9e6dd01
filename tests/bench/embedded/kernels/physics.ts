import { integers, kernelsOf, noise, type BenchKernel } from './kernel.ts';

const BODIES = 8192;
const TILED = 4096;
const LATTICE = 512;
const ATOMS = 1 << 14;
const NEIGHBOURS = 64;

/** Particles and fluids. */
export const PHYSICS: readonly BenchKernel[] = kernelsOf({
  'n-body 8192': {
    text: `int i = GX; float px = x[i], py = y[i], pz = z[i], ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; j++) {
    float dx = x[j] - px, dy = y[j] - py, dz = z[j] - pz;
    float inverse = RSQRT(dx * dx + dy * dy + dz * dz + 0.01f), cube = inverse * inverse * inverse;
    ax += dx * cube; ay += dy * cube; az += dz * cube;
  }
  out[i] = ax + ay + az;`,
    parameters: ['const float *x', 'const float *y', 'const float *z', 'float *out', 'int n'],
    global: [BODIES, 1],
    local: [256, 1],
    args: () => [noise(BODIES), noise(BODIES).reverse(), noise(BODIES), new Float32Array(BODIES), BODIES],
    result: 3,
  },
  'n-body in tiles 4096': {
    text: `LOCAL float4 tile[256]; int i = GX, t = LX; float4 me = p[i]; float ax = 0, ay = 0, az = 0;
  for (int from = 0; from < n; from += 256) {
    tile[t] = p[from + t];
    SYNC;
    for (int j = 0; j < 256; j++) {
      float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
      float inverse = RSQRT(dx * dx + dy * dy + dz * dz + 0.01f), scale = tile[j].w * inverse * inverse * inverse;
      ax += dx * scale; ay += dy * scale; az += dz * scale;
    }
    SYNC;
  }
  out[i] = FLOAT4(ax, ay, az, me.w);`,
    parameters: ['const float4 *p', 'float4 *out', 'int n'],
    global: [TILED],
    local: [256],
    args: () => [noise(4 * TILED), new Float32Array(4 * TILED), TILED],
    result: 1,
  },
  'lattice Boltzmann, 9 speeds 512^2': {
    text: `int x = GX, y = GY; if (x >= n || y >= n) return;
  int w = x > 0 ? x - 1 : n - 1, e = x < n - 1 ? x + 1 : 0, s = y > 0 ? y - 1 : n - 1, u = y < n - 1 ? y + 1 : 0, m = n * n;
  float f0 = f[y * n + x], f1 = f[m + y * n + w], f2 = f[2 * m + s * n + x], f3 = f[3 * m + y * n + e];
  float f4 = f[4 * m + u * n + x], f5 = f[5 * m + s * n + w], f6 = f[6 * m + s * n + e];
  float f7 = f[7 * m + u * n + e], f8 = f[8 * m + u * n + w];
  float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8 + 0.1f;
  float vx = (f1 + f5 + f8 - f3 - f6 - f7) / rho, vy = (f2 + f5 + f6 - f4 - f7 - f8) / rho;
  float base = 1 - 1.5f * (vx * vx + vy * vy), a = vx + vy, b = vx - vy; int i = y * n + x;
  out[i] = f0 + 0.6f * (0.4444f * rho * base - f0);
  out[m + i] = f1 + 0.6f * (0.1111f * rho * (base + 3 * vx + 4.5f * vx * vx) - f1);
  out[2 * m + i] = f2 + 0.6f * (0.1111f * rho * (base + 3 * vy + 4.5f * vy * vy) - f2);
  out[3 * m + i] = f3 + 0.6f * (0.1111f * rho * (base - 3 * vx + 4.5f * vx * vx) - f3);
  out[4 * m + i] = f4 + 0.6f * (0.1111f * rho * (base - 3 * vy + 4.5f * vy * vy) - f4);
  out[5 * m + i] = f5 + 0.6f * (0.0278f * rho * (base + 3 * a + 4.5f * a * a) - f5);
  out[6 * m + i] = f6 + 0.6f * (0.0278f * rho * (base - 3 * b + 4.5f * b * b) - f6);
  out[7 * m + i] = f7 + 0.6f * (0.0278f * rho * (base - 3 * a + 4.5f * a * a) - f7);
  out[8 * m + i] = f8 + 0.6f * (0.0278f * rho * (base + 3 * b + 4.5f * b * b) - f8);`,
    parameters: ['const float *f', 'float *out', 'int n'],
    global: [LATTICE, LATTICE],
    local: [64, 1],
    args: () => [noise(9 * LATTICE * LATTICE), new Float32Array(9 * LATTICE * LATTICE), LATTICE],
    result: 1,
  },
  'molecules with neighbour lists 2^14': {
    text: `int i = GX; if (i >= n) return;
  float4 me = p[i]; float fx = 0, fy = 0, fz = 0;
  for (int j = 0; j < 64; j++) {
    float4 other = p[list[j * n + i]];
    float dx = me.x - other.x, dy = me.y - other.y, dz = me.z - other.z, r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < 0.25f) {
      float r2inv = 1.0f / (r2 + 0.01f), r6inv = r2inv * r2inv * r2inv, force = r2inv * r6inv * (1.5f * r6inv - 2.0f);
      fx += dx * force; fy += dy * force; fz += dz * force;
    }
  }
  out[i] = FLOAT4(fx, fy, fz, 0);`,
    parameters: ['const float4 *p', 'const int *list', 'float4 *out', 'int n'],
    global: [ATOMS],
    local: [256],
    args: () => [noise(4 * ATOMS), integers(NEIGHBOURS * ATOMS, ATOMS), new Float32Array(4 * ATOMS), ATOMS],
    result: 2,
  },
  'Black and Scholes 2^20': {
    functions: `DEVICE float cumulative(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * FABS(d));
  float c = 0.39894228f * EXP(-0.5f * d * d)
    * (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - c : c;
}`,
    text: `int i = GX;
  if (i < n) {
    float s = 5 + 25 * price[i], x = 1 + 99 * strike[i], t = 0.25f + 9 * years[i], root = SQRT(t);
    float d1 = (LOG(s / x) + (0.02f + 0.5f * 0.3f * 0.3f) * t) / (0.3f * root), d2 = d1 - 0.3f * root;
    float c1 = cumulative(d1), c2 = cumulative(d2), discount = EXP(-0.02f * t);
    call[i] = s * c1 - x * discount * c2; put[i] = x * discount * (1 - c2) - s * (1 - c1);
  }`,
    parameters: [
      'const float *price',
      'const float *strike',
      'const float *years',
      'float *call',
      'float *put',
      'int n',
    ],
    global: [1 << 20],
    local: [128],
    args: () => [
      noise(1 << 20),
      noise(1 << 20).reverse(),
      noise(1 << 20),
      new Float32Array(1 << 20),
      new Float32Array(1 << 20),
      1 << 20,
    ],
    result: 3,
  },
});
