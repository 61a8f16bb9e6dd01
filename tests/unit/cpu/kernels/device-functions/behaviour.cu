// Kernels of device-functions.test.ts: what is not a function of numbers alone.
#include <array>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstring>
#include <curand_kernel.h>
#include <limits>
#include <utility>

namespace cg = cooperative_groups;

// Each of 64 threads does each operation once on a word that starts at 100, as far as CUDA has it for the type.
template <class T> __device__ void bitwise_atomics(T *words) {
  T v = (T)threadIdx.x + 1;
  atomicMin(&words[2], v);
  atomicMax(&words[3], v * 3);
  atomicAnd(&words[4], (T) ~(1 << threadIdx.x % 8));
  atomicOr_block(&words[5], (T)1 << threadIdx.x % 32);
  atomicXor_system(&words[6], v);
}
template <class T> __device__ void integer_atomics(T *words, T *olds) {
  T v = (T)threadIdx.x + 1;
  bitwise_atomics(words);
  atomicAdd(&words[0], v);
  if constexpr (sizeof(T) == 4) atomicSub(&words[1], v);
  olds[threadIdx.x] = atomicExch(&words[7], v);
  atomicCAS(&words[8], (T)(100 + threadIdx.x), (T)(101 + threadIdx.x));
}
extern "C" __global__ void atomics32(int *words, int *olds) { integer_atomics(words, olds); }
extern "C" __global__ void atomics32u(unsigned *words, unsigned *olds) {
  integer_atomics(words, olds);
  atomicInc(&words[9], 10);
  atomicDec(&words[10], 120);
}
extern "C" __global__ void atomics64(long long *words, long long *) { bitwise_atomics(words); }
extern "C" __global__ void atomics64u(unsigned long long *words, unsigned long long *olds) {
  integer_atomics(words, olds);
}
extern "C" __global__ void atomics16(unsigned short *words) {
  unsigned short old = words[0], seen;
  do {
    seen = old;
    old = atomicCAS(&words[0], seen, (unsigned short)(seen + 3));
  } while (old != seen);
}
extern "C" __global__ void atomicsReal(float *f, double *d) {
  atomicAdd(&f[0], 0.5f);
  atomicAdd_system(&d[0], 0.25);
  if (threadIdx.x == 5) f[1] = atomicExch(&f[2], 7.5f);
}

// One line of results of 64 threads for each function of a warp.
extern "C" __global__ void warps(int *out, int count) {
  int i = threadIdx.x, lane = i % 32, line = 0;
  if (i >= count) return;
  unsigned all = ~0u;
  auto put = [&](int value) { out[line++ * 64 + i] = value; };
  put(__shfl_sync(all, i * 10, 3));
  put(__shfl_sync(all, i * 10, 3, 8));
  put(__shfl_up_sync(all, i * 10, 2));
  put(__shfl_up_sync(all, i * 10, 2, 8));
  put(__shfl_down_sync(all, i * 10, 2));
  put(__shfl_down_sync(all, i * 10, 2, 8));
  put(__shfl_xor_sync(all, i * 10, 5));
  put(__shfl_xor_sync(all, i * 10, 5, 4));
  put((int)(__shfl_down_sync(all, i * 1.5, 1) * 2));
  put((int)(__shfl_down_sync(all, i * 10000000000ll, 1) / 10000000000ll));
  put((int)__ballot_sync(all, i % 3 == 0));
  put(__any_sync(all, i == 40));
  put(__all_sync(all, i < 32));
  put((int)__match_any_sync(all, lane / 5));
  int same;
  put((int)__match_all_sync(all, i / 32, &same));
  put(same);
  put((int)__match_all_sync(all, lane == 7, &same));
  put(__reduce_add_sync(all, i - 20));
  put(__reduce_min_sync(all, i - 20));
  put((int)__reduce_max_sync(all, (unsigned)i));
  put((int)__reduce_xor_sync(all, (unsigned)i * 3));
  put(__syncthreads_count(i % 5 == 0));
  put(__syncthreads_count(i % 7 == 0));
  put(__syncthreads_and(i < 64));
  put(__syncthreads_or(i == 70));
  put((int)__activemask());
}

extern "C" __global__ void groups(int *out) {
  int i = threadIdx.x, line = 0;
  auto put = [&](int value) { out[line++ * 64 + i] = value; };
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  auto warp = cg::tiled_partition<32>(block);
  auto four = cg::tiled_partition<4>(warp);
  put((int)tile.thread_rank());
  put((int)cg::tiled_partition<8>(block).meta_group_rank());
  put((int)(four.meta_group_rank() * 100 + four.meta_group_size()));
  put(tile.shfl(i, 2));
  put(tile.shfl_down(i, 3));
  put((int)tile.ballot(i % 2));
  put(cg::reduce(tile, i, cg::plus<int>()));
  put(cg::reduce(warp, i * 7 % 32, cg::greater<int>()));
  put(cg::inclusive_scan(tile, i));
  put(cg::exclusive_scan(warp, 1));
  struct Big {
    double x, y;
    int z;
  } big = {i * 0.5, i * 2.0, i};
  big = warp.shfl(big, 9);
  put((int)(big.x + big.y) + big.z);
  auto odd = cg::binary_partition(warp, i % 2);
  put((int)(odd.thread_rank() * 100 + odd.size()));
  put(cg::reduce(odd, i, cg::plus<int>()));
  auto label = cg::labeled_partition(warp, i % 32 / 10);
  put((int)(label.meta_group_rank() * 10000 + label.thread_rank() * 100 + label.size()));
  put(label.shfl(i, 1));
  cg::thread_group any = cg::tiled_partition(block, 16);
  any.sync();
  put((int)any.thread_rank());
  put((int)cg::this_grid().thread_rank());
  block.sync();
  put((int)cg::coalesced_threads().size());
}

