#define REAL float
__global__ void saxpy(int n, REAL a, const REAL *x, REAL *y)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
template <typename T> __global__ void scale(T *x, T by) { x[threadIdx.x] *= by; }
