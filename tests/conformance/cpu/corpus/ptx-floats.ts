import { at, kernelCase, range, type Case } from '../case.ts';

const view = new DataView(new ArrayBuffer(8));
const floatOf = (bits: number): number => {
  view.setUint32(0, bits);
  return view.getFloat32(0);
};
const bitsOf = (x: number): number => {
  view.setFloat32(0, x);
  return view.getUint32(0);
};
/** The float next to one, upwards or downwards. */
const next = (x: number, up: boolean): number => {
  if (x === 0) return up ? floatOf(1) : -floatOf(1);
  return floatOf(bitsOf(x) + (x > 0 === up ? 1 : -1));
};
/** A double, which is exact here, as a float in a direction. */
const rounded = (x: number, way: 'rn' | 'rz' | 'rm' | 'rp'): number => {
  const nearest = Math.fround(x);
  if (way === 'rn' || nearest === x) return nearest;
  const up = way === 'rp' || (way === 'rz' && x < 0);
  if (up) return nearest < x ? next(nearest, true) : nearest;
  return nearest > x ? next(nearest, false) : nearest;
};
const flushed = (x: number): number => (Math.abs(x) < 2 ** -126 ? x * 0 : x);
const held = (x: number): number => (x > 0 ? Math.min(x, 1) : 0);

const WAYS = ['rn', 'rz', 'rm', 'rp'] as const;
type Compute = (a: number, b: number, c: number) => number;
/** Multiples of 2^-20 below 2: sums and products of two are exact as doubles, and a product plus another is, too. */
const ARITHMETIC: readonly (readonly [string, Compute])[] = WAYS.flatMap((way): [string, Compute][] => [
  [`add.${way}.f32 %0, %1, %2;`, (a, b) => rounded(a + b, way)],
  [`sub.${way}.f32 %0, %1, %2;`, (a, b) => rounded(a - b, way)],
  [`mul.${way}.f32 %0, %1, %2;`, (a, b) => rounded(a * b, way)],
  [`fma.${way}.f32 %0, %1, %2, %3;`, (a, b, c) => rounded(a * b + c, way)],
  [`fma.${way}.sat.f32 %0, %1, %2, %3;`, (a, b, c) => held(rounded(a * b + c, way))],
]);
const PLAIN: readonly (readonly [string, Compute])[] = [
  ['add.f32 %0, %1, 0f3F800000;', (a) => Math.fround(a + 1)],
  ['mul.f32 %0, %1, -0.5;', (a) => a * -0.5],
  ['min.f32 %0, %1, %2;', (a, b) => Math.min(a, b)],
  ['max.f32 %0, %1, %2;', (a, b) => Math.max(a, b)],
  ['neg.f32 %0, %1;', (a) => -a],
  ['abs.f32 %0, %1;', Math.abs],
  ['copysign.f32 %0, %1, %2;', (a, b) => (a < 0 ? -Math.abs(b) : Math.abs(b))],
  ['add.sat.f32 %0, %1, %2;', (a, b) => held(Math.fround(a + b))],
  ['div.rn.f32 %0, %1, %2;', (a, b) => Math.fround(a / b)],
  ['rcp.rn.f32 %0, %1;', (a) => Math.fround(1 / a)],
  ['{ .reg .f32 m; abs.f32 m, %1; sqrt.rn.f32 %0, m; }', (a) => Math.fround(Math.sqrt(Math.abs(a)))],
  ['{ .reg .pred p; setp.gtu.f32 p, %1, %2; selp.f32 %0, %1, %3, p; }', (a, b, c) => (a > b ? a : c)],
  ['slct.f32.f32 %0, %1, %2, %3;', (a, b, c) => (c >= 0 ? a : b)],
  ['set.lt.f32.f32 %0, %1, %2;', (a, b) => (a < b ? 1 : 0)],
];
const TINY: readonly (readonly [string, Compute])[] = [
  ['add.ftz.f32 %0, %1, %2;', (a, b) => flushed(Math.fround(flushed(a) + flushed(b)))],
  ['mul.rn.ftz.f32 %0, %1, 0f3F000000;', (a) => flushed(Math.fround(flushed(a) * 0.5))],
  ['add.f32 %0, %1, %2;', (a, b) => Math.fround(a + b)],
  ['{ .reg .pred p; setp.eq.ftz.f32 p, %1, 0f00000000; selp.f32 %0, 1.0, 2.0, p; }', (a) => (flushed(a) === 0 ? 1 : 2)],
  [
    '{ .reg .pred p; testp.subnormal.f32 p, %1; selp.f32 %0, 1.0, 2.0, p; }',
    (a) => (a !== 0 && flushed(a) === 0 ? 1 : 2),
  ],
  ['{ .reg .pred p; testp.normal.f32 p, %1; selp.f32 %0, 1.0, 2.0, p; }', (a) => (flushed(a) === 0 ? 2 : 1)],
];

