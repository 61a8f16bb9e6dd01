import { at, range } from '../../case.ts';
import { openCLCase, type OpenCLCase } from '../case.ts';

/** Which work-item is where. */
export const rangeCases: readonly OpenCLCase[] = [
  openCLCase({
    name: 'offsets',
    source: `
      kernel void offsets(global int *out, int width) {
        size_t x = get_global_id(0), y = get_global_id(1);
        out[y * width + x] = 10000 * get_global_offset(0) + 100 * get_global_offset(1) + 10 * get_group_id(0) + get_local_id(1)
                             + 1000000 * get_work_dim() + 100000000 * get_global_offset(2);
      }`,
    buffers: () => ({ out: new Int32Array(20 * 12) }),
    launches: ({ out }) => [
      { kernel: 'offsets', args: [out, 20], global: [12, 8], local: [4, 2], offset: [5, 3] },
      { kernel: 'offsets', args: [out, 20], global: [2, 1], local: [1, 1], offset: [18, 0] },
    ],
    expected: () => ({
      out: range(240, (i) => {
        const [x, y] = [i % 20, Math.floor(i / 20)];
        if (y === 0 && x >= 18) return 2180000 + 10 * (x - 18);
        const inside = x >= 5 && x < 17 && y >= 3 && y < 11;
        return inside ? 2050300 + 10 * Math.floor((x - 5) / 4) + ((y - 3) % 2) : 0;
      }),
    }),
  }),

  openCLCase({
    name: 'three-dimensions',
    source: `
      kernel void where(global int *out) {
        size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
        size_t i = (z * get_global_size(1) + y) * get_global_size(0) + x;
        int group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
        int local_ = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
        out[i] = group * 1000 + local_ + 100000 * get_work_dim() + get_global_id(3);
      }`,
    buffers: () => ({ out: new Int32Array(10 * 6 * 4) }),
    launches: ({ out }) => [{ kernel: 'where', args: [out], global: [10, 6, 4], local: [5, 3, 2] }],
    expected: () => ({
      out: range(240, (i) => {
        const [x, y, z] = [i % 10, Math.floor(i / 10) % 6, Math.floor(i / 60)];
        const group = (Math.floor(z / 2) * 2 + Math.floor(y / 3)) * 2 + Math.floor(x / 5);
        return 300000 + group * 1000 + ((z % 2) * 3 + (y % 3)) * 5 + (x % 5);
      }),
    }),
  }),

  openCLCase({
    name: 'required-group-size',
    source: `
      kernel __attribute__((reqd_work_group_size(4, 4, 2))) void required(global int *out) {
        local int box[2][4][4];
        size_t x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
        size_t i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
        box[z][y][x] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = box[1 - z][3 - y][3 - x] + 1000 * (int)get_local_size(2);
      }`,
    buffers: () => ({ out: new Int32Array(8 * 8 * 4) }),
    launches: ({ out }) => [{ kernel: 'required', args: [out], global: [8, 8, 4], local: [4, 4, 2] }],
    expected: () => ({
      out: range(256, (i) => {
        const flip = (v: number, size: number): number => v - (v % size) + size - 1 - (v % size);
        const [x, y, z] = [flip(i % 8, 4), flip(Math.floor(i / 8) % 8, 4), flip(Math.floor(i / 64), 2)];
        return 2000 + (z * 8 + y) * 8 + x;
      }),
    }),
  }),

  openCLCase({
    name: 'early-returns',
    source: `
      kernel void some_return(global const int *x, global int *y, int n) {
        int i = get_global_id(0);
        if (i >= n) return;
        int v = x[i], steps = 0;
        while (v != 1) {
          if (v > 100000) {
            y[i] = -1;
            return;
          }
          v = v % 2 ? 3 * v + 1 : v / 2;
          steps++;
          if (steps == 30) break;
        }
        y[i] = steps;
      }`,
    buffers: (random) => ({ x: random.ints(300, 1, 5000), y: new Int32Array(320) }),
    launches: ({ x, y }) => [{ kernel: 'some_return', args: [x, y, 300], global: 320, local: 64 }],
    expected: ({ x }) => ({
      y: range(320, (i) => {
        if (i >= 300) return 0;
        let [v, steps] = [at(x, i), 0];
        while (v !== 1) {
          if (v > 100000) return -1;
          v = v % 2 === 1 ? 3 * v + 1 : v / 2;
          if (++steps === 30) break;
        }
        return steps;
      }),
    }),
  }),

  openCLCase({
    name: 'smaller-last-groups',
    needs: ['non-uniform groups'],
    options: '-cl-std=CL3.0',
    source: `
      kernel void uneven(global int *out) {
        local int count;
        if (get_local_id(0) == 0 && get_local_id(1) == 0) count = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        atomic_inc(&count);
        barrier(CLK_LOCAL_MEM_FENCE);
        size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
        out[i] = count + 100 * get_local_size(0) + 10000 * get_enqueued_local_size(1) + 1000000 * (get_group_id(1) * get_num_groups(0) + get_group_id(0));
      }`,
    buffers: () => ({ out: new Int32Array(21 * 10) }),
    launches: ({ out }) => [{ kernel: 'uneven', args: [out], global: [21, 10], local: [8, 4] }],
    expected: () => ({
      out: range(210, (i) => {
        const [gx, gy] = [Math.floor((i % 21) / 8), Math.floor(i / 21 / 4)];
        const [width, height] = [gx === 2 ? 5 : 8, gy === 2 ? 2 : 4];
        return width * height + 100 * width + 40000 + 1000000 * (gy * 3 + gx);
      }),
    }),
  }),
];
