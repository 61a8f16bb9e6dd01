import { at, kernelCase, range, sum, type Case } from '../case.ts';

const ROWS = 64;
const ITEMS = 12;

/** thrust's iterators, placeholders and algorithms in one thread. */
export const iteratorCases: readonly Case[] = [
  kernelCase({
    name: 'thrust-iterators',
    nvcc: true,
    source: `
      #include <thrust/copy.h>
      #include <thrust/device_ptr.h>
      #include <thrust/execution_policy.h>
      #include <thrust/for_each.h>
      #include <thrust/functional.h>
      #include <thrust/iterator/constant_iterator.h>
      #include <thrust/iterator/counting_iterator.h>
      #include <thrust/iterator/discard_iterator.h>
      #include <thrust/iterator/permutation_iterator.h>
      #include <thrust/iterator/reverse_iterator.h>
      #include <thrust/iterator/transform_iterator.h>
      #include <thrust/iterator/transform_output_iterator.h>
      #include <thrust/iterator/zip_iterator.h>
      #include <thrust/reduce.h>
      #include <thrust/tuple.h>
      struct square { __host__ __device__ int operator()(int x) const { return x * x; } };
      struct add_index
      {
        template <class Tuple> __host__ __device__ void operator()(Tuple row) const
        {
          thrust::get<1>(row) = thrust::get<0>(row) * 100 + thrust::get<2>(row);
        }
      };
      __global__ void walk(const int *x, const int *order, int *pairs, int *out)
      {
        int row = blockIdx.x * blockDim.x + threadIdx.x, n = ${ITEMS};
        const int *first = x + n * row;
        int *o = out + 6 * row, kept[${ITEMS}];
        auto squares = thrust::make_transform_iterator(first, square());
        o[0] = thrust::reduce(thrust::seq, squares, squares + n);
        auto turned = thrust::make_permutation_iterator(first, order);
        o[1] = turned[2] * 1000 + *(turned + 5);
        thrust::counting_iterator<int> numbers(10);
        o[2] = thrust::reduce(thrust::seq, numbers, numbers + n, 0, thrust::maximum<int>()) + (int)((numbers + 4) - numbers);
        thrust::copy(thrust::seq, first, first + n, thrust::make_transform_output_iterator(kept, square()));
        thrust::copy(thrust::seq, first, first + n, thrust::make_discard_iterator());
        o[3] = kept[3] + *thrust::make_reverse_iterator(kept + n);
        thrust::device_ptr<int> at = thrust::device_pointer_cast(o);
        at[4] = thrust::raw_pointer_cast(at + 3) == o + 3;
        auto sevens = thrust::make_constant_iterator(7);
        *(at + 5) = thrust::reduce(thrust::seq, sevens, sevens + n);
        auto rows = thrust::make_zip_iterator(thrust::make_tuple(first, pairs + n * row, numbers));
        thrust::for_each(thrust::seq, rows, rows + n, add_index());
      }`,
    buffers: (random) => ({
      x: random.ints(ROWS * ITEMS, -9, 9),
      order: Int32Array.from(range(ITEMS, (i) => (i * 5 + 3) % ITEMS)),
      pairs: new Int32Array(ROWS * ITEMS),
      out: new Int32Array(6 * ROWS),
    }),
    launches: ({ x, order, pairs, out }) => [{ kernel: 'walk', args: [x, order, pairs, out], block: 32, grid: 2 }],
    expected: ({ x, order }) => ({
      pairs: Int32Array.from(x, (value, i) => value * 100 + 10 + (i % ITEMS)),
      out: range(ROWS).flatMap((row) => {
        const item = (i: number): number => at(x, ITEMS * row + i);
        return [
          sum(ITEMS, (i) => item(i) ** 2),
          item(at(order, 2)) * 1000 + item(at(order, 5)),
          10 + ITEMS - 1 + 4,
          item(3) ** 2 + item(ITEMS - 1) ** 2,
          1,
          7 * ITEMS,
        ];
      }),
    }),
  }),

  kernelCase({
    name: 'thrust-placeholders-and-keys',
    nvcc: true,
    source: `
      #include <thrust/count.h>
      #include <thrust/execution_policy.h>
      #include <thrust/functional.h>
      #include <thrust/reduce.h>
      #include <thrust/remove.h>
      #include <thrust/sort.h>
      #include <thrust/transform.h>
      #include <thrust/unique.h>
      // Each thread sorts pairs, combines those of one key and counts.
      __global__ void keys(int *x, int *y, int *out)
      {
        using namespace thrust::placeholders;
        int row = threadIdx.x, n = ${ITEMS}, *o = out + 4 * row, *key = x + n * row, *value = y + n * row;
        thrust::transform(thrust::seq, value, value + n, key, value, _1 * 10 - _2);
        o[0] = (int)thrust::count_if(thrust::seq, value, value + n, _1 > 0 && _1 % 2 == 0);
        thrust::stable_sort_by_key(thrust::seq, key, key + n, value);
        int keys[${ITEMS}], sums[${ITEMS}];
        auto ends = thrust::reduce_by_key(thrust::seq, key, key + n, value, keys, sums);
        o[1] = (int)(ends.first - keys);
        o[2] = sums[o[1] - 1];
        o[3] = (int)(thrust::remove_if(thrust::seq, keys, keys + o[1], -_1 >= 0) - keys);
      }`,
    buffers: (random) => ({
      x: random.ints(32 * ITEMS, -3, 3),
      y: random.ints(32 * ITEMS, -9, 9),
      out: new Int32Array(128),
    }),
    launches: ({ x, y, out }) => [{ kernel: 'keys', args: [x, y, out], block: 32 }],
    expected: ({ x, y }) => {
      const rows = range(32, (row) =>
        range(ITEMS, (i) => {
          const key = at(x, ITEMS * row + i);
          return { key, value: at(y, ITEMS * row + i) * 10 - key };
        }),
      );
      const sorted = rows.map((row) => [...row].sort((a, b) => a.key - b.key));
      return {
        x: sorted.flat().map(({ key }) => key),
        y: sorted.flat().map(({ value }) => value),
        out: sorted.flatMap((row) => {
          const keys = [...new Set(row.map(({ key }) => key))];
          const last = row.filter(({ key }) => key === Math.max(...keys));
          return [
            row.filter(({ value }) => value > 0 && value % 2 === 0).length,
            keys.length,
            sum(last.length, (i) => last[i]?.value ?? NaN),
            keys.filter((key) => key > 0).length,
          ];
        }),
      };
    },
  }),

  kernelCase({
    name: 'thrust-sort-of-many',
    nvcc: true,
    source: `
      #include <thrust/execution_policy.h>
      #include <thrust/functional.h>
      #include <thrust/sort.h>
      struct by_tens { __host__ __device__ bool operator()(int a, int b) const { return a / 10 < b / 10; } };
      // Equal ones keep their order, in the block's shared memory too.
      __global__ void many(int *x, int *y, int n)
      {
        __shared__ int row[300];
        int *mine = x + n * blockIdx.x;
        if (threadIdx.x == 0) thrust::stable_sort(thrust::seq, mine, mine + n, by_tens());
        __syncthreads();
        for (int i = threadIdx.x; i < 300; i += blockDim.x) row[i] = mine[i];
        __syncthreads();
        if (threadIdx.x == 1) thrust::sort(thrust::seq, row, row + 300, thrust::greater<int>());
        __syncthreads();
        for (int i = threadIdx.x; i < 300; i += blockDim.x) y[300 * blockIdx.x + i] = row[i];
      }`,
    buffers: (random) => ({ x: random.ints(3000, 0, 999), y: new Int32Array(900) }),
    launches: ({ x, y }) => [{ kernel: 'many', args: [x, y, 1000], block: 64, grid: 3 }],
    expected: ({ x }) => {
      const tens = (value: number): number => Math.floor(value / 10);
      const rows = range(3, (row) => [...x.slice(1000 * row, 1000 * row + 1000)].sort((a, b) => tens(a) - tens(b)));
      return { x: rows.flat(), y: rows.flatMap((row) => row.slice(0, 300).sort((a, b) => b - a)) };
    },
  }),
];
