// Structs with a length and a pointer, as an array in device memory and by value.
// After PyCUDA's demo_struct.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

using mod = new cuda.SourceModule(`
struct Vector { int length; float *data; };

__global__ void halveAll(const Vector *vectors)
{
  Vector v = vectors[blockIdx.x];
  for (int i = threadIdx.x; i < v.length; i += blockDim.x) v.data[i] /= 2;
}
__global__ void halve(Vector v)
{
  for (int i = threadIdx.x; i < v.length; i += blockDim.x) v.data[i] /= 2;
}`);

// The fields in C's order; their offsets follow C's rules.
const Vector = cuda.struct({ length: 'i32', data: 'ptr' });
console.log(`a Vector has ${Vector.byteLength} bytes, its data at ${Vector.offsets.data}`);

const first = Float32Array.of(1, 2, 3);
const second = Float32Array.of(40, 50);
using a = cuda.toDevice(first);
using b = cuda.toDevice(second);
const one = { length: first.length, data: a };
const two = { length: second.length, data: b };

// Both, as an array of structs: one block each.
using vectors = cuda.toDevice(Vector.pack([one, two]));
mod.getFunction('halveAll')(vectors, { grid: 2, block: 32 });

// Only the second, as the array's second struct.
mod.getFunction('halveAll')(vectors.slice(Vector.byteLength), { grid: 1, block: 32 });

// Only the first, by value.
mod.getFunction('halve')(Vector(one), { block: 32 });

const results = [cuda.fromDevice(a, 'f32'), cuda.fromDevice(b, 'f32')];
console.log(results.map((result) => `[${result.join(', ')}]`).join(' '));
const passed = [first, second].every((input, i) => input.every((x, j) => results[i]?.[j] === x / 4));
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
