// Kernel of headers.test.ts: every header that kernels include, and something of those that no other test uses.
#include <array>
#include <assert.h>
#include <cassert>
#include <cfloat>
#include <cinttypes>
#include <climits>
#include <cmath>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <crt/host_defines.h>
#include <cstdarg>
#include <cstdbool>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cuComplex.h>
#include <cuda.h>
#include <cuda/atomic>
#include <cuda/std/algorithm>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/bit>
#include <cuda/std/cassert>
#include <cuda/std/cfloat>
#include <cuda/std/climits>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <cuda_device_runtime_api.h>
#include <cuda_runtime_api.h>
#include <curand_kernel.h>
#include <device_functions.h>
#include <device_launch_parameters.h>
#include <float.h>
#include <host_defines.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <math_constants.h>
#include <math_functions.h>
#include <memory.h>
#include <new>
#include <sm_20_atomic_functions.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <vector_functions.h>
#include <vector_types.h>
#include <surface_functions.h>
#include <surface_indirect_functions.h>
#include <surface_types.h>
#include <texture_fetch_functions.h>
#include <texture_indirect_functions.h>
#include <texture_types.h>
#include <cctype>
#include <ctype.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/barrier>
#include <cuda/std/latch>
#include <cuda/std/semaphore>
#include <cuda_fp8.h>
#include <mma.h>
#include <tuple>
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/block/load_direct.cuh>
#include <cub/block/radix_rank_sort_operations.cuh>
#include <cub/block/store_direct.cuh>
#include <cub/config.cuh>
#include <cub/cub.cuh>
#include <cub/iterator/arg_index_input_iterator.cuh>
#include <cub/iterator/cache_modified_input_iterator.cuh>
#include <cub/iterator/cache_modified_output_iterator.cuh>
#include <cub/iterator/constant_input_iterator.cuh>
#include <cub/iterator/counting_input_iterator.cuh>
#include <cub/iterator/discard_output_iterator.cuh>
#include <cub/iterator/transform_input_iterator.cuh>
#include <cub/thread/thread_load.cuh>
#include <cub/thread/thread_operators.cuh>
#include <cub/thread/thread_reduce.cuh>
#include <cub/thread/thread_scan.cuh>
#include <cub/thread/thread_search.cuh>
#include <cub/thread/thread_sort.cuh>
#include <cub/thread/thread_store.cuh>
#include <cub/util_arch.cuh>
#include <cub/util_macro.cuh>
#include <cub/util_ptx.cuh>
#include <cub/util_traits.cuh>
#include <cub/util_type.cuh>
#include <cub/version.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>
#include <cuda/std/iterator>
#include <iterator>
#include <thrust/binary_search.h>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/logical.h>
#include <thrust/pair.h>
#include <thrust/reduce.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
#include <bit>
#include <complex>
#include <cuda/bit>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <numeric>
#include <optional>
#include <span>
#include <thrust/adjacent_difference.h>
#include <thrust/advance.h>
#include <thrust/device_ptr.h>
#include <thrust/distance.h>
#include <thrust/equal.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/memory.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/random/discard_block_engine.h>
#include <thrust/random/linear_congruential_engine.h>
#include <thrust/random/linear_feedback_shift_engine.h>
#include <thrust/random/normal_distribution.h>
#include <thrust/random/subtract_with_carry_engine.h>
#include <thrust/random/uniform_int_distribution.h>
#include <thrust/random/uniform_real_distribution.h>
#include <thrust/random/xor_combine_engine.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/tabulate.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>
#include <thrust/version.h>
#include <thrust/zip_function.h>

extern "C" __global__ void complexes(float *f, double *d) {
  cuFloatComplex a = make_cuFloatComplex(3, 4), b = make_cuComplex(1, -2);
  a = cuCsubf(cuCaddf(cuCdivf(cuCmulf(a, b), b), b), b);
  f[0] = cuCrealf(a);
  f[1] = cuCimagf(a);
  f[2] = cuCabsf(a);
  f[3] = cuCimagf(cuConjf(a));
  f[4] = CUDART_PI_F;
  f[5] = CUDART_INF_F;
  f[6] = CUDART_NAN_F;
  cuda::std::complex<float> z(1, 2), w = z * z + 1.0f;
  w /= 2;
  f[7] = w.real();
  f[8] = w.imag();
  f[9] = cuda::std::abs(cuda::std::complex<float>(6, 8));
  f[10] = cuda::std::sqrt(cuda::std::complex<float>(-4, 0)).imag();
  f[11] = cuda::std::norm(z);
  cuDoubleComplex c = cuCfma(make_cuDoubleComplex(5, 12), make_cuDoubleComplex(1, 1), make_cuDoubleComplex(2, 3));
  d[0] = cuCreal(c);
  d[1] = cuCimag(c);
  d[2] = CUDART_SQRT_TWO;
  d[3] = cuda::std::exp(cuda::std::complex<double>(0, CUDART_PI)).real();
}

