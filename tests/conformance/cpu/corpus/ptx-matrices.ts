import { at, kernelCase, range, sum, type Case } from '../case.ts';

/** The bits of a small integer as half, bfloat16 or tf32. */
const halfOf = (x: number): number => {
  if (x === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(x)));
  return (x < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | Math.round((Math.abs(x) / 2 ** exponent - 1) * 1024);
};
const floatBits = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0] ?? 0;
const bfloatOf = (x: number): number => floatBits(x) >>> 16;

/** A product of matrices of integers by one warp. `k` elements of A's rows, `per` in a word. */
function productCase(
  name: string,
  { k, per, types, words }: { k: number; per: number; types: string; words: { a: number; b: number } },
  bitsOf: (x: number) => number,
): Case {
  const isInteger = types.startsWith('s32');
  const list = (from: number, count: number): string => range(count, (i) => `%${from + i}`).join(', ');
  const letter = isInteger ? 'r' : 'f';
  const type = isInteger ? 'int' : 'float';
  return kernelCase({
    name,
    // Fragments as the PTX ISA's figures have them: group of four lanes by row (or column of B), place in the group.
    source: `
      extern "C" __global__ void product(const unsigned *a, const unsigned *b, const ${type} *c, ${type} *d)
      {
        int lane = threadIdx.x & 31, group = lane / 4, place = lane % 4, warp = threadIdx.x / 32;
        const int row = ${k / per};
        a += warp * 16 * row; b += warp * 8 * row; c += warp * 128; d += warp * 128;
        unsigned x[${words.a}], y[${words.b}];
        for (int i = 0; i < ${words.a}; i++) x[i] = a[(group + i % 2 * 8) * row + place + i / 2 * 4];
        for (int i = 0; i < ${words.b}; i++) y[i] = b[group * row + place + i * 4];
        const ${type} *from = c + group * 8 + 2 * place;
        ${type} s[4] = {from[0], from[1], from[64], from[65]};
        asm volatile("mma.sync.aligned.m16n8k${k}.row.col.${types} {${list(0, 4)}}, {${list(4, words.a)}}, {${list(4 + words.a, words.b)}}, {${list(0, 4)}};"
                     : ${range(4, (i) => `"+${letter}"(s[${i}])`).join(', ')}
                     : ${range(words.a, (i) => `"r"(x[${i}])`).join(', ')}, ${range(words.b, (i) => `"r"(y[${i}])`).join(', ')});
        ${type} *to = d + group * 8 + 2 * place;
        to[0] = s[0]; to[1] = s[1]; to[64] = s[2]; to[65] = s[3];
      }`,
    buffers: (random) => {
      const matrix = (rows: number): Uint32Array<ArrayBuffer> =>
        Uint32Array.from(range((2 * rows * k) / per), () =>
          range(per).reduceRight((word) => ((word * 2 ** (32 / per)) >>> 0) + bitsOf(random.integer(-9, 10)), 0),
        );
      const c = random.ints(256, -50, 51);
      return {
        a: matrix(16),
        b: matrix(8),
        c: isInteger ? c : Float32Array.from(c),
        d: isInteger ? new Int32Array(256) : new Float32Array(256),
      };
    },
    launches: ({ a, b, c, d }) => [{ kernel: 'product', args: [a, b, c, d], block: 64 }],
    expected: ({ a, b, c }) => {
      const values = new Map(range(19, (i) => [bitsOf(i - 9), i - 9]));
      const element = (matrix: Uint32Array, i: number): number => {
        const word = at(matrix, Math.floor(i / per));
        const bits = Math.floor(word / 2 ** ((i % per) * (32 / per))) % 2 ** (32 / per);
        return values.get(bits) ?? NaN;
      };
      const results = range(256, (i) => {
        const [warp, m, n] = [Math.floor(i / 128), Math.floor(i / 8) % 16, i % 8];
        const [left, right] = [(warp * 16 + m) * k, (warp * 8 + n) * k];
        return at(c, i) + sum(k, (j) => element(a, left + j) * element(b, right + j));
      });
      return { d: isInteger ? Int32Array.from(results) : Float32Array.from(results) };
    },
  });
}

/** Inline PTX: matrices of a warp. All numbers are small integers, so that no order of sums matters. */
export const ptxMatrixCases: readonly Case[] = [
  productCase('ptx-product-of-halves', { k: 16, per: 2, types: 'f32.f16.f16.f32', words: { a: 4, b: 2 } }, halfOf),
  productCase('ptx-short-product-of-halves', { k: 8, per: 2, types: 'f32.f16.f16.f32', words: { a: 2, b: 1 } }, halfOf),
  productCase('ptx-product-of-bfloats', { k: 16, per: 2, types: 'f32.bf16.bf16.f32', words: { a: 4, b: 2 } }, bfloatOf),
  productCase('ptx-product-of-tf32', { k: 8, per: 1, types: 'f32.tf32.tf32.f32', words: { a: 4, b: 2 } }, floatBits),
  productCase('ptx-product-of-bytes', { k: 32, per: 4, types: 's32.s8.s8.s32', words: { a: 4, b: 2 } }, (x) => x & 255),
  kernelCase({
    name: 'ptx-matrix-loads',
    source: `
      extern "C" __global__ void loads(const unsigned short *x, unsigned *out)
      {
        __shared__ __align__(16) unsigned short s[4 * 64];
        int t = threadIdx.x;
        for (int i = t; i < 256; i += 32) s[i] = x[i];
        __syncthreads();
        unsigned row = (unsigned)__cvta_generic_to_shared(s + 8 * t), r[8];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row) : "memory");
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(r[4]), "=r"(r[5]) : "r"(row) : "memory");
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16 {%0}, [%1];" : "=r"(r[6]) : "r"(row) : "memory");
        for (int i = 0; i < 7; i++) out[32 * i + t] = r[i];
      }`,
    buffers: (random) => ({ x: Uint16Array.from(random.uints(256, 0, 65536)), out: new Uint32Array(224) }),
    launches: ({ x, out }) => [{ kernel: 'loads', args: [x, out], block: 32 }],
    expected: ({ x }) => {
      const element = (matrix: number, row: number, column: number): number => at(x, 64 * matrix + 8 * row + column);
      const along =
        (matrix: number) =>
        (lane: number): number => {
          const [row, column] = [lane >> 2, (lane & 3) * 2];
          return element(matrix, row, column) + element(matrix, row, column + 1) * 65536;
        };
      const across =
        (matrix: number) =>
        (lane: number): number => {
          const [column, row] = [lane >> 2, (lane & 3) * 2];
          return element(matrix, row, column) + element(matrix, row + 1, column) * 65536;
        };
      return {
        out: Uint32Array.from(
          [along(0), along(1), along(2), along(3), across(0), across(1), along(0)].flatMap((of) => range(32, of)),
        ),
      };
    },
  }),
];
