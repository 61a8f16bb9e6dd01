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
