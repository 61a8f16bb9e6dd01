import { at, kernelCase, range, sum, type Case } from '../case.ts';

/** Sums before each element, from a first value on. */
function sumsBefore(values: ArrayLike<number>, first = 0): number[] {
  let before = first;
  return Array.from(values, (value) => {
    const own = before;
    before = (before + value) | 0;
    return own;
  });
}

/** What cub's block-wide primitives compute. */
export const blockCollectiveCases: readonly Case[] = [
  kernelCase({
    name: 'cub-block-reduce',
    nvcc: true,
    source: `
      #include <cub/cub.cuh>
      // CUDA 13 has no cub::Max and cub::Min.
      struct Most { __device__ int operator()(int a, int b) const { return a > b ? a : b; } };
      struct Least { __device__ int operator()(int a, int b) const { return a < b ? a : b; } };
      template <cub::BlockReduceAlgorithm algorithm>
      __device__ void reduce(const int *x, int *out, int valid)
      {
        typedef cub::BlockReduce<int, 16, algorithm, 4, 3> Reduce;
        __shared__ typename Reduce::TempStorage storage;
        int t = (threadIdx.z * 4 + threadIdx.y) * 16 + threadIdx.x, pair[2] = { x[t], t };
        // The same storage again and again, with a barrier between.
        int total = Reduce(storage).Sum(x[t]);
        __syncthreads();
        int part = Reduce(storage).Sum(x[t], valid);
        __syncthreads();
        int greatest = Reduce(storage).Reduce(x[t], Most());
        __syncthreads();
        int least = Reduce(storage).Reduce(x[t], Least(), valid);
        __syncthreads();
        int pairs = Reduce(storage).Sum(pair);
        if (t == 0) {
          out[0] = total; out[1] = part; out[2] = greatest; out[3] = least; out[4] = pairs;
        }
      }
      __global__ void all(const int *x, int *out, int valid)
      {
        reduce<cub::BLOCK_REDUCE_RAKING>(x, out, valid);
        __syncthreads();
        reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(x, out + 5, valid);
        __syncthreads();
        reduce<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>(x, out + 10, valid);
      }`,
    buffers: (random) => ({ x: random.ints(192), out: new Int32Array(15) }),
    launches: ({ x, out }) => [{ kernel: 'all', args: [x, out, 77], block: [16, 4, 3] }],
    expected: ({ x }) => {
      const total = sum(192, (i) => at(x, i));
      const part = sum(77, (i) => at(x, i));
      const one = [total, part, Math.max(...x), Math.min(...x.slice(0, 77)), total + (191 * 192) / 2];
      return { out: Int32Array.from([...one, ...one, ...one]) };
    },
  }),

  kernelCase({
    name: 'cub-block-reduce-of-structs',
    nvcc: true,
    source: `
      #include <cub/block/block_reduce.cuh>
      struct Map { unsigned factor, term; };
      // First a, then b: the order matters.
      struct Then {
        __device__ Map operator()(const Map &a, const Map &b) const
        {
          return Map{a.factor * b.factor, a.term * b.factor + b.term};
        }
      };
      __global__ void chain(const unsigned *x, unsigned *maps, int *best, const double *y)
      {
        // Without storage of its own.
        Map map = cub::BlockReduce<Map, 96>().Reduce(Map{x[threadIdx.x] | 1, threadIdx.x}, Then());
        if (threadIdx.x == 0) { maps[0] = map.factor; maps[1] = map.term; }
        typedef cub::KeyValuePair<int, double> Pair;
        typedef cub::BlockReduce<Pair, 96> Reduce;
        __shared__ union { typename Reduce::TempStorage reduce; double other[4]; } storage;
        Pair least = Reduce(storage.reduce).Reduce(Pair(threadIdx.x, y[threadIdx.x]), cub::ArgMin());
        __syncthreads();
        Pair greatest = Reduce(storage.reduce).Reduce(Pair(threadIdx.x, y[threadIdx.x]), cub::ArgMax());
        if (threadIdx.x == 0) { best[0] = least.key; best[1] = greatest.key; }
      }`,
    buffers: (random) => ({
      x: random.uints(96),
      maps: new Uint32Array(2),
      best: new Int32Array(2),
      y: Float64Array.from(random.ints(96, 0, 20)),
    }),
    launches: ({ x, maps, best, y }) => [{ kernel: 'chain', args: [x, maps, best, y], block: 96 }],
    expected: ({ x, y }) => {
      let [factor, term] = [1, 0];
      x.forEach((value, i) => {
        factor = Math.imul(factor, value | 1);
        term = (Math.imul(term, value | 1) + i) | 0;
      });
      return {
        maps: Uint32Array.of(factor, term),
        best: Int32Array.of(y.indexOf(Math.min(...y)), y.indexOf(Math.max(...y))),
      };
    },
  }),

  kernelCase({
    name: 'cub-block-scan',
    nvcc: true,
    source: `
      #include <cub/cub.cuh>
      // CUDA 13 has no cub::Max and cub::Min.
      struct Most { __device__ int operator()(int a, int b) const { return a > b ? a : b; } };
      struct Running {
        int total;
        __device__ int operator()(int aggregate) { int old = total; total += aggregate; return old; }
      };
      template <int threads, cub::BlockScanAlgorithm algorithm>
      __device__ void scans(const int *x, int *inclusive, int *exclusive, int *greatest, int *totals, int n)
      {
        typedef cub::BlockScan<int, threads, algorithm> Scan;
        __shared__ typename Scan::TempStorage storage;
        Running running{100};
        // A tile after the other, each behind the sum of those before it.
        for (int tile = 0; tile < n; tile += threads * 2) {
          int items[2], sums[2], at = tile + threadIdx.x * 2, total;
          for (int i = 0; i < 2; i++) items[i] = at + i < n ? x[at + i] : 0;
          Scan(storage).ExclusiveSum(items, sums, running);
          __syncthreads();
          for (int i = 0; i < 2; i++) if (at + i < n) exclusive[at + i] = sums[i];
          Scan(storage).InclusiveSum(items, sums, total);
          __syncthreads();
          for (int i = 0; i < 2; i++) if (at + i < n) inclusive[at + i] = sums[i];
          if (threadIdx.x == threads - 1) totals[tile / (threads * 2)] = total;
          int most, any;
          Scan(storage).ExclusiveScan(max(items[0], items[1]), most, -5, Most(), any);
          __syncthreads();
          if (at < n) greatest[at / 2] = most;
        }
      }
      __global__ void raking(const int *x, int *inclusive, int *exclusive, int *greatest, int *totals, int n)
      {
        scans<64, cub::BLOCK_SCAN_RAKING>(x, inclusive, exclusive, greatest, totals, n);
      }
      __global__ void by_warps(const int *x, int *inclusive, int *exclusive, int *greatest, int *totals, int n)
      {
        scans<96, cub::BLOCK_SCAN_WARP_SCANS>(x, inclusive, exclusive, greatest, totals, n);
      }`,
    buffers: (random) => {
      const out = (): Int32Array<ArrayBuffer> => new Int32Array(500);
      const results = { inclusive: out(), exclusive: out(), greatest: new Int32Array(250), totals: new Int32Array(4) };
      const others = {
        inclusive2: out(),
        exclusive2: out(),
        greatest2: new Int32Array(250),
        totals2: new Int32Array(3),
      };
      return { x: random.ints(500, -1000, 1000), ...results, ...others };
    },
    launches: (m) => [
      {
        kernel: 'raking',
        args: [m.x, m.inclusive, m.exclusive, m.greatest, m.totals, 500],
        block: 64,
      },
      {
        kernel: 'by_warps',
        args: [m.x, m.inclusive2, m.exclusive2, m.greatest2, m.totals2, 500],
        block: 96,
      },
    ],
    expected: ({ x }) => {
      const results = (tile: number): Record<string, Int32Array> => {
        const starts = range(Math.ceil(500 / tile), (i) => i * tile);
        const tiles = starts.map((from) => x.slice(from, from + tile));
        const zeros = (values: Int32Array): number[] => [...values, ...range(tile - values.length, () => 0)];
        return {
          exclusive: Int32Array.from(sumsBefore(x, 100)),
          inclusive: Int32Array.from(
            tiles.flatMap((values) => sumsBefore(values).map((before, i) => before + at(values, i))),
          ),
          totals: Int32Array.from(tiles.map((values) => sum(values.length, (i) => at(values, i)))),
          greatest: Int32Array.from(
            tiles.flatMap((values) =>
              range(values.length / 2, (pair) => Math.max(-5, ...zeros(values).slice(0, 2 * pair))),
            ),
          ),
        };
      };
      const [first, second] = [results(128), results(192)];
      const named = Object.entries(second).map(([name, values]) => [`${name}2`, values]);
      return { ...first, ...(Object.fromEntries(named) as object) };
    },
  }),

  kernelCase({
    name: 'cub-block-scan-of-maps',
    nvcc: true,
    source: `
      #include <cub/block/block_scan.cuh>
      struct Map { unsigned factor, term; };
      struct Then {
        __device__ Map operator()(Map a, Map b) const { return {a.factor * b.factor, a.term * b.factor + b.term}; }
      };
      __global__ void recurrence(const unsigned *a, const unsigned *b, unsigned *y)
      {
        typedef cub::BlockScan<Map, 8, cub::BLOCK_SCAN_RAKING_MEMOIZE, 5, 2> Scan;
        __shared__ Scan::TempStorage storage;
        int t = (threadIdx.z * 5 + threadIdx.y) * 8 + threadIdx.x;
        Map maps[3];
        for (int i = 0; i < 3; i++) maps[i] = {a[3 * t + i], b[3 * t + i]};
        Scan(storage).InclusiveScan(maps, maps, Then());
        for (int i = 0; i < 3; i++) y[3 * t + i] = maps[i].term;
      }`,
    buffers: (random) => ({ a: random.uints(240), b: random.uints(240), y: new Uint32Array(240) }),
    launches: ({ a, b, y }) => [{ kernel: 'recurrence', args: [a, b, y], block: [8, 5, 2] }],
    expected: ({ a, b }) => {
      let y = 0;
      return { y: Uint32Array.from(a, (factor, i) => (y = (Math.imul(y, factor) + at(b, i)) | 0)) };
    },
  }),

  kernelCase({
    name: 'cub-exchange',
    nvcc: true,
    source: `
      #include <cub/cub.cuh>
      __global__ void exchange(const int *x, int *out, const int *ranks, int n)
      {
        typedef cub::BlockExchange<int, 32, 3, false, 2> Exchange;
        __shared__ Exchange::TempStorage storage;
        int t = threadIdx.y * 32 + threadIdx.x, own[3], rank[3], moved[3];
        auto write = [&](int part) {
          cub::StoreDirectBlocked(t, out + part * 192, moved);
          __syncthreads();
        };
        cub::LoadDirectBlocked(t, x, own);
        cub::LoadDirectBlocked(t, ranks, rank);
        Exchange(storage).BlockedToStriped(own, moved);
        write(0);
        Exchange(storage).StripedToBlocked(own, moved);
        write(1);
        Exchange(storage).BlockedToWarpStriped(own, moved);
        write(2);
        Exchange(storage).WarpStripedToBlocked(own, moved);
        write(3);
        Exchange(storage).ScatterToBlocked(own, moved, rank);
        write(4);
        Exchange(storage).ScatterToStriped(own, moved, rank);
        write(5);
        // Some go nowhere: only what has come is looked at.
        __shared__ bool came[192];
        int guarded[3];
        for (int i = 0; i < 3; i++) {
          guarded[i] = own[i] < 0 ? -1 : rank[i];
          came[rank[i]] = own[i] >= 0;
        }
        Exchange(storage).ScatterToStripedGuarded(own, moved, guarded);
        __syncthreads();
        for (int i = 0; i < 3; i++) moved[i] = came[64 * i + t] ? moved[i] : 0;
        write(6);
      }`,
    buffers: (random) => ({
      x: random.ints(192),
      out: new Int32Array(7 * 192),
      ranks: random.permutation(192),
    }),
    launches: ({ x, out, ranks }) => [{ kernel: 'exchange', args: [x, out, ranks, 192], block: [32, 2] }],
    expected: ({ x, ranks }) => {
      // Where the item of a place in blocked order is in striped order: by thread and item.
      const striped = range(192, (i) => (i % 3) * 64 + Math.floor(i / 3));
      const warpStriped = range(192, (i) => {
        const [thread, item] = [Math.floor(i / 3), i % 3];
        return (thread - (thread % 32)) * 3 + item * 32 + (thread % 32);
      });
      const gather = (places: number[], from: ArrayLike<number> = x): number[] =>
        places.map((place) => at(from, place));
      const scatter = (places: ArrayLike<number>, keep: (value: number) => boolean = () => true): number[] => {
        const result = range(192, () => 0);
        x.forEach((value, i) => {
          if (keep(value)) result[at(places, i)] = value;
        });
        return result;
      };
      const scattered = scatter(ranks);
      return {
        out: Int32Array.from([
          ...gather(striped),
          ...scatter(striped),
          ...gather(warpStriped),
          ...scatter(warpStriped),
          ...scattered,
          ...gather(striped, scattered),
          ...gather(
            striped,
            scatter(ranks, (value) => value >= 0),
          ),
        ]),
      };
    },
  }),
];