function floatsCase(
  name: string,
  rows: readonly (readonly [string, Compute])[],
  inputs: (random: Parameters<Case['buffers']>[0]) => number[],
): Case {
  const statements = rows.map(([text], i) => {
    const used = [3, 2, 1].find((k) => text.includes(`%${k}`)) ?? 0;
    const operands = ['a', 'b', 'c'].slice(0, used).map((one) => `"f"(${one})`);
    return `asm(${JSON.stringify(text)} : "=f"(out[${i} * n + t]) : ${operands.join(', ')});`;
  });
  return kernelCase({
    name,
    source: `
      extern "C" __global__ void floats(const float *x, float *out)
      {
        int t = threadIdx.x, n = blockDim.x;
        float a = x[t], b = x[n + t], c = x[2 * n + t];
        ${statements.join('\n        ')}
      }`,
    buffers: (random) => ({ x: Float32Array.from(inputs(random)), out: new Float32Array(64 * rows.length) }),
    launches: ({ x, out }) => [{ kernel: 'floats', args: [x, out], block: 64 }],
    expected: ({ x }) => ({
      out: Float32Array.from(rows.flatMap(([, of]) => range(64, (t) => of(at(x, t), at(x, 64 + t), at(x, 128 + t))))),
    }),
  });
}

const toInteger = (x: number, way: string): number => {
  if (way === 'rmi') return Math.floor(x);
  if (way === 'rpi') return Math.ceil(x);
  if (way === 'rzi') return Math.trunc(x);
  const low = Math.floor(x);
  return x - low === 0.5 ? low + (low % 2 === 0 ? 0 : 1) : Math.round(x);
};
const within = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);

/** The half-precision bits of a number that has no more digits than they do. */
const halfOf = (x: number): number => {
  const bits = bitsOf(x);
  return x === 0
    ? (bits >>> 16) & 0x8000
    : ((bits >>> 16) & 0x8000) | ((((bits >>> 23) & 255) - 112) << 10) | ((bits >>> 13) & 1023);
};

