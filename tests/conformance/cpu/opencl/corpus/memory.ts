import { LocalMemory } from '../../../../../src/opencl/kernel/kernel-arguments.ts';
import { at, range, sum } from '../../case.ts';
import { openCLCase, type OpenCLCase } from '../case.ts';

/** Local memory, barriers, copies of work-groups. */
export const memoryCases: readonly OpenCLCase[] = [
  openCLCase({
    name: 'local-variables',
    source: `
      kernel void reverse(global const int *x, global int *y) {
        local int tile[48];
        local struct { int first, last; } ends;
        size_t l = get_local_id(0);
        tile[l] = x[get_global_id(0)];
        if (l == 0) ends.first = 7 * tile[0];
        if (l == 47) ends.last = tile[47];
        barrier(CLK_LOCAL_MEM_FENCE);
        y[get_global_id(0)] = tile[47 - l] + ends.first - ends.last;
      }`,
    buffers: (random) => ({ x: random.ints(480, -999, 999), y: new Int32Array(480) }),
    launches: ({ x, y }) => [{ kernel: 'reverse', args: [x, y], global: 480, local: 48 }],
    expected: ({ x }) => ({
      y: range(480, (i) => {
        const first = i - (i % 48);
        return at(x, first + 47 - (i % 48)) + 7 * at(x, first) - at(x, first + 47);
      }),
    }),
  }),

  openCLCase({
    name: 'local-arguments',
    source: `
      kernel void neighbours(global const float *x, local float *a, global float *y, local float2 *b) {
        size_t l = get_local_id(0), n = get_local_size(0);
        a[l] = x[get_global_id(0)];
        b[n - 1 - l] = (float2)(a[l], l);
        barrier(CLK_LOCAL_MEM_FENCE);
        y[get_global_id(0)] = a[(l + 1) % n] + b[l].x * 2 + b[l].y;
      }`,
    buffers: (random) => ({ x: random.floats(200).map((v) => Math.round(v * 64)), y: new Float32Array(200) }),
    launches: ({ x, y }) => [
      { kernel: 'neighbours', args: [x, new LocalMemory(80), y, new LocalMemory(160)], global: 200, local: 20 },
    ],
    expected: ({ x }) => ({
      y: range(200, (i) => {
        const l = i % 20;
        return at(x, i - l + ((l + 1) % 20)) + 2 * at(x, i - l + 19 - l) + 19 - l;
      }),
    }),
  }),

  openCLCase({
    name: 'barriers-in-loops',
    source: `
      float settle(local float *cells, int l, int n) {
        float left = l > 0 ? cells[l - 1] : 0, right = l < n - 1 ? cells[l + 1] : 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        cells[l] = 0.25f * left + 0.5f * cells[l] + 0.25f * right;
        barrier(CLK_LOCAL_MEM_FENCE);
        return cells[n / 2];
      }
      kernel void heat(global float *rod, int steps, float stop, global int *taken) {
        local float cells[40];
        int l = get_local_id(0), s = 0;
        cells[l] = rod[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (; s < steps; s++)
          if (settle(cells, l, 40) > stop) break;
        rod[get_global_id(0)] = cells[l];
        if (l == 0) taken[get_group_id(0)] = s;
      }`,
    buffers: (random) => ({
      rod: random.floats(160, 0, 1).map((v, i) => (Math.floor(i / 40) === 2 ? v * 9 : v)),
      taken: new Int32Array(4),
    }),
    launches: ({ rod, taken }) => [{ kernel: 'heat', args: [rod, 60, 0.7, taken], global: 160, local: 40 }],
    expected: ({ rod }) => {
      const taken: number[] = [];
      const out = range(4, (b) => {
        let now = [...rod.subarray(b * 40, b * 40 + 40)];
        let s = 0;
        for (; s < 60; s++) {
          now = now.map((v, l) => 0.25 * (now[l - 1] ?? 0) + 0.5 * v + 0.25 * (now[l + 1] ?? 1));
          if (at(now, 20) > 0.7) break;
        }
        taken.push(s);
        return now;
      });
      return { rod: out.flat(), taken };
    },
    tolerance: { relative: 1e-5 },
  }),

  openCLCase({
    name: 'transpose',
    source: `
      #define TILE 16
      kernel void transpose(global const int *in, global int *out, int width, int height) {
        local int tile[TILE][TILE + 1];
        int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
        if (x < width && y < height) tile[ly][lx] = in[y * width + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        x = get_group_id(1) * TILE + lx;
        y = get_group_id(0) * TILE + ly;
        if (x < height && y < width) out[y * height + x] = tile[lx][ly];
      }`,
    buffers: (random) => ({ in: random.ints(45 * 70), out: new Int32Array(45 * 70) }),
    launches: (memory) => [
      { kernel: 'transpose', args: [memory.in, memory.out, 70, 45], global: [80, 48], local: [16, 16] },
    ],
    expected: (buffers) => ({ out: range(45 * 70, (i) => at(buffers.in, (i % 45) * 70 + Math.floor(i / 45))) }),
  }),

  openCLCase({
    name: 'copies-of-groups',
    source: `
      kernel void copies(global const float4 *in, global float4 *out, global float *columns, local float4 *tile) {
        size_t l = get_local_id(0), n = 32, group = get_group_id(0);
        event_t events[2];
        events[0] = async_work_group_copy(tile, in + group * n, n, 0);
        events[1] = async_work_group_copy(tile + n, in + group * n, 1, 0);
        wait_group_events(2, events);
        tile[l] = tile[l].wzyx + tile[n];
        barrier(CLK_LOCAL_MEM_FENCE);
        event_t done = async_work_group_copy(out + group * n, tile, n, 0);
        async_work_group_strided_copy(columns + group * n * 2, (local const float *)tile, n, 2, done);
        wait_group_events(1, &done);
      }`,
    buffers: (random) => ({
      in: random.ints(4 * 128, -99, 99).reduce((all, v, i) => all.fill(v, i, i + 1), new Float32Array(4 * 128)),
      out: new Float32Array(4 * 128),
      columns: new Float32Array(256),
    }),
    launches: (memory) => [
      {
        kernel: 'copies',
        args: [memory.in, memory.out, memory.columns, new LocalMemory(33 * 16)],
        global: 128,
        local: 32,
      },
    ],
    expected: (buffers) => {
      const value = (i: number): number =>
        at(buffers.in, i - (i % 4) + 3 - (i % 4)) + at(buffers.in, i - (i % 128) + (i % 4));
      return {
        out: range(512, value),
        columns: range(256, (i) => {
          const group = Math.floor(i / 64);
          return i % 2 === 0 ? value(group * 128 + (i % 64) / 2) : 0;
        }),
      };
    },
  }),

  openCLCase({
    name: 'strided-copies-into-local',
    source: `
      kernel void gather_columns(global const ushort *in, global uint *out, local ushort *column, int width) {
        size_t n = get_local_size(0), l = get_local_id(0);
        event_t event = async_work_group_strided_copy(column, in + get_group_id(0), n, width, 0);
        prefetch(in, 16);
        wait_group_events(1, &event);
        uint total = 0;
        for (uint k = 0; k <= l; k++) total += column[k];
        out[get_global_id(0)] = total;
      }`,
    buffers: (random) => ({ in: Uint16Array.from(random.ints(24 * 10, 0, 60000)), out: new Uint32Array(240) }),
    launches: (memory) => [
      { kernel: 'gather_columns', args: [memory.in, memory.out, new LocalMemory(48), 10], global: 240, local: 24 },
    ],
    expected: (buffers) => ({
      out: range(240, (i) => sum((i % 24) + 1, (k) => at(buffers.in, k * 10 + Math.floor(i / 24)))),
    }),
  }),

  openCLCase({
    name: 'private-arrays',
    source: `
      kernel void longest(global const int *x, global int *y) {
        int values[9], *best = values, length[9];
        size_t i = get_global_id(0);
        for (int k = 0; k < 9; k++) {
          values[k] = x[9 * i + k];
          length[k] = 1;
          for (int j = 0; j < k; j++)
            if (values[j] < values[k] && length[j] + 1 > length[k]) length[k] = length[j] + 1;
          if (length[k] > length[best - values]) best = &values[k];
        }
        y[i] = 100 * length[best - values] + *best;
      }`,
    buffers: (random) => ({ x: random.ints(9 * 100, 0, 99), y: new Int32Array(100) }),
    launches: ({ x, y }) => [{ kernel: 'longest', args: [x, y], global: 100, local: null }],
    expected: ({ x }) => ({
      y: range(100, (i) => {
        const values = [...x.subarray(9 * i, 9 * i + 9)];
        const length: number[] = [];
        values.forEach((v, k) =>
          length.push(1 + Math.max(0, ...values.slice(0, k).map((w, j) => (w < v ? at(length, j) : 0)))),
        );
        const most = Math.max(...length);
        return 100 * most + at(values, length.indexOf(most));
      }),
    }),
  }),
];