extern "C" __global__ void atomics(int *p, unsigned *u, float *f) {
  int t = threadIdx.x;
  cuda::atomic_ref<int, cuda::thread_scope_device> sum(p[0]);
  sum.fetch_add(t, cuda::std::memory_order_relaxed);
  cuda::std::atomic_ref<int> most(p[1]);
  most.fetch_max(t * 3 % 64);
  cuda::atomic_ref<float> real(f[0]);
  real += 0.5f;
  __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> shared;
  if (t == 0) shared = 7;
  __syncthreads();
  shared += 2;
  shared.fetch_or(1u << 20);
  __syncthreads();
  if (t == 0) {
    u[0] = shared.load(cuda::std::memory_order_acquire);
    unsigned expected = 5;
    u[1] = shared.compare_exchange_strong(expected, 1);
    u[2] = expected;
    u[3] = shared.exchange(3);
    u[4] = shared--;
    u[5] = shared;
  }
}

extern "C" __global__ void others(int *p) {
  int n = 0;
  auto t = cuda::std::make_tuple(1, 2.5f, 'c');
  auto [x, y, c] = t;
  int i;
  float g;
  char h;
  cuda::std::tie(i, g, h) = t;
  p[n++] = x + (int)(y * 10) + c;
  p[n++] = i + (int)(g * 10) + h + cuda::std::get<0>(t);
  p[n++] = cuda::std::apply([](int a, float b, char c) { return a + (int)b + c; }, t);
  auto [a, b] = cuda::std::make_pair(3, 4);
  p[n++] = a * 10 + b;
  p[n++] = t == cuda::std::make_tuple(1, 2.5f, 'c');
  p[n++] = cuda::std::popcount(0xffu) + cuda::std::countl_zero((unsigned short)1) * 100;
  p[n++] = (int)(cuda::std::bit_ceil(33u) + cuda::std::bit_floor(33u) + cuda::std::bit_width(33u));
  p[n++] = cuda::std::bit_cast<int>(1.0f);
  p[n++] = (int)cuda::std::rotl(0x80000001u, 4);
  __shared__ int copied[4];
  __pipeline_memcpy_async(copied, p, 16, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  p[n++] = copied[2];
  p[n++] = copied[3];
  p[n++] = (int)sizeof(PRId64) + CHAR_BIT + FLT_DIG;
  p[n++] = (int)(dim3(2, 3).z + make_uint3(1, 2, 3).y + make_int2(4, 5).y + sizeof(make_double4(1, 2, 3, 4)));
}

// What nvcc has through the host's own headers: the same names in std as in cuda::std.
struct holder {
  int value;
  __device__ int plus(int x) const { return value + x; }
};
extern "C" __global__ void plain(int *p) {
  float numbers[4] = {1, 2, 3, 4};
  std::span<float> all(numbers);
  p[0] = (int)std::accumulate(all.begin(), all.end(), 0.5f) * 10 + (int)all.subspan(1, 2)[1];
  std::optional<int> nothing, three(3);
  p[1] = nothing.value_or(7) * 10 + *three.transform([](int x) { return x * 2; });
  holder h = {4};
  p[2] = std::invoke(&holder::plus, h, 3) * 10 + std::invoke(&holder::value, &h);
  std::complex<double> z(3, 4);
  p[3] = (int)std::abs(z) * 10 + (int)std::norm(std::sqrt(z * z) - z);
  p[4] = (int)std::bit_ceil(5u) * 100 + std::popcount(255u);
  p[5] = (int)std::lerp(1.0f, 5.0f, 0.5f) * 100 + (std::fpclassify(0.0) == FP_ZERO) * 10 + std::isless(1, 2.5);
  int sorted[40];
  for (int i = 0; i < 40; i++) sorted[i] = i * 27 % 40;
  std::sort(sorted, sorted + 40);
  p[6] = sorted[7] * 100 + (int)(std::lower_bound(sorted, sorted + 40, 21) - sorted);
  std::array<int, 3> three_numbers = {{1, 2, 3}};
  auto [x, y, last] = three_numbers;
  p[7] = x * 100 + y * 10 + last;
  p[8] = std::plus<unsigned char>()(200, 100);
  p[9] = std::get<0>(std::make_pair(5, 'a')) * 10 + std::tuple_size<std::array<int, 3>>::value;
}
