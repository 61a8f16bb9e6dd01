import { at, kernelCase, range, sum, type Case } from '../case.ts';

/** Kernels of several sources, which are compiled by themselves and linked. */
export const linkingCases: readonly Case[] = [
  kernelCase({
    name: 'linked-functions-with-barriers',
    source: `
      extern __device__ float block_sum(float value, float *scratch);
      __device__ float block_max(float value, float *scratch);
      __global__ void normalise(const float *in, float *out)
      {
        extern __shared__ float scratch[];
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        for (int round = 0; round < 2; round++) {
          float value = round == 0 ? in[i] : out[i];
          float top = block_max(value, scratch);
          float total = block_sum(value - top, scratch);
          out[i] = value - total / blockDim.x;
        }
      }`,
    sources: [
      `
      template <class Combine> __device__ float reduced(float value, float *scratch, Combine combine)
      {
        __syncthreads();
        scratch[threadIdx.x] = value;
        __syncthreads();
        for (int step = blockDim.x / 2; step > 0; step /= 2) {
          if (threadIdx.x < step) scratch[threadIdx.x] = combine(scratch[threadIdx.x], scratch[threadIdx.x + step]);
          __syncthreads();
        }
        return scratch[0];
      }
      __device__ float block_sum(float value, float *scratch)
      {
        return reduced(value, scratch, [](float a, float b) { return a + b; });
      }
      __device__ float block_max(float value, float *scratch)
      {
        return reduced(value, scratch, [](float a, float b) { return a > b ? a : b; });
      }`,
    ],
    buffers: (random) => ({ in: random.floats(128), out: new Float32Array(128) }),
    launches: ({ in: from, out }) => [{ kernel: 'normalise', args: [from, out], block: 64, grid: 2, shared: 256 }],
    expected: ({ in: from }) => {
      const shifted = (values: readonly number[]): number[] => {
        const top = Math.max(...values);
        const total = sum(values.length, (i) => at(values, i) - top);
        return values.map((value) => value - total / values.length);
      };
      const blocks = [0, 64].map((start) => range(64, (i) => at(from, start + i)));
      return { out: blocks.flatMap((values) => shifted(shifted(values))) };
    },
    tolerance: { relative: 1e-4, absolute: 1e-3 },
  }),

  kernelCase({
    name: 'linked-variables',
    source: `
      extern __constant__ int weights[4];
      extern __device__ unsigned long long total;
      extern __device__ int table[];
      extern "C" __device__ int scaled(int value);
      namespace shapes { struct Cell { int a, b; __device__ int sum() const; }; extern __device__ Cell cells[2]; }
      inline __device__ int counter = 5;
      __device__ int &counter_there();
      __global__ void mix(const int *in, int *out)
      {
        int i = threadIdx.x;
        out[i] = scaled(in[i]) + weights[i % 4] + table[i % 3] + shapes::cells[i % 2].sum();
        atomicAdd(&total, (unsigned long long)in[i]);
        if (i == 0) out[blockDim.x] = &counter == &counter_there() ? counter : -1;
      }
      __global__ void read_total(long long *out) { *out = total; }`,
    sources: [
      `
      __constant__ int weights[4];
      __device__ int table[] = { 100, 200, 300 };
      inline __device__ int counter = 5;
      __device__ int &counter_there() { return counter; }
      extern "C" __device__ int scaled(int value) { return value * weights[0]; }`,
      `
      __device__ unsigned long long total = 7;
      namespace shapes {
        struct Cell { int a, b; __device__ int sum() const; };
        __device__ Cell cells[2] = { { 1, 2 }, { 30, 40 } };
        __device__ int Cell::sum() const { return a + b; }
      }`,
    ],
    buffers: (random) => ({
      weights: Int32Array.of(3, -5, 8, 13),
      in: random.ints(32, 0, 1000),
      out: new Int32Array(33),
      sum: new BigInt64Array(1),
    }),
    globals: ({ weights }) => ({ weights }),
    launches: ({ in: from, out, sum: to }) => [
      { kernel: 'mix', args: [from, out], block: 32 },
      { kernel: 'read_total', args: [to], block: 1 },
    ],
    expected: ({ weights, in: from }) => ({
      out: [
        ...range(32, (i) => 3 * at(from, i) + at(weights, i % 4) + 100 * (1 + (i % 3)) + (i % 2 === 0 ? 3 : 70)),
        5,
      ],
      sum: [BigInt(7 + sum(32, (i) => at(from, i)))],
    }),
  }),

  kernelCase({
    name: 'linked-function-pointers-and-classes',
    source: `
      struct Shape {
        __device__ virtual float area() const = 0;
      };
      __device__ Shape *make(int kind, float size);
      typedef float (*Operation)(float, float);
      extern __device__ Operation operations[2];
      static __device__ float half_of(float x) { return x / 2; }
      __global__ void areas(const int *kinds, const float *sizes, float *out)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        Shape *shape = make(kinds[i], sizes[i]);
        out[i] = operations[kinds[i]](half_of(shape->area()), 3);
        delete shape;
      }`,
    sources: [
      `
      struct Shape {
        __device__ virtual float area() const = 0;
      };
      struct Square : Shape {
        float side;
        __device__ Square(float side) : side(side) {}
        __device__ float area() const override { return side * side; }
      };
      struct Slice : Shape {
        float radius;
        __device__ Slice(float radius) : radius(radius) {}
        __device__ float area() const override { return 3 * radius * radius / 4; }
      };
      __device__ Shape *make(int kind, float size)
      {
        if (kind == 0) return new Square(size);
        return new Slice(size);
      }`,
      `
      static __device__ float half_of(float x) { return x / 2; }
      __device__ float add(float a, float b) { return a + half_of(b); }
      __device__ float multiply(float a, float b) { return a * half_of(b); }
      typedef float (*Operation)(float, float);
      __device__ Operation operations[2] = { add, multiply };`,
    ],
    buffers: (random) => ({
      kinds: Int32Array.from(range(64, (i) => i % 2)),
      sizes: random.floats(64),
      out: new Float32Array(64),
    }),
    launches: ({ kinds, sizes, out }) => [{ kernel: 'areas', args: [kinds, sizes, out], block: 32, grid: 2 }],
    expected: ({ sizes }) => ({
      out: range(64, (i) => (i % 2 === 0 ? at(sizes, i) ** 2 / 2 + 1.5 : ((3 * at(sizes, i) ** 2) / 8) * 1.5)),
    }),
    tolerance: { relative: 1e-5, absolute: 1e-6 },
  }),

  kernelCase({
    name: 'linked-templates-and-kernels',
    source: `
      template <class T> __device__ T squared(T x) { return x * x; }
      template <class T, int N> __global__ void fill(T *out) { out[threadIdx.x] = squared(T(threadIdx.x)) + N; }
      static __global__ void mark(int *out) { out[blockIdx.x] = 1; }`,
    sources: [
      `
      template <class T> __device__ T squared(T x) { return x * x; }
      template <class T, int N> __global__ void fill(T *out) { out[threadIdx.x] = squared(T(threadIdx.x)) + N; }
      template __global__ void fill<int, 3>(int *);
      __global__ void other(int *out) { out[threadIdx.x] = squared((int)threadIdx.x) - 1; }`,
    ],
    nameExpressions: ['fill<int, 3>', 'fill<float, 4>'],
    buffers: () => ({ ints: new Int32Array(8), floats: new Float32Array(8), others: new Int32Array(8) }),
    launches: ({ ints, floats, others }) => [
      { kernel: 'fill<int, 3>', args: [ints], block: 8 },
      { kernel: 'fill<float, 4>', args: [floats], block: 8 },
      { kernel: 'other', args: [others], block: 8 },
    ],
    expected: () => ({
      ints: range(8, (i) => i * i + 3),
      floats: range(8, (i) => i * i + 4),
      others: range(8, (i) => i * i - 1),
    }),
  }),
];
