import { at, kernelCase, range, type Case } from '../case.ts';

/** What the language's standards and NVRTC's own names make of a kernel. */
export const dialectCases: readonly Case[] = [
  kernelCase({
    name: 'dialect-names-that-are-free',
    // NVRTC declares none of these, and takes operands of asm without a comma between them.
    source: `
      __device__ double powi(double x, int n)
      {
        double product = 1;
        for (int i = 0; i < n; i++) product *= x;
        return product;
      }
      __device__ __forceinline__ float powif(float x, int n) { return (float)powi(x, n) + 1; }
      __device__ unsigned __globaltimer()
      {
        unsigned low;
        asm volatile("mov.u32 %0, %globaltimer_lo;" : "=r"(low));
        return low;
      }
      __global__ void powers(const double *x, double *y, unsigned char *seen)
      {
        int i = threadIdx.x;
        unsigned start = __globaltimer(), mark = 7 + i;
        y[i] = powi(x[i], i % 4) + powif(2.0f, 3);
        if (__globaltimer() - start < 0x80000000u) asm volatile("st.u8 [%1], %0;" ::"r"(mark) "l"(seen + i) : "memory");
      }`,
    buffers: (random) => ({ x: random.doubles(64), y: new Float64Array(64), seen: new Uint8Array(64) }),
    launches: ({ x, y, seen }) => [{ kernel: 'powers', args: [x, y, seen], block: 64 }],
    expected: ({ x }) => ({ y: Array.from(x, (v, i) => v ** (i % 4) + 9), seen: range(64, (i) => 7 + i) }),
    tolerance: { absolute: 1e-14 },
  }),

  kernelCase({
    name: 'dialect-types-of-the-runtime',
    source: `
      __global__ void pitched(cudaPitchedPtr from, cudaExtent extent, cudaPos at, int *out, cudaError_t *status)
      {
        for (size_t y = threadIdx.x; y < extent.height; y += blockDim.x) {
          const char *row = (const char *)from.ptr + (at.y + y) * from.pitch;
          int sum = 0;
          for (size_t x = 0; x < extent.width; x++) sum += row[at.x + x];
          out[y] = sum;
        }
        clock_t start = clock();
        if (threadIdx.x == 0) *status = clock() >= start && out != NULL ? cudaSuccess : cudaErrorInvalidValue;
      }
      __global__ void call(char *x, int *out, int *status)
      {
        __shared__ cudaExtent e;
        if (threadIdx.x == 0) {
          e.width = 5;
          e.height = 4;
          e.depth = 1;
        }
        __syncthreads();
        out[threadIdx.x] = x[threadIdx.x] + (int)e.width * (int)e.height;
        status[threadIdx.x] = sizeof(cudaStream_t) + sizeof(cudaPos) + cudaErrorNotReady;
      }`,
    buffers: (random) => ({
      x: Int8Array.from(random.ints(32, -99, 100)),
      out: new Int32Array(32),
      status: new Int32Array(32),
    }),
    launches: ({ x, out, status }) => [{ kernel: 'call', args: [x, out, status], block: 32 }],
    expected: ({ x }) => ({ out: range(32, (i) => at(x, i) + 20), status: range(32, () => 8 + 24 + 600) }),
  }),

  ...['11', '14', '17'].map((standard) =>
    kernelCase({
      name: `dialect-cxx${standard}`,
      options: [`-std=c++${standard}`],
      source: `
      template <class T, class... Rest> struct largest { static constexpr int size = sizeof(T) > largest<Rest...>::size ? sizeof(T) : largest<Rest...>::size; };
      template <class T> struct largest<T> { static constexpr int size = sizeof(T); };
      __device__ constexpr int power(int x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }
      __global__ void k(const int *x, int *out)
      {
        auto twice = [](int v) { return 2 * v; };
        unsigned char bytes[2] = {(unsigned char)x[threadIdx.x], 3};
        int sum = twice(x[threadIdx.x]);
        for (int step = 8; step; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
        out[threadIdx.x] = sum + min(bytes[0], bytes[1]) + power(2, 10) + largest<char, double, int>::size + (__cplusplus == 201103L || __cplusplus == 201703L);
      }`,
      buffers: (random) => ({ x: random.ints(64, 0, 200), out: new Int32Array(64) }),
      launches: ({ x, out }) => [{ kernel: 'k', args: [x, out], block: 64 }],
      expected: ({ x }) => ({
        out: range(64, (t) => {
          const tile = [...x.subarray(t - (t % 16), t - (t % 16) + 16)];
          const dated = standard === '11' || standard === '17' ? 1 : 0;
          return tile.reduce((a, b) => a + 2 * b, 0) + Math.min(at(x, t), 3) + 1024 + 8 + dated;
        }),
      }),
    }),
  ),
];
