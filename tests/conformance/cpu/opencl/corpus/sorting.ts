import { LocalMemory } from '../../../../../src/opencl/kernel/kernel-arguments.ts';
import { at, range } from '../../case.ts';
import { openCLCase, type OpenCLCase } from '../case.ts';

/** Sorting, counting and searching. */
export const sortingCases: readonly OpenCLCase[] = [
  openCLCase({
    name: 'bitonic-sort-in-a-group',
    source: `
      kernel void bitonic_local(global int *x) {
        local int t[128];
        int l = get_local_id(0), g = get_global_id(0);
        t[l] = x[g];
        for (int k = 2; k <= 128; k *= 2)
          for (int j = k / 2; j > 0; j /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int other = l ^ j;
            if (other > l && (t[l] > t[other]) == ((l & k) == 0)) {
              int old = t[l];
              t[l] = t[other];
              t[other] = old;
            }
          }
        barrier(CLK_LOCAL_MEM_FENCE);
        x[g] = t[l];
      }`,
    buffers: (random) => ({ x: random.ints(512) }),
    launches: ({ x }) => [{ kernel: 'bitonic_local', args: [x], global: 512, local: 128 }],
    expected: ({ x }) => ({ x: range(4, (g) => [...x.slice(128 * g, 128 * g + 128).sort()]).flat() }),
  }),

  openCLCase({
    name: 'bitonic-sort-of-pairs',
    source: `
      kernel void bitonic_step(global uint2 *pairs, uint k, uint j) {
        uint i = get_global_id(0), other = i ^ j;
        if (other <= i) return;
        uint2 a = pairs[i], b = pairs[other];
        bool more = a.x > b.x || (a.x == b.x && a.y > b.y);
        if (more == ((i & k) == 0)) pairs[i] = b, pairs[other] = a;
      }`,
    buffers: (random) => ({ pairs: random.uints(1024, 0, 300).map((v, i) => (i % 2 === 0 ? v : (i - 1) / 2)) }),
    launches: ({ pairs }) =>
      range(9, (p) =>
        range(p + 1, (s) => ({ kernel: 'bitonic_step', args: [pairs, 2 << p, 1 << (p - s)], global: 512, local: 64 })),
      ).flat(),
    expected: ({ pairs }) => ({
      pairs: range(512, (i) => [at(pairs, 2 * i), at(pairs, 2 * i + 1)] as const)
        .sort(([a, b], [c, d]) => a - c || b - d)
        .flat(),
    }),
  }),

  openCLCase({
    name: 'radix-sort',
    source: `
      // Four bits at a time: counts of each group, where each digit starts, everybody to its place.
      kernel void digits(global const uint *x, global uint *counts, int shift) {
        local uint own[16];
        int l = get_local_id(0);
        if (l < 16) own[l] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        atomic_inc(&own[x[get_global_id(0)] >> shift & 15]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < 16) counts[l * get_num_groups(0) + get_group_id(0)] = own[l];
      }
      kernel void starts(global uint *counts, int n) {
        uint total = 0;
        for (int i = 0; i < n; i++) {
          uint own = counts[i];
          counts[i] = total;
          total += own;
        }
      }
      kernel void to_places(global const uint *x, global const uint *counts, global uint *y, int shift, local uchar *keys) {
        int l = get_local_id(0);
        uint v = x[get_global_id(0)], digit = v >> shift & 15, place = counts[digit * get_num_groups(0) + get_group_id(0)];
        keys[l] = digit;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < l; k++) place += keys[k] == digit;
        y[place] = v;
      }`,
    buffers: (random) => ({ x: random.uints(768), y: new Uint32Array(768), counts: new Uint32Array(16 * 12) }),
    launches: ({ x, y, counts }) =>
      range(8, (pass) => {
        const [from, to] = pass % 2 === 0 ? [x, y] : [y, x];
        return [
          { kernel: 'digits', args: [from, counts, 4 * pass], global: 768, local: 64 },
          { kernel: 'starts', args: [counts, 192], global: 1, local: 1 },
          { kernel: 'to_places', args: [from, counts, to, 4 * pass, new LocalMemory(64)], global: 768, local: 64 },
        ];
      }).flat(),
    expected: ({ x }) => ({ x: x.slice().sort() }),
  }),

  openCLCase({
    name: 'histograms',
    source: `
      kernel void histogram_global(global const uchar4 *x, global uint *bins) {
        uchar4 v = x[get_global_id(0)];
        atomic_inc(bins + v.x), atomic_inc(bins + v.y), atomic_inc(bins + v.z), atomic_inc(bins + v.w);
      }
      kernel void histogram_local(global const uchar *x, global uint *bins, int n) {
        local uint own[256];
        for (int k = get_local_id(0); k < 256; k += get_local_size(0)) own[k] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&own[x[i]]);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = get_local_id(0); k < 256; k += get_local_size(0))
          if (own[k]) atomic_add(&bins[k], own[k]);
      }`,
    buffers: (random) => ({
      x: random.bytes(4000).map((v) => (v * v) >> 8),
      bins: new Uint32Array(256),
      same: new Uint32Array(256),
    }),
    launches: ({ x, bins, same }) => [
      { kernel: 'histogram_global', args: [x, bins], global: 1000, local: 50 },
      { kernel: 'histogram_local', args: [x, same, 4000], global: 256, local: 64 },
    ],
    expected: ({ x }) => {
      const bins = new Uint32Array(256);
      for (const v of x) bins[v] = at(bins, v) + 1;
      return { bins, same: bins };
    },
  }),

  openCLCase({
    name: 'string-search',
    source: `
      kernel void search(global const char *text, int length, constant char *word, int n, global int *places, global int *count) {
        int i = get_global_id(0);
        if (i + n > length) return;
        for (int k = 0; k < n; k++)
          if (text[i + k] != word[k] && word[k] != '?') return;
        places[atomic_inc(count)] = i;
        atomic_add(count + 1, i);
      }`,
    buffers: (random) => ({
      text: Int8Array.from(random.ints(3000, 97, 100)),
      word: Int8Array.of(97, 98, 63, 97),
      places: new Int32Array(1000),
      count: new Int32Array(2),
    }),
    launches: ({ text, word, places, count }) => [
      { kernel: 'search', args: [text, 3000, word, 4, places, count], global: 3008, local: 64 },
    ],
    expected: ({ text }) => {
      const found = [...String.fromCharCode(...text).matchAll(/(?=ab.a)/g)].map(({ index }) => index);
      return { count: [found.length, found.reduce((a, b) => a + b, 0)] };
    },
  }),

  openCLCase({
    name: 'binary-search',
    source: `
      int lower_bound(global const int *sorted, int n, int key) {
        int low = 0, high = n;
        while (low < high) {
          int middle = (low + high) / 2;
          if (sorted[middle] < key) low = middle + 1;
          else high = middle;
        }
        return low;
      }
      kernel void find_all(global const int *sorted, int n, global const int *keys, global int2 *found) {
        int key = keys[get_global_id(0)];
        found[get_global_id(0)] = (int2)(lower_bound(sorted, n, key), lower_bound(sorted, n, key + 1));
      }`,
    buffers: (random) => ({
      sorted: random.ints(500, 0, 400).sort(),
      keys: random.ints(300, -5, 405),
      found: new Int32Array(600),
    }),
    launches: ({ sorted, keys, found }) => [
      { kernel: 'find_all', args: [sorted, 500, keys, found], global: 300, local: null },
    ],
    expected: ({ sorted, keys }) => ({
      found: [...keys].flatMap((key) => [sorted.filter((v) => v < key).length, sorted.filter((v) => v <= key).length]),
    }),
  }),
];
