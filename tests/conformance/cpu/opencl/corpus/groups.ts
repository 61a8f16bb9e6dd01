import { at, range } from '../../case.ts';
import { openCLCase, type OpenCLCase } from '../case.ts';

const COLLECTIVE = ['__opencl_c_work_group_collective_functions'];
const SUB_GROUPS = ['__opencl_c_subgroups'];
const n = 360;
const size = 72;
const groupOf = (x: Int32Array, i: number, length = size): number[] => {
  const first = i - (i % length);
  return [...x.subarray(first, first + length)];
};

/** Functions that a group calls together. */
export const groupCases: readonly OpenCLCase[] = [
  openCLCase({
    name: 'work-group-collectives',
    needs: COLLECTIVE,
    options: '-cl-std=CL3.0',
    source: `
      kernel void collectives(global const int *x, global int8 *out) {
        int v = x[get_global_id(0)];
        int8 r;
        r.s0 = work_group_reduce_add(v);
        r.s1 = work_group_reduce_min(v);
        r.s2 = work_group_scan_exclusive_add(v);
        r.s3 = work_group_scan_inclusive_max(v);
        r.s4 = work_group_broadcast(v, 5);
        r.s5 = work_group_all(v > -90);
        r.s6 = work_group_any(v > 97);
        r.s7 = (int)work_group_scan_inclusive_add((long)v * v);
        out[get_global_id(0)] = r;
      }`,
    buffers: (random) => ({ x: random.ints(n, -100, 100), out: new Int32Array(8 * n) }),
    launches: ({ x, out }) => [{ kernel: 'collectives', args: [x, out], global: n, local: size }],
    expected: ({ x }) => ({
      out: range(n, (i) => {
        const group = groupOf(x, i);
        const before = group.slice(0, (i % size) + 1);
        const add = (all: number[]): number => all.reduce((a, b) => a + b, 0);
        return [
          ...[add(group), Math.min(...group), add(before.slice(0, -1)), Math.max(...before), at(group, 5)],
          ...[Number(Math.min(...group) > -90), Number(Math.max(...group) > 97), add(before.map((v) => v * v))],
        ];
      }).flat(),
    }),
  }),

  openCLCase({
    name: 'collectives-in-loops',
    needs: COLLECTIVE,
    options: '-cl-std=CL3.0',
    source: `
      // Halves what is above the mean, until nothing is far from it.
      kernel void levelled(global float *x, global int *rounds) {
        float v = x[get_global_id(0)];
        int n = 0;
        while (n < 20) {
          float mean = work_group_reduce_add(v) / get_local_size(0);
          if (work_group_all(v <= 2 * mean)) break;
          if (v > mean) v *= 0.5f;
          n++;
        }
        x[get_global_id(0)] = v;
        if (get_local_linear_id() == 0) rounds[get_group_id(0)] = n;
      }`,
    buffers: (random) => ({
      x: random.floats(128, 1, 64).map((v) => 2 ** Math.round(Math.log2(v))),
      rounds: new Int32Array(4),
    }),
    launches: ({ x, rounds }) => [{ kernel: 'levelled', args: [x, rounds], global: 128, local: 32 }],
    expected: ({ x }) => {
      const rounds: number[] = [];
      const out = range(4, (g) => {
        let group = [...x.subarray(32 * g, 32 * g + 32)];
        let count = 0;
        for (; count < 20; count++) {
          const mean = group.reduce((a, b) => a + b) / 32;
          if (Math.max(...group) <= 2 * mean) break;
          group = group.map((v) => (v > mean ? v / 2 : v));
        }
        rounds.push(count);
        return group;
      });
      return { x: out.flat(), rounds };
    },
  }),

  openCLCase({
    name: 'sub-groups',
    needs: SUB_GROUPS,
    options: '-cl-std=CL3.0',
    source: `
      // Nothing here depends on how large a sub-group is.
      kernel void sub_groups(global const int *x, global int *sums, global int *checks) {
        local int parts[72];
        int v = x[get_global_id(0)];
        uint id = get_sub_group_id(), own = get_sub_group_local_id();
        int total = sub_group_reduce_add(v), before = sub_group_scan_exclusive_add(v);
        if (own == 0) parts[id] = total;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < id; k++) before += parts[k];
        sums[get_global_id(0)] = before;
        int good = own < get_sub_group_size() && id < get_num_sub_groups() && get_sub_group_size() <= get_max_sub_group_size();
        good &= sub_group_broadcast(id, 0) == id && sub_group_all(own < 72) && sub_group_any(own == 0);
        good &= sub_group_scan_inclusive_max((int)own) == (int)own && sub_group_reduce_min((int)own) == 0;
        checks[get_global_id(0)] = good;
      }`,
    buffers: (random) => ({ x: random.ints(n, -99, 99), sums: new Int32Array(n), checks: new Int32Array(n) }),
    launches: ({ x, sums, checks }) => [{ kernel: 'sub_groups', args: [x, sums, checks], global: n, local: size }],
    expected: ({ x }) => ({
      sums: range(n, (i) =>
        groupOf(x, i)
          .slice(0, i % size)
          .reduce((a, b) => a + b, 0),
      ),
      checks: range(n, () => 1),
    }),
  }),

  openCLCase({
    name: 'groups-in-two-dimensions',
    needs: COLLECTIVE,
    options: '-cl-std=CL3.0',
    source: `
      kernel void plane(global const int *x, global int4 *out) {
        size_t i = get_global_linear_id();
        int v = x[i];
        out[i] = (int4)(work_group_broadcast(v, 2, 1), work_group_reduce_max(v), get_local_linear_id(),
                        work_group_scan_inclusive_add(1));
      }`,
    buffers: (random) => ({ x: random.ints(12 * 8), out: new Int32Array(4 * 96) }),
    launches: ({ x, out }) => [{ kernel: 'plane', args: [x, out], global: [12, 8], local: [4, 2] }],
    expected: ({ x }) => ({
      out: range(96, (i) => {
        const [cx, cy] = [i % 12, Math.floor(i / 12)];
        const first = (cy - (cy % 2)) * 12 + cx - (cx % 4);
        const group = range(8, (k) => at(x, first + Math.floor(k / 4) * 12 + (k % 4)));
        const l = (cy % 2) * 4 + (cx % 4);
        return [at(group, 6), Math.max(...group), l, l + 1];
      }).flat(),
    }),
  }),
];
