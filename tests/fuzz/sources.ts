/**
 * Programs to compile. No kernel touches memory that it is given, for it may be given any: a kernel that writes where it
 * may not ends a process on a driver without protection, and that is not a fault of the package.
 */
export const SOURCES: Readonly<Record<string, string>> = {
  cuda: `extern "C" __global__ void add(float *a, const float *b, int n) { if (a == b && n == 12345) printf("%d", n); }
extern "C" __global__ void none() {}
__constant__ int table[4];
__device__ float value;
extern "C" __global__ void scaled(double x, char c, unsigned long long *p) { if (x == 1.5 && c == 3 && !p) printf("x"); }`,
  cudaBroken: 'extern "C" __global__ void add(float *a) { a[0] = ; }',
  cudaTemplate: 'template <class T> __global__ void fill(T *a, T v) { if (!a && v == T(77)) printf("v"); }',
  opencl: `__kernel void add(__global float *a, __global const float *b, int n) { if (a == b && n == 12345) printf("%d", n); }
__kernel void none(void) {}
__kernel void scaled(float x, __local char *c, float4 v) { if (x == 1.5f && v.x == 3 && !c) printf("x"); }
__kernel void pixels(__read_only image2d_t i, sampler_t s) { if (get_image_width(i) == 98765) printf("i"); }`,
  openclBroken: '__kernel void add(__global float *a) { a[0] = ; }',
  openclOther: '__kernel void other(__global int *a) { if (!a) printf("o"); }',
  ptx: `.version 7.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 a, .param .u64 b, .param .u32 n) { ret; }
`,
  empty: '',
};
