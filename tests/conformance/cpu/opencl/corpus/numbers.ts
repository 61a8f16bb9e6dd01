import { Float16Array } from '@petamoriken/float16';
import { at, range } from '../../case.ts';
import { openCLCase, type OpenCLCase } from '../case.ts';

const n = 192;
const clamp = (x: number, low: number, high: number): number => Math.min(high, Math.max(low, x));
const nearest = (x: number): number => {
  const below = Math.floor(x);
  const rest = x - below;
  return rest > 0.5 || (rest === 0.5 && below % 2 !== 0) ? below + 1 : below;
};
const bits = (array: Float16Array): Uint16Array<ArrayBuffer> => new Uint16Array(array.buffer as ArrayBuffer);

/** Conversions, and arithmetic of every size. */
export const numberCases: readonly OpenCLCase[] = [
  openCLCase({
    name: 'conversions-from-float',
    source: `
      kernel void from_float(global const float4 *x, global uchar4 *a, global char4 *b, global short4 *c, global int4 *d) {
        size_t i = get_global_id(0);
        a[i] = convert_uchar4_sat_rte(x[i]);
        b[i] = convert_char4_sat(x[i]);
        c[i] = convert_short4_sat_rtp(x[i] * 100);
        d[i] = convert_int4_rtn(x[i]);
      }`,
    buffers: (random) => ({
      x: random.floats(4 * n, -400, 400).map((x) => Math.round(x * 4) / 4),
      a: new Uint8Array(4 * n),
      b: new Int8Array(4 * n),
      c: new Int16Array(4 * n),
      d: new Int32Array(4 * n),
    }),
    launches: ({ x, a, b, c, d }) => [{ kernel: 'from_float', args: [x, a, b, c, d], global: n, local: 64 }],
    expected: ({ x }) => ({
      a: Array.from(x, (v) => clamp(nearest(v), 0, 255)),
      b: Array.from(x, (v) => clamp(Math.trunc(v), -128, 127)),
      c: Array.from(x, (v) => clamp(Math.ceil(v * 100), -32768, 32767)),
      d: Array.from(x, (v) => Math.floor(v)),
    }),
  }),

  openCLCase({
    name: 'conversions-between-integers',
    source: `
      kernel void between(global const int2 *x, global uchar2 *a, global short2 *b, global ulong2 *c, global uint2 *d) {
        size_t i = get_global_id(0);
        a[i] = convert_uchar2_sat(x[i]);
        b[i] = convert_short2(x[i]);
        c[i] = convert_ulong2_sat(x[i]) + convert_ulong2(convert_long2(x[i]));
        d[i] = convert_uint2_sat(x[i]) ^ as_uint2(x[i]);
      }`,
    buffers: (random) => ({
      x: random.ints(2 * n).map((v, i) => (i % 2 === 0 ? v : v >> 20)),
      a: new Uint8Array(2 * n),
      b: new Int16Array(2 * n),
      c: new BigUint64Array(2 * n),
      d: new Uint32Array(2 * n),
    }),
    launches: ({ x, a, b, c, d }) => [{ kernel: 'between', args: [x, a, b, c, d], global: n, local: 64 }],
    expected: ({ x }) => ({
      a: Array.from(x, (v) => clamp(v, 0, 255)),
      b: Int16Array.from(x),
      c: BigUint64Array.from(x, (v) => BigInt(Math.max(v, 0)) + BigInt.asUintN(64, BigInt(v))),
      d: Uint32Array.from(x, (v) => Math.max(v, 0) ^ v),
    }),
  }),

  openCLCase({
    name: 'conversions-to-float',
    source: `
      kernel void to_float(global const int *x, global float *a, global float *b, global float *c, global float *d) {
        size_t i = get_global_id(0);
        a[i] = x[i];
        b[i] = convert_float_rtz(x[i]);
        c[i] = convert_float_rtp(x[i]);
        d[i] = convert_float_rtn(x[i]);
      }`,
    buffers: (random) => ({
      x: random.ints(n),
      ...{ a: new Float32Array(n), b: new Float32Array(n), c: new Float32Array(n), d: new Float32Array(n) },
    }),
    launches: ({ x, a, b, c, d }) => [{ kernel: 'to_float', args: [x, a, b, c, d], global: n, local: 64 }],
    expected: ({ x }) => {
      const step = (v: number): number => 2 ** Math.max(0, Math.floor(Math.log2(Math.abs(v) || 1)) - 23);
      return {
        a: Array.from(x, Math.fround),
        b: Array.from(x, (v) => Math.trunc(v / step(v)) * step(v)),
        c: Array.from(x, (v) => Math.ceil(v / step(v)) * step(v)),
        d: Array.from(x, (v) => Math.floor(v / step(v)) * step(v)),
      };
    },
  }),

  openCLCase({
    name: 'small-integers',
    source: `
      kernel void small(global const char *x, global const uchar *y, global char *a, global uchar *b, global short *c, global ushort *d) {
        size_t i = get_global_id(0);
        char u = x[i];
        uchar v = y[i];
        a[i] = u * 3 - v;
        b[i] = (v << 3) + (v >> 5) + u;
        c[i] = (short)(u * 300) / (short)7;
        d[i] = (ushort)(v * 999) % (ushort)101;
        a[i] = add_sat(a[i], u);
        b[i] = abs_diff(b[i], v) + rotate(v, (uchar)3);
      }`,
    buffers: (random) => ({
      x: Int8Array.from(random.ints(n, -128, 128)),
      y: random.bytes(n),
      a: new Int8Array(n),
      b: new Uint8Array(n),
      c: new Int16Array(n),
      d: new Uint16Array(n),
    }),
    launches: ({ x, y, a, b, c, d }) => [{ kernel: 'small', args: [x, y, a, b, c, d], global: n, local: 48 }],
    expected: ({ x, y }) => ({
      a: range(n, (i) => clamp((((at(x, i) * 3 - at(y, i)) << 24) >> 24) + at(x, i), -128, 127)),
      b: Uint8Array.from(y, (v, i) => Math.abs((((v << 3) + (v >> 5) + at(x, i)) & 255) - v) + ((v << 3) | (v >> 5))),
      c: Array.from(x, (u) => Math.trunc((((u * 300) << 16) >> 16) / 7)),
      d: Array.from(y, (v) => ((v * 999) & 65535) % 101),
    }),
  }),

  openCLCase({
    name: 'long-integers',
    source: `
      kernel void longs(global const long *x, global const long *y, global long *a, global ulong *b, global ulong *c) {
        size_t i = get_global_id(0);
        long u = x[i], v = y[i];
        a[i] = u / (v >> 40 | 1) + u % 1000003 - (u << 5);
        b[i] = mul_hi((ulong)u, (ulong)v) ^ rotate((ulong)u, (ulong)17);
        c[i] = clz(u) + 100 * popcount(v) + 10000 * (u < v) + hadd((ulong)u, (ulong)v);
        a[i] = sub_sat(a[i], max(u, v));
      }`,
    buffers: (random) => ({
      x: random.longs(n),
      y: random.longs(n),
      a: new BigInt64Array(n),
      b: new BigUint64Array(n),
      c: new BigUint64Array(n),
    }),
    launches: ({ x, y, a, b, c }) => [{ kernel: 'longs', args: [x, y, a, b, c], global: n, local: 64 }],
    expected: ({ x, y }) => {
      const unsigned = (v: bigint): bigint => BigInt.asUintN(64, v);
      const [least, most] = [-(1n << 63n), (1n << 63n) - 1n];
      const text = (v: bigint): string => unsigned(v).toString(2).padStart(64, '0');
      const rows = Array.from(x, (u, i) => [u, y[i] ?? 0n] as const);
      return {
        a: BigInt64Array.from(rows, ([u, v]) => {
          const first = BigInt.asIntN(64, u / ((v >> 40n) | 1n) + (u % 1000003n) - (u << 5n));
          const rest = first - (u > v ? u : v);
          return rest < least ? least : rest > most ? most : rest;
        }),
        b: BigUint64Array.from(
          rows,
          ([u, v]) => ((unsigned(u) * unsigned(v)) >> 64n) ^ unsigned((unsigned(u) << 17n) | (unsigned(u) >> 47n)),
        ),
        c: BigUint64Array.from(rows, ([u, v]) => {
          const ones = text(v).replaceAll('0', '').length;
          const zeros = `${text(u)}1`.indexOf('1');
          return BigInt(zeros + 100 * ones + (u < v ? 10000 : 0)) + ((unsigned(u) + unsigned(v)) >> 1n);
        }),
      };
    },
  }),

  openCLCase({
    name: 'integer-functions',
    source: `
      kernel void functions(global const int *x, global const int *y, global int *a, global uint *b) {
        size_t i = get_global_id(0);
        int u = x[i], v = y[i];
        a[i] = mad24(u >> 9, v >> 9, u) + mul_hi(u, v) + clamp(u, -1000, 1000) + min(u, v);
        b[i] = abs(u) + mad_sat((uint)u, 3u, (uint)v) + rhadd((uint)u, (uint)v) + upsample((ushort)u, (ushort)v);
      }`,
    buffers: (random) => ({ x: random.ints(n), y: random.ints(n), a: new Int32Array(n), b: new Uint32Array(n) }),
    launches: ({ x, y, a, b }) => [{ kernel: 'functions', args: [x, y, a, b], global: n, local: 64 }],
    expected: ({ x, y }) => ({
      a: Int32Array.from(x, (u, i) => {
        const v = at(y, i);
        const high = Number((BigInt(u) * BigInt(v)) >> 32n);
        return Math.imul(u >> 9, v >> 9) + u + high + clamp(u, -1000, 1000) + Math.min(u, v);
      }),
      b: Uint32Array.from(x, (u, i) => {
        const v = at(y, i);
        const mean = Math.floor(((u >>> 0) + (v >>> 0) + 1) / 2);
        return (
          Math.abs(u) + Math.min(2 ** 32 - 1, (u >>> 0) * 3 + (v >>> 0)) + mean + (((u & 65535) << 16) | (v & 65535))
        );
      }),
    }),
  }),

  openCLCase({
    name: 'halves-in-memory',
    source: `
      kernel void stored_halves(global const half *x, global float *y, global half *z) {
        size_t i = get_global_id(0);
        float2 v = vload_half2(i, x);
        vstore2(v, i, y);
        vstore_half_rtz(v.x * 1.1f, 2 * i, z);
        vstore_half(v.y / 3, 2 * i + 1, z);
      }`,
    buffers: (random) => ({
      x: bits(Float16Array.from(random.floats(2 * n, -100, 100))),
      y: new Float32Array(2 * n),
      z: new Uint16Array(2 * n),
    }),
    launches: ({ x, y, z }) => [{ kernel: 'stored_halves', args: [x, y, z], global: n, local: 64 }],
    expected: ({ x }) => {
      const values = new Float16Array(x.buffer);
      const cut = (v: number): number => {
        const step = 2 ** Math.max(-24, Math.floor(Math.log2(Math.abs(v))) - 10);
        return Math.trunc(v / step) * step;
      };
      const stored = Float16Array.from(values, (v, i) =>
        i % 2 === 0 ? cut(Math.fround(v * Math.fround(1.1))) : Math.fround(v / 3),
      );
      return { y: [...values], z: bits(stored) };
    },
  }),

  openCLCase({
    name: 'half-arithmetic',
    needs: ['cl_khr_fp16'],
    options: '-cl-std=CL3.0',
    source: `
      #pragma OPENCL EXTENSION cl_khr_fp16 : enable
      kernel void half_arithmetic(global const half4 *x, global const half *y, global half4 *z, global int *order, half by) {
        size_t i = get_global_id(0);
        half4 v = x[i] * y[i] + by;
        v.s1 /= y[i];
        v.s2 = x[i].s2 < y[i] ? -v.s2 : v.s3 - v.s2;
        z[i] = v;
        order[i] = isless(x[i].x, y[i]) - any(x[i] > (half4)y[i]) + convert_int_rte(v.x);
      }`,
    buffers: (random) => ({
      x: bits(Float16Array.from(random.floats(4 * n, -20, 20))),
      y: bits(Float16Array.from(random.floats(n, 1, 20))),
      z: new Uint16Array(4 * n),
      order: new Int32Array(n),
    }),
    launches: ({ x, y, z, order }) => [
      { kernel: 'half_arithmetic', args: [x, y, z, order, 0.75], global: n, local: 64 },
    ],
    expected: ({ x, y }) => {
      const [a, b] = [new Float16Array(x.buffer), new Float16Array(y.buffer)];
      const half = new Float16Array(1);
      const h = (v: number): number => {
        half[0] = v;
        return half[0];
      };
      const rows = range(n, (i) => {
        const by = b[i] ?? 0;
        const v = range(4, (k) => h(h((a[4 * i + k] ?? 0) * by) + 0.75));
        v[1] = h(at(v, 1) / by);
        v[2] = (a[4 * i + 2] ?? 0) < by ? -at(v, 2) : h(at(v, 3) - at(v, 2));
        return v;
      });
      return {
        z: bits(Float16Array.from(rows.flat())),
        order: range(n, (i) => {
          const some = range(4, (k) => (a[4 * i + k] ?? 0) > (b[i] ?? 0)).includes(true);
          return Number((a[4 * i] ?? 0) < (b[i] ?? 0)) - Number(some) + nearest(rows[i]?.[0] ?? 0);
        }),
      };
    },
  }),

  openCLCase({
    name: 'doubles',
    source: `
      double horner(double x, constant double *c, int n) {
        double sum = c[n - 1];
        for (int k = n - 2; k >= 0; k--) sum = fma(sum, x, c[k]);
        return sum;
      }
      kernel void double_arithmetic(global const double *x, global double *y, constant double *c, global float *narrow) {
        size_t i = get_global_id(0);
        y[i] = horner(x[i], c, 6) / sqrt(fabs(x[i]) + 1.0) + ldexp(x[i], -3) - trunc(x[i] * 100);
        narrow[i] = (float)(x[i] * 1e-3);
      }`,
    buffers: (random) => ({
      x: random.doubles(n, -3, 3),
      y: new Float64Array(n),
      c: Float64Array.of(1, 0.5, -0.25, 0.125, 3, -2),
      narrow: new Float32Array(n),
    }),
    launches: ({ x, y, c, narrow }) => [{ kernel: 'double_arithmetic', args: [x, y, c, narrow], global: n, local: 64 }],
    expected: ({ x, c }) => ({
      y: Array.from(
        x,
        (v) => c.reduceRight((sum, k) => sum * v + k, 0) / Math.sqrt(Math.abs(v) + 1) + v / 8 - Math.trunc(v * 100),
      ),
      narrow: Array.from(x, (v) => Math.fround(v * 1e-3)),
    }),
    tolerance: { relative: 1e-13, absolute: 1e-12 },
  }),

  openCLCase({
    name: 'float-functions',
    source: `
      kernel void float_functions(global const float *x, global float *out) {
        size_t i = get_global_id(0), n = get_global_size(0);
        float v = x[i];
        float all[12] = {sin(v), cos(v), tan(v), exp(v), log(fabs(v)), pow(fabs(v), 1.7f), atan2(v, 0.3f), cbrt(v),
                         sinh(v), log1p(fabs(v)), exp2(v), erf(v)};
        for (int k = 0; k < 12; k++) out[k * n + i] = all[k];
      }`,
    buffers: (random) => ({ x: random.floats(n, 0.4, 1.4), out: new Float32Array(12 * n) }),
    launches: ({ x, out }) => [{ kernel: 'float_functions', args: [x, out], global: n, local: 64 }],
    expected: ({ x }) => {
      const erf = (v: number): number => {
        let [sum, term] = [v, v];
        for (let k = 1; k < 40; k++) sum += (term *= (-v * v) / k) / (2 * k + 1);
        return (2 / Math.sqrt(Math.PI)) * sum;
      };
      const all = [
        ...[Math.sin, Math.cos, Math.tan, Math.exp, Math.log],
        ...[(v: number) => v ** Math.fround(1.7), (v: number) => Math.atan2(v, Math.fround(0.3)), Math.cbrt],
        ...[Math.sinh, Math.log1p, (v: number) => 2 ** v, erf],
      ];
      return { out: all.flatMap((of) => Array.from(x, of)) };
    },
    // The bound of most of them is less; pow and erf may miss by 16.
    tolerance: { ulps: 16 },
  }),

  openCLCase({
    name: 'geometric-functions',
    source: `
      kernel void geometric(global const float3 *a, global const float3 *b, global float *out) {
        size_t i = get_global_id(0);
        float3 u = normalize(a[i]);
        out[4 * i] = dot(a[i], b[i]);
        out[4 * i + 1] = length(a[i]);
        out[4 * i + 2] = distance(a[i], b[i]);
        out[4 * i + 3] = dot(u, cross(u, b[i])) + length(u) + mix(u.x, u.x, 0.5f) - u.x + step(0.5f, 0.25f) + smoothstep(0.0f, 2.0f, 1.0f);
      }`,
    buffers: (random) => ({
      a: random.floats(4 * n, 1, 2),
      b: random.floats(4 * n, 3, 4),
      out: new Float32Array(4 * n),
    }),
    launches: ({ a, b, out }) => [{ kernel: 'geometric', args: [a, b, out], global: n, local: 64 }],
    expected: ({ a, b }) => ({
      out: range(n, (i) => {
        const [u, v] = [[...a.subarray(4 * i, 4 * i + 3)], [...b.subarray(4 * i, 4 * i + 3)]];
        const dot = u.reduce((sum, x, k) => sum + x * at(v, k), 0);
        return [dot, Math.hypot(...u), Math.hypot(...u.map((x, k) => x - at(v, k))), 1.5];
      }).flat(),
    }),
    tolerance: { relative: 2e-6 },
  }),
];
