import { getFloat16, setFloat16 } from '@petamoriken/float16';
import { int3 } from '../../../../src/cuda/kernel/vectors.ts';
import { at, kernelCase, range, sum, type Case } from '../case.ts';

/** How threads are laid over data, and odd ways to read and write it. */
export const layoutCases: readonly Case[] = [
  kernelCase({
    name: 'grid-stride-loop',
    source: `
      __global__ void axpy(double a, const double *__restrict__ x, double *__restrict__ y, size_t n)
      {
        for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)blockDim.x * gridDim.x)
          y[i] = a * __ldg(x + i) + y[i];
      }`,
    buffers: (random) => ({ x: random.doubles(10007), y: random.doubles(10007) }),
    launches: ({ x, y }) => [{ kernel: 'axpy', args: [-1.5, x, y, 10007], block: 96, grid: 7 }],
    expected: ({ x, y }) => ({ y: y.map((v, i) => -1.5 * at(x, i) + v) }),
    tolerance: { absolute: 1e-15 },
  }),

  kernelCase({
    name: 'three-dimensional-grid',
    source: `
      __global__ void where(uint3 *out, int3 size)
      {
        int x = blockIdx.x * blockDim.x + threadIdx.x;
        int y = blockIdx.y * blockDim.y + threadIdx.y;
        int z = blockIdx.z * blockDim.z + threadIdx.z;
        if (x >= size.x || y >= size.y || z >= size.z) return;
        dim3 block = blockIdx;
        uint3 thread = threadIdx;
        out[(z * size.y + y) * size.x + x] = make_uint3(
          block.x + 10 * block.y + 100 * block.z,
          thread.x + 10 * thread.y + 100 * thread.z,
          gridDim.x * gridDim.y * gridDim.z + blockDim.x * blockDim.y * blockDim.z * 1000 + warpSize * 1000000);
      }`,
    buffers: () => ({ out: new Uint32Array(3 * 11 * 7 * 5) }),
    launches: ({ out }) => [{ kernel: 'where', args: [out, int3(11, 7, 5)], block: [4, 3, 2], grid: [3, 3, 3] }],
    expected: () => ({
      out: range(385, (i) => {
        const cell = [i % 11, Math.floor(i / 11) % 7, Math.floor(i / 77)];
        const block = [4, 3, 2];
        const decimal = (of: (c: number, b: number) => number): number =>
          sum(3, (k) => 10 ** k * of(at(cell, k), at(block, k)));
        return [decimal((c, b) => Math.floor(c / b)), decimal((c, b) => c % b), 27 + 24_000 + 32_000_000];
      }).flat(),
    }),
  }),

  kernelCase({
    name: 'pitched-rows',
    source: `
      // Rows that begin at multiples of a pitch in bytes, as pitched allocations have them.
      __global__ void column_sums(const char *base, size_t pitch, int rows, int columns, float *sums)
      {
        int c = blockIdx.x * blockDim.x + threadIdx.x;
        if (c >= columns) return;
        float sum = 0;
        for (int r = 0; r < rows; r++) {
          const float *row = (const float *)(base + r * pitch);
          sum += row[c];
        }
        sums[c] = sum;
      }`,
    buffers: (random) => ({ base: random.floats(12 * 32), sums: new Float32Array(27) }),
    launches: ({ base, sums }) => [{ kernel: 'column_sums', args: [base, 128, 12, 27, sums], block: 16, grid: 2 }],
    expected: ({ base }) => ({ sums: range(27, (c) => sum(12, (r) => at(base, r * 32 + c))) }),
    tolerance: { absolute: 2e-6 },
  }),

  kernelCase({
    name: 'booleans-and-enums',
    source: `
      enum Mode { KEEP, FLIP = 5, CLEAR };
      __global__ void apply(bool *flags, const bool *mask, Mode mode, bool strict, int n)
      {
        int i = threadIdx.x;
        if (i >= n) return;
        bool flag = flags[i];
        if (mode == FLIP) flag = !flag;
        if (mode == CLEAR) flag = false;
        flags[i] = strict ? flag && mask[i] : flag || mask[i];
      }`,
    buffers: (random) => ({ flags: random.bytes(45, 0, 2), mask: random.bytes(45, 0, 2) }),
    launches: ({ flags, mask }) => [
      { kernel: 'apply', args: [flags, mask, 5, true, 45], block: 64 },
      { kernel: 'apply', args: [flags, mask, 0, true, 40], block: 64 },
      { kernel: 'apply', args: [flags, mask, 6, false, 9], block: 64 },
    ],
    expected: ({ flags, mask }) => ({ flags: flags.map((v, i) => (i < 9 ? at(mask, i) : (1 - v) * at(mask, i))) }),
  }),

  kernelCase({
    name: 'bytes-of-structs',
    source: `
      #pragma pack(push, 1)
      struct Packed { char tag; short id; float3 at; };
      #pragma pack(pop)
      struct Loose { char tag; double value; short tail; };
      __global__ void copy(const unsigned char *bytes, unsigned char *out, int *sizes)
      {
        Loose loose[2];
        memset(loose, 0x11, sizeof(loose));
        memcpy(&loose[1].tag, bytes + 3, 1);
        unsigned char raw[8];
        for (int i = 0; i < 8; i++) raw[i] = bytes[i];
        memcpy(&loose[0].value, raw, 8);
        loose[1].value = -loose[0].value;
        memcpy(out, &loose[1], sizeof(Loose));
        sizes[0] = sizeof(Packed);
        sizes[1] = sizeof(Loose);
        sizes[2] = alignof(Loose);
        sizes[3] = sizeof(void *);
        sizes[4] = sizeof(size_t) + sizeof(long long) * 10;
        sizes[5] = sizeof(float3) + sizeof(float4) * 100;
      }`,
    buffers: (random) => ({ bytes: random.bytes(8), out: new Uint8Array(24), sizes: new Int32Array(6) }),
    launches: ({ bytes, out, sizes }) => [{ kernel: 'copy', args: [bytes, out, sizes], block: 1 }],
    expected: ({ bytes }) => {
      const out = new Uint8Array(24).fill(0x11);
      out[0] = at(bytes, 3);
      out.set(bytes, 8);
      out[15] = at(bytes, 7) ^ 0x80;
      return { out, sizes: [15, 24, 8, 8, 88, 1612] };
    },
  }),

  kernelCase({
    name: 'volatile-access',
    source: `
      __global__ void touch(volatile int *x, short *s, int n)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        int old = x[i];
        x[i] = old + 1;
        x[i] = x[i] * 2;
        char *base = (char *)s;
        *(short *)(base + 2 * i) = (short)(old & 0x7fff);
      }`,
    buffers: (random) => ({ x: random.ints(101, -9999, 9999), s: new Int16Array(101) }),
    launches: ({ x, s }) => [{ kernel: 'touch', args: [x, s, 101], block: 33, grid: 4 }],
    expected: ({ x }) => ({ x: x.map((v) => 2 * v + 2), s: Array.from(x, (v) => v & 0x7fff) }),
  }),

  kernelCase({
    name: 'half-precision',
    source: `
      #include <cuda_fp16.h>
      __global__ void halves(const __half *a, const __half *b, __half *sums, float *products, __half2 *pairs, int n)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        sums[i] = __hadd(a[i], b[i]);
        products[i] = __half2float(__hmul(a[i], b[i]));
        __half2 pair = __floats2half2_rn(__half2float(a[i]), (float)i / 3);
        pairs[i] = __hadd2(pair, __float2half2_rn(1.0f));
        if (__hlt(a[i], b[i])) sums[i] = __hneg(sums[i]);
      }`,
    buffers: (random) => ({
      a: Uint16Array.from(random.ints(64, -2048, 2048), (v) => halfBits(v / 1024)),
      b: Uint16Array.from(random.ints(64, -2048, 2048), (v) => halfBits(v / 1024)),
      sums: new Uint16Array(64),
      products: new Float32Array(64),
      pairs: new Uint16Array(128),
    }),
    launches: ({ a, b, sums, products, pairs }) => [
      { kernel: 'halves', args: [a, b, sums, products, pairs, 64], block: 32, grid: 2 },
    ],
    expected: ({ a, b }) => ({
      sums: range(64, (i) => {
        const [p, q] = [halfValue(at(a, i)), halfValue(at(b, i))];
        return halfBits(p + q) ^ (p < q ? 0x8000 : 0);
      }),
      products: range(64, (i) => halfValue(halfBits(halfValue(at(a, i)) * halfValue(at(b, i))))),
      pairs: range(64, (i) => [
        halfBits(halfValue(at(a, i)) + 1),
        halfBits(halfValue(halfBits(Math.fround(i / 3))) + 1),
      ]).flat(),
    }),
  }),
];

const scratch = new DataView(new ArrayBuffer(2));

function halfBits(value: number): number {
  setFloat16(scratch, 0, value);
  return scratch.getUint16(0);
}

function halfValue(bits: number): number {
  scratch.setUint16(0, bits);
  return getFloat16(scratch, 0);
}
