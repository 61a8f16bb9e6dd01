import { at, kernelCase, range, sum, type Case } from '../case.ts';

const threads = 1000;
const shape = { block: 100, grid: 10 } as const;

/** Atomic operations of each kind and width, and what is built from them. */
export const atomicCases: readonly Case[] = [
  kernelCase({
    name: 'atomics-on-ints',
    source: `
      __global__ void all(const int *x, int *cells)
      {
        int v = x[blockIdx.x * blockDim.x + threadIdx.x];
        atomicAdd(&cells[0], v);
        atomicSub(&cells[1], v);
        atomicMin(&cells[2], v);
        atomicMax(&cells[3], v);
        atomicAnd(&cells[4], v | 0x00f0f000);
        atomicOr(&cells[5], v & 0x0000ff0f);
        atomicXor(&cells[6], v);
      }`,
    buffers: (random) => ({
      x: random.ints(threads, -1_000_000, 1_000_000),
      cells: Int32Array.of(5, 5, 5, 5, -1, 0, 7),
    }),
    launches: ({ x, cells }) => [{ kernel: 'all', args: [x, cells], ...shape }],
    expected: ({ x }) => {
      const total = x.reduce((a, b) => a + b);
      return {
        cells: [
          5 + total,
          5 - total,
          Math.min(...x),
          Math.max(...x),
          x.reduce((a, b) => a & (b | 0x00f0f000), -1),
          x.reduce((a, b) => a | (b & 0x0000ff0f), 0),
          x.reduce((a, b) => a ^ b, 7),
        ],
      };
    },
  }),

  kernelCase({
    name: 'atomics-on-unsigned',
    source: `
      __global__ void all(const unsigned *x, unsigned *cells, unsigned *tickets)
      {
        int t = blockIdx.x * blockDim.x + threadIdx.x;
        unsigned v = x[t];
        atomicAdd(&cells[0], v);
        atomicSub(&cells[1], v);
        atomicMin(&cells[2], v);
        atomicMax(&cells[3], v);
        atomicAnd(&cells[4], ~(v & 0x10u << t % 20));
        atomicOr(&cells[5], 1u << (v & 31));
        atomicXor(&cells[6], v);
        atomicInc(&cells[7], 6);
        atomicDec(&cells[8], 10);
        tickets[atomicAdd(&cells[9], 1u)] = 1;
        unsigned wrapped = atomicInc(&cells[10], 249);
        atomicAdd(&tickets[1000 + wrapped], 1u);
      }`,
    buffers: (random) => ({
      x: random.uints(threads),
      cells: Uint32Array.of(5, 5, 0xffff_fff0, 5, 0xffff_ffff, 0, 7, 3, 4, 0, 0),
      tickets: new Uint32Array(1250),
    }),
    launches: ({ x, cells, tickets }) => [{ kernel: 'all', args: [x, cells, tickets], ...shape }],
    expected: ({ x }) => {
      const total = x.reduce((a, b) => (a + b) % 2 ** 32, 0);
      const cleared = x.reduce((a, v, t) => a & ~(v & (0x10 << (t % 20))), -1);
      return {
        cells: [
          (5 + total) % 2 ** 32,
          (2 ** 32 + 5 - total) % 2 ** 32,
          Math.min(...x),
          Math.max(...x),
          cleared >>> 0,
          [...x].reduce((a, v) => a | (1 << (v & 31)), 0) >>> 0,
          [...x].reduce((a, b) => a ^ b, 7) >>> 0,
          (3 + threads) % 7,
          (4 + 11 * threads - threads) % 11,
          threads,
          threads % 250,
        ],
        tickets: [...range(1000, () => 1), ...range(250, () => 4)],
      };
    },
  }),

  kernelCase({
    name: 'atomics-on-64-bits',
    source: `
      typedef unsigned long long ull;
      __global__ void all(const long long *x, ull *cells, long long *signed_)
      {
        ull v = x[blockIdx.x * blockDim.x + threadIdx.x];
        atomicAdd(&cells[0], v);
        atomicMin(&cells[1], v);
        atomicMax(&cells[2], v);
        atomicAnd(&cells[3], v | 0xfff0ULL << 30);
        atomicOr(&cells[4], v & 0x0f0f0f0f00000000ULL);
        atomicXor(&cells[5], v);
        atomicMin(&signed_[0], (long long)v);
        atomicMax(&signed_[1], (long long)v);
        ull old = cells[6], seen;
        do {
          seen = old;
          old = atomicCAS(&cells[6], seen, seen * 3 + 1);
        } while (old != seen);
      }`,
    buffers: (random) => ({
      x: random.longs(threads),
      cells: BigUint64Array.of(1n, 1n << 63n, 1n << 63n, (1n << 64n) - 1n, 0n, 0n, 1n),
      signed: new BigInt64Array(2),
    }),
    launches: ({ x, cells, signed }) => [{ kernel: 'all', args: [x, cells, signed], ...shape }],
    expected: ({ x }) => {
      const wide = Array.from(x, (v) => BigInt.asUintN(64, v));
      const least = (values: Iterable<bigint>): bigint => [...values].sort((a, b) => (a < b ? -1 : 1))[0] ?? 0n;
      return {
        cells: BigUint64Array.from([
          1n + wide.reduce((a, b) => a + b),
          least([...wide, 1n << 63n]),
          -least([...wide, 1n << 63n].map((v) => -v)),
          wide.reduce((a, b) => a & (b | (0xfff0n << 30n)), (1n << 64n) - 1n),
          wide.reduce((a, b) => a | (b & 0x0f0f0f0f00000000n), 0n),
          wide.reduce((a, b) => a ^ b),
          wide.reduce((a) => BigInt.asUintN(64, a * 3n + 1n), 1n),
        ]),
        signed: BigInt64Array.of(least([...x, 0n]), -least([...x, 0n].map((v) => -v))),
      };
    },
  }),

  kernelCase({
    name: 'atomics-on-floats',
    source: `
      __device__ float atomic_max(float *cell, float value)
      {
        int *bits = (int *)cell, old = *bits, seen;
        do {
          seen = old;
          if (__int_as_float(seen) >= value) break;
          old = atomicCAS(bits, seen, __float_as_int(value));
        } while (old != seen);
        return __int_as_float(old);
      }
      __device__ double atomic_times(double *cell, double by)
      {
        unsigned long long *bits = (unsigned long long *)cell, old = *bits, seen;
        do {
          seen = old;
          old = atomicCAS(bits, seen, __double_as_longlong(by * __longlong_as_double(seen)));
        } while (old != seen);
        return __longlong_as_double(old);
      }
      __global__ void all(const float *x, float *f, double *d)
      {
        float v = x[blockIdx.x * blockDim.x + threadIdx.x];
        atomicAdd(&f[0], v);
        atomic_max(&f[1], v);
        atomicAdd(&d[0], (double)v);
        atomic_times(&d[1], threadIdx.x % 2 ? 2.0 : 0.5);
        if (threadIdx.x == 0) atomicExch(&f[2], 1.5f);
      }`,
    buffers: (random) => ({
      x: random.floats(threads).map((v) => Math.round(v * 256) / 256),
      f: new Float32Array(3),
      d: Float64Array.of(0.5, 3),
    }),
    launches: ({ x, f, d }) => [{ kernel: 'all', args: [x, f, d], ...shape }],
    // Sums of multiples of 1/256 are exact in any order.
    expected: ({ x }) => {
      const total = x.reduce((a, b) => a + b);
      return { f: [total, Math.max(...x), 1.5], d: [0.5 + total, 3] };
    },
  }),

  kernelCase({
    name: 'atomics-on-shared-memory',
    source: `
      __global__ void all(const int *x, int *out, unsigned long long *wide)
      {
        __shared__ int most, least, turns;
        __shared__ unsigned long long sum;
        __shared__ float total;
        if (threadIdx.x == 0) {
          most = -1000;
          least = 1000;
          turns = 0;
          sum = 0;
          total = 0;
        }
        __syncthreads();
        int v = x[blockIdx.x * blockDim.x + threadIdx.x];
        atomicMax(&most, v);
        atomicMin(&least, v);
        atomicAdd(&sum, (unsigned long long)v * v);
        atomicAdd(&total, 0.25f);
        atomicCAS(&turns, 0, 1);
        __syncthreads();
        if (threadIdx.x == 0) {
          out[4 * blockIdx.x] = most;
          out[4 * blockIdx.x + 1] = least;
          out[4 * blockIdx.x + 2] = atomicExch(&turns, 9) + turns;
          out[4 * blockIdx.x + 3] = (int)total;
          wide[blockIdx.x] = sum;
        }
      }`,
    buffers: (random) => ({
      x: random.ints(threads, -999, 1000),
      out: new Int32Array(40),
      wide: new BigUint64Array(10),
    }),
    launches: ({ x, out, wide }) => [{ kernel: 'all', args: [x, out, wide], ...shape }],
    expected: ({ x }) => {
      const blocks = range(10, (b) => [...x.subarray(b * 100, b * 100 + 100)]);
      return {
        out: blocks.flatMap((block) => [Math.max(...block), Math.min(...block), 10, 25]),
        wide: BigUint64Array.from(blocks, (block) => BigInt(sum(100, (k) => at(block, k) ** 2))),
      };
    },
  }),

  kernelCase({
    name: 'lock-and-unlock',
    source: `
      struct Account { int lock, entries; double balance; };
      __device__ Account account;
      // One thread of a block asks for the lock, so that no thread of its own warp can hold it up.
      __global__ void deposit(const double *x, int each)
      {
        if (threadIdx.x == 0) {
          while (atomicCAS(&account.lock, 0, 1) != 0) { }
          __threadfence();
          volatile Account *mine = &account;
          for (int i = 0; i < each; i++) {
            mine->balance = mine->balance + x[blockIdx.x * each + i];
            mine->entries = mine->entries + 1;
          }
          __threadfence();
          atomicExch(&account.lock, 0);
        }
      }
      __global__ void report(double *out) { out[0] = account.balance; out[1] = account.entries; out[2] = account.lock; }`,
    buffers: (random) => ({
      x: random.doubles(256).map((v) => Math.round(v * 1024) / 64),
      out: new Float64Array(3),
    }),
    launches: ({ x, out }) => [
      { kernel: 'deposit', args: [x, 8], block: 32, grid: 32 },
      { kernel: 'report', args: [out], block: 1 },
    ],
    expected: ({ x }) => ({ out: [x.reduce((a, b) => a + b), 256, 0] }),
  }),

  kernelCase({
    name: 'union-find',
    source: `
      // Components of a graph: each edge hooks the larger root under the smaller, by compare and swap.
      __device__ int root(volatile int *parent, int v)
      {
        while (parent[v] != v) v = parent[v];
        return v;
      }
      __global__ void unite(const int2 *edges, int *parent, int m)
      {
        int e = blockIdx.x * blockDim.x + threadIdx.x;
        if (e >= m) return;
        int a = edges[e].x, b = edges[e].y;
        while (true) {
          a = root(parent, a);
          b = root(parent, b);
          if (a == b) return;
          if (a > b) { int t = a; a = b; b = t; }
          if (atomicCAS(&parent[b], b, a) == b) return;
        }
      }
      __global__ void flatten(int *parent, int n)
      {
        int v = blockIdx.x * blockDim.x + threadIdx.x;
        if (v >= n) return;
        int r = root(parent, v);
        __threadfence();
        parent[v] = r;
      }`,
    buffers: (random) => ({ edges: random.ints(2 * 150, 0, 200), parent: Int32Array.from(range(200)) }),
    launches: ({ edges, parent }) => [
      { kernel: 'unite', args: [edges, parent, 150], block: 64, grid: 3 },
      { kernel: 'flatten', args: [parent, 200], block: 64, grid: 4 },
    ],
    expected: ({ edges }) => {
      const label = range(200);
      for (let e = 0; e < 150; e++) {
        const [a, b] = [at(label, at(edges, 2 * e)), at(label, at(edges, 2 * e + 1))];
        label.forEach((l, v) => (label[v] = l === a || l === b ? Math.min(a, b) : l));
      }
      return { parent: label };
    },
  }),
];
