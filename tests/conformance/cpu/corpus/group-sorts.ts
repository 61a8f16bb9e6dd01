import { at, kernelCase, range, sum, type Case } from '../case.ts';

/** cub's sorts of a block's items, and what its warp-wide primitives compute. */
export const groupSortCases: readonly Case[] = [
  kernelCase({
    name: 'cub-radix-sort',
    nvcc: true,
    source: `
      #include <cub/cub.cuh>
      __global__ void pairs(float *keys, int *places, unsigned *words, int *striped)
      {
        typedef cub::BlockLoad<float, 64, 5, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;
        typedef cub::BlockStore<float, 64, 5, cub::BLOCK_STORE_TRANSPOSE> Store;
        typedef cub::BlockRadixSort<float, 64, 5, int> Sort;
        typedef cub::BlockRadixSort<unsigned, 64, 5> Words;
        __shared__ union {
          typename Load::TempStorage load;
          typename Store::TempStorage store;
          typename Sort::TempStorage sort;
          typename Words::TempStorage words;
        } storage;
        float key[5];
        int place[5];
        Load(storage.load).Load(keys, key);
        __syncthreads();
        for (int i = 0; i < 5; i++) place[i] = threadIdx.x * 5 + i;
        Sort(storage.sort).SortDescending(key, place);
        __syncthreads();
        Store(storage.store).Store(keys, key);
        for (int i = 0; i < 5; i++) places[threadIdx.x * 5 + i] = place[i];
        __syncthreads();
        // By the bits 3 to 13 alone: others do not move them.
        unsigned word[5];
        cub::LoadDirectBlocked(threadIdx.x, words, word);
        Words(storage.words).Sort(word, 3, 14);
        cub::StoreDirectBlocked(threadIdx.x, words, word);
        __syncthreads();
        for (int i = 0; i < 5; i++) key[i] = (float)(int)(place[i] * 37 % 320);
        Sort(storage.sort).SortBlockedToStriped(key, place);
        cub::StoreDirectStriped<64>(threadIdx.x, striped, place);
      }`,
    buffers: (random) => ({
      keys: Float32Array.from(random.ints(320, -20, 20), (key) => (key === 0 && random.bits() & 1 ? -0 : key / 4)),
      places: new Int32Array(320),
      words: random.uints(320),
      striped: new Int32Array(320),
    }),
    launches: ({ keys, places, words, striped }) => [
      { kernel: 'pairs', args: [keys, places, words, striped], block: 64 },
    ],
    expected: ({ keys, words }) => {
      const digits = (word: number): number => (word >>> 3) & 2047;
      const places = range(320, (i) => i).sort((a, b) => at(keys, b) - at(keys, a));
      return {
        keys: Float32Array.from(places, (place) => at(keys, place)),
        places: Int32Array.from(places),
        words: Uint32Array.from([...words].sort((a, b) => digits(a) - digits(b))),
        striped: Int32Array.from(range(320, (i) => i).sort((a, b) => ((a * 37) % 320) - ((b * 37) % 320))),
      };
    },
  }),

  kernelCase({
    name: 'cub-radix-sort-of-types',
    nvcc: true,
    source: `
      #include <cub/block/block_radix_sort.cuh>
      template <class T> __device__ void sort(T *x)
      {
        typedef cub::BlockRadixSort<T, 50, 2> Sort;
        __shared__ typename Sort::TempStorage storage;
        T own[2] = { x[2 * threadIdx.x], x[2 * threadIdx.x + 1] };
        Sort(storage).Sort(own);
        x[2 * threadIdx.x] = own[0];
        x[2 * threadIdx.x + 1] = own[1];
      }
      __global__ void types(signed char *a, unsigned short *b, long long *c, double *d)
      {
        sort(a); sort(b); sort(c); sort(d);
      }`,
    buffers: (random) => ({
      a: Int8Array.from(random.ints(100, -128, 128)),
      b: Uint16Array.from(random.uints(100, 0, 65_536)),
      c: random.longs(100),
      d: random.doubles(100),
    }),
    launches: ({ a, b, c, d }) => [{ kernel: 'types', args: [a, b, c, d], block: 50 }],
    expected: ({ a, b, c, d }) => ({ a: a.sort(), b: b.sort(), c: c.sort(), d: d.sort() }),
  }),

  kernelCase({
    name: 'cub-merge-sort',
    nvcc: true,
    source: `
      #include <cub/cub.cuh>
      struct Farther {
        __device__ bool operator()(const int2 &a, const int2 &b) const { return abs(a.x) > abs(b.x); }
      };
      struct Less { __device__ bool operator()(int a, int b) const { return a < b; } };
      __global__ void merge(int2 *x, int *keys, int *values, int valid)
      {
        typedef cub::BlockMergeSort<int2, 32, 3, cub::NullType, 2> Points;
        __shared__ typename Points::TempStorage points;
        int t = threadIdx.y * 32 + threadIdx.x;
        int2 own[3] = { x[3 * t], x[3 * t + 1], x[3 * t + 2] };
        Points(points).Sort(own, Farther());
        for (int i = 0; i < 3; i++) x[3 * t + i] = own[i];

        typedef cub::BlockMergeSort<int, 32, 2, int, 2> Pairs;
        __shared__ typename Pairs::TempStorage pairs;
        int key[2] = { keys[2 * t], keys[2 * t + 1] }, value[2] = { 2 * t, 2 * t + 1 };
        Pairs(pairs).StableSort(key, value, Less(), valid, 0x7fffffff);
        for (int i = 0; i < 2; i++) {
          // What comes behind the valid ones is left open.
          if (2 * t + i >= valid) continue;
          keys[2 * t + i] = key[i];
          values[2 * t + i] = value[i];
        }
      }`,
    buffers: (random) => ({
      x: random.ints(384, -9, 9),
      keys: random.ints(128, 0, 50),
      values: new Int32Array(128),
    }),
    launches: ({ x, keys, values }) => [{ kernel: 'merge', args: [x, keys, values, 100], block: [32, 2] }],
    expected: ({ x, keys }) => {
      const points = range(192, (i) => [at(x, 2 * i), at(x, 2 * i + 1)] as const);
      const places = range(100, (i) => i).sort((a, b) => at(keys, a) - at(keys, b));
      return {
        x: Int32Array.from(points.sort((a, b) => Math.abs(b[0]) - Math.abs(a[0])).flat()),
        keys: Int32Array.from([...places.map((place) => at(keys, place)), ...keys.subarray(100)]),
        values: Int32Array.from([...places, ...range(28, () => 0)]),
      };
    },
  }),

  kernelCase({
    name: 'cub-warp-reduce-and-scan',
    nvcc: true,
    source: `
      #include <cub/cub.cuh>
      // CUDA 13 has no cub::Max and cub::Min.
      struct Most { __device__ int operator()(int a, int b) const { return a > b ? a : b; } };
      struct Least { __device__ int operator()(int a, int b) const { return a < b ? a : b; } };
      template <int width> __device__ void of(const int *x, int *out)
      {
        typedef cub::WarpReduce<int, width> Reduce;
        typedef cub::WarpScan<int, width> Scan;
        __shared__ typename Reduce::TempStorage reduce[16];
        __shared__ typename Scan::TempStorage scan[16];
        int t = threadIdx.x, group = t / width, lane = t % width, before, with, all;
        int total = Reduce(reduce[group]).Sum(x[t]), most = Reduce(reduce[group]).Reduce(x[t], Most(), 5);
        int segment = Reduce(reduce[group]).HeadSegmentedSum(x[t], x[t] % 3 == 0);
        Scan(scan[group]).ExclusiveSum(x[t], before, all);
        Scan(scan[group]).InclusiveScan(x[t], with, Least());
        out[t] = lane ? 0 : total;
        out[64 + t] = lane ? 0 : most;
        out[128 + t] = lane == 0 || x[t] % 3 == 0 ? segment : 0;
        out[192 + t] = before;
        out[256 + t] = with;
        out[320 + t] = all;
      }
      __global__ void warps(const int *x, int *out)
      {
        of<32>(x, out);
        of<8>(x, out + 384);
      }`,
    buffers: (random) => ({ x: random.ints(64, -1000, 1000), out: new Int32Array(768) }),
    launches: ({ x, out }) => [{ kernel: 'warps', args: [x, out], block: 64 }],
    expected: ({ x }) => {
      const of = (width: number): number[] => {
        const groups = range(64 / width, (i) => x.slice(i * width, i * width + width));
        const total = (values: Int32Array): number => sum(values.length, (i) => at(values, i));
        const isHead = (values: Int32Array, i: number): boolean => i === 0 || at(values, i) % 3 === 0;
        const lanes = (f: (values: Int32Array, lane: number) => number): number[] =>
          groups.flatMap((values) => range(width, (lane) => f(values, lane)));
        return [
          ...lanes((values, lane) => (lane === 0 ? total(values) : 0)),
          ...lanes((values, lane) => (lane === 0 ? Math.max(...values.slice(0, 5)) : 0)),
          ...lanes((values, lane) => {
            let end = lane + 1;
            while (end < width && !isHead(values, end)) end++;
            return isHead(values, lane) ? total(values.slice(lane, end)) : 0;
          }),
          ...lanes((values, lane) => total(values.slice(0, lane))),
          ...lanes((values, lane) => Math.min(...values.slice(0, lane + 1))),
          ...lanes(total),
        ];
      };
      return { out: Int32Array.from([...of(32), ...of(8)]) };
    },
  }),

  kernelCase({
    name: 'cub-warp-of-large-values',
    nvcc: true,
    source: `
      #include <cub/warp/warp_reduce.cuh>
      #include <cub/warp/warp_scan.cuh>
      struct Triple { int a, b, c; };
      struct Add { __device__ Triple operator()(const Triple &x, const Triple &y) const { return {x.a + y.a, x.b + y.b, max(x.c, y.c)}; } };
      __global__ void triples(const int *x, int *out)
      {
        typedef cub::WarpReduce<Triple> Reduce;
        typedef cub::WarpScan<Triple> Scan;
        __shared__ Reduce::TempStorage reduce;
        __shared__ Scan::TempStorage scan;
        int t = threadIdx.x;
        Triple own{x[t], t, -x[t]}, with;
        Triple all = Reduce(reduce).Reduce(own, Add());
        Scan(scan).InclusiveScan(own, with, Add());
        Triple turned = cub::ShuffleIndex<32>(own, (t + 1) % 32, 0xffffffffu);
        if (t == 0) { out[0] = all.a; out[1] = all.b; out[2] = all.c; }
        out[3 + 4 * t] = with.a; out[4 + 4 * t] = with.b; out[5 + 4 * t] = with.c; out[6 + 4 * t] = turned.c;
      }`,
    buffers: (random) => ({ x: random.ints(32, -1000, 1000), out: new Int32Array(131) }),
    launches: ({ x, out }) => [{ kernel: 'triples', args: [x, out], block: 32 }],
    expected: ({ x }) => {
      const of = (n: number): number[] => [sum(n, (i) => at(x, i)), (n * (n - 1)) / 2, -Math.min(...x.slice(0, n))];
      const lanes = range(32, (t) => [...of(t + 1), -at(x, (t + 1) % 32)]).flat();
      return { out: Int32Array.from([...of(32), ...lanes]) };
    },
  }),

  kernelCase({
    name: 'cub-warp-sort-and-exchange',
    nvcc: true,
    source: `
      #include <cub/cub.cuh>
      struct Greater { __device__ bool operator()(int a, int b) const { return a > b; } };
      __global__ void sort(int *x, int *values, int *moved)
      {
        typedef cub::WarpMergeSort<int, 3, 16, int> Sort;
        typedef cub::WarpExchange<int, 3, 16> Exchange;
        __shared__ Sort::TempStorage sort[4];
        __shared__ Exchange::TempStorage exchange[4];
        int t = threadIdx.x, group = t / 16, key[3], value[3];
        for (int i = 0; i < 3; i++) { key[i] = x[3 * t + i]; value[i] = 3 * t + i; }
        Sort(sort[group]).Sort(key, value, Greater());
        for (int i = 0; i < 3; i++) { x[3 * t + i] = key[i]; values[3 * t + i] = value[i]; }
        Exchange(exchange[group]).BlockedToStriped(value, key);
        for (int i = 0; i < 3; i++) moved[3 * t + i] = key[i];
      }`,
    buffers: (random) => ({ x: random.ints(192, 0, 9), values: new Int32Array(192), moved: new Int32Array(192) }),
    launches: ({ x, values, moved }) => [{ kernel: 'sort', args: [x, values, moved], block: 64 }],
    expected: ({ x }) => {
      const places = range(4, (g) => range(48, (i) => g * 48 + i).sort((a, b) => at(x, b) - at(x, a))).flat();
      return {
        x: Int32Array.from(places, (place) => at(x, place)),
        values: Int32Array.from(places),
        moved: Int32Array.from(
          range(192, (i) => {
            const [thread, item] = [Math.floor(i / 3), i % 3];
            return at(places, Math.floor(thread / 16) * 48 + item * 16 + (thread % 16));
          }),
        ),
      };
    },
  }),
];
