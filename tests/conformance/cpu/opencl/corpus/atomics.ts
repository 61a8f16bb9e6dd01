import { at, range } from '../../case.ts';
import { openCLCase, type OpenCLCase } from '../case.ts';

const n = 800;

/** Atomic functions, old and new. */
export const atomicCases: readonly OpenCLCase[] = [
  openCLCase({
    name: 'atomics-on-ints',
    source: `
      kernel void atomics(global const int *x, volatile global int *c, volatile global uint *u) {
        int v = x[get_global_id(0)];
        atomic_add(c, v), atomic_sub(c + 1, v), atomic_min(c + 2, v), atomic_max(c + 3, v);
        atomic_and(c + 4, v | 0xf0f000), atomic_or(c + 5, v & 0xff0f), atomic_xor(c + 6, v);
        atomic_inc(c + 7), atomic_dec(c + 8);
        atomic_min(u, (uint)v), atomic_max(u + 1, (uint)v);
        int old = c[9], seen;
        do seen = old;
        while ((old = atomic_cmpxchg(c + 9, seen, seen * 5 + 1)) != seen);
        if (get_global_id(0) == 3) atomic_xchg(c + 10, 17), atomic_xchg((volatile global float *)(c + 11), 1.5f);
      }`,
    buffers: (random) => ({
      x: random.ints(n),
      c: Int32Array.of(5, 5, 5, 5, -1, 0, 7, 0, 0, 1, 0, 0),
      u: Uint32Array.of(2 ** 32 - 1, 0),
    }),
    launches: ({ x, c, u }) => [{ kernel: 'atomics', args: [x, c, u], global: n, local: 40 }],
    expected: ({ x }) => {
      const total = x.reduce((a, b) => (a + b) | 0);
      return {
        c: Int32Array.of(
          ...[5 + total, 5 - total, Math.min(5, ...x), Math.max(5, ...x)],
          ...[
            x.reduce((a, b) => a & (b | 0xf0f000), -1),
            x.reduce((a, b) => a | (b & 0xff0f), 0),
            x.reduce((a, b) => a ^ b, 7),
          ],
          ...[n, -n, x.reduce((a) => (Math.imul(a, 5) + 1) | 0, 1), 17, 0x3fc00000],
        ),
        u: [Math.min(...[...x].map((v) => v >>> 0)), Math.max(...[...x].map((v) => v >>> 0))],
      };
    },
  }),

  openCLCase({
    name: 'atomics-in-local-memory',
    source: `
      kernel void local_atomics(global const int *x, global int *out) {
        local int cells[5];
        if (get_local_id(0) < 5) cells[get_local_id(0)] = get_local_id(0) == 1 ? 9999 : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        int v = x[get_global_id(0)];
        atomic_add(cells, v), atomic_min(cells + 1, v), atomic_max(cells + 2, v), atomic_or(cells + 3, 1 << (v & 15));
        if (v % 2) atomic_inc(cells + 4);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) < 5) out[5 * get_group_id(0) + get_local_id(0)] = cells[get_local_id(0)];
      }`,
    buffers: (random) => ({ x: random.ints(n, 0, 9999), out: new Int32Array(5 * 20) }),
    launches: ({ x, out }) => [{ kernel: 'local_atomics', args: [x, out], global: n, local: 40 }],
    expected: ({ x }) => ({
      out: range(20, (g) => {
        const part = [...x.subarray(40 * g, 40 * g + 40)];
        const seen = part.reduce((a, v) => a | (1 << (v & 15)), 0);
        return [
          part.reduce((a, b) => a + b),
          Math.min(...part),
          Math.max(...part),
          seen,
          part.filter((v) => v % 2 === 1).length,
        ];
      }).flat(),
    }),
  }),

  openCLCase({
    name: 'atomics-on-longs',
    source: `
      #pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
      #pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
      kernel void long_atomics(global const long *x, volatile global long *c, volatile global ulong *u) {
        long v = x[get_global_id(0)];
        atom_add(c, v), atom_min(c + 1, v), atom_max(c + 2, v), atom_xor(c + 3, v), atom_inc(c + 4);
        atom_or(u, (ulong)v & 0xff00ff00ff00ff00ul), atom_and(u + 1, (ulong)v | 0xffff0000ffff0000ul), atom_max(u + 2, (ulong)v);
      }`,
    buffers: (random) => ({
      x: random.longs(n),
      c: new BigInt64Array(5),
      u: BigUint64Array.of(0n, (1n << 64n) - 1n, 0n),
    }),
    launches: ({ x, c, u }) => [{ kernel: 'long_atomics', args: [x, c, u], global: n, local: 40 }],
    expected: ({ x }) => {
      const unsigned = Array.from(x, (v) => BigInt.asUintN(64, v));
      const most = (all: Iterable<bigint>): bigint => [...all].reduce((a, b) => (a > b ? a : b));
      return {
        c: BigInt64Array.of(
          ...[
            x.reduce((a, b) => a + b),
            -most([...x, 0n].map((v) => -v)),
            most([...x, 0n]),
            x.reduce((a, b) => a ^ b),
            BigInt(n),
          ],
        ),
        u: BigUint64Array.of(
          unsigned.reduce((a, v) => a | (v & 0xff00ff00ff00ff00n), 0n),
          unsigned.reduce((a, v) => a & (v | 0xffff0000ffff0000n), (1n << 64n) - 1n),
          most(unsigned),
        ),
      };
    },
  }),

  openCLCase({
    name: 'atomics-of-c11',
    needs: [
      '__opencl_c_atomic_order_acq_rel',
      '__opencl_c_generic_address_space',
      '__opencl_c_program_scope_global_variables',
    ],
    options: '-cl-std=CL3.0',
    source: `
      global atomic_int tickets = ATOMIC_VAR_INIT(0);
      kernel void c11_atomics(global const int *x, global atomic_int *c, global atomic_uint *u, global int *order) {
        local atomic_int own;
        local atomic_flag flag;
        int v = x[get_global_id(0)];
        if (get_local_id(0) == 0) atomic_init(&own, 0), atomic_flag_clear(&flag);
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
        atomic_fetch_add(&own, v);
        bool first = !atomic_flag_test_and_set_explicit(&flag, memory_order_acq_rel, memory_scope_work_group);
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
        if (first) atomic_fetch_add_explicit(c, atomic_load(&own), memory_order_relaxed, memory_scope_device);
        atomic_fetch_max_explicit(c + 1, v, memory_order_relaxed, memory_scope_device);
        atomic_fetch_xor(c + 2, v);
        atomic_fetch_min(u, (uint)v);
        int seen = atomic_load_explicit(c + 3, memory_order_acquire, memory_scope_device);
        while (!atomic_compare_exchange_weak(c + 3, &seen, seen * 3 + 1));
        order[atomic_fetch_add_explicit(&tickets, 1, memory_order_acq_rel, memory_scope_device)] = 1;
      }`,
    buffers: (random) => ({
      x: random.ints(n),
      c: Int32Array.of(0, -1, 0, 1),
      u: Uint32Array.of(2 ** 32 - 1),
      order: new Int32Array(n),
    }),
    launches: ({ x, c, u, order }) => [{ kernel: 'c11_atomics', args: [x, c, u, order], global: n, local: 40 }],
    expected: ({ x }) => ({
      c: Int32Array.of(
        ...[
          x.reduce((a, b) => (a + b) | 0),
          Math.max(...x),
          x.reduce((a, b) => a ^ b),
          x.reduce((a) => (Math.imul(a, 3) + 1) | 0, 1),
        ],
      ),
      u: [Math.min(...[...x].map((v) => v >>> 0))],
      order: range(n, () => 1),
    }),
  }),

  openCLCase({
    name: 'float-sums-by-compare-and-swap',
    source: `
      void add_to(volatile global float *cell, float by) {
        union { uint bits; float value; } old, new_;
        do {
          old.value = *cell;
          new_.value = old.value + by;
        } while (atomic_cmpxchg((volatile global uint *)cell, old.bits, new_.bits) != old.bits);
      }
      kernel void float_sums(global const float *x, global const int *bins, global float *sums) {
        add_to(&sums[bins[get_global_id(0)]], x[get_global_id(0)]);
      }`,
    buffers: (random) => ({
      x: random.floats(n).map((v) => Math.round(v * 256) / 256),
      bins: random.ints(n, 0, 7),
      sums: new Float32Array(7),
    }),
    launches: ({ x, bins, sums }) => [{ kernel: 'float_sums', args: [x, bins, sums], global: n, local: 40 }],
    // Sums of multiples of 1/256 are exact in any order.
    expected: ({ x, bins }) => ({ sums: range(7, (b) => x.reduce((a, v, i) => (at(bins, i) === b ? a + v : a), 0)) }),
  }),
];
