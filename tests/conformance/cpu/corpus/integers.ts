import { at, kernelCase, range, type Case } from '../case.ts';

/** The greatest number whose square is not above x. */
function squareRoot(x: number): number {
  let root = Math.round(Math.sqrt(x));
  while (root * root > x) root--;
  return root;
}

const bitsOf = (x: number): string => (x >>> 0).toString(2).padStart(32, '0');

/** libcu++'s functions of integers and bits, and limits of number types. */
export const integerCases: readonly Case[] = [
  kernelCase({
    name: 'integers-divided-rounded-raised',
    nvcc: true,
    isNew: true,
    source: `
      #include <cuda/cmath>
      #include <cuda/functional>
      __global__ void integers(const int *x, int *out, unsigned *bits)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i], *o = out + 14 * i;
        unsigned u = (unsigned)v * 12345u + 1;
        o[0] = cuda::ceil_div(v, 7);
        o[1] = cuda::round_up(v, 16);
        o[2] = cuda::round_down(v, 24);
        o[3] = cuda::ilog2(v);
        o[4] = cuda::ilog10(v);
        o[5] = cuda::ipow(v % 9 - 4, v % 8) + cuda::ipow(3, -v);
        o[6] = cuda::isqrt(v);
        o[7] = cuda::is_power_of_two(v) + 2 * cuda::is_power_of_two(v & -v);
        o[8] = cuda::next_power_of_two(v);
        o[9] = cuda::prev_power_of_two(v);
        o[10] = (int)cuda::uabs(-v) + cuda::neg(v % 5);
        cuda::fast_mod_div<int> divisor(v % 13 + 1);
        o[11] = 100000 / divisor * 100 + 100000 % divisor;
        o[12] = cuda::maximum<int>()(v, 500) - cuda::minimum<>()(v, 500L);
        o[13] = cuda::proclaim_return_type<int>([](int a) { return a / 2.0; })(v);
        bits[2 * i] = cuda::isqrt(u);
        bits[2 * i + 1] = cuda::mul_hi(u, 0x9e3779b9u);
      }`,
    buffers: (random) => ({
      x: random.ints(128, 1, 100000),
      out: new Int32Array(14 * 128),
      bits: new Uint32Array(256),
    }),
    launches: ({ x, out, bits }) => [{ kernel: 'integers', args: [x, out, bits], block: 64, grid: 2 }],
    expected: ({ x }) => ({
      out: [...x].flatMap((v) => {
        const digits = bitsOf(v).replace(/^0+/, '').length;
        const power = /^0*10*$/.test(bitsOf(v));
        const divisor = (v % 13) + 1;
        return [
          Math.ceil(v / 7),
          Math.ceil(v / 16) * 16,
          Math.floor(v / 24) * 24,
          digits - 1,
          String(v).length - 1,
          ((v % 9) - 4) ** (v % 8),
          squareRoot(v),
          (power ? 1 : 0) + 2,
          power ? v : 2 ** digits,
          2 ** (digits - 1),
          v - (v % 5),
          Math.floor(100000 / divisor) * 100 + (100000 % divisor),
          Math.abs(v - 500),
          Math.floor(v / 2),
        ];
      }),
      bits: [...x].flatMap((v) => {
        const u = Number((BigInt(v) * 12345n + 1n) & 0xffffffffn);
        return [squareRoot(u), Number((BigInt(u) * 0x9e3779b9n) >> 32n)];
      }),
    }),
  }),

  kernelCase({
    name: 'bits-of-integers',
    nvcc: true,
    source: `
      #include <cuda/bit>
      #include <cuda/std/bit>
      #include <cuda/std/utility>
      __global__ void bits(const unsigned *x, unsigned *out)
      {
        int i = threadIdx.x, start = i % 20, width = i % 13;
        unsigned v = x[i], *o = out + 8 * i;
        o[0] = cuda::bitfield_insert(v, ~v, start, width);
        o[1] = cuda::bitfield_extract(v, start, width);
        o[2] = cuda::bit_reverse(v);
        o[3] = cuda::bitmask<unsigned>(start, width);
        o[4] = cuda::std::popcount(v) * 10000 + cuda::std::countl_zero(v >> start) * 100 + cuda::std::countr_one(v);
        o[5] = cuda::std::rotl(v, start) ^ cuda::std::rotr(v, width);
        o[6] = cuda::std::bit_ceil(v >> 8) + cuda::std::bit_floor(v >> 8);
        o[7] = cuda::std::cmp_less((int)v, 0u) + 2 * cuda::std::cmp_greater(v, (int)v) + 4 * cuda::std::in_range<signed char>((int)v >> 20);
      }`,
    buffers: (random) => ({ x: Uint32Array.from(random.ints(64, -2147483648, 2147483647)), out: new Uint32Array(512) }),
    launches: ({ x, out }) => [{ kernel: 'bits', args: [x, out], block: 64 }],
    expected: ({ x }) => ({
      out: range(64).flatMap((i) => {
        const v = at(x, i);
        const [start, width] = [i % 20, i % 13];
        const text = bitsOf(v);
        const [left, field, right] = [
          text.slice(0, 32 - start - width),
          text.slice(32 - start - width, 32 - start),
          text.slice(32 - start),
        ];
        const other = bitsOf(~v).slice(32 - width);
        const turn = (by: number): number => parseInt(text.slice(by) + text.slice(0, by), 2);
        const digits = bitsOf(v >>> 8).replace(/^0+/, '').length;
        const isPower = /^0*10*$/.test(bitsOf(v >>> 8));
        return [
          parseInt(left + (width === 0 ? '' : other) + right, 2),
          field === '' ? 0 : parseInt(field, 2),
          range(32, (bit) => (text[bit] === '1' ? 2 ** bit : 0)).reduce((a, b) => a + b),
          (2 ** width - 1) * 2 ** start,
          text.replaceAll('0', '').length * 10000 +
            (32 - bitsOf(v >>> start).replace(/^0+/, '').length) * 100 +
            (/1*$/.exec(text)?.[0].length ?? 0),
          (turn(start) ^ turn((32 - width) % 32)) >>> 0,
          2 ** (isPower ? digits - 1 : digits) + 2 ** (digits - 1),
          (text.startsWith('1') ? 3 : 0) + (Math.abs((v >> 20) + 0.5) < 128 ? 4 : 0),
        ];
      }),
    }),
  }),

  kernelCase({
    name: 'limits-of-number-types',
    nvcc: true,
    source: `
      #include <cuda_bf16.h>
      #include <cuda_fp16.h>
      #include <cuda/std/limits>
      template <class T> __device__ void of(double *out)
      {
        typedef cuda::std::numeric_limits<T> limits;
        out[0] = (double)(float)limits::max();
        out[1] = (double)(float)limits::lowest();
        out[2] = (double)(float)limits::min();
        out[3] = (double)(float)limits::epsilon();
        out[4] = (double)(float)limits::denorm_min();
        out[5] = limits::digits;
        out[6] = limits::max_exponent + 1000 * limits::min_exponent;
        out[7] = limits::has_infinity && (float)limits::infinity() > 0 && (float)limits::quiet_NaN() != (float)limits::quiet_NaN();
      }
      __global__ void all(double *out, unsigned long long *wide)
      {
        of<__half>(out);
        of<__nv_bfloat16>(out + 8);
        of<float>(out + 16);
        typedef cuda::std::numeric_limits<__int128> signed_limits;
        typedef cuda::std::numeric_limits<unsigned __int128> unsigned_limits;
        wide[0] = (unsigned long long)(signed_limits::max() >> 64);
        wide[1] = (unsigned long long)signed_limits::max();
        wide[2] = (unsigned long long)((unsigned __int128)signed_limits::min() >> 64);
        wide[3] = (unsigned long long)(unsigned_limits::max() >> 64) & (unsigned long long)unsigned_limits::max();
        wide[4] = signed_limits::digits * 1000 + unsigned_limits::digits;
        wide[5] = (unsigned long long)cuda::std::numeric_limits<long long>::max();
        wide[6] = (unsigned long long)cuda::std::numeric_limits<unsigned char>::max() + cuda::std::numeric_limits<short>::max();
      }`,
    buffers: () => ({ out: new Float64Array(24), wide: new BigUint64Array(7) }),
    launches: ({ out, wide }) => [{ kernel: 'all', args: [out, wide], block: 1 }],
    expected: () => {
      const of = (digits: number, most: number): number[] => [
        (2 - 2 ** (1 - digits)) * 2 ** most,
        -(2 - 2 ** (1 - digits)) * 2 ** most,
        2 ** (1 - most),
        2 ** (1 - digits),
        2 ** (2 - most - digits),
        digits,
        most + 1 + 1000 * (2 - most),
        1,
      ];
      return {
        out: [...of(11, 15), ...of(8, 127), ...of(24, 127)],
        wide: [2n ** 63n - 1n, 2n ** 64n - 1n, 2n ** 63n, 2n ** 64n - 1n, 127128n, 2n ** 63n - 1n, 255n + 32767n],
      };
    },
  }),
];
