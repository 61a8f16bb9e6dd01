import { at, kernelCase, range, sum, type Case } from '../case.ts';

/** What thrust gives a single thread: tuples, complex numbers, sequential algorithms. */
export const threadAlgorithmCases: readonly Case[] = [
  kernelCase({
    name: 'thrust-sequential-algorithms',
    nvcc: true,
    source: `
      #include <thrust/binary_search.h>
      #include <thrust/copy.h>
      #include <thrust/count.h>
      #include <thrust/execution_policy.h>
      #include <thrust/extrema.h>
      #include <thrust/fill.h>
      #include <thrust/find.h>
      #include <thrust/functional.h>
      #include <thrust/reduce.h>
      #include <thrust/scan.h>
      #include <thrust/sort.h>
      // Each thread has a row of 20.
      __global__ void rows(int *x, int *places, int *before, int *out)
      {
        int row = blockIdx.x * blockDim.x + threadIdx.x, *o = out + 8 * row;
        int *first = x + 20 * row, *last = first + 20, *place = places + 20 * row;
        for (int i = 0; i < 20; i++) place[i] = i;
        o[0] = thrust::reduce(thrust::seq, first, last);
        o[1] = thrust::reduce(thrust::seq, first, last, -100, thrust::maximum<int>());
        o[2] = (int)(thrust::min_element(thrust::seq, first, last) - first);
        o[3] = (int)thrust::count(thrust::device, first, last, 3);
        o[4] = (int)(thrust::find(thrust::seq, first, last, 3) - first);
        thrust::exclusive_scan(thrust::seq, first, last, before + 20 * row, 7);
        thrust::sort_by_key(thrust::seq, first, last, place, thrust::greater<int>());
        o[5] = *first;
        int sorted[20];
        thrust::copy(thrust::seq, first, last, sorted);
        thrust::sort(thrust::seq, sorted, sorted + 20);
        o[6] = (int)(thrust::lower_bound(thrust::seq, sorted, sorted + 20, 3) - sorted);
        thrust::fill(thrust::seq, sorted, sorted + 20, 2);
        thrust::inclusive_scan(thrust::seq, sorted, sorted + 20, sorted);
        o[7] = sorted[19];
      }`,
    buffers: (random) => ({
      x: random.ints(1280, -9, 9),
      places: new Int32Array(1280),
      before: new Int32Array(1280),
      out: new Int32Array(512),
    }),
    launches: ({ x, places, before, out }) => [{ kernel: 'rows', args: [x, places, before, out], block: 32, grid: 2 }],
    expected: ({ x }) => {
      const rows = range(64, (row) => x.slice(20 * row, 20 * row + 20));
      const placesOf = (row: Int32Array): number[] => range(20, (i) => i).sort((a, b) => at(row, b) - at(row, a));
      return {
        x: Int32Array.from(rows.flatMap((row) => placesOf(row).map((place) => at(row, place)))),
        places: Int32Array.from(rows.flatMap(placesOf)),
        before: Int32Array.from(rows.flatMap((row) => range(20, (i) => 7 + sum(i, (j) => at(row, j))))),
        out: Int32Array.from(
          rows.flatMap((row) => [
            sum(20, (i) => at(row, i)),
            Math.max(...row),
            row.indexOf(Math.min(...row)),
            row.filter((value) => value === 3).length,
            row.includes(3) ? row.indexOf(3) : 20,
            Math.max(...row),
            row.filter((value) => value < 3).length,
            40,
          ]),
        ),
      };
    },
  }),

  kernelCase({
    name: 'thrust-tuples-and-complex-numbers',
    nvcc: true,
    source: `
      #include <thrust/complex.h>
      #include <thrust/pair.h>
      #include <thrust/swap.h>
      #include <thrust/tuple.h>
      __device__ thrust::tuple<int, float> split(float x)
      {
        return thrust::make_tuple((int)x, x - (int)x);
      }
      __global__ void parts(const float *x, int *whole, float *rest, double *z)
      {
        int i = threadIdx.x, a;
        float b;
        thrust::tie(a, b) = split(x[i]);
        thrust::pair<int, int> sides = thrust::make_pair(a, -a);
        thrust::swap(sides.first, sides.second);
        whole[i] = sides.first;
        rest[i] = thrust::get<1>(split(x[i]));
        thrust::complex<double> c(x[i], 2.0);
        c = c * thrust::conj(c) + c;
        z[2 * i] = c.real();
        z[2 * i + 1] = c.imag();
      }`,
    buffers: (random) => ({
      x: Float32Array.from(random.ints(50, 0, 4000), (value) => value / 16),
      whole: new Int32Array(50),
      rest: new Float32Array(50),
      z: new Float64Array(100),
    }),
    launches: ({ x, whole, rest, z }) => [{ kernel: 'parts', args: [x, whole, rest, z], block: 50 }],
    expected: ({ x }) => ({
      whole: Int32Array.from(x, (value) => -Math.trunc(value)),
      rest: Float32Array.from(x, (value) => value % 1),
      z: Float64Array.from([...x].flatMap((value) => [value * value + 4 + value, 2])),
    }),
  }),
];
