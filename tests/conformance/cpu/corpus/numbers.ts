import { at, kernelCase, range, sum, type Case } from '../case.ts';

/** Bits and conversions, and random numbers of several kinds. */
export const numberCases: readonly Case[] = [
  kernelCase({
    name: 'integer-intrinsics',
    source: `
      __global__ void bits(const unsigned *x, const unsigned *y, unsigned *out)
      {
        int i = threadIdx.x;
        unsigned a = x[i], b = y[i], *o = out + 16 * i;
        o[0] = __popc(a);
        o[1] = __clz(a >> (b & 31));
        o[2] = __ffs(a << (b & 31));
        o[3] = __brev(a);
        o[4] = __byte_perm(a, b, 0x5140 + (b & 7));
        o[5] = __umulhi(a, b);
        o[6] = __mulhi((int)a, (int)b);
        o[7] = __umul24(a, b);
        o[8] = __mul24((int)a, (int)b);
        o[9] = __usad(a, b, 7);
        o[10] = __sad((int)a, (int)b, 7);
        o[11] = __funnelshift_l(a, b, b & 31);
        o[12] = __funnelshift_r(a, b, b & 31);
        o[13] = __uhadd(a, b);
        o[14] = __rhadd((int)a, (int)b);
        o[15] = min(a, b) ^ (unsigned)max((int)a, (int)b) ^ (unsigned)abs((int)a);
      }`,
    buffers: (random) => ({ x: random.uints(60), y: random.uints(60), out: new Uint32Array(960) }),
    launches: ({ x, y, out }) => [{ kernel: 'bits', args: [x, y, out], block: 60 }],
    expected: ({ x, y }) => ({
      out: Uint32Array.from(
        range(60, (i) => {
          const [a, b] = [at(x, i), at(y, i)];
          const [sa, sb] = [a | 0, b | 0];
          const digits = (v: number): string => (v >>> 0).toString(2).padStart(32, '0');
          const bytes = [a, b].flatMap((v) => range(4, (k) => (v >>> (8 * k)) & 255));
          const selector = 0x5140 + (b & 7);
          const low24 = (v: number): number => (v << 8) >> 8;
          const both = BigInt(`0b${digits(b)}${digits(a)}`);
          const turn = BigInt(b & 31);
          const wide = [
            (BigInt(a) * BigInt(b)) >> 32n,
            (BigInt(sa) * BigInt(sb)) >> 32n,
            BigInt(a & 0xffffff) * BigInt(b & 0xffffff),
            BigInt(low24(sa)) * BigInt(low24(sb)),
            BigInt(Math.abs(a - b) + 7),
            BigInt(Math.abs(sa - sb) + 7),
            (both << turn) >> 32n,
            both >> turn,
            BigInt(Math.floor((a + b) / 2)),
            BigInt(Math.floor((sa + sb + 1) / 2)),
          ];
          return [
            digits(a).replaceAll('0', '').length,
            Math.clz32(a >>> (b & 31)),
            (32 - digits(a << (b & 31)).lastIndexOf('1')) % 33,
            Number(`0b${Array.from(digits(a)).reverse().join('')}`),
            sum(4, (k) => at(bytes, (selector >>> (4 * k)) & 7) * 2 ** (8 * k)),
            ...wide.map((v) => Number(BigInt.asUintN(32, v))),
            Math.min(a, b) ^ Math.max(sa, sb) ^ Math.abs(sa),
          ];
        }).flat(),
      ),
    }),
  }),

  kernelCase({
    name: 'conversions',
    source: `
      __global__ void convert(const float *x, const int *n, double *out)
      {
        int i = threadIdx.x;
        double *o = out + 16 * i;
        float f = x[i];
        o[0] = (int)f;
        o[1] = (unsigned char)(int)f;
        o[2] = __float2int_rn(f);
        o[3] = __float2int_rd(f);
        o[4] = __float2int_ru(f);
        o[5] = __float2int_rz(f);
        o[6] = (float)n[i];
        o[7] = __int2float_rz(n[i]);
        o[8] = (double)(long long)(f * 1e6f);
        o[9] = (double)(float)((double)n[i] / 3);
        o[10] = __double2float_rd((double)n[i] / 3);
        o[11] = __float_as_int(f);
        o[12] = __int_as_float(0x3f800000 + (n[i] & 0xffff));
        o[13] = __longlong_as_double(__double_as_longlong((double)f) ^ 1LL << 63);
        o[14] = __hiloint2double(0x40080000, n[i]);
        o[15] = (double)(unsigned)n[i] + (double)(unsigned long long)(unsigned)n[i] + (short)n[i] + (n[i] > 0);
      }`,
    options: ['--fmad=false'],
    buffers: (random) => ({
      x: random.floats(50, -300, 300).map((v, i) => (i % 5 === 0 ? Math.trunc(v) + 0.5 : v)),
      n: random.ints(50),
      out: new Float64Array(800),
    }),
    launches: ({ x, n, out }) => [{ kernel: 'convert', args: [x, n, out], block: 50 }],
    expected: ({ x, n }) => ({
      out: range(50, (i) => {
        const [f, m] = [at(x, i), at(n, i)];
        const view = new DataView(new ArrayBuffer(8));
        const bits = (value: number): number => (view.setFloat32(0, value), view.getInt32(0));
        const real = (word: number): number => (view.setInt32(0, word), view.getFloat32(0));
        const double = (high: number, low: number): number => {
          view.setInt32(0, high);
          view.setInt32(4, low);
          return view.getFloat64(0);
        };
        const nearest = Math.abs(f % 1) === 0.5 ? 2 * Math.round(f / 2) : Math.round(f);
        const third = Math.fround(m / 3);
        const towardsZero = Math.abs(Math.fround(m)) > Math.abs(m) ? real(bits(m) - 1) : Math.fround(m);
        const downwards = third > m / 3 ? real(bits(third) + (third > 0 ? -1 : 1)) : third;
        return [
          Math.trunc(f),
          Math.trunc(f) & 255,
          nearest,
          Math.floor(f),
          Math.ceil(f),
          Math.trunc(f),
          Math.fround(m),
          towardsZero,
          Math.trunc(Math.fround(f * 1e6)),
          third,
          downwards,
          bits(f),
          real(0x3f800000 + (m & 0xffff)),
          -f,
          double(0x40080000, m),
          2 * (m >>> 0) + ((m << 16) >> 16) + Number(m > 0),
        ];
      }).flat(),
    }),
  }),

  kernelCase({
    name: 'rounding-intrinsics',
    source: `
      __global__ void rounded(const float *x, const float *y, float *out, double *wide)
      {
        int i = threadIdx.x;
        float a = x[i], b = y[i], *o = out + 6 * i;
        o[0] = __fadd_rn(__fmul_rn(a, b), 0.1f);
        o[1] = __fmaf_rn(a, b, 0.1f);
        o[2] = __fdiv_rn(a, b);
        o[3] = __fsqrt_rn(fabsf(a));
        o[4] = __fsub_rn(a, b);
        o[5] = nextafterf(a, 10.0f);
        wide[3 * i] = __dadd_rn(__dmul_rn(a, b), 0.1);
        wide[3 * i + 1] = __ddiv_rn(a, b);
        wide[3 * i + 2] = __dsqrt_rn(fabs((double)b));
      }`,
    buffers: (random) => ({
      x: random.floats(100, 1, 4),
      y: random.floats(100, 1, 4),
      out: new Float32Array(600),
      wide: new Float64Array(300),
    }),
    launches: ({ x, y, out, wide }) => [{ kernel: 'rounded', args: [x, y, out, wide], block: 100 }],
    expected: ({ x, y }) => ({
      out: range(100, (i) => {
        const [a, b, tenth] = [at(x, i), at(y, i), Math.fround(0.1)];
        const ulp = a >= 2 ? 2 ** -22 : 2 ** -23;
        // In double, the product of two floats of this size is exact, and so is its sum with 0.1f.
        return [Math.fround(a * b) + tenth, a * b + tenth, a / b, Math.sqrt(a), a - b, a + ulp].map(Math.fround);
      }).flat(),
      wide: range(100, (i) => [at(x, i) * at(y, i) + 0.1, at(x, i) / at(y, i), Math.sqrt(at(y, i))]).flat(),
    }),
  }),

  kernelCase({
    name: 'xorshift',
    source: `
      struct State { unsigned x, y, z, w; };
      __device__ unsigned next(State &s)
      {
        unsigned t = s.x ^ (s.x << 11);
        s.x = s.y;
        s.y = s.z;
        s.z = s.w;
        return s.w ^= (s.w >> 19) ^ t ^ (t >> 8);
      }
      __device__ unsigned long long star(unsigned long long &s)
      {
        s ^= s >> 12;
        s ^= s << 25;
        s ^= s >> 27;
        return s * 2685821657736338717ULL;
      }
      __global__ void draw(State *states, unsigned *out, unsigned long long *wide, int count)
      {
        int i = threadIdx.x;
        State s = states[i];
        unsigned long long seed = i + 1, sum = 0;
        for (int k = 0; k < count; k++) {
          out[i * count + k] = next(s);
          sum += star(seed) >> 32;
        }
        states[i] = s;
        wide[i] = sum;
      }`,
    buffers: (random) => ({
      states: random.uints(4 * 20),
      out: new Uint32Array(20 * 10),
      wide: new BigUint64Array(20),
    }),
    launches: ({ states, out, wide }) => [{ kernel: 'draw', args: [states, out, wide, 10], block: 20 }],
    expected: ({ states }) => {
      const rows = range(20, (i) => {
        const s = Array.from(states.subarray(4 * i, 4 * i + 4), BigInt);
        const mask = 0xffffffffn;
        return range(10, () => {
          const x = s.shift() ?? 0n;
          const t = (x ^ (x << 11n)) & mask;
          const w = s[2] ?? 0n;
          s.push(w ^ (w >> 19n) ^ t ^ (t >> 8n));
          return Number(s[3]);
        });
      });
      const wide = range(20, (i) => {
        let [s, total] = [BigInt(i + 1), 0n];
        for (let k = 0; k < 10; k++) {
          s ^= s >> 12n;
          s = BigInt.asUintN(64, s ^ (s << 25n));
          s ^= s >> 27n;
          total += BigInt.asUintN(64, s * 2685821657736338717n) >> 32n;
        }
        return total;
      });
      return { states: rows.flatMap((row) => row.slice(-4)), out: rows.flat(), wide: BigUint64Array.from(wide) };
    },
  }),

  kernelCase({
    name: 'monte-carlo-pi',
    source: `
      #include <curand_kernel.h>
      __global__ void throw_darts(unsigned long long seed, int each, unsigned *hits)
      {
        int t = blockIdx.x * blockDim.x + threadIdx.x;
        curandState state;
        curand_init(seed, t, 0, &state);
        unsigned inside = 0;
        for (int k = 0; k < each; k++) {
          float x = curand_uniform(&state), y = curand_uniform(&state);
          inside += x * x + y * y <= 1;
        }
        atomicAdd(hits, inside);
      }
      __global__ void estimate(const unsigned *hits, float total, float *pi) { *pi = 4 * *hits / total; }`,
    buffers: () => ({ hits: new Uint32Array(1), pi: new Float32Array(1) }),
    launches: ({ hits, pi }) => [
      { kernel: 'throw_darts', args: [1234, 200, hits], block: 128, grid: 8 },
      { kernel: 'estimate', args: [hits, 1024 * 200, pi], block: 1 },
    ],
    expected: () => ({ pi: [Math.PI] }),
    tolerance: { relative: 0.01 },
  }),

  kernelCase({
    name: 'curand-moments',
    source: `
      #include <curand_kernel.h>
      __global__ void moments(int each, float *out)
      {
        int t = blockIdx.x * blockDim.x + threadIdx.x;
        curandStatePhilox4_32_10_t state;
        curand_init(99, t, 0, &state);
        float sum = 0, squares = 0, uniform = 0, inside = 0;
        for (int k = 0; k < each; k++) {
          float v = curand_normal(&state);
          sum += v;
          squares += v * v;
          uniform += curand_uniform(&state);
          inside += curand(&state) < 0x40000000u;
        }
        atomicAdd(&out[0], sum / each / 1024);
        atomicAdd(&out[1], squares / each / 1024);
        atomicAdd(&out[2], uniform / each / 1024);
        atomicAdd(&out[3], inside / each / 1024);
      }`,
    buffers: () => ({ out: new Float32Array(4) }),
    launches: ({ out }) => [{ kernel: 'moments', args: [100, out], block: 128, grid: 8 }],
    expected: () => ({ out: [0, 1, 0.5, 0.25] }),
    tolerance: { absolute: 0.02 },
  }),
];