extern "C" __global__ void random32(unsigned *out, float *real) {
  curandState state;
  curand_init(1234, threadIdx.x, 0, &state);
  real[threadIdx.x] = curand_uniform(&state);
  for (int i = 0; i < 599; i++) curand(&state);
  curandState other;
  curand_init(1234, threadIdx.x, 600, &other);
  out[threadIdx.x] = curand(&state) == curand(&other);
  skipahead(40, &other);
  for (int i = 0; i < 40; i++) curand(&state);
  out[threadIdx.x + 16] = curand(&state) == curand(&other);
  skipahead_sequence(3, &state);
  curand_init(1234, threadIdx.x + 3, 642, &other);
  out[threadIdx.x + 32] = curand(&state) == curand(&other);
  if (threadIdx.x == 0) {
    curand_init(0, 0, 0, &state);
    out[48] = curand(&state);
    out[49] = curand(&state);
  }
}
extern "C" __global__ void philox(unsigned *out, int count) {
  uint4 c[3] = {{0, 0, 0, 0}, {~0u, ~0u, ~0u, ~0u}, {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}};
  uint2 k[3] = {{0, 0}, {~0u, ~0u}, {0xa4093822, 0x299f31d0}};
  if (threadIdx.x < 3) {
    uint4 r = curand_Philox4x32_10(c[threadIdx.x], k[threadIdx.x]);
    memcpy(&out[threadIdx.x * 4], &r, sizeof r);
  }
  curandStatePhilox4_32_10_t a, b;
  curand_init(77, threadIdx.x, 5, &a);
  curand_init(77, threadIdx.x, 0, &b);
  unsigned same = 0;
  for (int i = 0; i < 5; i++) curand(&b);
  uint4 x = curand4(&a);
  same = x.x == curand(&b) && x.y == curand(&b) && x.z == curand(&b) && x.w == curand(&b) && curand(&a) == curand(&b);
  skipahead(11, &a);
  for (int i = 0; i < 11; i++) curand(&b);
  out[12 + threadIdx.x] = same && curand(&a) == curand(&b);
}
// Sums and sums of squares over many draws of each distribution.
extern "C" __global__ void moments(double *out, int draws) {
  curandState state;
  curandStatePhilox4_32_10_t other;
  curand_init(5, threadIdx.x, 0, &state);
  curand_init(5, threadIdx.x, 0, &other);
  for (int i = 0; i < draws; i++) {
    float4 four = curand_normal4(&other);
    double values[8] = {curand_uniform(&state), curand_normal(&state), curand_normal_double(&other), four.w,
                        log(curand_log_normal(&state, 1.0f, 0.5f)), (double)curand_poisson(&state, 7.0),
                        (double)curand_poisson(&other, 300.0), curand_uniform_double(&state)};
    for (int k = 0; k < 8; k++) {
      atomicAdd(&out[2 * k], values[k]);
      atomicAdd(&out[2 * k + 1], values[k] * values[k]);
    }
  }
}

struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual ~Shape() {}
};
struct alignas(64) Square : Shape {
  int side;
  __device__ Square(int side) : side(side) {}
  __device__ int area() const override { return side * side; }
};
extern "C" __global__ void memory(int *out) {
  int n = 0;
  Shape *shape = new Square(7);
  out[n++] = shape->area();
  out[n++] = (int)((size_t)shape % 64);
  delete shape;
  int *numbers = new int[100];
  for (int i = 0; i < 100; i++) numbers[i] = i;
  int *copy = (int *)malloc(400);
  memcpy(copy, numbers, 400);
  out[n++] = copy[99];
  out[n++] = memcmp(copy, numbers, 400);
  copy[50]++;
  out[n++] = memcmp(copy, numbers, 400) > 0;
  delete[] numbers;
  free(copy);
  char text[32] = "abc";
  strcat(text, "defabc");
  out[n++] = (int)strlen(text);
  out[n++] = strcmp(text, "abcdefabd") < 0;
  out[n++] = strncmp(text, "abcdxx", 4);
  out[n++] = (int)(strrchr(text, 'b') - text);
  out[n++] = (int)(strstr(text, "efa") - text);
  out[n++] = strchr(text, 'z') == nullptr;
  memset(text, 'q', 4);
  out[n++] = text[3];
  std::array<int, 3> three = {3, 1, 2};
  std::swap(three[0], three[2]);
  out[n++] = three[0] * 100 + three[1] * 10 + three[2];
  out[n++] = std::numeric_limits<int>::max() == 0x7fffffff && std::numeric_limits<short>::min() == -32768;
  out[n++] = std::numeric_limits<float>::epsilon() == 0x1p-23f;
  int4 vector = make_int4(1, 2, 3, 4);
  int4 place;
  __stcg(&place, vector);
  out[n++] = __ldg(&place).w;
  out[n++] = (int)(sizeof(float3) * 10000 + sizeof(double3) * 100 + alignof(double4));
  out[n++] = (int)(sizeof(ushort3) * 10000 + sizeof(char4) * 100 + alignof(longlong4));
  dim3 size = {4, 5};
  out[n++] = (int)(size.x * 100 + size.y * 10 + size.z);
  out[n++] = warpSize + (int)blockDim.z * 100;
  long long before = clock64();
  out[n++] = clock64() >= before;
}
