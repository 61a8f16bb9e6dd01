import { at, kernelCase, range, sum, type Case } from '../case.ts';

/** Kernels that launch kernels. */
export const launchCases: readonly Case[] = [
  kernelCase({
    name: 'launches-of-several-shapes',
    source: `
      struct Scale { short times; double offset; };
      struct Twice { __device__ int operator()(int x) const { return 2 * x; } };
      template <class Change> __global__ void changed(Scale scale, Change change, char minus, int *out, int width)
      {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
        if (x < width) out[y * width + x] = change(scale.times * (x + 100 * y)) + (int)scale.offset - minus;
      }
      __global__ void parent(int *out, int width)
      {
        Scale scale = { (short)(threadIdx.x + 2), 0.5 + threadIdx.x };
        changed<<<dim3(3, 2), dim3(8, 4)>>>(scale, Twice(), (char)threadIdx.x, out + threadIdx.x * 8 * width, width);
      }`,
    sources: [],
    buffers: () => ({ out: new Int32Array(4 * 8 * 20) }),
    launches: ({ out }) => [{ kernel: 'parent', args: [out, 20], block: 4 }],
    expected: () => ({
      out: range(4, (t) => range(8, (y) => range(20, (x) => 2 * (t + 2) * (x + 100 * y) + t - t))).flat(2),
    }),
  }),

  kernelCase({
    name: 'launches-in-the-order-of-a-stream',
    source: `
      __global__ void add_one(int *cells, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) cells[i] += i; }
      __global__ void scan(int *cells, int n)
      {
        extern __shared__ int shared[];
        int i = threadIdx.x;
        shared[i] = i < n ? cells[i] : 0;
        __syncthreads();
        for (int step = 1; step < blockDim.x; step *= 2) {
          int before = i >= step ? shared[i - step] : 0;
          __syncthreads();
          shared[i] += before;
          __syncthreads();
        }
        if (i < n) cells[i] = shared[i];
      }
      __global__ void twice(int *cells, int n) { if (threadIdx.x < n) cells[threadIdx.x] *= 2; }
      __global__ void nested(int *cells, int n) { if (threadIdx.x == 0) twice<<<1, 64>>>(cells, n); }
      __global__ void parent(int *all, int n)
      {
        int *cells = all + blockIdx.x * n;
        for (int i = threadIdx.x; i < n; i += blockDim.x) cells[i] = blockIdx.x + 1;
        __syncthreads();
        if (threadIdx.x != 0) return;
        add_one<<<1, 32>>>(cells, n);
        nested<<<1, 32>>>(cells, n);
        scan<<<1, 64, 64 * sizeof(int)>>>(cells, n);
        add_one<<<1, 16>>>(cells, n);
      }`,
    sources: [],
    buffers: () => ({ all: new Int32Array(6 * 50) }),
    launches: ({ all }) => [{ kernel: 'parent', args: [all, 50], block: 32, grid: 6 }],
    expected: () => ({
      all: range(6, (block) => range(50, (i) => sum(i + 1, (k) => 2 * (block + 1 + k)) + i)).flat(),
    }),
  }),

  kernelCase({
    name: 'launches-that-recur',
    source: `
      __device__ void exchange(int *a, int *b) { int kept = *a; *a = *b; *b = kept; }
      __global__ void sort(int *data, int left, int right)
      {
        int pivot = data[(left + right) / 2], i = left, j = right;
        while (i <= j) {
          while (data[i] < pivot) i++;
          while (data[j] > pivot) j--;
          if (i <= j) exchange(data + i++, data + j--);
        }
        if (left < j) sort<<<1, 1>>>(data, left, j);
        if (i < right) sort<<<1, 1>>>(data, i, right);
      }
      __global__ void subdivide(int *counts, int depth)
      {
        atomicAdd(counts + depth, 1);
        if (depth < 5 && threadIdx.x % 2 == 0) subdivide<<<2, 4>>>(counts, depth + 1);
      }`,
    sources: [],
    buffers: (random) => ({ data: random.ints(200, -1000, 1000), counts: new Int32Array(6) }),
    launches: ({ data, counts }) => [
      { kernel: 'sort', args: [data, 0, 199], block: 1 },
      { kernel: 'subdivide', args: [counts, 0], block: 4 },
    ],
    // Each block of four threads launches twice two blocks.
    expected: ({ data }) => ({ data: [...data].sort((a, b) => a - b), counts: range(6, (depth) => 4 ** (depth + 1)) }),
  }),

  kernelCase({
    name: 'launches-of-other-sources',
    source: `
      extern __global__ void fill(int *out, int value);
      typedef void (*Kernel)(int *, int);
      extern __device__ Kernel steps[2];
      __global__ void parent(int *out, int n)
      {
        fill<<<1, n>>>(out, 7);
        for (int i = 0; i < 4; i++) steps[i % 2]<<<1, n>>>(out, i + 1);
      }`,
    sources: [
      `
      __global__ void fill(int *out, int value) { out[threadIdx.x] = value; }
      __global__ void add(int *out, int value) { out[threadIdx.x] += value * threadIdx.x; }
      __global__ void multiply(int *out, int value) { out[threadIdx.x] *= value; }
      typedef void (*Kernel)(int *, int);
      __device__ Kernel steps[2] = { add, multiply };`,
    ],
    buffers: () => ({ out: new Int32Array(40) }),
    launches: ({ out }) => [{ kernel: 'parent', args: [out, 40], block: 1 }],
    expected: () => ({ out: range(40, (i) => ((7 + i) * 2 + 3 * i) * 4) }),
  }),

  kernelCase({
    name: 'tail-launches-and-streams',
    nvcc: true,
    source: `
      #include <cuda_device_runtime_api.h>
      __global__ void work(int *sums, int value) { atomicAdd(sums, value); }
      __global__ void deep(int *sums, int depth)
      {
        if (depth > 0) deep<<<1, 1, 0, cudaStreamFireAndForget>>>(sums, depth - 1);
        atomicAdd(sums, 1);
      }
      __global__ void finish(int *sums) { sums[1] = sums[0] * 10; }
      __global__ void finish_again(int *sums) { sums[2] = sums[1] + 1; }
      __global__ void parent(int *sums, int *errors)
      {
        finish<<<1, 1, 0, cudaStreamTailLaunch>>>(sums);
        finish_again<<<1, 1, 0, cudaStreamTailLaunch>>>(sums);
        cudaStream_t one, two;
        cudaEvent_t event;
        errors[0] = cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
        errors[1] = cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
        errors[2] = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
        work<<<2, 4, 0, one>>>(sums, 3);
        errors[3] = cudaEventRecord(event, one);
        errors[4] = cudaStreamWaitEvent(two, event, 0);
        work<<<1, 5, 0, two>>>(sums, 100);
        deep<<<1, 1, 0, cudaStreamFireAndForget>>>(sums, 10);
        errors[5] = cudaStreamDestroy(one);
        errors[6] = cudaEventDestroy(event);
        cudaStreamDestroy(two);
      }
      // What is launched next by the host comes after the children.
      __global__ void after(int *sums) { sums[3] = sums[0] + sums[1] + sums[2]; }`,
    sources: [],
    buffers: () => ({ sums: new Int32Array(4), errors: new Int32Array(7).fill(-1) }),
    launches: ({ sums, errors }) => [
      { kernel: 'parent', args: [sums, errors], block: 1 },
      { kernel: 'after', args: [sums], block: 1 },
    ],
    expected: () => {
      const total = 24 + 500 + 11;
      return { sums: [total, 10 * total, 10 * total + 1, 21 * total + 1], errors: range(7, () => 0) };
    },
  }),

  kernelCase({
    name: 'memory-of-the-device-runtime',
    nvcc: true,
    source: `
      #include <cuda_device_runtime_api.h>
      __global__ void squares(int *out) { out[threadIdx.x] = threadIdx.x * threadIdx.x; }
      __global__ void take(int *temporary, int *out, int n)
      {
        if (threadIdx.x < n) out[threadIdx.x] = temporary[n - 1 - threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0) cudaFree(temporary);
      }
      __global__ void parent(int *out, int *copy, unsigned char *bytes, int n)
      {
        int *temporary;
        if (cudaMalloc((void **)&temporary, n * sizeof(int)) != cudaSuccess) return;
        squares<<<1, n>>>(temporary);
        take<<<1, 64>>>(temporary, out, n);
        cudaMemcpyAsync(copy, out, n * sizeof(int), cudaMemcpyDeviceToDevice, 0);
        cudaMemsetAsync(bytes, 0, 33, 0);
      }`,
    sources: [],
    buffers: () => ({ out: new Int32Array(48), copy: new Int32Array(48), bytes: new Uint8Array(40).fill(0xab) }),
    launches: ({ out, copy, bytes }) => [{ kernel: 'parent', args: [out, copy, bytes, 48], block: 1 }],
    expected: () => {
      const squares = range(48, (i) => (47 - i) ** 2);
      return { out: squares, copy: squares, bytes: range(40, (i) => (i < 33 ? 0 : 0xab)) };
    },
  }),

  kernelCase({
    name: 'errors-of-launches',
    nvcc: true,
    source: `
      #include <cuda_device_runtime_api.h>
      __global__ void child(int *count) { atomicAdd(count, 1); }
      __global__ void __launch_bounds__(64) narrow(int *count) { atomicAdd(count, 1); }
      __global__ void parent(int *errors, int *count)
      {
        int t = threadIdx.x;
        if (t == 0) child<<<1, 2000>>>(count);
        if (t == 1) child<<<0, 32>>>(count);
        if (t == 2) child<<<dim3(1, 70000), 32>>>(count);
        if (t == 3) child<<<1, dim3(1, 1, 65)>>>(count);
        if (t == 4) child<<<1, 32>>>(count);
        if (t == 5) narrow<<<1, 64>>>(count);
        errors[3 * t] = cudaPeekAtLastError();
        errors[3 * t + 1] = cudaGetLastError();
        errors[3 * t + 2] = cudaGetLastError();
      }`,
    sources: [],
    buffers: () => ({ errors: new Int32Array(18).fill(-1), count: new Int32Array(1) }),
    launches: ({ errors, count }) => [{ kernel: 'parent', args: [errors, count], block: 6 }],
    expected: () => ({ errors: range(18, (i) => (i < 12 && i % 3 < 2 ? 9 : 0)), count: [96] }),
  }),

  kernelCase({
    name: 'launches-by-many-blocks',
    source: `
      __global__ void count_primes(const int *first, int *counts, int range)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x, n = first[0] + i;
        bool prime = i < range && n > 1;
        for (int d = 2; prime && d * d <= n; d++) prime = n % d != 0;
        __shared__ int count;
        if (threadIdx.x == 0) count = 0;
        __syncthreads();
        if (prime) atomicAdd(&count, 1);
        __syncthreads();
        if (threadIdx.x == 0) atomicAdd(counts, count);
      }
      __global__ void parent(const int *firsts, int *counts, int n)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) count_primes<<<4, 32>>>(firsts + i, counts + i, 100);
      }`,
    sources: [],
    buffers: () => ({ firsts: Int32Array.from(range(300, (i) => 100 * i)), counts: new Int32Array(300) }),
    launches: ({ firsts, counts }) => [{ kernel: 'parent', args: [firsts, counts, 300], block: 32, grid: 10 }],
    expected: ({ firsts }) => {
      const composite = new Uint8Array(30_000).fill(1, 0, 2);
      for (let d = 2; d * d < composite.length; d++) {
        if (composite[d] === 0) for (let n = d * d; n < composite.length; n += d) composite[n] = 1;
      }
      return { counts: [...firsts].map((first) => sum(100, (i) => 1 - at(composite, first + i))) };
    },
  }),
];
