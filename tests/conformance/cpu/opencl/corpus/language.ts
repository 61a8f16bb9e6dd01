import { int32, uint32 } from '../../../../../src/core/value.ts';
import { struct } from '../../../../../src/core/struct.ts';
import { at, range } from '../../case.ts';
import { openCLCase, type OpenCLCase } from '../case.ts';

const n = 128;
const Settings = struct({ scale: 'i32', offset: 'i16', small: 'u8', wide: 'i64' });

/** What the language has besides numbers. */
export const languageCases: readonly OpenCLCase[] = [
  openCLCase({
    name: 'structs',
    source: `
      typedef struct { int scale; short offset; uchar small; long wide; } Settings;
      typedef struct { uchar tag; int2 at; struct { short a[3]; } inner; } Entry;
      Entry entry_of(int v, Settings s) {
        Entry e = {.tag = v, .at = (int2)(v * s.scale, s.offset)};
        for (int k = 0; k < 3; k++) e.inner.a[k] = v >> (8 * k);
        return e;
      }
      kernel void structs(global const int *x, Settings s, global Entry *out, global int *sizes) {
        size_t i = get_global_id(0);
        out[i] = entry_of(x[i], s);
        out[i].at.y += s.small + (int)s.wide;
        if (i == 0) sizes[0] = sizeof(Entry), sizes[1] = sizeof(Settings), sizes[2] = (int)&((global Entry *)0)->inner;
      }
      kernel void sum_entries(global const Entry *in, global int *out) {
        Entry e = in[get_global_id(0)];
        out[get_global_id(0)] = e.tag + e.at.x * 3 + e.at.y + e.inner.a[0] + 2 * e.inner.a[1] + 3 * e.inner.a[2];
      }`,
    buffers: (random) => ({
      x: random.ints(n, -1e6, 1e6),
      entries: new Uint8Array(24 * n),
      sizes: new Int32Array(3),
      out: new Int32Array(n),
    }),
    launches: ({ x, entries, sizes, out }) => [
      {
        kernel: 'structs',
        args: [x, Settings({ scale: 7, offset: -300, small: 250, wide: 5n }), entries, sizes],
        global: n,
        local: 32,
      },
      { kernel: 'sum_entries', args: [entries, out], global: n, local: 32 },
    ],
    expected: ({ x }) => ({
      sizes: [24, 16, 16],
      out: Array.from(x, (v) => {
        const short = (k: number): number => ((v >> (8 * k)) << 16) >> 16;
        return (v & 255) + 21 * v - 300 + 255 + short(0) + 2 * short(1) + 3 * short(2);
      }),
    }),
  }),

  openCLCase({
    name: 'unions-and-bit-fields',
    source: `
      typedef union { float f; uint u; uchar4 bytes; } Word;
      kernel void unions(global const float *x, global uint *out) {
        Word w = {.f = x[get_global_id(0)]};
        w.bytes = w.bytes.wzyx;
        uint swapped = w.u;
        w.f = -x[get_global_id(0)];
        // OpenCL C has no bit-fields: shifts and masks.
        uint sign = w.u >> 31, exponent = w.u >> 23 & 255, fraction = w.u & 0x7fffff;
        out[get_global_id(0)] = swapped ^ (sign << 7 | exponent << 9 | fraction >> 3);
      }`,
    buffers: (random) => ({ x: random.floats(n, -1e6, 1e6), out: new Uint32Array(n) }),
    launches: ({ x, out }) => [{ kernel: 'unions', args: [x, out], global: n, local: 32 }],
    expected: ({ x }) => ({
      out: Uint32Array.from(x, (v) => {
        const view = new DataView(new ArrayBuffer(4));
        view.setFloat32(0, v);
        const swapped = view.getUint32(0, true);
        const bits = (view.getUint32(0) ^ 0x80000000) >>> 0;
        return swapped ^ (((bits >>> 31) << 7) | (((bits >>> 23) & 255) << 9) | ((bits & 0x7fffff) >> 3));
      }),
    }),
  }),

  openCLCase({
    name: 'shared-helpers',
    source: `
      enum Mode { PLAIN, SQUARED, NEGATED = 7 };
      int helper(int v, enum Mode mode) {
        switch (mode) {
        case SQUARED: return v * v;
        case NEGATED: v = -v;
        default: return v + 1;
        }
      }
      int twice_helped(int v, enum Mode mode) { return helper(helper(v, mode), mode); }
      kernel void first_user(global const int *x, global int *y, uint mode) { y[get_global_id(0)] = twice_helped(x[get_global_id(0)], mode); }
      kernel void second_user(global const int *x, global int *y) {
        int v = x[get_global_id(0)];
        for (uint mode = 0; mode < 8; mode++) v += helper(v & 255, mode) ^ mode;
        y[get_global_id(0)] += v;
        goto done;
        y[0] = 0;
      done:;
      }`,
    buffers: (random) => ({ x: random.ints(n, -99, 99), y: new Int32Array(n) }),
    launches: ({ x, y }) => [
      { kernel: 'first_user', args: [x, y, uint32(7)], global: n, local: null },
      { kernel: 'second_user', args: [x, y], global: n, local: null },
    ],
    expected: ({ x }) => ({
      y: Array.from(x, (v) => {
        const help = (u: number, mode: number): number => (mode === 1 ? u * u : mode === 7 ? 1 - u : u + 1);
        let sum = v;
        for (let mode = 0; mode < 8; mode++) sum += help(sum & 255, mode) ^ mode;
        return help(help(v, 7), 7) + sum;
      }),
    }),
  }),

  openCLCase({
    name: 'constants-and-tables',
    source: `
      constant short primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
      constant struct { float4 v; int k[2]; } both = {(float4)(1, 2, 3, 4), {10, 20}};
      constant int *constant inner[2] = {&both.k[1], &both.k[0]};
      #define TWICE(x) ((x) + (x))
      kernel void tables(constant int *weights, global const uchar *x, global int *y) {
        size_t i = get_global_id(0);
        int v = x[i];
        y[i] = primes[v & 7] * weights[v % 5] + TWICE(*inner[v & 1]) + (int)both.v.z + __LINE__ * 0 + (int)sizeof(primes);
      }`,
    buffers: (random) => ({ weights: random.ints(5, -99, 99), x: random.bytes(n), y: new Int32Array(n) }),
    launches: ({ weights, x, y }) => [{ kernel: 'tables', args: [weights, x, y], global: n, local: 32 }],
    expected: ({ weights, x }) => ({
      y: Array.from(
        x,
        (v) => at([2, 3, 5, 7, 11, 13, 17, 19], v & 7) * at(weights, v % 5) + (v % 2 === 0 ? 40 : 20) + 3 + 16,
      ),
    }),
  }),

  openCLCase({
    name: 'kernels-call-kernels',
    options: '-cl-std=CL1.2 -DSTEP=3 -D FACTOR=(1+1)',
    source: `
      kernel void inner_kernel(global int *y, int by) { y[get_global_id(0)] += by * STEP; }
      kernel void outer_kernel(global const int *x, global int *y) {
        y[get_global_id(0)] = x[get_global_id(0)];
        inner_kernel(y, FACTOR);
        if (x[get_global_id(0)] > 0) inner_kernel(y, -10);
      }`,
    buffers: (random) => ({ x: random.ints(n, -99, 99), y: new Int32Array(n) }),
    launches: ({ x, y }) => [{ kernel: 'outer_kernel', args: [x, y], global: n, local: 32 }],
    expected: ({ x }) => ({ y: Array.from(x, (v) => v + 6 - (v > 0 ? 30 : 0)) }),
  }),

  openCLCase({
    name: 'program-scope-variables',
    needs: ['__opencl_c_program_scope_global_variables'],
    options: '-cl-std=CL3.0',
    source: `
      global int calls = 40, table[16];
      global int *global kept;
      kernel void remember(global int *x) {
        if (get_global_id(0) == 0) calls++, kept = x;
        table[get_global_id(0)] = 3 * x[get_global_id(0)];
      }
      kernel void recall(global int *out) {
        static global int visits = 5;
        int i = get_global_id(0);
        out[i] = table[i] + calls + kept[i];
        if (i == 0) out[16] = ++visits;
      }`,
    buffers: (random) => ({ x: random.ints(16, -99, 99), out: new Int32Array(17) }),
    launches: ({ x, out }) => [
      { kernel: 'remember', args: [x], global: 16, local: 4 },
      { kernel: 'recall', args: [out], global: 16, local: 4 },
      { kernel: 'remember', args: [x], global: 16, local: 4 },
      { kernel: 'recall', args: [out], global: 16, local: 4 },
    ],
    expected: ({ x }) => ({ out: [...Array.from(x, (v) => 4 * v + 42), 7] }),
  }),

  openCLCase({
    name: 'generic-pointers',
    needs: ['__opencl_c_generic_address_space'],
    options: '-cl-std=CL3.0',
    source: `
      int total(const int *values, int count) {
        int sum = 0;
        for (int k = 0; k < count; k++) sum += values[k];
        return sum;
      }
      void bump(int *cell) { *cell += 1; }
      kernel void generic_pointers(global int *x, global int *y, int which) {
        local int shared[8];
        int own[8], l = get_local_id(0);
        shared[l] = x[get_global_id(0)];
        for (int k = 0; k < 8; k++) own[k] = k * l;
        barrier(CLK_LOCAL_MEM_FENCE);
        int *from = which == 0 ? (int *)x : (l & 1) ? (int *)shared : (int *)own, *cells = shared;
        y[get_global_id(0)] = total(from, 8) + total(own + 2, 3) + (to_local(cells) == shared);
        barrier(CLK_LOCAL_MEM_FENCE);
        bump(&shared[l]), bump(&own[l]), bump(x + get_global_id(0));
        y[get_global_id(0)] += shared[l] + own[l];
      }`,
    buffers: (random) => ({ x: random.ints(32, -99, 99), y: new Int32Array(32) }),
    launches: ({ x, y }) => [{ kernel: 'generic_pointers', args: [x, y, int32(1)], global: 32, local: 8 }],
    expected: ({ x }) => ({
      x: Array.from(x, (v) => v + 1),
      y: range(32, (i) => {
        const l = i % 8;
        const group = [...x.subarray(i - l, i - l + 8)].reduce((a, b) => a + b);
        return (l % 2 === 1 ? group : 28 * l) + 9 * l + 1 + at(x, i) + 1 + l * l + 1;
      }),
    }),
  }),

  openCLCase({
    name: 'inline-functions',
    source: `
      // In C99, a function that is inline alone need not exist outside of its calls.
      inline int twice(int v);
      inline int twice(int v) { return 2 * v; }
      inline int shared_sum(local int *part, int v) {
        part[get_local_id(0)] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
        return part[get_local_id(0)] + part[get_local_id(0) ^ 1];
      }
      static inline int next(int v) { return twice(v) + 1; }
      kernel void inlined(global const int *x, global int *out) {
        local int part[32];
        size_t i = get_global_id(0);
        out[i] = shared_sum(part, next(x[i])) - twice(x[i]);
      }`,
    buffers: (random) => ({ x: random.ints(n, -1e6, 1e6), out: new Int32Array(n) }),
    launches: ({ x, out }) => [{ kernel: 'inlined', args: [x, out], global: n, local: 32 }],
    expected: ({ x }) => ({ out: range(n, (i) => 2 * at(x, i) + 1 + 2 * at(x, i ^ 1) + 1 - 2 * at(x, i)) }),
  }),

  openCLCase({
    name: 'volatile-memory',
    source: `
      kernel void straight(volatile global const int *x, volatile global int *y, global int *out) {
        size_t i = get_global_id(0);
        out[i] = x[i] + x[(i + 1) % ${n}];
        y[i] = out[i] * 2;
      }
      kernel void looped(volatile global const int *x, global int *out) {
        size_t i = get_global_id(0);
        volatile local int part[32];
        part[get_local_id(0)] = x[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        int sum = 0;
        for (int k = 0; k < 32; k++) sum += part[k] * (k + 1);
        out[i] = sum + part[get_local_id(0)];
      }`,
    buffers: (random) => ({
      x: random.ints(n, -1e6, 1e6),
      y: new Int32Array(n),
      sums: new Int32Array(n),
      out: new Int32Array(n),
    }),
    launches: ({ x, y, sums, out }) => [
      { kernel: 'straight', args: [x, y, sums], global: n, local: 32 },
      { kernel: 'looped', args: [x, out], global: n, local: 32 },
    ],
    expected: ({ x }) => {
      const sums = range(n, (i) => at(x, i) + at(x, (i + 1) % n));
      const group = (i: number): number[] => range(32, (k) => at(x, (i & ~31) + k) * (k + 1));
      return {
        sums,
        y: sums.map((one) => 2 * one),
        out: range(n, (i) => group(i).reduce((a, b) => a + b) + at(x, i)),
      };
    },
  }),

  openCLCase({
    name: 'pointer-conversions',
    source: `
      // Compilers of OpenCL C warn of these.
      kernel void halves(global const uint2 *x, global uint *out) {
        global const uint *words = x;
        global uint *first = 0;
        size_t i = get_global_id(0);
        if (first) return;
        out[i] = words[2 * i + 1] - words[2 * i];
      }`,
    buffers: (random) => ({ x: random.uints(2 * n), out: new Uint32Array(n) }),
    launches: ({ x, out }) => [{ kernel: 'halves', args: [x, out], global: n, local: 32 }],
    expected: ({ x }) => ({ out: range(n, (i) => (at(x, 2 * i + 1) - at(x, 2 * i)) >>> 0) }),
  }),
];
