// C++ function templates called by kernels. The kernels are `extern "C"`, so their names are plain; kernel-variants.ts has
// kernels that are templates.
// After PyCUDA's C++ function templates.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const n = 100;

using mod = new cuda.SourceModule(`
template <typename T> struct Plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <typename T> struct Larger { __device__ T operator()(T a, T b) const { return a > b ? a : b; } };

// Fold an array with any operation: the compiler instantiates a function for each pair of types.
template <typename T, typename Operation> __device__ T fold(const T *x, int n, T first, Operation operation)
{
  T result = first;
  for (int i = 0; i < n; i++) result = operation(result, x[i]);
  return result;
}

extern "C" __global__ void sum_floats(float *out, const float *x, int n) { *out = fold(x, n, 0.0f, Plus<float>()); }
extern "C" __global__ void sum_ints(int *out, const int *x, int n) { *out = fold(x, n, 0, Plus<int>()); }
extern "C" __global__ void largest_int(int *out, const int *x, int n) { *out = fold(x, n, x[0], Larger<int>()); }`);

const ints = Int32Array.from({ length: n }, (_, i) => (i * 37) % n);
const floats = Float32Array.from(ints, (i) => i / 2);
const result = { sumOfFloats: new Float32Array(1), sumOfInts: new Int32Array(1), largest: new Int32Array(1) };
mod.getFunction('sum_floats')(cuda.Out(result.sumOfFloats), cuda.In(floats), n, { block: 1 });
mod.getFunction('sum_ints')(cuda.Out(result.sumOfInts), cuda.In(ints), n, { block: 1 });
mod.getFunction('largest_int')(cuda.Out(result.largest), cuda.In(ints), n, { block: 1 });

console.log(`sums ${result.sumOfFloats[0]} and ${result.sumOfInts[0]}, largest ${result.largest[0]}`);
const passed = result.sumOfFloats[0] === 2475 && result.sumOfInts[0] === 4950 && result.largest[0] === 99;
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
