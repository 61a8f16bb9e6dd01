import { at, kernelCase, range, sum, type Case } from '../case.ts';

const FULL = '0xffffffff';
const bit = (yes: boolean): number => (yes ? 1 : 0);

/** What shfl.sync gives, by the pseudocode of the PTX ISA: the value of lane j, and whether it was in the segment. */
function shuffled(values: readonly number[], lane: number, mode: string, by: number, c: number): [number, number] {
  const segment = (c >> 8) & 31;
  const last = (lane & segment) | (c & 31 & ~segment);
  const first = lane & segment;
  let [source, inside] = [lane, true];
  if (mode === 'up') [source, inside] = [lane - by, lane - by >= last];
  if (mode === 'down') [source, inside] = [lane + by, lane + by <= last];
  if (mode === 'bfly') [source, inside] = [lane ^ by, (lane ^ by) <= last];
  if (mode === 'idx') [source, inside] = [first | (by & ~segment), (first | (by & ~segment)) <= last];
  return [at(values, inside ? source : lane), bit(inside)];
}
const SHUFFLES = [
  ['up', 1, 0],
  ['up', 3, 0x1800],
  ['down', 2, 0x1f],
  ['down', 5, 0x181f],
  ['bfly', 16, 0x1f],
  ['bfly', 9, 0x180f],
  ['idx', 7, 0x1f],
  ['idx', 2, 0x1c1f],
] as const;

