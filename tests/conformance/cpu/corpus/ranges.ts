import { at, kernelCase, range, sum, type Case } from '../case.ts';

const ROWS = 64;
const ITEMS = 30;

/** What libcu++ has for ranges and values: span, optional, tuple, array, algorithms, sums. */
export const rangeCases: readonly Case[] = [
  kernelCase({
    name: 'spans-and-sums',
    nvcc: true,
    source: `
      #include <cuda/std/array>
      #include <cuda/std/numeric>
      #include <cuda/std/span>
      __device__ int middle(cuda::std::span<const int> items) { return items[items.size() / 2]; }
      __global__ void sums(int *x, int *before, int *out)
      {
        int row = blockIdx.x * blockDim.x + threadIdx.x, *o = out + 6 * row;
        cuda::std::span<int> items(x + ${ITEMS} * row, ${ITEMS});
        auto three = items.subspan<3, 3>();
        static_assert(decltype(three)::extent == 3 && sizeof(three) < sizeof(items), "");
        o[0] = cuda::std::accumulate(items.begin(), items.end(), 100);
        o[1] = cuda::std::accumulate(three.begin(), three.end(), 1, [](int a, int b) { return a * b; });
        o[2] = middle(items.first(9)) * 1000 + items.last(4).front() * 10 + middle(three);
        cuda::std::exclusive_scan(items.begin(), items.end(), before + ${ITEMS} * row, row);
        cuda::std::array<int, 5> numbers;
        cuda::std::iota(numbers.begin(), numbers.end(), row);
        auto [a, b, c, d, e] = numbers;
        o[3] = a + 2 * b + 3 * c + 4 * d + 5 * e;
        o[4] = cuda::std::gcd(o[0], 360) * 1000 + cuda::std::lcm(row + 1, 12);
        o[5] = cuda::std::inner_product(numbers.begin(), numbers.end(), items.begin(), 0);
      }`,
    buffers: (random) => ({
      x: random.ints(ROWS * ITEMS, -9, 9),
      before: new Int32Array(ROWS * ITEMS),
      out: new Int32Array(6 * ROWS),
    }),
    launches: ({ x, before, out }) => [{ kernel: 'sums', args: [x, before, out], block: 32, grid: 2 }],
    expected: ({ x }) => {
      const rows = range(ROWS, (row) => [...x.slice(ITEMS * row, ITEMS * row + ITEMS)]);
      const divides = (n: number, by: number): boolean => n % by === 0;
      return {
        before: rows.flatMap((items, row) => range(ITEMS, (i) => row + sum(i, (j) => at(items, j)))),
        out: rows.flatMap((items, row) => {
          const total = 100 + sum(ITEMS, (i) => at(items, i));
          const common = range(360, (i) => 360 - i).find((n) => divides(360, n) && divides(total, n)) ?? NaN;
          const multiple = range(12, (i) => (i + 1) * (row + 1)).find((n) => divides(n, 12)) ?? NaN;
          return [
            total,
            at(items, 3) * at(items, 4) * at(items, 5),
            at(items, 4) * 1000 + at(items, ITEMS - 4) * 10 + at(items, 4),
            sum(5, (i) => (i + 1) * (row + i)),
            common * 1000 + multiple,
            sum(5, (i) => (row + i) * at(items, i)),
          ];
        }),
      };
    },
  }),

  kernelCase({
    name: 'optional-values-and-tuples',
    nvcc: true,
    source: `
      #include <cuda/std/functional>
      #include <cuda/std/optional>
      #include <cuda/std/tuple>
      #include <cuda/std/utility>
      // Copies count themselves, so that the optional value is made and ended as it should be.
      struct counted
      {
        int *copies, value;
        __device__ counted(int *copies, int value) : copies(copies), value(value) {}
        __device__ counted(const counted &other) : copies(other.copies), value(other.value) { ++*copies; }
        __device__ counted &operator=(const counted &other) { value = other.value; return *this; }
        __device__ ~counted() { *copies += 100; }
        __device__ int plus(int x) const { return value + x; }
      };
      __device__ cuda::std::optional<int> halved(int x)
      {
        if (x & 1) return cuda::std::nullopt;
        return x / 2;
      }
      __global__ void values(const int *x, int *out)
      {
        int i = threadIdx.x, *o = out + 7 * i, copies = 0;
        static_assert(cuda::std::is_trivially_copyable<cuda::std::optional<int>>::value, "");
        o[0] = halved(x[i]).value_or(-1);
        auto quarter = halved(x[i]) ? halved(*halved(x[i])) : cuda::std::nullopt;
        o[1] = quarter == 3 ? 333 : quarter ? quarter.value() : -7;
        {
          cuda::std::optional<counted> one;
          one.emplace(&copies, i);
          cuda::std::optional<counted> other = one;
          other = counted(&copies, i + 5);
          one.reset();
          o[2] = cuda::std::invoke(&counted::plus, *other, 3) + !one;
        }
        o[3] = copies;
        cuda::std::tuple<int, float> t(i, x[i] / 2.0f);
        auto joined = cuda::std::tuple_cat(t, cuda::std::make_tuple((short)x[i]), cuda::std::make_pair(1, 2));
        static_assert(cuda::std::tuple_size<decltype(joined)>::value == 5, "");
        o[4] = cuda::std::apply([](int a, float b, short c, int d, int e) { return a + (int)(2 * b) + c + d * e; }, joined);
        int low, high;
        cuda::std::tie(low, cuda::std::ignore) = cuda::std::make_pair(i, 0);
        cuda::std::tie(low, high) = i % 2 ? cuda::std::make_tuple(low, 7) : cuda::std::make_tuple(7, low);
        cuda::std::tuple<int &, int &> both(low, high);
        if (both > cuda::std::make_tuple(6, 100)) cuda::std::swap(low, high);
        o[5] = low * 1000 + high;
        o[6] = cuda::std::get<short>(joined) + cuda::std::exchange(low, 5) + low;
      }`,
    buffers: (random) => ({ x: random.ints(64, -50, 50), out: new Int32Array(448) }),
    launches: ({ x, out }) => [{ kernel: 'values', args: [x, out], block: 64 }],
    expected: ({ x }) => ({
      out: Int32Array.from(
        [...x].flatMap((value, i) => {
          const first = value % 2 === 0 ? value / 2 : undefined;
          const second = first !== undefined && first % 2 === 0 ? first / 2 : undefined;
          const pair = i % 2 ? [i, 7] : [7, i];
          const [low = NaN, high = NaN] = at(pair, 0) > 6 ? [...pair].reverse() : pair;
          return [
            first ?? -1,
            second === 3 ? 333 : (second ?? -7),
            i + 5 + 3 + 1,
            // One copy to the other; three ends: of the temporary value, and of both.
            1 + 300,
            i + value + value + 2,
            low * 1000 + high,
            value + low + 5,
          ];
        }),
      ),
    }),
  }),

  kernelCase({
    name: 'algorithms-of-one-thread',
    nvcc: true,
    isNew: true,
    source: `
      #include <cuda/std/algorithm>
      #include <cuda/std/functional>
      __global__ void algorithms(int *x, int *out)
      {
        int row = blockIdx.x * blockDim.x + threadIdx.x, *o = out + 10 * row;
        int *first = x + ${ITEMS} * row, *last = first + ${ITEMS}, copy[${ITEMS}], other[${ITEMS}];
        o[0] = (int)cuda::std::count_if(first, last, [](int v) { return v > 0; });
        o[1] = (int)(cuda::std::adjacent_find(first, last) - first);
        auto extremes = cuda::std::minmax_element(first, last);
        o[2] = (int)(extremes.first - first) * 100 + (int)(extremes.second - first);
        int *kept = cuda::std::copy_if(first, last, copy, [](int v) { return v % 2 != 0; });
        o[3] = (int)(kept - copy);
        cuda::std::rotate(first, first + 7, last);
        cuda::std::copy(first, last, other);
        cuda::std::make_heap(other, other + ${ITEMS});
        o[4] = other[0];
        cuda::std::sort_heap(other, other + ${ITEMS});
        o[5] = cuda::std::is_sorted(other, other + ${ITEMS}) && !cuda::std::is_sorted(first, last, cuda::std::greater<int>());
        int *unique = cuda::std::unique(other, other + ${ITEMS});
        o[6] = (int)(unique - other);
        int common[${ITEMS}], wanted[] = {-4, -1, 0, 3, 8};
        o[7] = (int)(cuda::std::set_intersection(other, unique, wanted, wanted + 5, common) - common);
        o[8] = cuda::std::equal(common, common + o[7], wanted) * 100 + cuda::std::lexicographical_compare(other, unique, wanted, wanted + 5);
        auto range = cuda::std::equal_range(other, unique, 3);
        o[9] = (int)(range.second - range.first) * 100 + (int)(cuda::std::partition(other, unique, [](int v) { return v % 3 == 0; }) - other);
      }`,
    buffers: (random) => ({ x: random.ints(ROWS * ITEMS, -9, 9), out: new Int32Array(10 * ROWS) }),
    launches: ({ x, out }) => [{ kernel: 'algorithms', args: [x, out], block: 32, grid: 2 }],
    expected: ({ x }) => {
      const rows = range(ROWS, (row) => [...x.slice(ITEMS * row, ITEMS * row + ITEMS)]);
      return {
        x: rows.flatMap((row) => [...row.slice(7), ...row.slice(0, 7)]),
        out: rows.flatMap((row) => {
          const pairs = row.findIndex((value, i) => value === row[i + 1]);
          const unique = [...new Set(row)].sort((a, b) => a - b);
          const common = [-4, -1, 0, 3, 8].filter((value) => unique.includes(value));
          const prefix = common.every((value, i) => value === [-4, -1, 0, 3, 8][i]);
          // The least of a row is below -4, or the rows are equal up to there.
          const [least = NaN, next = NaN] = unique;
          const before = least < -4 || (least === -4 && next < -1);
          return [
            row.filter((value) => value > 0).length,
            pairs < 0 ? ITEMS : pairs,
            row.indexOf(Math.min(...row)) * 100 + row.lastIndexOf(Math.max(...row)),
            row.filter((value) => value % 2 !== 0).length,
            Math.max(...row),
            1,
            unique.length,
            common.length,
            (prefix ? 100 : 0) + (before ? 1 : 0),
            (unique.includes(3) ? 100 : 0) + unique.filter((value) => value % 3 === 0).length,
          ];
        }),
      };
    },
  }),
];
