import { at, kernelCase, range, sum, type Case } from '../case.ts';

const header = `
      #include <mma.h>
      using namespace nvcuda;`;

/** The product of two matrices, each read by its own rule. */
function product(
  rows: number,
  columns: number,
  depth: number,
  a: (row: number, k: number) => number,
  b: (k: number, column: number) => number,
): number[] {
  return range(rows * columns, (i) => {
    const [row, column] = [Math.floor(i / columns), i % columns];
    return sum(depth, (k) => a(row, k) * b(k, column));
  });
}

const bits = (word: number): number => sum(32, (i) => (word >>> i) & 1);
/** The signed four bits at a place. */
const nibble = (words: ArrayLike<number>, i: number): number => ((at(words, i >> 3) >> (4 * (i & 7))) << 28) >> 28;

/** Products of matrices by warps: `nvcuda::wmma`. All sums are small integers or fractions, and so exact. */
export const fragmentCases: readonly Case[] = [
  kernelCase({
    name: 'wmma-tiles-of-a-product',
    source: `${header}
      template <class LayoutB> __device__ void tile(const half *a, const half *b, float *c, int n, int depth)
      {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, LayoutB> fb;
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
        wmma::fill_fragment(sum, 0.0f);
        int warp = threadIdx.x / 32 + blockIdx.x * (blockDim.x / 32);
        int row = warp / (n / 16) * 16, column = warp % (n / 16) * 16;
        for (int k = 0; k < depth; k += 16) {
          wmma::load_matrix_sync(fa, a + row * depth + k, depth);
          wmma::load_matrix_sync(fb, b + column * depth + k, depth);
          wmma::mma_sync(sum, fa, fb, sum);
        }
        for (int i = 0; i < sum.num_elements; i++) sum.x[i] = 2 * sum.x[i] + 1;
        wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
      }
      __global__ void halves(const float *x, half *h, int n)
      {
        for (int i = threadIdx.x; i < n; i += blockDim.x) h[i] = __float2half(x[i]);
      }
      __global__ void multiply(const half *a, const half *b, float *c, int n, int depth)
      {
        tile<wmma::col_major>(a, b, c, n, depth);
      }`,
    buffers: (random) => ({
      x: Float32Array.from(random.ints(48 * 48 + 32 * 48, -8, 9), (v) => v / 4),
      h: new Uint16Array(48 * 48 + 32 * 48),
      c: new Float32Array(48 * 32),
    }),
    launches: ({ x, h, c }) => [
      { kernel: 'halves', args: [x, h, 48 * 48 + 32 * 48], block: 128 },
      { kernel: 'multiply', args: [h, h.ptr + 2n * 48n * 48n, c, 32, 48], block: 96, grid: 2 },
    ],
    expected: ({ x }) => ({
      c: product(
        48,
        32,
        48,
        (row, k) => at(x, row * 48 + k),
        (k, column) => at(x, 48 * 48 + column * 48 + k),
      ).map((v) => 2 * v + 1),
    }),
  }),

  kernelCase({
    name: 'wmma-half-accumulators',
    source: `${header}
      __global__ void multiply(const float *a, const float *b, const float *c, float *out)
      {
        __shared__ half s[3][256];
        for (int i = threadIdx.x; i < 256; i += 32) {
          s[0][i] = __float2half(a[i]);
          s[1][i] = __float2half(b[i]);
          s[2][i] = __float2half(c[i]);
        }
        __syncwarp();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major> fa;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
        wmma::fragment<wmma::accumulator, 16, 16, 16, half> fc, fd;
        wmma::load_matrix_sync(fa, s[0], 16);
        wmma::load_matrix_sync(fb, s[1], 16);
        wmma::load_matrix_sync(fc, s[2], 16, wmma::mem_col_major);
        wmma::mma_sync(fd, fa, fb, fc);
        wmma::store_matrix_sync(s[2], fd, 16, wmma::mem_col_major);
        __syncwarp();
        for (int i = threadIdx.x; i < 256; i += 32) out[i] = __half2float(s[2][i]);
      }`,
    buffers: (random) => ({
      a: Float32Array.from(random.ints(256, -4, 5)),
      b: Float32Array.from(random.ints(256, -4, 5)),
      c: Float32Array.from(random.ints(256, -100, 100)),
      out: new Float32Array(256),
    }),
    launches: ({ a, b, c, out }) => [{ kernel: 'multiply', args: [a, b, c, out], block: 32 }],
    expected: ({ a, b, c }) => {
      const ab = product(
        16,
        16,
        16,
        (row, k) => at(a, k * 16 + row),
        (k, column) => at(b, k * 16 + column),
      );
      return { out: range(256, (i) => at(ab, (i % 16) * 16 + Math.floor(i / 16)) + at(c, i)) };
    },
  }),

  kernelCase({
    name: 'wmma-oblong-shapes-of-bfloat16',
    source: `${header}
      template <int M, int N> __global__ void multiply(const float *a, const float *b, float *out)
      {
        __shared__ __nv_bfloat16 sa[M * 16], sb[16 * N];
        for (int i = threadIdx.x; i < M * 16; i += 32) sa[i] = __float2bfloat16(a[i]);
        for (int i = threadIdx.x; i < 16 * N; i += 32) sb[i] = __float2bfloat16(b[i]);
        __syncthreads();
        wmma::fragment<wmma::matrix_a, M, N, 16, __nv_bfloat16, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, M, N, 16, __nv_bfloat16, wmma::row_major> fb;
        wmma::fragment<wmma::accumulator, M, N, 16, float> sum;
        wmma::fill_fragment(sum, 0.5f);
        wmma::load_matrix_sync(fa, sa, 16);
        wmma::load_matrix_sync(fb, sb, N);
        wmma::mma_sync(sum, fa, fb, sum);
        wmma::store_matrix_sync(out, sum, N, wmma::mem_row_major);
      }`,
    nameExpressions: ['multiply<32, 8>', 'multiply<8, 32>'],
    buffers: (random) => ({
      a: Float32Array.from(random.ints(512, -16, 17)),
      b: Float32Array.from(random.ints(512, -16, 17)),
      tall: new Float32Array(256),
      wide: new Float32Array(256),
    }),
    launches: ({ a, b, tall, wide }) => [
      { kernel: 'multiply<32, 8>', args: [a, b, tall], block: 32 },
      { kernel: 'multiply<8, 32>', args: [a, b, wide], block: 32 },
    ],
    expected: ({ a, b }) => {
      const of = (m: number, n: number): number[] =>
        product(
          m,
          n,
          16,
          (row, k) => at(a, row * 16 + k),
          (k, column) => at(b, k * n + column),
        ).map((v) => v + 0.5);
      return { tall: of(32, 8), wide: of(8, 32) };
    },
  }),

  kernelCase({
    name: 'wmma-tf32',
    source: `${header}
      __global__ void multiply(const float *a, const float *b, float *out, float *rounded)
      {
        wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> fb;
        wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
        wmma::fill_fragment(sum, 0.0f);
        wmma::load_matrix_sync(fa, a, 8);
        wmma::load_matrix_sync(fb, b, 8);
        for (int i = 0; i < fa.num_elements; i++) fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
        for (int i = 0; i < fb.num_elements; i++) fb.x[i] = wmma::__float_to_tf32(fb.x[i]);
        wmma::mma_sync(sum, fa, fb, sum);
        wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
        for (int i = threadIdx.x; i < 128; i += 32) rounded[i] = wmma::__float_to_tf32(a[i]);
      }`,
    buffers: (random) => ({
      a: random.floats(128, -2, 2),
      b: Float32Array.from(random.ints(128, -2, 3)),
      out: new Float32Array(256),
      rounded: new Float32Array(128),
    }),
    launches: ({ a, b, out, rounded }) => [{ kernel: 'multiply', args: [a, b, out, rounded], block: 32 }],
    expected: ({ a, b }) => {
      // Eleven digits, halves away from zero.
      const rounded = Float32Array.from(a, (v) => {
        const unit = 2 ** (Math.floor(Math.log2(Math.abs(v))) - 10);
        return Math.sign(v) * Math.floor(Math.abs(v) / unit + 0.5) * unit;
      });
      return {
        rounded,
        out: product(
          16,
          16,
          8,
          (row, k) => at(rounded, row * 8 + k),
          (k, column) => at(b, column * 8 + k),
        ),
      };
    },
    tolerance: { absolute: 1e-5 },
  }),

  kernelCase({
    name: 'wmma-doubles',
    source: `${header}
      __global__ void multiply(const double *a, const double *b, double *c)
      {
        wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> fb;
        wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
        wmma::load_matrix_sync(sum, c, 8, wmma::mem_row_major);
        for (int k = 0; k < 12; k += 4) {
          wmma::load_matrix_sync(fa, a + k, 12);
          wmma::load_matrix_sync(fb, b + k * 8, 8);
          wmma::mma_sync(sum, fa, fb, sum);
        }
        wmma::store_matrix_sync(c, sum, 8, wmma::mem_row_major);
      }`,
    buffers: (random) => ({
      a: Float64Array.from(random.ints(96, -1000, 1000)),
      b: Float64Array.from(random.ints(96, -1000, 1000)),
      c: Float64Array.from(random.ints(64, -1000, 1000)),
    }),
    launches: ({ a, b, c }) => [{ kernel: 'multiply', args: [a, b, c], block: 32 }],
    expected: ({ a, b, c }) => ({
      c: product(
        8,
        8,
        12,
        (row, k) => at(a, row * 12 + k),
        (k, column) => at(b, k * 8 + column),
      ).map((v, i) => v + at(c, i)),
    }),
  }),

  kernelCase({
    name: 'wmma-bytes',
    source: `${header}
      template <class T> __global__ void multiply(const T *a, const T *b, int *out, int start, bool saturate)
      {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::col_major> fb;
        wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
        wmma::fill_fragment(sum, start);
        wmma::load_matrix_sync(fa, a, 16);
        wmma::load_matrix_sync(fb, b, 16);
        wmma::mma_sync(sum, fa, fb, sum, saturate);
        wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
      }`,
    nameExpressions: ['multiply<signed char>', 'multiply<unsigned char>'],
    buffers: (random) => ({
      a: random.bytes(256),
      b: random.bytes(256),
      signed: new Int32Array(256),
      held: new Int32Array(256),
      unsigned: new Int32Array(256),
    }),
    launches: ({ a, b, signed, held, unsigned }) => [
      { kernel: 'multiply<signed char>', args: [a, b, signed, 7, false], block: 32 },
      { kernel: 'multiply<signed char>', args: [a, b, held, 0x7fff_ffff, true], block: 32 },
      { kernel: 'multiply<unsigned char>', args: [a, b, unsigned, 0, false], block: 32 },
    ],
    expected: ({ a, b }) => {
      const of = (x: ArrayLike<number>, y: ArrayLike<number>): number[] =>
        product(
          16,
          16,
          16,
          (row, k) => at(x, row * 16 + k),
          (k, column) => at(y, column * 16 + k),
        );
      const signed = of(Int8Array.from(a), Int8Array.from(b));
      return {
        signed: signed.map((v) => v + 7),
        held: signed.map((v) => Math.min(v + 0x7fff_ffff, 0x7fff_ffff)),
        unsigned: of(a, b),
      };
    },
  }),

  kernelCase({
    name: 'wmma-bits-and-nibbles',
    source: `${header}
      using namespace wmma::experimental;
      __global__ void bits(const int *a, const int *b, int *differ, int *common)
      {
        wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> fb;
        wmma::fragment<wmma::accumulator, 8, 8, 128, int> sum;
        wmma::load_matrix_sync(fa, a, 128);
        wmma::load_matrix_sync(fb, b, 128);
        wmma::fill_fragment(sum, 0);
        wmma::bmma_sync(sum, fa, fb, sum, bmmaBitOpXOR);
        wmma::store_matrix_sync(differ, sum, 8, wmma::mem_row_major);
        wmma::fill_fragment(sum, 3);
        wmma::bmma_sync(sum, fa, fb, sum, bmmaBitOpAND);
        wmma::store_matrix_sync(common, sum, 8, wmma::mem_row_major);
      }
      __global__ void nibbles(const int *a, const int *b, int *out)
      {
        wmma::fragment<wmma::matrix_a, 8, 8, 32, precision::s4, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 8, 8, 32, precision::s4, wmma::col_major> fb;
        wmma::fragment<wmma::accumulator, 8, 8, 32, int> sum;
        wmma::load_matrix_sync(fa, a, 32);
        wmma::load_matrix_sync(fb, b, 32);
        wmma::fill_fragment(sum, 0);
        wmma::mma_sync(sum, fa, fb, sum);
        wmma::store_matrix_sync(out, sum, 8, wmma::mem_row_major);
      }`,
    buffers: (random) => ({
      a: random.ints(32),
      b: random.ints(32),
      differ: new Int32Array(64),
      common: new Int32Array(64),
      out: new Int32Array(64),
    }),
    launches: ({ a, b, differ, common, out }) => [
      { kernel: 'bits', args: [a, b, differ, common], block: 32 },
      { kernel: 'nibbles', args: [a, b, out], block: 32 },
    ],
    expected: ({ a, b }) => {
      const pairs = (of: (x: number, y: number) => number): number[] =>
        range(64, (i) => sum(4, (word) => of(at(a, (i >> 3) * 4 + word), at(b, (i & 7) * 4 + word))));
      return {
        differ: pairs((x, y) => bits(x ^ y)),
        common: pairs((x, y) => bits(x & y)).map((v) => v + 3),
        out: product(
          8,
          8,
          32,
          (row, k) => nibble(a, row * 32 + k),
          (k, column) => nibble(b, column * 32 + k),
        ),
      };
    },
  }),

  kernelCase({
    name: 'wmma-warps-share-tiles',
    source: `${header}
      __global__ void multiply(const float *a, const float *b, float *c, int n)
      {
        __shared__ half sa[32][24], sb[16][40];
        __shared__ float sc[4][16 * 20];
        int warp = threadIdx.x / 32, row = warp / 2 * 16, column = warp % 2 * 16;
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
        wmma::fill_fragment(sum, 0.0f);
        for (int k = 0; k < n; k += 16) {
          for (int i = threadIdx.x; i < 512; i += blockDim.x) {
            sa[i / 16][i % 16] = __float2half(a[i / 16 * n + k + i % 16]);
            sb[i / 32][i % 32] = __float2half(b[(k + i / 32) * 32 + i % 32]);
          }
          __syncthreads();
          wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
          wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
          wmma::load_matrix_sync(fa, &sa[row][0], 24);
          wmma::load_matrix_sync(fb, &sb[0][column], 40);
          wmma::mma_sync(sum, fa, fb, sum);
          __syncthreads();
        }
        wmma::store_matrix_sync(sc[warp], sum, 20, wmma::mem_row_major);
        __syncwarp();
        for (int i = threadIdx.x % 32; i < 256; i += 32) c[(row + i / 16) * 32 + column + i % 16] = sc[warp][i / 16 * 20 + i % 16];
      }`,
    buffers: (random) => ({
      a: Float32Array.from(random.ints(32 * 64, -8, 9)),
      b: Float32Array.from(random.ints(64 * 32, -8, 9)),
      c: new Float32Array(32 * 32),
    }),
    launches: ({ a, b, c }) => [{ kernel: 'multiply', args: [a, b, c, 64], block: 128 }],
    expected: ({ a, b }) => ({
      c: product(
        32,
        32,
        64,
        (row, k) => at(a, row * 64 + k),
        (k, column) => at(b, k * 32 + column),
      ),
    }),
  }),
];
