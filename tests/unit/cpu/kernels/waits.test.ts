import { expect, test } from '@jest/globals';
import { compileText, Fault, programOf, TestDevice } from '../../../helpers/cpu-program.ts';

const TIMEOUT = 120_000;
const WARP_DEADLOCK = 4;

/** The fault that a launch ends with. */
function faultOf(launch: () => void): Fault | undefined {
  try {
    launch();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

test.each([
  ['a barrier that expects more threads than arrive', 'bar.arrive_and_wait();', 65],
  ['a barrier of which half the threads went away', 'if (threadIdx.x & 1) return; bar.arrive_and_wait();', 64],
  ['a phase that nobody completes', 'bar.wait_parity(false);', 64],
])(
  '%s is a deadlock, not a kernel without an end',
  (_, body, expected) => {
    const source = `
      #include <cuda/barrier>
      __global__ void k(int *out) {
        __shared__ cuda::barrier<cuda::thread_scope_block> bar;
        if (threadIdx.x == 0) init(&bar, ${expected});
        __syncthreads();
        ${body}
        out[threadIdx.x] = 1;
      }`;
    const device = new TestDevice(programOf(source));
    const out = device.i32(new Array<number>(64).fill(0));
    expect(faultOf(() => device.launch('_Z1kPi', [1], [64], [out.address]))?.kind).toBe(WARP_DEADLOCK);
    expect([...out.view]).toEqual(new Array(64).fill(0));
  },
  TIMEOUT,
);

test(
  'threads at a barrier object let others go on through barriers of their warps, and through a barrier of all later',
  () => {
    const source = `
      #include <cuda/barrier>
      __global__ void k(int *out) {
        __shared__ cuda::barrier<cuda::thread_scope_block> bar;
        __shared__ int s[64];
        if (threadIdx.x == 0) init(&bar, 64);
        __syncthreads();
        int t = threadIdx.x;
        if (t >= 32) {
          int sum = t;
          for (int n = 16; n; n /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, n);
          s[t] = sum;
          bar.arrive();
        } else {
          bar.arrive_and_wait();
          s[t] = s[t + 32] + 1;
        }
        __syncthreads();
        out[t] = s[63 - t];
      }`;
    const device = new TestDevice(programOf(source));
    const out = device.i32(new Array<number>(64).fill(0));
    device.launch('_Z1kPi', [1], [64], [out.address]);
    const sum = (32 * (32 + 63)) / 2;
    expect([...out.view]).toEqual([...new Array<number>(32).fill(sum), ...new Array<number>(32).fill(sum + 1)]);
  },
  TIMEOUT,
);

test(
  'functions of a warp without a mask are for the threads that are here together',
  () => {
    const source = `
      __global__ void k(int *out) {
        int t = threadIdx.x;
        if (t < 12) out[t] = __ballot(t & 1) + 1000000 * __any(t == 3) + 2000000 * __all(t < 12);
        else out[t] = __shfl(t, 20) + __shfl_down(t, 2, 8) * 100 + __shfl_up(t, 1, 4) * 10000;
      }`;
    const device = new TestDevice(programOf(source, { options: ['-arch=sm_60'] }));
    const out = device.i32(new Array<number>(32).fill(0));
    device.launch('_Z1kPi', [1], [32], [out.address]);
    const wanted = Array.from({ length: 32 }, (_, t) => {
      if (t < 12) return 0xaaa + 3_000_000;
      const down = (t % 8) + 2 < 8 ? t + 2 : t;
      const up = t % 4 >= 1 ? t - 1 : t;
      return 20 + 100 * down + 10_000 * up;
    });
    expect([...out.view]).toEqual(wanted);
  },
  TIMEOUT,
);

const wmma = (fragment: string): string =>
  `#include <mma.h>\nusing namespace nvcuda;\n__global__ void k(half *p) { ${fragment} f; f.x[0] = p[0]; p[0] = f.x[0]; }`;

test.each([
  [
    'a shape that tensor cores do not have',
    wmma('wmma::fragment<wmma::matrix_a, 16, 8, 16, half, wmma::row_major>'),
    /wmma has no fragment of this shape and type/,
  ],
  [
    'a factor without a layout',
    wmma('wmma::fragment<wmma::matrix_a, 16, 16, 16, half>'),
    /a fragment of a factor needs the layout wmma::row_major or wmma::col_major/,
  ],
  [
    'a cluster of several blocks',
    '__global__ void __cluster_dims__(2, 1, 1) k(int *p) { *p = 1; }',
    /kernel\.cu:1:1: error: __cluster_dims__\(2, 1, 1\): the CPU device has clusters of one block/,
  ],
  [
    'a tile of several warps without memory of the kind',
    '#include <cooperative_groups.h>\n__global__ void k(int *p) { auto t = cooperative_groups::tiled_partition<2048>(cooperative_groups::this_thread_block()); *p = t.size(); }',
    /a tile of several warps has 64, 128, 256, 512 or 1024 threads/,
  ],
  [
    'floats of 4 bits',
    '#include <cuda_fp4.h>\n__global__ void k() {}',
    /note: the CPU device has no numbers of 4 and 6 bits/,
  ],
  [
    'a semaphore that is copied',
    '#include <cuda/semaphore>\n__global__ void k() { cuda::binary_semaphore<> a(1); auto b = a; }',
    /deleted/,
  ],
])(
  '%s is refused with its reason',
  (_, source, reason) => {
    const { program, log } = compileText(source);
    expect(program).toBeUndefined();
    expect(log).toMatch(reason);
  },
  TIMEOUT,
);
