import { at, kernelCase, range, sum, type Case } from '../case.ts';

const header = `
      #include <cooperative_groups.h>
      namespace cg = cooperative_groups;`;

/** Threads that wait for each other by objects: barriers, pipelines, latches, semaphores. */
export const waitCases: readonly Case[] = [
  kernelCase({
    name: 'barrier-object-in-a-loop',
    source: `
      #include <cuda/barrier>${header}
      __device__ int neighbour(cuda::barrier<cuda::thread_scope_block> &bar, const int *s, int t, int n)
      {
        auto token = bar.arrive();
        int own = s[t];
        bar.wait(std::move(token));
        return own + 10 * s[(t + 1) % n];
      }
      __global__ void sums(const int *x, int *out, int rounds)
      {
        __shared__ cuda::barrier<cuda::thread_scope_block> bar;
        __shared__ int s[96];
        auto block = cg::this_thread_block();
        if (block.thread_rank() == 0) init(&bar, block.size());
        block.sync();
        int t = threadIdx.x, total = 0;
        for (int i = 0; i < rounds; i++) {
          s[t] = x[(blockIdx.x * rounds + i) * 96 + t];
          total += neighbour(bar, s, t, 96);
          bar.arrive_and_wait();
        }
        out[blockIdx.x * 96 + t] = total;
      }`,
    buffers: (random) => ({ x: random.ints(96 * 10, -99, 100), out: new Int32Array(192) }),
    launches: ({ x, out }) => [{ kernel: 'sums', args: [x, out, 5], block: 96, grid: 2 }],
    expected: ({ x }) => ({
      out: range(192, (g) => {
        const [b, t] = [Math.floor(g / 96), g % 96];
        return sum(5, (i) => at(x, (b * 5 + i) * 96 + t) + 10 * at(x, (b * 5 + i) * 96 + ((t + 1) % 96)));
      }),
    }),
  }),

  kernelCase({
    name: 'barrier-object-with-a-function-and-drops',
    source: `
      #include <cuda/barrier>
      #include <new>
      struct add { int *sums; int *s; int *round; __device__ void operator()() {
        int all = 0;
        for (int i = 0; i < 64; i++) all += s[i];
        sums[(*round)++] = all;
      } };
      __global__ void drops(int *sums)
      {
        typedef cuda::barrier<cuda::thread_scope_block, add> barrier;
        __shared__ alignas(16) char room[sizeof(barrier)];
        __shared__ int s[64], round;
        barrier *bar = (barrier *)room;
        int t = threadIdx.x;
        s[t] = 0;
        if (t == 0) {
          round = 0;
          new (bar) barrier(64, add{sums, s, &round});
        }
        __syncthreads();
        for (int i = 0; i < 8; i++) {
          s[t] = t + i;
          if (i == t / 8) {
            bar->arrive_and_drop();
            return;
          }
          bar->arrive_and_wait();
        }
      }`,
    buffers: () => ({ sums: new Int32Array(8) }),
    launches: ({ sums }) => [{ kernel: 'drops', args: [sums], block: 64 }],
    // In round i the threads from 8 i on are there; the others left with the number of their last round.
    expected: () => ({ sums: range(8, (i) => sum(64, (t) => t + Math.min(i, Math.floor(t / 8)))) }),
  }),

  kernelCase({
    name: 'barrier-object-copies',
    source: `
      #include <cuda/barrier>${header}
      __global__ void copies(const int *x, int *out, int batches)
      {
        __shared__ alignas(16) int s[2][128];
        __shared__ cuda::barrier<cuda::thread_scope_block> bar[2];
        auto block = cg::this_thread_block();
        if (block.thread_rank() < 2) init(&bar[block.thread_rank()], block.size());
        block.sync();
        int t = threadIdx.x, total = 0;
        cuda::memcpy_async(block, s[0], x, cuda::aligned_size_t<16>(sizeof(s[0])), bar[0]);
        for (int i = 0; i < batches; i++) {
          if (i + 1 < batches) cuda::memcpy_async(block, s[(i + 1) % 2], x + 128 * (i + 1), sizeof(s[0]), bar[(i + 1) % 2]);
          bar[i % 2].arrive_and_wait();
          total += s[i % 2][127 - t];
          block.sync();
        }
        out[t] = total;
      }`,
    buffers: (random) => ({ x: random.ints(128 * 6, -999, 1000), out: new Int32Array(128) }),
    launches: ({ x, out }) => [{ kernel: 'copies', args: [x, out, 6], block: 128 }],
    expected: ({ x }) => ({ out: range(128, (t) => sum(6, (i) => at(x, 128 * i + 127 - t))) }),
  }),

  kernelCase({
    name: 'barrier-objects-between-warps',
    source: `
      #include <cuda/barrier>
      typedef cuda::barrier<cuda::thread_scope_block> barrier;
      __device__ void produce(barrier *ready, barrier *filled, int *s, const int *x, int n, int lane)
      {
        for (int i = 0; i < n; i++) {
          ready[i % 2].arrive_and_wait();
          s[i % 2 * 32 + lane] = 3 * x[i * 32 + lane];
          filled[i % 2].arrive();
        }
      }
      __device__ int consume(barrier *ready, barrier *filled, const int *s, int n, int t)
      {
        int total = 0;
        ready[0].arrive();
        ready[1].arrive();
        for (int i = 0; i < n; i++) {
          filled[i % 2].arrive_and_wait();
          for (int k = 0; k < 32; k++) total += s[i % 2 * 32 + k] * ((k + t) % 5);
          ready[i % 2].arrive();
        }
        return total;
      }
      __global__ void roles(const int *x, int *out, int n)
      {
        __shared__ barrier ready[2], filled[2];
        __shared__ int s[64];
        if (threadIdx.x < 4) init(threadIdx.x < 2 ? &ready[threadIdx.x] : &filled[threadIdx.x - 2], blockDim.x);
        __syncthreads();
        if (threadIdx.x < 32) produce(ready, filled, s, x, n, threadIdx.x);
        else out[threadIdx.x - 32] = consume(ready, filled, s, n, threadIdx.x);
      }`,
    buffers: (random) => ({ x: random.ints(32 * 9, -50, 51), out: new Int32Array(64) }),
    launches: ({ x, out }) => [{ kernel: 'roles', args: [x, out, 9], block: 96 }],
    expected: ({ x }) => ({
      out: range(64, (t) => sum(9 * 32, (i) => 3 * at(x, i) * (((i % 32) + t + 32) % 5))),
    }),
  }),

  kernelCase({
    name: 'barrier-object-by-parity',
    source: `
      #include <cuda/barrier>
      #include <cuda/std/utility>
      __global__ void phases(int *out)
      {
        __shared__ cuda::barrier<cuda::thread_scope_block> bar;
        __shared__ int s[64];
        int t = threadIdx.x;
        if (t == 0) init(&bar, 64);
        __syncthreads();
        s[t] = t * t;
        auto token = bar.arrive();
        bar.wait(cuda::std::move(token));
        int other = s[63 - t];
        bar.arrive();
        bar.wait_parity(true);
        s[t] = other + 1;
        bar.arrive_and_wait();
        out[t] = s[(t + 32) % 64];
      }`,
    buffers: () => ({ out: new Int32Array(64) }),
    launches: ({ out }) => [{ kernel: 'phases', args: [out], block: 64 }],
    expected: () => ({ out: range(64, (t) => (63 - ((t + 32) % 64)) ** 2 + 1) }),
  }),

  kernelCase({
    name: 'pipeline-of-a-block',
    source: `
      #include <cuda/pipeline>${header}
      template <int STAGES> __global__ void staged(const int *x, int *out, int batches)
      {
        __shared__ int s[STAGES][64];
        __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
        auto block = cg::this_thread_block();
        auto pipe = cuda::make_pipeline(block, &state);
        int total = 0, fetched = 0;
        for (int i = 0; i < batches; i++) {
          for (; fetched < batches && fetched < i + STAGES; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[fetched % STAGES], x + 64 * fetched, sizeof(int) * 64, pipe);
            pipe.producer_commit();
          }
          pipe.consumer_wait();
          total = 2 * total + s[i % STAGES][threadIdx.x ^ 5];
          pipe.consumer_release();
        }
        out[threadIdx.x] = total;
      }`,
    nameExpressions: ['staged<1>', 'staged<3>'],
    buffers: (random) => ({ x: random.ints(64 * 10, -99, 100), one: new Int32Array(64), three: new Int32Array(64) }),
    launches: ({ x, one, three }) => [
      { kernel: 'staged<1>', args: [x, one, 10], block: 64 },
      { kernel: 'staged<3>', args: [x, three, 10], block: 64 },
    ],
    expected: ({ x }) => {
      const all = range(64, (t) => range(10).reduce((total, i) => 2 * total + at(x, 64 * i + (t ^ 5)), 0));
      return { one: all, three: all };
    },
  }),

  kernelCase({
    name: 'pipeline-with-roles',
    source: `
      #include <cuda/pipeline>${header}
      __global__ void roles(const int *x, int *out, int batches)
      {
        __shared__ int s[2][64];
        __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
        auto block = cg::this_thread_block();
        bool fills = block.thread_rank() < 64;
        auto pipe = cuda::make_pipeline(block, &state, fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
        if (fills) {
          int t = block.thread_rank();
          for (int i = 0; i < batches; i++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[i % 2][t], &x[64 * i + t], sizeof(int), pipe);
            pipe.producer_commit();
          }
        } else {
          int t = block.thread_rank() - 64, total = 0;
          for (int i = 0; i < batches; i++) {
            pipe.consumer_wait();
            total += (i + 1) * s[i % 2][63 - t];
            pipe.consumer_release();
          }
          out[blockIdx.x * 32 + t] = total;
        }
      }`,
    buffers: (random) => ({ x: random.ints(64 * 7, -99, 100), out: new Int32Array(64) }),
    launches: ({ x, out }) => [{ kernel: 'roles', args: [x, out, 7], block: 96, grid: 2 }],
    expected: ({ x }) => ({
      out: range(64, (g) => sum(7, (i) => (i + 1) * at(x, 64 * i + 63 - (g % 32)))),
    }),
  }),

  kernelCase({
    name: 'pipeline-of-a-thread',
    source: `
      #include <cuda/pipeline>
      __global__ void own(const int4 *x, int *out)
      {
        __shared__ int4 s[2][32];
        auto pipe = cuda::make_pipeline();
        for (int i = 0; i < 2; i++) {
          pipe.producer_acquire();
          cuda::memcpy_async(&s[i][threadIdx.x], &x[32 * i + threadIdx.x], sizeof(int4), pipe);
          pipe.producer_commit();
        }
        cuda::pipeline_consumer_wait_prior<1>(pipe);
        int first = s[0][threadIdx.x].y;
        pipe.consumer_release();
        cuda::pipeline_consumer_wait_prior<0>(pipe);
        __syncthreads();
        out[threadIdx.x] = first + s[1][31 - threadIdx.x].w;
      }`,
    buffers: (random) => ({ x: random.ints(256, -99, 100), out: new Int32Array(32) }),
    launches: ({ x, out }) => [{ kernel: 'own', args: [x, out], block: 32 }],
    expected: ({ x }) => ({ out: range(32, (t) => at(x, 4 * t + 1) + at(x, 4 * (32 + 31 - t) + 3)) }),
  }),

  kernelCase({
    name: 'latch-and-semaphore',
    source: `
      #include <cuda/latch>
      #include <cuda/semaphore>
      #include <new>
      typedef cuda::latch<cuda::thread_scope_block> latch;
      typedef cuda::counting_semaphore<cuda::thread_scope_block> semaphore;
      __global__ void guarded(int *out)
      {
        __shared__ alignas(16) char rooms[2][32];
        __shared__ int sum;
        latch *all = (latch *)rooms[0];
        semaphore *one = (semaphore *)rooms[1];
        if (threadIdx.x == 0) {
          new (all) latch(blockDim.x);
          new (one) semaphore(1);
          sum = 0;
        }
        __syncthreads();
        one->acquire();
        sum = sum + threadIdx.x;
        one->release();
        all->arrive_and_wait();
        out[threadIdx.x] = sum;
      }`,
    buffers: () => ({ out: new Int32Array(80) }),
    launches: ({ out }) => [{ kernel: 'guarded', args: [out], block: 80 }],
    expected: () => ({ out: range(80, () => sum(80, (t) => t)) }),
  }),
];
