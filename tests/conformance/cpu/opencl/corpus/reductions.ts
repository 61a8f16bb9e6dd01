import { LocalMemory } from '../../../../../src/opencl/kernel/kernel-arguments.ts';
import { at, range, sum } from '../../case.ts';
import { openCLCase, type OpenCLCase } from '../case.ts';

const n = 1000;

/** Many numbers to few, in several styles, and running sums. */
export const reductionCases: readonly OpenCLCase[] = [
  openCLCase({
    name: 'tree-reduction',
    source: `
      kernel void tree(global const int *x, global int *sums, local int *room, int n) {
        size_t l = get_local_id(0), i = get_global_id(0);
        room[l] = i < n ? x[i] : 0;
        for (size_t other = get_local_size(0) / 2; other > 0; other /= 2) {
          barrier(CLK_LOCAL_MEM_FENCE);
          if (l < other) room[l] += room[l + other];
        }
        if (l == 0) sums[get_group_id(0)] = room[0];
      }`,
    buffers: (random) => ({ x: random.ints(n, -9999, 9999), sums: new Int32Array(8), total: new Int32Array(1) }),
    launches: ({ x, sums, total }) => [
      { kernel: 'tree', args: [x, sums, new LocalMemory(512), n], global: 1024, local: 128 },
      { kernel: 'tree', args: [sums, total, new LocalMemory(32), 8], global: 8, local: 8 },
    ],
    expected: ({ x }) => ({
      sums: range(8, (g) => x.subarray(128 * g, 128 * g + 128).reduce((a, b) => a + b, 0)),
      total: [x.reduce((a, b) => a + b)],
    }),
  }),

  openCLCase({
    name: 'interleaved-reduction',
    source: `
      kernel void interleaved(global const float *x, global float *out) {
        local float room[64];
        size_t l = get_local_id(0);
        room[l] = x[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint s = 1; s < 64; s *= 2) {
          uint k = 2 * s * l;
          if (k < 64) room[k] = fmax(room[k], room[k + s]);
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (l == 0) out[get_group_id(0)] = room[0];
      }`,
    buffers: (random) => ({ x: random.floats(512), out: new Float32Array(8) }),
    launches: ({ x, out }) => [{ kernel: 'interleaved', args: [x, out], global: 512, local: 64 }],
    expected: ({ x }) => ({ out: range(8, (g) => Math.max(...x.subarray(64 * g, 64 * g + 64))) }),
  }),

  openCLCase({
    name: 'strided-reduction',
    source: `
      kernel void strided(global const float4 *x, global double *out, int n) {
        local double room[32];
        size_t l = get_local_id(0);
        double sum = 0;
        for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += dot(x[i], (float4)1);
        room[l] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0) {
          for (int k = 1; k < 32; k++) sum += room[k];
          out[get_group_id(0)] = sum;
        }
      }`,
    buffers: (random) => ({ x: random.floats(4 * n).map((v) => Math.round(v * 256) / 256), out: new Float64Array(4) }),
    launches: ({ x, out }) => [{ kernel: 'strided', args: [x, out, n], global: 128, local: 32 }],
    expected: ({ x }) => ({
      out: range(4, (g) => x.reduce((a, v, i) => (Math.floor((Math.floor(i / 4) % 128) / 32) === g ? a + v : a), 0)),
    }),
  }),

  openCLCase({
    name: 'atomic-reduction',
    source: `
      kernel void all_of(global const int *x, global int *cells) {
        local int sum, least;
        if (get_local_id(0) == 0) sum = 0, least = INT_MAX;
        barrier(CLK_LOCAL_MEM_FENCE);
        int v = x[get_global_id(0)];
        atomic_add(&sum, v);
        atomic_min(&least, v);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == 0) {
          atomic_add(cells, sum);
          atomic_min(cells + 1, least);
          atomic_inc(cells + 2);
        }
      }`,
    buffers: (random) => ({ x: random.ints(n, -9999, 9999), cells: Int32Array.of(0, 0, 0) }),
    launches: ({ x, cells }) => [{ kernel: 'all_of', args: [x, cells], global: n, local: 50 }],
    expected: ({ x }) => ({ cells: [x.reduce((a, b) => a + b), Math.min(0, ...x), 20] }),
  }),

  openCLCase({
    name: 'place-of-the-greatest',
    source: `
      typedef struct { float value; int place; } Best;
      Best better(Best a, Best b) { return b.value > a.value || (b.value == a.value && b.place < a.place) ? b : a; }
      kernel void greatest(global const float *x, global Best *out, local Best *room) {
        size_t l = get_local_id(0), i = get_global_id(0);
        room[l] = (Best){x[i], (int)i};
        for (int step = get_local_size(0) >> 1; step; step >>= 1) {
          barrier(CLK_LOCAL_MEM_FENCE);
          if (l < step) room[l] = better(room[l], room[l + step]);
        }
        if (l == 0) out[get_group_id(0)] = room[0];
      }`,
    buffers: (random) => ({ x: random.floats(512).map((v) => Math.round(v * 50)), out: new Int32Array(16) }),
    launches: ({ x, out }) => [{ kernel: 'greatest', args: [x, out, new LocalMemory(512)], global: 512, local: 64 }],
    expected: ({ x }) => ({
      out: range(8, (g) => {
        const part = x.subarray(64 * g, 64 * g + 64);
        const most = Math.max(...part);
        return [new Int32Array(Float32Array.of(most).buffer)[0] ?? 0, 64 * g + part.indexOf(most)];
      }).flat(),
    }),
  }),

  openCLCase({
    name: 'scan',
    source: `
      // Sums of all before, up a tree and down again.
      kernel void scan_groups(global int *x, global int *totals, local int *t) {
        int l = get_local_id(0), n = 2 * get_local_size(0), g = get_group_id(0) * n, step = 1;
        t[2 * l] = x[g + 2 * l];
        t[2 * l + 1] = x[g + 2 * l + 1];
        for (int d = n >> 1; d > 0; d >>= 1, step *= 2) {
          barrier(CLK_LOCAL_MEM_FENCE);
          if (l < d) t[step * (2 * l + 2) - 1] += t[step * (2 * l + 1) - 1];
        }
        if (l == 0) {
          totals[get_group_id(0)] = t[n - 1];
          t[n - 1] = 0;
        }
        for (int d = 1; d < n; d *= 2) {
          step >>= 1;
          barrier(CLK_LOCAL_MEM_FENCE);
          if (l < d) {
            int a = step * (2 * l + 1) - 1, b = step * (2 * l + 2) - 1, old = t[a];
            t[a] = t[b];
            t[b] += old;
          }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        x[g + 2 * l] = t[2 * l];
        x[g + 2 * l + 1] = t[2 * l + 1];
      }
      kernel void add_totals(global int *x, global const int *totals) {
        x[get_global_id(0)] += totals[get_global_id(0) / 64];
      }`,
    buffers: (random) => ({ x: random.ints(1024, -99, 99), totals: new Int32Array(16), one: new Int32Array(1) }),
    launches: ({ x, totals, one }) => [
      { kernel: 'scan_groups', args: [x, totals, new LocalMemory(256)], global: 512, local: 32 },
      { kernel: 'scan_groups', args: [totals, one, new LocalMemory(64)], global: 8, local: 8 },
      { kernel: 'add_totals', args: [x, totals], global: 1024, local: null },
    ],
    expected: ({ x }) => {
      let total = 0;
      return { x: Array.from(x, (v) => (total += v) - v), one: [x.reduce((a, b) => a + b)] };
    },
  }),

  openCLCase({
    name: 'running-sums-by-doubling',
    source: `
      kernel void doubling(global const float *x, global float *y) {
        local float a[2][96];
        int l = get_local_id(0), from = 0;
        a[0][l] = x[get_global_id(0)];
        for (int by = 1; by < 96; by *= 2) {
          barrier(CLK_LOCAL_MEM_FENCE);
          a[1 - from][l] = l >= by ? a[from][l] + a[from][l - by] : a[from][l];
          from = 1 - from;
        }
        y[get_global_id(0)] = a[from][l];
      }`,
    buffers: (random) => ({ x: random.floats(480).map((v) => Math.round(v * 512) / 512), y: new Float32Array(480) }),
    launches: ({ x, y }) => [{ kernel: 'doubling', args: [x, y], global: 480, local: 96 }],
    expected: ({ x }) => ({ y: range(480, (i) => sum((i % 96) + 1, (k) => at(x, i - k))) }),
  }),

  openCLCase({
    name: 'compaction',
    source: `
      kernel void compact(global const int *x, global int *kept, global int *count) {
        local int place, start;
        int v = x[get_global_id(0)];
        bool keep = v % 3 == 0;
        if (get_local_id(0) == 0) place = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        int own = keep ? atomic_inc(&place) : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == 0) start = atomic_add(count, place);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (keep) kept[start + own] = v;
      }
      kernel void mix_kept(global int *kept, global const int *count, global int *sums) {
        int i = get_global_id(0);
        if (i < *count) atomic_add(&sums[0], kept[i]), atomic_xor(&sums[1], kept[i]);
      }`,
    buffers: (random) => ({
      x: random.ints(n, 0, 100000),
      kept: new Int32Array(n),
      count: new Int32Array(1),
      sums: new Int32Array(2),
    }),
    launches: ({ x, kept, count, sums }) => [
      { kernel: 'compact', args: [x, kept, count], global: n, local: 40 },
      { kernel: 'mix_kept', args: [kept, count, sums], global: n, local: 40 },
    ],
    expected: ({ x }) => {
      const kept = x.filter((v) => v % 3 === 0);
      return { count: [kept.length], sums: [kept.reduce((a, b) => a + b, 0), kept.reduce((a, b) => a ^ b, 0)] };
    },
  }),
];
