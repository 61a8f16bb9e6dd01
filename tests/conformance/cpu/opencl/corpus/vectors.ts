import { at, range } from '../../case.ts';
import { openCLCase, type OpenCLCase } from '../case.ts';

const n = 96;
const moved = (array: ArrayLike<number>, i: number, by: number): number =>
  at(array, 16 * Math.floor(i / 16) + ((i + by) % 16));

/** Vectors of every width: arithmetic, parts, selections. */
export const vectorCases: readonly OpenCLCase[] = [
  openCLCase({
    name: 'vector-arithmetic',
    source: `
      kernel void arithmetic(global const int4 *a, global const int4 *b, global int4 *out, int scalar) {
        size_t i = get_global_id(0);
        int4 c = a[i] * b[i] + scalar - (a[i] >> 3) ^ (b[i] << (int4)(1, 2, 3, 4));
        c += -a[i] & ~b[i] | 5;
        c.s13 %= 1000;
        out[i] = c / (int4)(3, -7, 11, 2);
      }`,
    buffers: (random) => ({ a: random.ints(4 * n), b: random.ints(4 * n), out: new Int32Array(4 * n) }),
    launches: ({ a, b, out }) => [{ kernel: 'arithmetic', args: [a, b, out, 77], global: n, local: 32 }],
    expected: ({ a, b }) => ({
      out: range(4 * n, (i) => {
        const [x, y, k] = [at(a, i), at(b, i), i % 4];
        let c = ((Math.imul(x, y) + 77 - (x >> 3)) | 0) ^ (y << (k + 1));
        c = (c + ((-x & ~y) | 5)) | 0;
        if (k % 2 === 1) c %= 1000;
        return Math.trunc(c / at([3, -7, 11, 2], k));
      }),
    }),
  }),

  openCLCase({
    name: 'bytes-in-vectors',
    source: `
      kernel void bytes(global const uchar16 *a, global uchar16 *out, global char16 *more) {
        size_t i = get_global_id(0);
        uchar16 x = a[i], y = x.s123456789abcdef0;
        out[i] = x + y;
        out[i].hi -= y.lo;
        more[i] = as_char16(x) >> (char)1;
        more[i].even = as_char8(y.odd ^ x.even);
      }`,
    buffers: (random) => ({ a: random.bytes(16 * n), out: new Uint8Array(16 * n), more: new Int8Array(16 * n) }),
    launches: ({ a, out, more }) => [{ kernel: 'bytes', args: [a, out, more], global: n, local: 16 }],
    expected: ({ a }) => ({
      out: Uint8Array.from(a, (x, i) => x + moved(a, i, 1) - (i % 16 >= 8 ? moved(a, i - 8, 1) : 0)),
      more: Int8Array.from(a, (x, i) => (i % 2 === 1 ? (x << 24) >> 25 : even(a, i))),
    }),
  }),

  openCLCase({
    name: 'swizzles',
    source: `
      kernel void swizzles(global const float8 *a, global float8 *out) {
        size_t i = get_global_id(0);
        float8 x = a[i];
        float4 y = x.s7530;
        y.xw = y.wx;
        x.lo.hi = y.yz;
        x.s67 = (float2)(x.s0, y.x);
        float3 z = y.zyx;
        out[i] = (float8)(x.s01, z, x.hi.even, x.s6);
      }`,
    buffers: (random) => ({ a: random.floats(8 * n), out: new Float32Array(8 * n) }),
    launches: ({ a, out }) => [{ kernel: 'swizzles', args: [a, out], global: n, local: null }],
    expected: ({ a }) => ({
      out: range(n, (row) => {
        const x = [...a.subarray(8 * row, 8 * row + 8)];
        const y = [at(x, 0), at(x, 5), at(x, 3), at(x, 7)];
        const s6 = at(x, 0);
        return [at(x, 0), at(x, 1), at(y, 2), at(y, 1), at(y, 0), at(x, 4), s6, s6];
      }).flat(),
    }),
  }),

  openCLCase({
    name: 'shuffles',
    source: `
      kernel void shuffles(global const ushort8 *a, global const ushort8 *masks, global ushort8 *out, global ushort4 *two) {
        size_t i = get_global_id(0);
        out[i] = shuffle(a[i], masks[i]);
        two[i] = shuffle2(a[i], a[(i + 1) % get_global_size(0)], masks[i].s0246);
      }`,
    buffers: (random) => ({
      a: Uint16Array.from(random.ints(8 * n, 0, 65536)),
      masks: Uint16Array.from(random.ints(8 * n, 0, 65536)),
      out: new Uint16Array(8 * n),
      two: new Uint16Array(4 * n),
    }),
    launches: ({ a, masks, out, two }) => [{ kernel: 'shuffles', args: [a, masks, out, two], global: n, local: 24 }],
    expected: ({ a, masks }) => ({
      out: range(8 * n, (i) => at(a, i - (i % 8) + (at(masks, i) & 7))),
      two: range(4 * n, (i) => {
        const row = Math.floor(i / 4);
        const place = at(masks, 8 * row + 2 * (i % 4)) & 15;
        return at(a, 8 * ((row + (place >> 3)) % n) + (place & 7));
      }),
    }),
  }),

  openCLCase({
    name: 'vector-choices',
    source: `
      kernel void choices(global const float4 *a, global const float4 *b, global float4 *out, global int *counts) {
        size_t i = get_global_id(0);
        float4 x = a[i], y = b[i];
        int4 less = x < y;
        out[i] = select(x, y, less) + (less ? (float4)1 : (float4)2) + bitselect(x, y, (float4)as_float(0x80000000u));
        counts[i] = any(less) + 2 * all(less) + 4 * any(isgreater(x, y * 2)) - less.x - less.w + 8 * (x.x < y.x && x.y < y.y);
      }`,
    buffers: (random) => ({
      a: random.floats(4 * n).map((x) => Math.round(x * 64) / 64),
      b: random.floats(4 * n).map((x) => Math.round(x * 64) / 64),
      out: new Float32Array(4 * n),
      counts: new Int32Array(n),
    }),
    launches: ({ a, b, out, counts }) => [{ kernel: 'choices', args: [a, b, out, counts], global: n, local: 32 }],
    expected: ({ a, b }) => ({
      out: range(4 * n, (i) => {
        const [x, y] = [at(a, i), at(b, i)];
        const negative = y < 0 || Object.is(y, -0);
        return Math.max(x, y) + (x < y ? 1 : 2) + (negative ? -Math.abs(x) : Math.abs(x));
      }),
      counts: range(n, (row) => {
        const less = range(4, (k) => at(a, 4 * row + k) < at(b, 4 * row + k));
        const more = range(4, (k) => at(a, 4 * row + k) > 2 * at(b, 4 * row + k));
        const sum = Number(less.includes(true)) + 2 * Number(!less.includes(false)) + 4 * Number(more.includes(true));
        return sum + Number(less[0]) + Number(less[3]) + 8 * Number(less[0] === true && less[1] === true);
      }),
    }),
  }),

  openCLCase({
    name: 'three-elements',
    source: `
      kernel void triples(global const float *packed, global float3 *loose, global float *out) {
        size_t i = get_global_id(0);
        float3 v = vload3(i, packed);
        loose[i] = v.yzx * 2;
        vstore3(cross(v, loose[i]), i, out);
      }`,
    buffers: (random) => ({
      packed: random.floats(3 * n).map((x) => Math.round(x * 256) / 256),
      loose: new Float32Array(4 * n),
      out: new Float32Array(3 * n),
    }),
    launches: ({ packed, loose, out }) => [{ kernel: 'triples', args: [packed, loose, out], global: n, local: 32 }],
    expected: ({ packed }) => ({
      out: range(n, (row) => {
        const [a, b, c] = [at(packed, 3 * row), at(packed, 3 * row + 1), at(packed, 3 * row + 2)];
        const [d, e, f] = [2 * b, 2 * c, 2 * a];
        return [b * f - c * e, c * d - a * f, a * e - b * d];
      }).flat(),
    }),
  }),

  openCLCase({
    name: 'wide-vectors',
    source: `
      kernel void wide(global const double16 *a, global const long8 *b, global double16 *out, global long8 *sums) {
        size_t i = get_global_id(0);
        double16 x = a[i];
        out[i] = x * x.hi.s7 + (double16)(x.lo, x.lo);
        long8 y = b[i];
        sums[i] = y * y.s76543210 - (y >> 7);
      }`,
    buffers: (random) => ({
      a: random.doubles(16 * 24),
      b: random.longs(8 * 24),
      out: new Float64Array(16 * 24),
      sums: new BigInt64Array(8 * 24),
    }),
    launches: ({ a, b, out, sums }) => [{ kernel: 'wide', args: [a, b, out, sums], global: 24, local: 8 }],
    expected: ({ a, b }) => ({
      out: range(16 * 24, (i) => at(a, i) * at(a, i - (i % 16) + 15) + at(a, i - (i % 16) + (i % 8))),
      sums: BigInt64Array.from(b, (y, i) => y * (b[i - (i % 8) + 7 - (i % 8)] ?? 0n) - (y >> 7n)),
    }),
    // A device may make one rounding of two.
    tolerance: { relative: 1e-15, absolute: 1e-15 },
  }),
];

/** The even elements: y.odd ^ x.even, where y is x moved by one. */
function even(a: ArrayLike<number>, i: number): number {
  const row = 16 * Math.floor(i / 16);
  const k = (i % 16) / 2;
  return ((at(a, row + ((2 * k + 2) % 16)) ^ at(a, row + 2 * k)) << 24) >> 24;
}
