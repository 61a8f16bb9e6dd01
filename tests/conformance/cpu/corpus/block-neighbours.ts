import { at, kernelCase, range, type Case } from '../case.ts';

/** What cub's block-wide primitives say of neighbours, and of runs. */
export const blockNeighbourCases: readonly Case[] = [
  kernelCase({
    name: 'cub-discontinuity-and-histogram',
    nvcc: true,
    source: `
      #include <cub/cub.cuh>
      struct Differ { __device__ bool operator()(int a, int b) const { return a != b; } };
      __global__ void flags(const int *x, int *heads, int *tails, unsigned *counts, int before)
      {
        typedef cub::BlockDiscontinuity<int, 40> Flags;
        typedef cub::BlockHistogram<unsigned char, 40, 4, 16> Histogram;
        __shared__ typename Flags::TempStorage flags;
        __shared__ typename Histogram::TempStorage histogram;
        __shared__ unsigned bins[16];
        int own[4], head[4], tail[4];
        unsigned char bytes[4];
        cub::LoadDirectBlocked(threadIdx.x, x, own);
        Flags(flags).FlagHeadsAndTails(head, before, tail, own, Differ());
        cub::StoreDirectBlocked(threadIdx.x, heads, head);
        cub::StoreDirectBlocked(threadIdx.x, tails, tail);
        for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)own[i];
        Histogram(histogram).Histogram(bytes, bins);
        __syncthreads();
        Histogram(histogram).Composite(bytes, bins);
        __syncthreads();
        if (threadIdx.x < 16) counts[threadIdx.x] = bins[threadIdx.x];
      }`,
    buffers: (random) => ({
      x: Int32Array.from(random.ints(160, 0, 16)).sort(),
      heads: new Int32Array(160),
      tails: new Int32Array(160),
      counts: new Uint32Array(16),
    }),
    launches: ({ x, heads, tails, counts }) => [{ kernel: 'flags', args: [x, heads, tails, counts, 0], block: 40 }],
    expected: ({ x }) => ({
      heads: Int32Array.from(x, (value, i) => Number(value !== (i === 0 ? 0 : at(x, i - 1)))),
      tails: Int32Array.from(x, (value, i) => Number(i === 159 || value !== at(x, i + 1))),
      counts: Uint32Array.from(range(16, (bin) => 2 * x.filter((value) => value === bin).length)),
    }),
  }),

  kernelCase({
    name: 'cub-neighbours',
    nvcc: true,
    source: `
      #include <cub/block/block_shuffle.cuh>
      #include <cub/cub.cuh>
      struct Difference { __device__ int operator()(const int &a, const int &b) const { return a - b; } };
      __global__ void neighbours(const int *x, int *left, int *right, int *up, int *turned, int valid)
      {
        typedef cub::BlockAdjacentDifference<int, 48> Adjacent;
        typedef cub::BlockShuffle<int, 48> Shuffle;
        __shared__ typename Adjacent::TempStorage adjacent;
        __shared__ typename Shuffle::TempStorage shuffle;
        int own[2], out[2], t = threadIdx.x;
        cub::LoadDirectBlocked(t, x, own);
        Adjacent(adjacent).SubtractLeft(own, out, Difference(), 1000);
        cub::StoreDirectBlocked(t, left, out);
        __syncthreads();
        Adjacent(adjacent).SubtractRightPartialTile(own, out, Difference(), valid);
        cub::StoreDirectBlocked(t, right, out);
        out[0] = -1;
        Shuffle(shuffle).Up(own, out);
        cub::StoreDirectBlocked(t, up, out);
        __syncthreads();
        Shuffle(shuffle).Rotate(own[0], turned[t], 5);
      }`,
    buffers: (random) => {
      const out = (): Int32Array<ArrayBuffer> => new Int32Array(96);
      return { x: random.ints(96, -1000, 1000), left: out(), right: out(), up: out(), turned: new Int32Array(48) };
    },
    launches: ({ x, left, right, up, turned }) => [
      { kernel: 'neighbours', args: [x, left, right, up, turned, 51], block: 48 },
    ],
    expected: ({ x }) => ({
      left: Int32Array.from(x, (value, i) => value - (i === 0 ? 1000 : at(x, i - 1))),
      right: Int32Array.from(x, (value, i) => (i < 50 ? value - at(x, i + 1) : value)),
      up: Int32Array.from(x, (_, i) => (i === 0 ? -1 : at(x, i - 1))),
      turned: Int32Array.from(range(48, (i) => at(x, 2 * ((i + 5) % 48)))),
    }),
  }),

  kernelCase({
    name: 'cub-run-length-decode',
    nvcc: true,
    source: `
      #include <cub/block/block_run_length_decode.cuh>
      __global__ void decode(const int *values, const unsigned *lengths, int *out, unsigned *offsets, unsigned *size)
      {
        typedef cub::BlockRunLengthDecode<int, 32, 2, 4> Decode;
        __shared__ Decode::TempStorage storage;
        int value[2] = { values[2 * threadIdx.x], values[2 * threadIdx.x + 1] };
        unsigned length[2] = { lengths[2 * threadIdx.x], lengths[2 * threadIdx.x + 1] }, total = 0;
        Decode decode(storage, value, length, total);
        for (unsigned from = 0; from < total; from += 128) {
          int items[4];
          unsigned within[4];
          decode.RunLengthDecode(items, within, from);
          for (int i = 0; i < 4; i++) {
            unsigned at = from + threadIdx.x * 4 + i;
            if (at < total) { out[at] = items[i]; offsets[at] = within[i]; }
          }
        }
        if (threadIdx.x == 0) *size = total;
      }`,
    buffers: (random) => ({
      values: random.ints(64),
      lengths: random.uints(64, 1, 9),
      out: new Int32Array(512),
      offsets: new Uint32Array(512),
      size: new Uint32Array(1),
    }),
    launches: ({ values, lengths, out, offsets, size }) => [
      { kernel: 'decode', args: [values, lengths, out, offsets, size], block: 32 },
    ],
    expected: ({ values, lengths }) => {
      const items = [...lengths].flatMap((length, run) => range(length, (i) => [at(values, run), i] as const));
      return {
        out: Int32Array.from(range(512, (i) => items[i]?.[0] ?? 0)),
        offsets: Uint32Array.from(range(512, (i) => items[i]?.[1] ?? 0)),
        size: Uint32Array.of(items.length),
      };
    },
  }),
];
