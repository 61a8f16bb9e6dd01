import type { BrokenKernel } from './broken-kernel.ts';

const ints = (n: number): Int32Array<ArrayBuffer> => Int32Array.from({ length: n }, (_, i) => i);

/** A kernel `run` of 64 threads over x and y. */
function planted(name: string, finding: BrokenKernel['finding'], source: string): BrokenKernel {
  return { name, finding, source, memory: { x: ints(64), y: ints(64) }, args: ['x', 'y'], block: 64 };
}

/** Mistakes in inline PTX, of which the line is the statement's. */
export const brokenPtx: readonly BrokenKernel[] = [
  planted(
    'ptx-load-past-the-end',
    'out-of-bounds',
    `__global__ void run(const int *x, int *y)
{
  int t = threadIdx.x, v;
  asm volatile("ld.global.s32 %0, [%1+4];" : "=r"(v) : "l"(x + t) : "memory"); // <- out-of-bounds
  y[t] = v;
}`,
  ),
  planted(
    'ptx-guarded-store-past-the-end',
    'out-of-bounds',
    `__global__ void run(const int *x, int *y)
{
  int t = threadIdx.x;
  asm volatile("{ .reg .pred p; setp.ge.s32 p, %1, 60; @p st.global.s32 [%0+32], %1; }" :: "l"(y + t), "r"(t) : "memory"); // <- out-of-bounds
}`,
  ),
  planted(
    'ptx-misaligned-vector',
    'misaligned',
    `__global__ void run(const int *x, int *y)
{
  int t = threadIdx.x, a = 0, b = 0;
  if (t < 63)
    asm volatile("ld.global.v2.s32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(x + t)); // <- misaligned
  y[t] = a + b;
}`,
  ),
  planted(
    'ptx-atomic-at-null',
    'null',
    `__global__ void run(const int *x, int *y)
{
  int *nowhere = x[0] ? y : nullptr;
  asm volatile("red.global.add.s32 [%0], 1;" :: "l"(nowhere) : "memory"); // <- null
}`,
  ),
  planted(
    'ptx-race-on-shared-memory',
    'shared-race',
    `__global__ void run(const int *x, int *y)
{
  __shared__ int s[64];
  int t = threadIdx.x;
  asm volatile("st.shared.s32 [%0], %1;" :: "r"((unsigned)__cvta_generic_to_shared(s + t)), "r"(x[t]) : "memory"); // <- shared-race
  y[t] = s[63 - t]; // <- shared-race
}`,
  ),
  planted(
    'ptx-barrier-that-some-do-not-reach',
    'divergent-barrier',
    `__global__ void run(const int *x, int *y)
{
  __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 40)
    asm volatile("bar.sync 0;" ::: "memory"); // <- divergent-barrier
  else
    asm volatile("barrier.sync.aligned 0;" ::: "memory"); // <- divergent-barrier?
  y[threadIdx.x] = s[threadIdx.x];
}`,
  ),
];