/** Inline PTX: places of threads, memory, warps, barriers, atomics. */
export const ptxThreadCases: readonly Case[] = [
  kernelCase({
    name: 'ptx-places',
    source: `
#define READ(name, row) { unsigned v; asm volatile("mov.u32 %0, %%" name ";" : "=r"(v)); out[row * all + i] = v; }
      __device__ __forceinline__ unsigned below() { unsigned r; asm("mov.u32 %0, %lanemask_lt;" : "=r"(r)); return r; }
      extern "C" __global__ void places(unsigned *out)
      {
        unsigned all = gridDim.x * gridDim.y * blockDim.x * blockDim.y, b = blockIdx.x + gridDim.x * blockIdx.y;
        unsigned l = threadIdx.x + blockDim.x * threadIdx.y, i = b * blockDim.x * blockDim.y + l;
        READ("tid.x", 0) READ("tid.y", 1) READ("ntid.x", 2) READ("ctaid.y", 3) READ("nctaid.x", 4)
        READ("laneid", 5) READ("lanemask_eq", 6) READ("lanemask_le", 7) READ("lanemask_gt", 8) READ("lanemask_ge", 9)
        out[10 * all + i] = below();
        unsigned long long early, late;
        asm volatile("mov.u64 %0, %clock64;" : "=l"(early) :: "memory");
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(late) :: "memory");
        asm("{ .reg .u32 w, x, y; mov.u32 w, WARP_SZ; mov.u32 x, %tid.x; mov.u32 y, %tid.y; mad.lo.u32 %0, w, y, x; }" : "=r"(out[11 * all + i]) : "l"(early - late));
      }`,
    buffers: () => ({ out: new Uint32Array(12 * 240) }),
    launches: ({ out }) => [{ kernel: 'places', args: [out], block: [20, 3], grid: [2, 2] }],
    expected: () => {
      const rows: ((t: { x: number; y: number; b: number; lane: number }) => number)[] = [
        ({ x }) => x,
        ({ y }) => y,
        () => 20,
        ({ b }) => b >> 1,
        () => 2,
        ({ lane }) => lane,
        ({ lane }) => 2 ** lane,
        ({ lane }) => 2 ** (lane + 1) - 1,
        ({ lane }) => 2 ** 32 - 2 ** (lane + 1),
        ({ lane }) => 2 ** 32 - 2 ** lane,
        ({ lane }) => 2 ** lane - 1,
        ({ x, y }) => 32 * y + x,
      ];
      const threads = range(240, (i) => ({
        x: i % 20,
        y: Math.floor(i / 20) % 3,
        b: Math.floor(i / 60),
        lane: (i % 60) % 32,
      }));
      return { out: Uint32Array.from(rows.flatMap((of) => threads.map(of))) };
    },
  }),
  kernelCase({
    name: 'ptx-memory',
    // Loads and stores of all widths, vectors, hints, address registers of 32 bits for shared memory, constants.
    source: `
      __constant__ int table[4] = {3, 1, 4, 1};
      extern "C" __global__ void memory(const unsigned char *x, unsigned *out, double *d)
      {
        __shared__ __align__(16) unsigned s[64 * 4];
        int t = threadIdx.x, n = blockDim.x;
        const unsigned char *p = x + 16 * t;
        unsigned a, b, c, e; unsigned short h; unsigned long long l; float f, g; int q;
        asm volatile("ld.global.u8 %0, [%1+3];" : "=r"(a) : "l"(p));
        asm volatile("ld.global.nc.s8 %0, [%1];" : "=r"(q) : "l"(p + 1));
        asm volatile("ld.global.ca.u16 %0, [%1+-2];" : "=h"(h) : "l"(p + 6));
        asm volatile("ld.global.L1::no_allocate.L2::128B.v2.u32 {%0, %1}, [%2+8];" : "=r"(b), "=r"(c) : "l"(p));
        asm volatile("ld.volatile.global.u64 %0, [%1];" : "=l"(l) : "l"(p));
        asm volatile("{ .reg .u64 g; cvta.to.global.u64 g, %1; ld.relaxed.gpu.global.u32 %0, [g+12]; }" : "=r"(e) : "l"(p) : "memory");
        out[t] = a; out[n + t] = (unsigned)q; out[2 * n + t] = h; out[3 * n + t] = b ^ c;
        out[4 * n + t] = (unsigned)(l >> 32) + e;
        unsigned at = (unsigned)__cvta_generic_to_shared(s + 4 * t);
        asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" :: "r"(at), "r"(a), "r"(b), "r"(c), "r"(e) : "memory");
        asm volatile("bar.sync 0;" ::: "memory");
        unsigned from = (unsigned)__cvta_generic_to_shared(s + 4 * (n - 1 - t));
        asm volatile("ld.shared.v2.f32 {%0, %1}, [%2+8];" : "=f"(f), "=f"(g) : "r"(from));
        asm volatile("st.global.wt.v2.f32 [%0], {%1, %2};" :: "l"(out + 5 * n + 2 * t), "f"(g), "f"(f) : "memory");
        asm volatile("{ .reg .u64 c; cvta.to.const.u64 c, %1; ld.const.s32 %0, [c]; }" : "=r"(q) : "l"(table + t % 4));
        asm volatile("st.global.cs.f64 [%0+8], %1;" :: "l"(d + 2 * t), "d"(q * 0.5) : "memory");
        asm volatile("{ .reg .pred p; setp.eq.s32 p, %1, 1; @p st.global.u64 [%0], %2; @!p st.f64 [%0], 0d4000000000000000; }"
                     :: "l"(d + 2 * t), "r"(q), "l"(0x3ff0000000000000ull) : "memory");
        asm volatile("st.global.u8 [%0], %1; prefetch.global.L2 [%0];" :: "l"((char *)(out + 7 * n + t)), "r"(0x1234 + t) : "memory");
      }`,
    buffers: (random) => ({
      // Words that are not NaN: a float might not keep its bits.
      x: random.bytes(1024, 0, 120),
      out: new Uint32Array(512),
      d: new Float64Array(128),
    }),
    launches: ({ x, out, d }) => [{ kernel: 'memory', args: [x, out, d], block: 64 }],
    expected: ({ x }) => {
      const view = new DataView(x.buffer);
      const word = (t: number, from: number): number => view.getUint32(16 * t + from, true);
      const threads = range(64);
      return {
        out: Uint32Array.from([
          ...threads.map((t) => at(x, 16 * t + 3)),
          ...threads.map((t) => at(x, 16 * t + 1)),
          ...threads.map((t) => view.getUint16(16 * t + 4, true)),
          ...threads.map((t) => word(t, 8) ^ word(t, 12)),
          ...threads.map((t) => word(t, 4) + word(t, 12)),
          ...threads.flatMap((t) => [word(63 - t, 12), word(63 - t, 12)]),
          ...threads.map((t) => (0x34 + t) & 255),
        ]),
        d: Float64Array.from(threads.flatMap((t) => [t % 2 ? 1 : 2, at([3, 1, 4, 1], t % 4) / 2])),
      };
    },
  }),
  kernelCase({
    name: 'ptx-shuffles',
    source: `
      extern "C" __global__ void shuffles(const unsigned *x, unsigned *out, unsigned *inside)
      {
        int t = threadIdx.x, n = blockDim.x;
        unsigned v = x[t], r, p;
        ${SHUFFLES.map(
          ([mode, by, c], i) => `
        asm volatile("{ .reg .pred p; shfl.sync.${mode}.b32 %0|p, %2, ${by}, ${c}, ${FULL}; selp.u32 %1, 1, 0, p; }"
                     : "=r"(r), "=r"(p) : "r"(v));
        out[${i} * n + t] = r; inside[${i} * n + t] = p;`,
        ).join('')}
        // A scan, in which each step depends on the predicate, and a sum of floats over the warp.
        unsigned total = v & 255;
        for (int by = 1; by < 32; by *= 2)
          asm volatile("{ .reg .u32 o; .reg .pred p; shfl.sync.up.b32 o|p, %0, %1, 0, ${FULL}; @p add.u32 %0, o, %0; }" : "+r"(total) : "r"(by));
        out[${SHUFFLES.length} * n + t] = total;
        float f = (float)(v & 255), g;
        for (int by = 16; by; by /= 2) {
          asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, ${FULL};" : "=f"(g) : "f"(f), "r"(by));
          f += g;
        }
        out[${SHUFFLES.length + 1} * n + t] = (unsigned)f;
      }`,
    buffers: (random) => ({ x: random.uints(64), out: new Uint32Array(640), inside: new Uint32Array(512) }),
    launches: ({ x, out, inside }) => [{ kernel: 'shuffles', args: [x, out, inside], block: 64 }],
    expected: ({ x }) => {
      const warps = [Array.from(x.subarray(0, 32)), Array.from(x.subarray(32))];
      const results = SHUFFLES.flatMap(([mode, by, c]) =>
        warps.flatMap((values) => range(32, (lane) => shuffled(values, lane, mode, by, c))),
      );
      const scans = warps.flatMap((values) => range(32, (lane) => sum(lane + 1, (i) => at(values, i) & 255)));
      return {
        out: Uint32Array.from([
          ...results.map(([value]) => value),
          ...scans,
          ...warps.flatMap((values) => new Array<number>(32).fill(sum(32, (i) => at(values, i) & 255))),
        ]),
        inside: Uint32Array.from(results.map(([, inside]) => inside)),
      };
    },
  }),
  kernelCase({
    name: 'ptx-votes',
    source: `
      extern "C" __global__ void votes(const unsigned *x, unsigned *out)
      {
        int t = threadIdx.x, n = blockDim.x;
        unsigned v = x[t] & 3, r;
#define PUT(row) out[row * n + t] = r;
        asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 1; vote.sync.ballot.b32 %0, p, ${FULL}; }" : "=r"(r) : "r"(v)); PUT(0)
        asm volatile("{ .reg .pred p, q; setp.eq.u32 p, %1, 9; vote.sync.any.pred q, p, ${FULL}; selp.u32 %0, 1, 0, q; }" : "=r"(r) : "r"(v)); PUT(1)
        asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 3; vote.sync.all.pred q, !p, ${FULL}; selp.u32 %0, 1, 0, q; }" : "=r"(r) : "r"(v)); PUT(2)
        asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 4; vote.sync.uni.pred q, p, ${FULL}; selp.u32 %0, 1, 0, q; }" : "=r"(r) : "r"(v)); PUT(3)
        asm volatile("match.any.sync.b32 %0, %1, ${FULL};" : "=r"(r) : "r"(v)); PUT(4)
        asm volatile("{ .reg .pred p; .reg .u64 w; cvt.u64.u32 w, %1; shl.b64 w, w, 40; match.all.sync.b64 %0|p, w, ${FULL}; @p add.u32 %0, %0, 1; }" : "=r"(r) : "r"(v / 4 + 5)); PUT(5)
        asm volatile("redux.sync.add.s32 %0, %1, ${FULL};" : "=r"(r) : "r"(x[t])); PUT(6)
        asm volatile("redux.sync.max.s32 %0, %1, ${FULL};" : "=r"(r) : "r"(x[t])); PUT(7)
        asm volatile("redux.sync.min.u32 %0, %1, ${FULL};" : "=r"(r) : "r"(x[t])); PUT(8)
        asm volatile("redux.sync.xor.b32 %0, %1, ${FULL};" : "=r"(r) : "r"(x[t])); PUT(9)
        r = 0;
        if (t % 32 < 12)
          asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xfff; }" : "=r"(r) : "r"(v));
        PUT(10)
        asm volatile("bar.warp.sync ${FULL}; activemask.b32 %0;" : "=r"(r) :: "memory"); PUT(11)
      }`,
    buffers: (random) => ({ x: random.uints(64), out: new Uint32Array(768) }),
    launches: ({ x, out }) => [{ kernel: 'votes', args: [x, out], block: 64 }],
    expected: ({ x }) => {
      const warps = [Array.from(x.subarray(0, 32)), Array.from(x.subarray(32))];
      const ballot = (values: readonly number[], of: (v: number) => boolean): number =>
        sum(values.length, (i) => (of(at(values, i)) ? 2 ** i : 0));
      const rows: ((values: readonly number[], lane: number) => number)[] = [
        (values) => ballot(values, (v) => (v & 3) > 1),
        () => 0,
        (values) => bit(values.every((v) => (v & 3) >= 3)),
        () => 1,
        (values, lane) => ballot(values, (v) => (v & 3) === (at(values, lane) & 3)),
        // All bits and one more.
        () => 0,
        (values) => sum(32, (i) => at(values, i)) % 2 ** 32,
        (values) => Math.max(...values.map((v) => v | 0)),
        (values) => Math.min(...values),
        (values) => values.reduce((all, v) => all ^ v, 0),
        (values, lane) => (lane < 12 ? ballot(values.slice(0, 12), (v) => (v & 3) !== 0) : 0),
        () => 2 ** 32 - 1,
      ];
      return {
        out: Uint32Array.from(rows.flatMap((of) => warps.flatMap((values) => range(32, (lane) => of(values, lane))))),
      };
    },
  }),
  kernelCase({
    name: 'ptx-barriers-in-loops',
    // A tree of sums whose barrier is in a loop and in a function, and the votes of a block.
    source: `
      template <int ID> __device__ void wait() { asm volatile("barrier.sync.aligned %0;" :: "n"(ID) : "memory"); }
      extern "C" __global__ void tree(const int *x, int *out)
      {
        __shared__ int s[128];
        int t = threadIdx.x, n = blockDim.x;
        s[t] = x[blockIdx.x * n + t];
        wait<0>();
        for (int k = n / 2; k > 0; k /= 2) {
          if (t < k) s[t] += s[t + k];
          wait<0>();
        }
        int own = x[blockIdx.x * n + t], count, any, all;
        asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %3, 0; bar.red.popc.u32 %0, 0, p;\\n"
                     " setp.gt.s32 q, %3, 99; bar.red.or.pred q, 0, q; selp.s32 %1, 1, 0, q;\\n"
                     " bar.cta.red.and.pred q, 0, p; selp.s32 %2, 1, 0, q; }"
                     : "=r"(count), "=r"(any), "=r"(all) : "r"(own) : "memory");
        if (t == 0) { int *o = out + 4 * blockIdx.x; o[0] = s[0]; o[1] = count; o[2] = any; o[3] = all; }
      }`,
    buffers: (random) => ({
      x: Int32Array.from([...random.ints(128, -100, 101), ...random.ints(128, 1, 50), ...random.ints(128, -5, 99)]),
      out: new Int32Array(12),
    }),
    launches: ({ x, out }) => [{ kernel: 'tree', args: [x, out], block: 128, grid: 3 }],
    expected: ({ x }) => ({
      out: Int32Array.from(
        range(3).flatMap((b) => {
          const own = Array.from(x.subarray(128 * b, 128 * b + 128));
          const positive = own.filter((v) => v > 0).length;
          return [sum(128, (i) => at(own, i)), positive, bit(own.some((v) => v > 99)), bit(positive === 128)];
        }),
      ),
    }),
  }),
  kernelCase({
    name: 'ptx-atomics',
    source: `
      extern "C" __global__ void atomics(unsigned *w, unsigned long long *l, float *f, unsigned *olds)
      {
        __shared__ unsigned s[2];
        int t = threadIdx.x;
        if (t < 2) s[t] = 0;
        asm volatile("bar.sync 0;" ::: "memory");
        unsigned old, at = (unsigned)__cvta_generic_to_shared(s);
        asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(w), "r"(1) : "memory");
        olds[blockIdx.x * blockDim.x + t] = old;
        asm volatile("red.relaxed.gpu.global.add.s32 [%0+4], %1;" :: "l"(w), "r"(-t) : "memory");
        asm volatile("red.global.min.s32 [%0], %1; red.global.max.u32 [%0+4], %1;" :: "l"(w + 2), "r"(t * 3 - 7) : "memory");
        asm volatile("red.global.or.b32 [%0], %1; red.global.and.b32 [%0+4], %2; red.global.xor.b32 [%0+8], %1;"
                     :: "l"(w + 4), "r"(1u << (t & 15)), "r"(~(2u << (t & 15))) : "memory");
        asm volatile("atom.global.inc.u32 %0, [%1], 10;" : "=r"(old) : "l"(w + 7) : "memory");
        asm volatile("atom.acq_rel.sys.global.dec.u32 %0, [%1], 1000;" : "=r"(old) : "l"(w + 8) : "memory");
        asm volatile("red.global.add.u64 [%0], %1; red.global.max.s64 [%0+8], %1;" :: "l"(l), "l"((long long)t << 33) : "memory");
        asm volatile("red.global.add.f32 [%0], %1;" :: "l"(f), "f"(0.5f * t) : "memory");
        asm volatile("red.shared.add.u32 [%0], %1; { .reg .b32 o; atom.shared.exch.b32 o, [%0+4], 77; }" :: "r"(at), "r"(t) : "memory");
        // Its own lock-free maximum.
        unsigned seen = w[9], mine = t * 7 % 61;
        while (seen < mine) {
          unsigned found;
          asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(found) : "l"(w + 9), "r"(seen), "r"(mine) : "memory");
          if (found == seen) break;
          seen = found;
        }
        asm volatile("fence.acq_rel.gpu; membar.gl; bar.sync 0;" ::: "memory");
        if (t == 0) asm volatile("red.global.add.u32 [%0], %1;" :: "l"(w + 10), "r"(s[0] + s[1]) : "memory");
      }`,
    buffers: () => ({
      w: Uint32Array.of(100, 5, 50, 0, 0, 0xffff_ffff, 0, 0, 0, 0, 0),
      l: BigUint64Array.of(1n, 0n),
      f: Float32Array.of(1),
      olds: new Uint32Array(128),
    }),
    launches: ({ w, l, f, olds }) => [{ kernel: 'atomics', args: [w, l, f, olds], block: 64, grid: 2 }],
    expected: () => {
      const total = (63 * 64) / 2;
      // t * 3 - 7 as unsigned: -7, -4, -1 are the largest.
      const xor = 0;
      return {
        w: Uint32Array.of(
          100 + 128,
          (5 - 2 * total) >>> 0,
          -7 >>> 0,
          -1 >>> 0,
          0xffff,
          0xffff_ffff - 2 * 0xffff,
          xor,
          128 % 11,
          1001 - 128,
          60,
          2 * total + 2 * 77,
        ),
        l: BigUint64Array.of(1n + 2n * BigInt(total) * 2n ** 33n, 63n << 33n),
        f: Float32Array.of(1 + total),
      };
    },
  }),
  kernelCase({
    name: 'ptx-copies-to-shared-memory',
    source: `
      template <int N> __device__ void wait() { asm volatile("cp.async.wait_group %0;" :: "n"(N)); }
      extern "C" __global__ void copies(const unsigned *x, unsigned *out, int some)
      {
        __shared__ __align__(16) unsigned s[64 * 4], w[64];
        int t = threadIdx.x;
        unsigned to = (unsigned)__cvta_generic_to_shared(s + 4 * t);
        asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2, %3;"
                     :: "r"(to), "l"(x + 4 * t), "n"(16), "r"(t < some ? 16 : t % 16) : "memory");
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"((unsigned)__cvta_generic_to_shared(w + t)), "l"(x + t) : "memory");
        asm volatile("cp.async.commit_group;");
        wait<0>();
        __syncthreads();
        for (int i = 0; i < 4; i++) out[4 * t + i] = s[4 * (63 - t) + i];
        out[256 + t] = w[63 - t];
      }`,
    buffers: (random) => ({ x: random.uints(256), out: new Uint32Array(320) }),
    launches: ({ x, out }) => [{ kernel: 'copies', args: [x, out, 40], block: 64 }],
    expected: ({ x }) => {
      const bytes = new Uint8Array(x.buffer);
      const copied = new Uint8Array(1024);
      for (const t of range(64)) {
        const count = t < 40 ? 16 : t % 16;
        for (const i of range(count)) copied[16 * t + i] = at(bytes, 16 * t + i);
      }
      const words = new Uint32Array(copied.buffer);
      return {
        out: Uint32Array.from([
          ...range(64).flatMap((t) => range(4, (i) => at(words, 4 * (63 - t) + i))),
          ...range(64, (t) => at(x, 63 - t)),
        ]),
      };
    },
  }),
];
