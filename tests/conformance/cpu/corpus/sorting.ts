import { at, kernelCase, range, type Case } from '../case.ts';

/** What a block of `stores-under-conditions` does, round by round: no two threads of a round share a place. */
function sortRows(keys: number[], marks: number[], sums: number[], rounds: number, apart: number): void {
  marks.fill(0);
  sums.fill(0);
  for (let round = 0; round < rounds; round++) {
    for (let t = 0; t < 64; t++) {
      const i = 2 * t + (round & 1);
      if (i + 1 >= 128) continue;
      const [a, b] = [at(keys, i), at(keys, i + 1)];
      if (a > b) {
        [keys[i], keys[i + 1]] = [b, a];
        marks[i] = (at(marks, i) + 1) & 255;
      }
      if (Math.abs(b - a) > 1000) sums[t] = at(sums, t) + Math.abs(b - a) * 0.5;
    }
  }
  for (let t = 0; t < 64; t++) {
    const [a, b] = [at(keys, t), at(keys, t + apart)];
    if (((a ^ b) & 1) === 1) [keys[t], keys[t + apart]] = [b, a];
  }
}

/** Sorting and merging inside a block, and searching. */
export const sortingCases: readonly Case[] = [
  kernelCase({
    name: 'bitonic-sort',
    source: `
      __global__ void bitonic(int *x)
      {
        __shared__ int cache[256];
        int t = threadIdx.x;
        cache[t] = x[blockIdx.x * 256 + t];
        __syncthreads();
        for (int size = 2; size <= 256; size *= 2) {
          for (int reach = size / 2; reach > 0; reach /= 2) {
            int other = t ^ reach;
            if (other > t && (cache[t] > cache[other]) == ((t & size) == 0)) {
              int swap = cache[t];
              cache[t] = cache[other];
              cache[other] = swap;
            }
            __syncthreads();
          }
        }
        x[blockIdx.x * 256 + t] = cache[t];
      }`,
    buffers: (random) => ({ x: random.ints(1024) }),
    launches: ({ x }) => [{ kernel: 'bitonic', args: [x], block: 256, grid: 4 }],
    expected: ({ x }) => ({ x: range(4, (b) => [...x.slice(b * 256, b * 256 + 256).sort()]).flat() }),
  }),

  kernelCase({
    name: 'radix-sort',
    source: `
      // Four bits a pass: count the digits, find where each digit begins, put every key behind its equals.
      __global__ void radix(unsigned *keys, unsigned *values, int n)
      {
        __shared__ unsigned key[2][192], value[2][192], start[16];
        __shared__ unsigned short before[192][16];
        int t = threadIdx.x, from = 0;
        key[0][t] = keys[t];
        value[0][t] = values[t];
        for (int shift = 0; shift < 32; shift += 4, from ^= 1) {
          unsigned digit = (key[from][t] >> shift) & 15;
          for (int d = 0; d < 16; d++) before[t][d] = d == digit;
          __syncthreads();
          if (t < 16) {
            unsigned count = 0;
            for (int i = 0; i < n; i++) {
              unsigned one = before[i][t];
              before[i][t] = count;
              count += one;
            }
            start[t] = count;
          }
          __syncthreads();
          if (t == 0) {
            unsigned sum = 0;
            for (int d = 0; d < 16; d++) {
              unsigned count = start[d];
              start[d] = sum;
              sum += count;
            }
          }
          __syncthreads();
          unsigned place = start[digit] + before[t][digit];
          key[from ^ 1][place] = key[from][t];
          value[from ^ 1][place] = value[from][t];
          __syncthreads();
        }
        keys[t] = key[from][t];
        values[t] = value[from][t];
      }`,
    buffers: (random) => ({
      keys: random.uints(192).map((v, i) => (i % 5 === 0 ? 77 : v)),
      values: Uint32Array.from(range(192)),
    }),
    launches: ({ keys, values }) => [{ kernel: 'radix', args: [keys, values, 192], block: 192 }],
    expected: ({ keys }) => {
      const order = range(192).sort((a, b) => at(keys, a) - at(keys, b));
      return { keys: order.map((i) => at(keys, i)), values: order };
    },
  }),

  kernelCase({
    name: 'odd-even-sort',
    source: `
      __global__ void odd_even(float *x, int n)
      {
        extern __shared__ float cache[];
        int t = threadIdx.x;
        for (int i = t; i < n; i += blockDim.x) cache[i] = x[i];
        __syncthreads();
        for (int round = 0; round < n; round++) {
          int a = 2 * t + (round & 1);
          if (a + 1 < n && cache[a] < cache[a + 1]) {
            float swap = cache[a];
            cache[a] = cache[a + 1];
            cache[a + 1] = swap;
          }
          __syncthreads();
        }
        for (int i = t; i < n; i += blockDim.x) x[i] = cache[i];
      }`,
    buffers: (random) => ({ x: random.floats(101) }),
    launches: ({ x }) => [{ kernel: 'odd_even', args: [x, 101], block: 51, shared: 404 }],
    expected: ({ x }) => ({ x: x.slice().sort().reverse() }),
  }),

  kernelCase({
    name: 'stores-under-conditions',
    source: `
      // Odd and even sort with its forms: two places and one, a value that goes on, places that may be the same.
      __global__ void sortRows(int *keys, unsigned char *marks, double *sums, int rounds, int apart)
      {
        __shared__ int s[128];
        __shared__ unsigned char mark[128];
        __shared__ double sum[64];
        int t = threadIdx.x, from = blockIdx.x * 128;
        s[t] = keys[from + t];
        s[t + 64] = keys[from + t + 64];
        mark[t] = mark[t + 64] = 0;
        sum[t] = 0;
        for (int round = 0; round < rounds; round++) {
          __syncthreads();
          int at = 2 * t + (round & 1);
          if (at + 1 < 128) {
            int a = s[at], b = s[at + 1];
            unsigned char seen = mark[at];
            double before = sum[t];
            int gap = b - a;
            if (a > b) { s[at] = b; s[at + 1] = a; mark[at] = seen + 1; gap = a - b; }
            if (gap > 1000) sum[t] = before + gap * 0.5;
          }
        }
        __syncthreads();
        // The two places are one for apart == 0.
        int a = s[t], b = s[t + apart];
        __syncthreads();
        if (t < 64) { a = s[t]; b = s[t + apart]; if ((a ^ b) & 1) { s[t] = b; s[t + apart] = a; } }
        __syncthreads();
        keys[from + t] = s[t];
        keys[from + t + 64] = s[t + 64];
        marks[from + t] = mark[t];
        marks[from + t + 64] = mark[t + 64];
        sums[blockIdx.x * 64 + t] = sum[t];
      }`,
    buffers: (random) => ({
      keys: random.ints(512, -30_000, 30_000),
      marks: new Uint8Array(512),
      sums: new Float64Array(256),
    }),
    launches: ({ keys, marks, sums }) => [
      { kernel: 'sortRows', args: [keys, marks, sums, 37, 64], block: 64, grid: 4 },
      { kernel: 'sortRows', args: [keys, marks, sums, 8, 0], block: 64, grid: 4 },
    ],
    expected: ({ keys }) => {
      const blocks = range(4, (b) => ({
        keys: [...keys.slice(b * 128, b * 128 + 128)],
        marks: range(128, () => 0),
        sums: range(64, () => 0),
      }));
      for (const block of blocks) {
        sortRows(block.keys, block.marks, block.sums, 37, 64);
        sortRows(block.keys, block.marks, block.sums, 8, 0);
      }
      return {
        keys: blocks.flatMap((block) => block.keys),
        marks: blocks.flatMap((block) => block.marks),
        sums: blocks.flatMap((block) => block.sums),
      };
    },
  }),

  kernelCase({
    name: 'merge-path',
    source: `
      // Each thread finds where its diagonal crosses the merge of two sorted lists, then merges a few elements.
      __global__ void merge(const int *a, int na, const int *b, int nb, int *out, int each)
      {
        int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * each;
        if (diagonal >= na + nb) return;
        int low = max(0, diagonal - nb), high = min(diagonal, na);
        while (low < high) {
          int middle = (low + high) / 2;
          if (a[middle] <= b[diagonal - 1 - middle]) low = middle + 1;
          else high = middle;
        }
        int i = low, j = diagonal - low;
        for (int k = diagonal; k < min(diagonal + each, na + nb); k++)
          out[k] = j >= nb || (i < na && a[i] <= b[j]) ? a[i++] : b[j++];
      }`,
    buffers: (random) => ({
      a: random.ints(333, -500, 500).sort(),
      b: random.ints(210, -500, 500).sort(),
      out: new Int32Array(543),
    }),
    launches: ({ a, b, out }) => [{ kernel: 'merge', args: [a, 333, b, 210, out, 7], block: 32, grid: 3 }],
    expected: ({ a, b }) => ({ out: Int32Array.of(...a, ...b).sort() }),
  }),

  kernelCase({
    name: 'merge-sort',
    source: `
      // Merge sort by ranks: an element's place is its own index plus its rank in the other half.
      __device__ int rank(const int *sorted, int n, int value, bool after)
      {
        int low = 0, high = n;
        while (low < high) {
          int middle = low + (high - low) / 2;
          if (sorted[middle] < value || (after && sorted[middle] == value)) low = middle + 1;
          else high = middle;
        }
        return low;
      }
      __global__ void merge_sort(int *x)
      {
        __shared__ int buffer[2][128];
        int t = threadIdx.x, from = 0;
        buffer[0][t] = x[blockIdx.x * 128 + t];
        __syncthreads();
        for (int width = 1; width < 128; width *= 2) {
          int half = t & ~(width - 1), pair = t & ~(2 * width - 1), sibling = half ^ width, value = buffer[from][t];
          int place = pair + (t - half) + rank(buffer[from] + sibling, width, value, half > sibling);
          buffer[from ^ 1][place] = value;
          __syncthreads();
          from ^= 1;
        }
        x[blockIdx.x * 128 + t] = buffer[from][t];
      }`,
    buffers: (random) => ({ x: random.ints(384, -40, 40) }),
    launches: ({ x }) => [{ kernel: 'merge_sort', args: [x], block: 128, grid: 3 }],
    expected: ({ x }) => ({ x: range(3, (b) => [...x.slice(b * 128, b * 128 + 128).sort()]).flat() }),
  }),

  kernelCase({
    name: 'binary-search',
    source: `
      __global__ void lower_bounds(const double *sorted, int n, const double *wanted, int *places, int m)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= m) return;
        int first = 0, count = n;
        while (count > 0) {
          int step = count / 2;
          if (sorted[first + step] < wanted[i]) {
            first += step + 1;
            count -= step + 1;
          } else count = step;
        }
        places[i] = first;
      }`,
    buffers: (random) => ({
      sorted: random.doubles(999).sort(),
      wanted: random.doubles(300),
      places: new Int32Array(300),
    }),
    launches: ({ sorted, wanted, places }) => [
      { kernel: 'lower_bounds', args: [sorted, 999, wanted, places, 300], block: 64, grid: 5 },
    ],
    expected: ({ sorted, wanted }) => ({ places: Array.from(wanted, (w) => sorted.filter((v) => v < w).length) }),
  }),

  kernelCase({
    name: 'stream-compaction',
    source: `
      // Keep what is positive, in order: flags, a prefix sum of them, a scatter.
      __global__ void compact(const float *x, float *kept, int *count, int n)
      {
        __shared__ int places[256];
        int t = threadIdx.x;
        bool keep = t < n && x[t] > 0;
        places[t] = keep;
        __syncthreads();
        for (int reach = 1; reach < 256; reach *= 2) {
          int add = t >= reach ? places[t - reach] : 0;
          __syncthreads();
          places[t] += add;
          __syncthreads();
        }
        if (keep) kept[places[t] - 1] = x[t];
        if (t == 255) *count = places[255];
      }`,
    buffers: (random) => ({ x: random.floats(250), kept: new Float32Array(250), count: new Int32Array(1) }),
    launches: ({ x, kept, count }) => [{ kernel: 'compact', args: [x, kept, count, 250], block: 256 }],
    expected: ({ x }) => {
      const kept = [...x].filter((v) => v > 0);
      return { kept: [...kept, ...range(250 - kept.length, () => 0)], count: [kept.length] };
    },
  }),
];
