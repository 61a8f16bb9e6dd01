import { float3, short2, uchar4 } from '../../../../src/cuda/kernel/vectors.ts';
import { struct } from '../../../../src/core/struct.ts';
import { at, kernelCase, range, sum, type Case } from '../case.ts';

/** Where data lies and how wide it is: spaces, vectors, integers of every size, layouts. */
export const memoryCases: readonly Case[] = [
  kernelCase({
    name: 'constant-variables',
    source: `
      struct Filter { int length; float weights[7]; };
      __constant__ Filter filter;
      __constant__ float bias = 0.125f;
      __constant__ int steps[] = { 1, 2, 4 };
      __global__ void smooth(const float *x, float *y, int n)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        float value = bias;
        for (int k = 0; k < filter.length; k++) value += filter.weights[k] * x[(i + k * steps[i % 3]) % n];
        y[i] = value;
      }`,
    buffers: (random) => ({ x: random.floats(200), y: new Float32Array(200), weights: random.floats(7) }),
    globals: ({ weights }) => {
      const bytes = new DataView(new ArrayBuffer(32));
      bytes.setInt32(0, 5, true);
      weights.forEach((weight, k) => bytes.setFloat32(4 + 4 * k, weight, true));
      return { filter: bytes };
    },
    launches: ({ x, y }) => [{ kernel: 'smooth', args: [x, y, 200], block: 64, grid: 4 }],
    expected: ({ x, weights }) => ({
      y: range(200, (i) => 0.125 + sum(5, (k) => at(weights, k) * at(x, (i + k * 2 ** (i % 3)) % 200))),
    }),
    tolerance: { absolute: 1e-6 },
  }),

  kernelCase({
    name: 'device-variables',
    source: `
      __device__ int launches = 40;
      __device__ int log_[64];
      __device__ double total;
      static __device__ unsigned seen[4] = { 7, 7 };
      __global__ void note(int value)
      {
        log_[launches % 64] = value;
        launches++;
        total += value * 0.5;
        seen[launches % 4] += 1;
      }
      __global__ void report(int *out, double *sum)
      {
        out[threadIdx.x] = threadIdx.x < 64 ? log_[threadIdx.x] : threadIdx.x == 64 ? launches : seen[threadIdx.x - 65];
        *sum = total;
      }`,
    buffers: () => ({ out: new Int32Array(69), sum: new Float64Array(1) }),
    launches: ({ out, sum }) => [
      ...range(30, (value) => ({ kernel: 'note', args: [value * 3], block: 1 })),
      { kernel: 'report', args: [out, sum], block: 69 },
    ],
    expected: () => {
      const log = range(64, () => 0);
      range(30).forEach((k) => (log[(40 + k) % 64] = 3 * k));
      return { out: [...log, 70, 7 + 7, 7 + 8, 8, 7], sum: [(1.5 * 29 * 30) / 2] };
    },
  }),

  kernelCase({
    name: 'variables-with-addresses',
    source: `
      __device__ int row[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
      __device__ int *third = &row[2];
      __constant__ int *ends[2] = { row, row + 7 };
      struct Cell { int value; Cell *next; };
      __device__ Cell last = { 30, 0 };
      __device__ Cell second = { 20, &last };
      __device__ Cell first = { 10, &second };
      __global__ void walk(int *out)
      {
        Cell *cell = &first;
        for (int i = 0; cell; i++, cell = cell->next) out[i] = cell->value;
        out[3] = *third;
        out[4] = *ends[0] + *ends[1];
        out[5] = third[1];
      }`,
    buffers: () => ({ out: new Int32Array(6), row: Int32Array.from(range(8, (i) => 100 * i)) }),
    globals: ({ row }) => ({ row }),
    launches: ({ out }) => [{ kernel: 'walk', args: [out], block: 1 }],
    expected: () => ({ out: [10, 20, 30, 200, 700, 300] }),
  }),

  kernelCase({
    name: 'dynamic-shared',
    source: `
      // One piece of dynamic shared memory holds doubles, then ints, then bytes.
      __global__ void rearrange(const double *x, double *reversed, int *ranks, int n)
      {
        extern __shared__ double doubles[];
        int *ints = (int *)(doubles + n);
        unsigned char *flags = (unsigned char *)(ints + n);
        int i = threadIdx.x;
        doubles[i] = x[blockIdx.x * n + i];
        ints[i] = 0;
        flags[i] = x[blockIdx.x * n + i] < 0;
        __syncthreads();
        for (int k = 0; k < n; k++) ints[i] += doubles[k] < doubles[i];
        __syncthreads();
        reversed[blockIdx.x * n + i] = doubles[n - 1 - i];
        ranks[blockIdx.x * n + i] = flags[n - 1 - i] ? -ints[n - 1 - i] : ints[n - 1 - i];
      }`,
    buffers: (random) => ({ x: random.doubles(3 * 70), reversed: new Float64Array(210), ranks: new Int32Array(210) }),
    launches: ({ x, reversed, ranks }) => [
      { kernel: 'rearrange', args: [x, reversed, ranks, 70], block: 70, grid: 3, shared: 70 * 13 },
    ],
    expected: ({ x }) => {
      const rows = range(3, (b) => [...x.subarray(b * 70, b * 70 + 70)].reverse());
      const rank = (row: number[], v: number): number => [...row].sort((p, q) => p - q).indexOf(v);
      return {
        reversed: rows.flat(),
        ranks: rows.flatMap((row) => row.map((v) => (v < 0 ? -1 : 1) * rank(row, v))),
      };
    },
  }),

  kernelCase({
    name: 'static-shared',
    source: `
      struct Particle { float3 at; short id; bool alive; };
      __device__ int *counter()
      {
        __shared__ int count;
        return &count;
      }
      template <typename T> __global__ void neighbours(const T *x, T *y)
      {
        __shared__ Particle particles[32];
        __shared__ T cells[4][8];
        int i = threadIdx.x;
        particles[i] = { make_float3(i, 2 * i, 3 * i), (short)(31 - i), i % 3 == 0 };
        cells[i / 8][i % 8] = x[blockIdx.x * 32 + i];
        if (i == 0) *counter() = 100;
        __syncthreads();
        Particle other = particles[(i + 5) % 32];
        T value = cells[other.id % 4][other.id / 4];
        y[blockIdx.x * 32 + i] = value + (T)(other.at.z + (other.alive ? *counter() : 0));
      }`,
    nameExpressions: ['neighbours<int>', 'neighbours<double>'],
    buffers: (random) => ({
      x: random.ints(64, -99, 99),
      y: new Int32Array(64),
      xd: random.doubles(64),
      yd: new Float64Array(64),
    }),
    launches: ({ x, y, xd, yd }) => [
      { kernel: 'neighbours<int>', args: [x, y], block: 32, grid: 2 },
      { kernel: 'neighbours<double>', args: [xd, yd], block: 32, grid: 2 },
    ],
    expected: ({ x, xd }) => {
      const value = (source: ArrayLike<number>, t: number): number => {
        const [b, o] = [t - (t % 32), ((t % 32) + 5) % 32];
        const id = 31 - o;
        return at(source, b + (id % 4) * 8 + Math.floor(id / 4)) + 3 * o + (o % 3 === 0 ? 100 : 0);
      };
      return { y: range(64, (t) => value(x, t)), yd: range(64, (t) => value(xd, t)) };
    },
  }),

  kernelCase({
    name: 'float3-arrays',
    source: `
      __device__ float3 cross(float3 a, float3 b)
      {
        return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
      }
      __global__ void normals(const float3 *a, const float3 *b, float3 *n, float3 up, int count)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= count) return;
        float3 c = cross(a[i], b[i]);
        if (c.x * up.x + c.y * up.y + c.z * up.z < 0) c = make_float3(-c.x, -c.y, -c.z);
        n[i] = c;
      }`,
    options: ['--fmad=false'],
    buffers: (random) => ({ a: random.floats(303), b: random.floats(303), n: new Float32Array(303) }),
    launches: ({ a, b, n }) => [{ kernel: 'normals', args: [a, b, n, float3(0, 0, 1), 101], block: 32, grid: 4 }],
    expected: ({ a, b }) => ({
      n: range(101, (i) => {
        const [x, y, z] = range(3, (k) => {
          const [p, q] = [3 * i + ((k + 1) % 3), 3 * i + ((k + 2) % 3)];
          return Math.fround(Math.fround(at(a, p) * at(b, q)) - Math.fround(at(a, q) * at(b, p)));
        }) as [number, number, number];
        return z < 0 ? [-x, -y, -z] : [x, y, z];
      }).flat(),
    }),
  }),

  kernelCase({
    name: 'vector-types',
    source: `
      __global__ void mix(const float4 *f, const uchar4 *c, const short2 *s, const ulonglong2 *l, double2 *out, uchar4 tint, short2 shift)
      {
        int i = threadIdx.x;
        float4 v = f[i];
        int4 w = make_int4(c[i].x + tint.x, c[i].y ^ tint.y, c[i].z * tint.z, c[i].w - tint.w);
        double2 d;
        d.x = (double)v.x + v.y * 2 + w.x + w.z + (s[i].x + shift.x);
        d.y = (double)v.z - v.w + w.y + w.w + (s[i].y - shift.y) + (double)((l[i].x ^ l[i].y) >> 40);
        out[i] = d;
      }`,
    buffers: (random) => ({
      f: random.floats(4 * 50, -8, 8).map((v) => Math.round(v * 64) / 64),
      c: random.bytes(4 * 50),
      s: Int16Array.from(random.ints(2 * 50, -0x8000, 0x8000)),
      l: BigUint64Array.from(random.longs(2 * 50)),
      out: new Float64Array(100),
    }),
    launches: ({ f, c, s, l, out }) => [
      { kernel: 'mix', args: [f, c, s, l, out, uchar4(1, 2, 3, 4), short2(-7, 300)], block: 50 },
    ],
    expected: ({ f, c, s, l }) => ({
      out: range(50, (i) => {
        const [x, y, z, w] = [...f.subarray(4 * i, 4 * i + 4)] as [number, number, number, number];
        const [p, q, r, t] = [...c.subarray(4 * i, 4 * i + 4)] as [number, number, number, number];
        const bits = Number(((l[2 * i] ?? 0n) ^ (l[2 * i + 1] ?? 0n)) >> 40n);
        return [x + y * 2 + p + 1 + r * 3 + at(s, 2 * i) - 7, z - w + (q ^ 2) + t - 4 + at(s, 2 * i + 1) - 300 + bits];
      }).flat(),
    }),
  }),

  kernelCase({
    name: 'struct-arguments',
    source: `
      struct Inner { char tag; double weight; };
      struct __align__(16) Quad { int v[3]; };
      struct Params { short n; Inner inner[2]; float3 origin; unsigned char grey; Quad quad; long long big; };
      __global__ void unpack(double *out, char first, Params p, short last)
      {
        int i = threadIdx.x;
        double all[] = { (double)first, (double)p.n, (double)p.inner[0].tag, p.inner[0].weight, (double)p.inner[1].tag,
          p.inner[1].weight, p.origin.x, p.origin.y, p.origin.z, (double)p.grey, (double)p.quad.v[2], (double)p.big, (double)last };
        out[i] = all[i];
      }`,
    buffers: () => ({ out: new Float64Array(13) }),
    launches: ({ out }) => {
      const Inner = struct({ tag: 'i8', weight: 'f64' });
      // Three ints and four bytes of padding, aligned to 16: laid out here by an explicit gap.
      const Params = struct({
        n: 'i16',
        inner: [Inner, 2],
        origin: float3,
        grey: 'u8',
        gap: ['u8', 11],
        quad: ['i32', 4],
        big: 'i64',
        tail: 'i64',
      });
      const params = Params({
        n: -300,
        inner: [
          { tag: -1, weight: 0.1 },
          { tag: 2, weight: 1e300 },
        ],
        origin: float3(1.5, 2.5, 3.5),
        grey: 250,
        gap: range(11, () => 0),
        quad: [10, 11, 12, 0],
        big: 2 ** 50,
        tail: 0,
      });
      return [{ kernel: 'unpack', args: [out, -5, params, 12345], block: 13 }];
    },
    expected: () => ({ out: [-5, -300, -1, 0.1, 2, 1e300, 1.5, 2.5, 3.5, 250, 12, 2 ** 50, 12345] }),
  }),

  kernelCase({
    name: 'small-integers',
    source: `
      __global__ void wrap(const signed char *a, const unsigned char *b, const short *c, const unsigned short *d,
                           signed char *p, unsigned char *q, short *r, unsigned short *s, signed char by)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        p[i] = a[i] + by;
        p[i] *= 3;
        q[i] = b[i] << 1;
        q[i] -= a[i];
        r[i] = c[i] * c[i] >> 2;
        r[i] ^= d[i];
        s[i] = d[i] / (b[i] | 1) + ~c[i];
        s[i] >>= 1;
      }`,
    buffers: (random) => ({
      a: Int8Array.from(random.bytes(77)),
      b: random.bytes(77),
      c: Int16Array.from(random.ints(77)),
      d: Uint16Array.from(random.ints(77)),
      p: new Int8Array(77),
      q: new Uint8Array(77),
      r: new Int16Array(77),
      s: new Uint16Array(77),
    }),
    launches: ({ a, b, c, d, p, q, r, s }) => [
      { kernel: 'wrap', args: [a, b, c, d, p, q, r, s, -100], block: 7, grid: 11 },
    ],
    expected: ({ a, b, c, d }) => ({
      p: Int8Array.from(range(77, (i) => (at(a, i) - 100) * 3)),
      q: Uint8Array.from(range(77, (i) => 2 * at(b, i) - at(a, i))),
      r: Int16Array.from(range(77, (i) => ((at(c, i) ** 2) >> 2) ^ at(d, i))),
      s: Uint16Array.from(range(77, (i) => Math.floor(at(d, i) / (at(b, i) | 1)) - at(c, i) - 1)).map((v) => v >> 1),
    }),
  }),

  kernelCase({
    name: 'wide-integers',
    source: `
      typedef unsigned long long ull;
      __global__ void wide(const long long *a, const long long *b, long long *out)
      {
        int i = threadIdx.x;
        long long x = a[i], y = b[i] | 1, *o = out + 8 * i;
        o[0] = (ull)x * (ull)y;
        o[1] = x / y;
        o[2] = (ull)x % (ull)y;
        o[3] = x >> (y & 63);
        o[4] = (ull)x << (y & 63) | (ull)x >> (64 - (y & 63));
        o[5] = __umul64hi(x, y);
        o[6] = __mul64hi(x, y);
        o[7] = (x < y) + 2 * ((ull)x < (ull)y) + 4LL * __popcll(x) + 1000LL * __clzll(y) + 100000LL * __ffsll(x);
      }`,
    buffers: (random) => ({ a: random.longs(40), b: random.longs(40), out: new BigInt64Array(320) }),
    launches: ({ a, b, out }) => [{ kernel: 'wide', args: [a, b, out], block: 40 }],
    expected: ({ a, b }) => ({
      out: BigInt64Array.from(
        range(40, (i) => {
          const [x, y] = [a[i] ?? 0n, (b[i] ?? 0n) | 1n];
          const [ux, uy] = [BigInt.asUintN(64, x), BigInt.asUintN(64, y)];
          const digits = ux.toString(2).padStart(64, '0');
          const turn = Number(uy & 63n);
          return [
            x * y,
            x / y,
            ux % uy,
            x >> BigInt(turn),
            BigInt(`0b${digits.slice(turn)}${digits.slice(0, turn)}`),
            (ux * uy) >> 64n,
            (x * y) >> 64n,
            BigInt(x < y ? 1 : 0) +
              BigInt(ux < uy ? 2 : 0) +
              4n * BigInt(digits.replaceAll('0', '').length) +
              1000n * BigInt(64 - uy.toString(2).length) +
              100000n * BigInt(64 - digits.lastIndexOf('1')),
          ].map((value) => BigInt.asIntN(64, value));
        }).flat(),
      ),
    }),
  }),

  kernelCase({
    name: 'unrolled-loops-of-many-accesses',
    source: `
      __global__ void prefixes(const float *x, float *y, int n)
      {
        __shared__ int counts[64];
        int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
        counts[t] = t;
        __syncthreads();
        float sum = 0;
        #pragma unroll
        for (int j = 0; j < 50; j++) {
          sum += x[j * n + i] * counts[(t + j) % 64];
          y[j * n + i] = sum;
        }
      }`,
    buffers: (random) => ({ x: Float32Array.from(random.ints(50 * 128), (e) => e % 8), y: new Float32Array(50 * 128) }),
    launches: ({ x, y }) => [{ kernel: 'prefixes', args: [x, y, 128], block: 64, grid: 2 }],
    expected: ({ x }) => ({
      y: range(50 * 128, (e) => {
        const i = e % 128;
        return sum(Math.floor(e / 128) + 1, (j) => at(x, j * 128 + i) * (((i % 64) + j) % 64));
      }),
    }),
  }),
];
