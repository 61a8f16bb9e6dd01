// A kernel in TypeScript: the tiled product of matrices of matmul-tiled.ts, as one writes it for Numba. The function's own text
// becomes CUDA C, which is printed; it computes the same bits as the kernel in C.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import { cuda as k, jit, type F32 } from 'rawkernel/cuda/jit';
import 'rawkernel/cuda/autoinit';

const [rows, inner, columns] = [100, 150, 130];
const tile = 16;

const matmul = jit(
  (a: F32, b: F32, c: F32, n: number, inner: number, columns: number, { T }) => {
    const left = k.shared.array([T, T], 'f32');
    const right = k.shared.array([T, T], 'f32');
    const [x, y] = k.grid(2);
    const [i, j] = [k.threadIdx.x, k.threadIdx.y];
    let sum = 0;
    for (let at = 0; at < inner; at += T) {
      left[j]![i] = y < n && at + i < inner ? a[y * inner + at + i]! : 0;
      right[j]![i] = at + j < inner && x < columns ? b[(at + j) * columns + x]! : 0;
      k.syncthreads();
      for (let l = 0; l < T; l++) sum += left[j]![l]! * right[l]![i]!;
      k.syncthreads();
    }
    if (y < n && x < columns) c[y * columns + x] = sum;
  },
  { const: { T: tile }, name: 'matmul' },
);

using mod = new cuda.SourceModule(
  `
__global__ void matmul(float *c, const float *a, const float *b, int rows, int inner, int columns)
{
  __shared__ float left[TILE][TILE], right[TILE][TILE];
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < inner; k += TILE) {
    int column = k + threadIdx.x, row = k + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = y < rows && column < inner ? a[y * inner + column] : 0;
    right[threadIdx.y][threadIdx.x] = row < inner && x < columns ? b[row * columns + x] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  if (y < rows && x < columns) c[y * columns + x] = sum;
}`,
  { options: [`-DTILE=${tile}`, '--fmad=false'] },
);

const a = Float32Array.from({ length: rows * inner }, () => Math.random() - 0.5);
const b = Float32Array.from({ length: inner * columns }, () => Math.random() - 0.5);
const [mine, inC] = [new Float32Array(rows * columns), new Float32Array(rows * columns)];
const grid = [Math.ceil(columns / tile), Math.ceil(rows / tile)];
matmul.at(grid, [tile, tile])(a, b, mine, rows, inner, columns);
console.log(matmul.inspect());
mod.getFunction('matmul')(cuda.Out(inC), cuda.In(a), cuda.In(b), rows, inner, columns, { block: [tile, tile], grid });

const different = mine.filter((value, i) => !Object.is(value, inC[i])).length;
const passed = different === 0 && mine.some((value) => value !== 0);
console.log(`${different} of ${mine.length} results differ from those of the kernel in C`);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