/** Inline PTX: floating-point numbers of all widths, and conversions between all kinds of numbers. */
export const ptxFloatCases: readonly Case[] = [
  floatsCase('ptx-floats', [...ARITHMETIC, ...PLAIN], (random) =>
    range(192, () => (random.integer(1, 1 << 21) * (random.integer(0, 2) ? 1 : -1)) / 2 ** 20),
  ),
  floatsCase('ptx-floats-without-subnormals', TINY, (random) =>
    range(192, () => floatOf(random.integer(0, 0x0200_0000)) * (random.integer(0, 2) ? 1 : -1)),
  ),
  kernelCase({
    name: 'ptx-conversions',
    source: `
      extern "C" __global__ void conversions(const float *x, const int *k, int *i, float *f, unsigned short *h, double *d)
      {
        int t = threadIdx.x, n = blockDim.x;
        float v = x[t]; double w = v * 1.0; int m = k[t];
#define TO_INT(row, text) asm(text : "=r"(i[row * n + t]) : "f"(v));
        TO_INT(0, "cvt.rni.s32.f32 %0, %1;") TO_INT(1, "cvt.rzi.s32.f32 %0, %1;")
        TO_INT(2, "cvt.rmi.s32.f32 %0, %1;") TO_INT(3, "cvt.rpi.u32.f32 %0, %1;")
        TO_INT(4, "cvt.rzi.s8.f32 %0, %1;") TO_INT(5, "cvt.rni.u8.f32 %0, %1;") TO_INT(6, "cvt.rzi.s16.f32 %0, %1;")
        asm("cvt.rpi.s32.f64 %0, %1;" : "=r"(i[7 * n + t]) : "d"(w));
        asm("{ .reg .s64 l; cvt.rni.s64.f32 l, %1; cvt.u32.u64 %0, l; }" : "=r"(i[8 * n + t]) : "f"(v));
        asm("cvt.s32.s8 %0, %1;" : "=r"(i[9 * n + t]) : "r"(m));
        asm("cvt.sat.u8.s32 %0, %1;" : "=r"(i[10 * n + t]) : "r"(m));
        asm("cvt.sat.s16.s32 %0, %1;" : "=r"(i[11 * n + t]) : "r"(m));
        asm("cvt.sat.s32.u32 %0, %1;" : "=r"(i[12 * n + t]) : "r"(m));
        asm("{ .reg .s64 l; cvt.s64.s32 l, %1; shl.b64 l, l, 3; cvt.sat.s32.s64 %0, l; }" : "=r"(i[13 * n + t]) : "r"(m));
        asm("cvt.rn.f32.s32 %0, %1;" : "=f"(f[t]) : "r"(m));
        asm("cvt.rz.f32.u32 %0, %1;" : "=f"(f[n + t]) : "r"(m));
        asm("cvt.rp.f32.s32 %0, %1;" : "=f"(f[2 * n + t]) : "r"(m));
        asm("cvt.rmi.f32.f32 %0, %1;" : "=f"(f[3 * n + t]) : "f"(v));
        asm("cvt.sat.f32.f32 %0, %1;" : "=f"(f[4 * n + t]) : "f"(v));
        asm("{ .reg .f64 q; cvt.f64.f32 q, %1; mul.f64 q, q, 0d3FF0000010000000; cvt.rm.f32.f64 %0, q; }"
            : "=f"(f[5 * n + t]) : "f"(v));
        asm("{ .reg .b16 q; cvt.rn.f16.f32 q, %1; mov.b16 %0, q; }" : "=h"(h[t]) : "f"(v));
        asm("{ .reg .f16 q; cvt.rn.f16.f32 q, %1; cvt.f32.f16 %0, q; }" : "=f"(f[6 * n + t]) : "f"(v));
        asm("cvt.rn.f64.s32 %0, %1;" : "=d"(d[t]) : "r"(m));
        asm("{ .reg .u64 l; mov.b64 l, {%1, %1}; cvt.rn.f64.u64 %0, l; }" : "=d"(d[n + t]) : "r"(m));
      }`,
    buffers: (random) => ({
      x: Float32Array.from(
        range(64, (i) => (i < 32 ? random.integer(-1200, 1200) / 4 : random.integer(-80_000, 80_000) * 64)),
      ),
      k: Int32Array.from(range(64, (i) => (i % 3 ? random.integer(-70_000, 70_000) : random.bits() | 0))),
      i: new Int32Array(14 * 64),
      f: new Float32Array(7 * 64),
      h: new Uint16Array(64),
      d: new Float64Array(128),
    }),
    launches: ({ x, k, i, f, h, d }) => [{ kernel: 'conversions', args: [x, k, i, f, h, d], block: 64 }],
    expected: ({ x, k }) => {
      const each = <T>(from: ArrayLike<number>, of: (v: number) => T): T[] => Array.from(from, of);
      const int =
        (low: number, high: number, way: string) =>
        (v: number): number =>
          within(toInteger(v, way), low, high);
      // Beyond 65504 there is no half but infinity.
      const near = (v: number): number => {
        const step = 2 ** Math.max(-24, Math.floor(Math.log2(Math.max(Math.abs(v), 2 ** -14))) - 10);
        const whole = toInteger(v / step, 'rni') * step;
        return Math.abs(whole) > 65504 ? Math.sign(v) * Infinity : whole;
      };
      return {
        i: Int32Array.from([
          ...each(x, int(-(2 ** 31), 2 ** 31 - 1, 'rni')),
          ...each(x, int(-(2 ** 31), 2 ** 31 - 1, 'rzi')),
          ...each(x, int(-(2 ** 31), 2 ** 31 - 1, 'rmi')),
          ...each(x, int(0, 2 ** 32 - 1, 'rpi')),
          ...each(x, int(-128, 127, 'rzi')),
          ...each(x, int(0, 255, 'rni')),
          ...each(x, int(-32768, 32767, 'rzi')),
          ...each(x, int(-(2 ** 31), 2 ** 31 - 1, 'rpi')),
          ...each(x, (v) => toInteger(v, 'rni')),
          ...each(k, (v) => (v << 24) >> 24),
          ...each(k, (v) => within(v, 0, 255)),
          ...each(k, (v) => within(v, -32768, 32767)),
          ...each(k, (v) => Math.min(v >>> 0, 2 ** 31 - 1)),
          ...each(k, (v) => within(v * 8, -(2 ** 31), 2 ** 31 - 1)),
        ]),
        f: Float32Array.from([
          ...each(k, Math.fround),
          ...each(k, (v) => rounded(v >>> 0, 'rz')),
          ...each(k, (v) => rounded(v, 'rp')),
          ...each(x, Math.floor),
          ...each(x, held),
          ...each(x, (v) => rounded(v * (1 + 2 ** -24), 'rm')),
          ...each(x, near),
        ]),
        h: Uint16Array.from(each(x, (v) => (Number.isFinite(near(v)) ? halfOf(near(v)) : v < 0 ? 0xfc00 : 0x7c00))),
        d: Float64Array.from([...k, ...each(k, (v) => Number((BigInt(v >>> 0) << 32n) | BigInt(v >>> 0)))]),
      };
    },
  }),
  kernelCase({
    name: 'ptx-halves',
    // Small multiples of 1/8: all results are exact but where they are cut.
    source: `
      extern "C" __global__ void halves(const unsigned *x, unsigned *out)
      {
        int t = threadIdx.x, n = blockDim.x;
        unsigned a = x[t], b = x[n + t], c = x[2 * n + t];
        asm("add.f16x2 %0, %1, %2;" : "=r"(out[t]) : "r"(a), "r"(b));
        asm("{mul.f16x2 %0,%1,%2;\\n}" : "=r"(out[n + t]) : "r"(a), "r"(b));
        asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(out[2 * n + t]) : "r"(a), "r"(b), "r"(c));
        asm("{.reg .f16 l, h, m; mov.b32 {l, h}, %1; sub.f16 m, h, l; neg.f16 l, m; mov.b32 %0, {l, m};}" : "=r"(out[3 * n + t]) : "r"(a));
        asm("max.f16x2 %0, %1, %2;" : "=r"(out[4 * n + t]) : "r"(a), "r"(b));
        asm("{ .reg .f32 p, q; .reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 p, l; cvt.f32.f16 q, h; cvt.rn.f16x2.f32 %0, q, p; }"
            : "=r"(out[5 * n + t]) : "r"(a));
      }`,
    buffers: (random) => {
      const half = (): number => halfOf(random.integer(-30, 30) / 8);
      return { x: Uint32Array.from(range(192, () => half() | (half() << 16))), out: new Uint32Array(384) };
    },
    launches: ({ x, out }) => [{ kernel: 'halves', args: [x, out], block: 64 }],
    expected: ({ x }) => {
      const value = (bits: number): number =>
        (bits & 0x7fff) === 0 ? 0 : (bits & 0x8000 ? -1 : 1) * 2 ** (((bits >> 10) & 31) - 25) * (1024 + (bits & 1023));
      const pair = (i: number): [number, number] => [value(at(x, i) & 0xffff), value(at(x, i) >>> 16)];
      const both =
        (of: (a: number, b: number, c: number) => number) =>
        (t: number): number => {
          const [a, b, c] = [pair(t), pair(64 + t), pair(128 + t)];
          return halfOf(of(a[0], b[0], c[0])) | (halfOf(of(a[1], b[1], c[1])) << 16);
        };
      return {
        out: Uint32Array.from([
          ...range(
            64,
            both((a, b) => a + b),
          ),
          ...range(
            64,
            both((a, b) => a * b),
          ),
          ...range(
            64,
            both((a, b, c) => a * b + c),
          ),
          ...range(64, (t) => {
            const [low, high] = pair(t);
            const difference = halfOf(high - low);
            return (difference ^ 0x8000) | (difference << 16);
          }),
          ...range(
            64,
            both((a, b) => Math.max(a, b)),
          ),
          ...range(64, (t) => at(x, t)),
        ]),
      };
    },
  }),
  kernelCase({
    name: 'ptx-approximations',
    source: `
      extern "C" __global__ void approximations(const float *x, float *out)
      {
        int t = threadIdx.x, n = blockDim.x;
        float v = x[t], *o = out + t;
#define ROW(text) asm volatile(text : "=f"(*o) : "f"(v)); o += n;
        ROW("ex2.approx.ftz.f32 %0, %1;") ROW("lg2.approx.f32 %0, %1;") ROW("rcp.approx.ftz.f32 %0, %1;")
        ROW("sqrt.approx.f32 %0, %1;") ROW("rsqrt.approx.ftz.f32 %0, %1;") ROW("sin.approx.f32 %0, %1;")
        ROW("cos.approx.ftz.f32 %0, %1;") ROW("tanh.approx.f32 %0, %1;") ROW("div.full.f32 %0, %1, 0f40400000;")
        double d = v, e;
        asm("sqrt.rn.f64 %0, %1; add.f64 %0, %0, 0d3FF8000000000000;" : "=d"(e) : "d"(d));
        *o = (float)e;
      }`,
    buffers: (random) => ({ x: random.floats(64, 0.1, 4), out: new Float32Array(640) }),
    launches: ({ x, out }) => [{ kernel: 'approximations', args: [x, out], block: 64 }],
    expected: ({ x }) => ({
      out: [
        (v: number) => 2 ** v,
        Math.log2,
        (v: number) => 1 / v,
        Math.sqrt,
        (v: number) => 1 / Math.sqrt(v),
        Math.sin,
        Math.cos,
        Math.tanh,
        (v: number) => v / 3,
        (v: number) => Math.sqrt(v) + 1.5,
      ].flatMap((of) => Array.from(x, of)),
    }),
    // A GPU's are this far from exact.
    tolerance: { relative: 1e-3, absolute: 1e-6 },
  }),
];
