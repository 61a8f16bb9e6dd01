import { at, kernelCase, range, type Case } from '../case.ts';

const header = '#include <cuda_fp8.h>';

interface Format {
  readonly exponents: number;
  readonly digits: number;
  readonly most: number;
}
const E4M3: Format = { exponents: 4, digits: 3, most: 448 };
const E5M2: Format = { exponents: 5, digits: 2, most: 57344 };

/** The number of a code: its sign, exponent and digits taken apart. */
function valueOf(code: number, { exponents, digits }: Format): number {
  const bias = 2 ** (exponents - 1) - 1;
  const [exponent, rest] = [(code & 0x7f) >> digits, code & (2 ** digits - 1)];
  const sign = code & 0x80 ? -1 : 1;
  if (exponents === 4 && (code & 0x7f) === 0x7f) return NaN;
  if (exponents === 5 && exponent === 31) return rest === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * rest * 2 ** (1 - bias - digits);
  return sign * (1 + rest / 2 ** digits) * 2 ** (exponent - bias);
}

/** The code of the nearest number, found among all of them; of two as near, the even one. */
function codeOf(x: number, format: Format, saturates: boolean): number {
  if (Number.isNaN(x)) return 0x7f;
  const sign = Object.is(Math.sign(x), -0) || x < 0 ? 0x80 : 0;
  const magnitude = Math.abs(x);
  const codes = range(127).filter((code) => Number.isFinite(valueOf(code, format)));
  // Behind the largest number comes the one that the format would have next.
  const last = codes.at(-1) ?? 0;
  const step = valueOf(last, format) - valueOf(last - 1, format);
  let best = codes[0] ?? 0;
  for (const code of codes) {
    const [near, far] = [Math.abs(valueOf(code, format) - magnitude), Math.abs(valueOf(best, format) - magnitude)];
    if (near < far || (near === far && code % 2 === 0)) best = code;
  }
  const over = magnitude - format.most;
  // A half step beyond the largest number goes to the even one of the two.
  if (over > step / 2 || (over === step / 2 && last % 2 === 1)) {
    best = saturates ? last : format === E5M2 ? 0x7c : 0x7f;
  }
  return sign | best;
}

/** Numbers of 8 bits. */
export const smallFloatCases: readonly Case[] = [
  kernelCase({
    name: 'fp8-every-code',
    source: `${header}
      __global__ void values(float *four, float *five, float *halves, int *integers)
      {
        int i = threadIdx.x;
        __nv_fp8_e4m3 a;
        a.__x = (__nv_fp8_storage_t)i;
        __nv_fp8_e5m2 b;
        b.__x = (__nv_fp8_storage_t)i;
        four[i] = float(a);
        five[i] = float(b);
        halves[i] = __half2float(__half(a)) + __bfloat162float(__nv_bfloat16(b));
        integers[i] = int(a) + (bool(b) ? 1000 : 0);
      }`,
    buffers: () => ({
      four: new Float32Array(256),
      five: new Float32Array(256),
      halves: new Float32Array(256),
      integers: new Int32Array(256),
    }),
    launches: ({ four, five, halves, integers }) => [
      { kernel: 'values', args: [four, five, halves, integers], block: 256 },
    ],
    expected: () => ({
      four: range(256, (i) => valueOf(i, E4M3)),
      five: range(256, (i) => valueOf(i, E5M2)),
      halves: range(256, (i) => Math.fround(valueOf(i, E4M3) + valueOf(i, E5M2))),
      integers: range(256, (i) => Math.trunc(valueOf(i, E4M3) || 0) + (i & 0x7f ? 1000 : 0)),
    }),
  }),

  kernelCase({
    name: 'fp8-rounding-and-saturation',
    source: `${header}
      __global__ void codes(const float *x, unsigned char *out, int n)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        out[i] = __nv_fp8_e4m3(x[i]).__x;
        out[i + n] = __nv_fp8_e5m2(x[i]).__x;
        out[i + 2 * n] = __nv_cvt_float_to_fp8(x[i], __NV_NOSAT, __NV_E4M3);
        out[i + 3 * n] = __nv_cvt_double_to_fp8((double)x[i], __NV_NOSAT, __NV_E5M2);
      }`,
    buffers: (random) => {
      const ties = range(126).flatMap((code) => [E4M3, E5M2].map((f) => (valueOf(code, f) + valueOf(code + 1, f)) / 2));
      const odd = [0, -0, NaN, Infinity, -Infinity, 464, 465, 463.9, 61440, 61439, 61441, 1e30, -1e30, 1e-30, 2 ** -10];
      const drawn = range(400, () => random.real(-1, 1) * 2 ** random.integer(-20, 18));
      const x = Float32Array.from([...ties.filter((v) => Number.isFinite(v)), ...odd, ...drawn]);
      return { x, out: new Uint8Array(4 * x.length) };
    },
    launches: ({ x, out }, { x: values }) => [
      { kernel: 'codes', args: [x, out, values.length], block: 128, grid: Math.ceil(values.length / 128) },
    ],
    expected: ({ x }) => ({
      out: [
        ...x.map((v) => codeOf(v, E4M3, true)),
        ...x.map((v) => codeOf(v, E5M2, true)),
        ...x.map((v) => codeOf(v, E4M3, false)),
        // The NaN of a double has other bits.
        ...x.map((v) => (Number.isNaN(v) ? 0x7e : codeOf(v, E5M2, false))),
      ],
    }),
  }),

  kernelCase({
    name: 'fp8-groups',
    source: `${header}
      __global__ void groups(const float4 *x, unsigned *codes, float4 *back, unsigned short *pairs, int n)
      {
        int i = threadIdx.x;
        __nv_fp8x4_e4m3 four(x[i]);
        codes[i] = four.__x;
        back[i] = float4(four);
        pairs[i] = __nv_fp8x2_e5m2(make_float2(x[i].x, x[i].y)).__x;
        pairs[i + n] = __nv_fp8x2_e4m3(__floats2half2_rn(x[i].z, x[i].w)).__x;
        pairs[i + 2 * n] = __nv_cvt_float2_to_fp8x2(make_float2(x[i].w, x[i].x), __NV_SATFINITE, __NV_E4M3);
      }`,
    buffers: (random) => ({
      x: Float32Array.from(random.ints(64 * 4, -1024, 1025), (v) => v / 2),
      codes: new Uint32Array(64),
      back: new Float32Array(256),
      pairs: new Uint16Array(192),
    }),
    launches: ({ x, codes, back, pairs }) => [{ kernel: 'groups', args: [x, codes, back, pairs, 64], block: 64 }],
    expected: ({ x }) => {
      const code = (i: number, format: Format = E4M3): number => codeOf(at(x, i), format, true);
      return {
        codes: range(64, (i) => range(4).reduce((all, k) => all + code(4 * i + k) * 256 ** k, 0)),
        back: range(256, (i) => valueOf(code(i), E4M3)),
        pairs: [
          ...range(64, (i) => code(4 * i, E5M2) + 256 * code(4 * i + 1, E5M2)),
          ...range(64, (i) => code(4 * i + 2) + 256 * code(4 * i + 3)),
          ...range(64, (i) => code(4 * i + 3) + 256 * code(4 * i)),
        ],
      };
    },
  }),
];
