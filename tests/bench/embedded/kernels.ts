/** One kernel in both languages, with the shape of its launch. `args` makes the arguments: arrays become device memory. */
export interface BenchKernel {
  readonly name: string;
  readonly cuda: string;
  /** Absent where OpenCL 1.2 cannot say it. */
  readonly opencl: string | undefined;
  readonly global: readonly [number, number];
  readonly local: readonly [number, number];
  readonly args: () => readonly (Float32Array | number)[];
  /** The index of the argument that holds the result. */
  readonly result: number;
}

const noise = (length: number): Float32Array => {
  let state = 1;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) / 2 ** 24;
  });
};

interface Body {
  readonly text: string;
  readonly cudaOnly?: boolean;
  readonly parameters: readonly string[];
  readonly global: readonly [number, number];
  readonly local: readonly [number, number];
  readonly args: () => readonly (Float32Array | number)[];
  readonly result: number;
}

/** The two languages differ in a handful of words: one body, written with those words as macros, serves both. */
const CUDA = `#define GX (blockIdx.x * blockDim.x + threadIdx.x)
#define GY (blockIdx.y * blockDim.y + threadIdx.y)
#define LX threadIdx.x
#define LY threadIdx.y
#define BLOCK blockIdx.x
#define WIDTH blockDim.x
#define THREADS (gridDim.x * blockDim.x)
#define LOCAL __shared__
#define SYNC __syncthreads()
#define EXP expf
#define SIN sinf
#define RSQRT rsqrtf
`;
const OPENCL = `#define GX ((int)get_global_id(0))
#define GY ((int)get_global_id(1))
#define LX ((int)get_local_id(0))
#define LY ((int)get_local_id(1))
#define BLOCK get_group_id(0)
#define WIDTH get_local_size(0)
#define THREADS ((int)get_global_size(0))
#define LOCAL __local
#define SYNC barrier(CLK_LOCAL_MEM_FENCE)
#define EXP exp
#define SIN sin
#define RSQRT rsqrt
`;

const VECTOR = 1 << 24;
const REDUCED = 1 << 20;
const STRIDED = 1 << 16;
const BODIES = 8192;

const bodies: Readonly<Record<string, Body>> = {
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
  'stencil 2048^2': {
    text: `int x = GX, y = GY; if (x < 1 || y < 1 || x >= w - 1 || y >= w - 1) return;
  int i = y * w + x; out[i] = 0.2f * (a[i] + a[i - 1] + a[i + 1] + a[i - w] + a[i + w]);`,
    parameters: ['const float *a', 'float *out', 'int w'],
    global: [2048, 2048],
    local: [32, 8],
    args: () => [noise(1 << 22), new Float32Array(1 << 22), 2040],
    result: 1,
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
};

export const KERNELS: readonly BenchKernel[] = Object.entries(bodies).map(([name, body]) => {
  const { text, parameters, global, local, args, result, cudaOnly = false } = body;
  const ofOpencl = parameters.map((parameter) => (parameter.includes('*') ? `__global ${parameter}` : parameter));
  return {
    name,
    cuda: `${CUDA}extern "C" __global__ void k(${parameters.join(', ')}) {\n  ${text}\n}\n`,
    opencl: cudaOnly ? undefined : `${OPENCL}__kernel void k(${ofOpencl.join(', ')}) {\n  ${text}\n}\n`,
    global,
    local,
    args,
    result,
  };
});
