// Rotate an image about its centre. The texture interpolates between the four nearest pixels, and is 0 beyond the edge.
// After PyCUDA's rotation with a texture.
// requires: cuda, arrays
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const size = 64;

using mod = new cuda.SourceModule(`
__global__ void rotate(float *out, cudaTextureObject_t image, int size, float cosine, float sine)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  float right = x - (size - 1) / 2.0f, down = y - (size - 1) / 2.0f;
  // A pixel's middle is at .5.
  out[y * size + x] = tex2D<float>(image, cosine * right + sine * down + size / 2.0f,
                                   cosine * down - sine * right + size / 2.0f);
}`);
const rotate = mod.getFunction('rotate');

// A letter F, darker towards the bottom.
const pixels = Uint8Array.from({ length: size * size }, (_, i) => {
  const [x, y] = [i % size, Math.floor(i / size)];
  const isStroke = x >= 20 && x < 48 && y >= 12 && y < 54 && (x < 28 || y < 20 || (y >= 30 && y < 38 && x < 42));
  return isStroke ? 255 - 2 * y : 0;
});
using image = cuda.toArray(pixels, { width: size, height: size, dtype: 'u8' });
using texture = new cuda.Texture(image, { filterMode: 'linear', addressMode: 'border', normalizedReads: true });

function rotated(angle: number): Float32Array {
  const out = new Float32Array(size * size);
  const shape = { block: [16, 16], grid: [size / 16, size / 16] };
  rotate(cuda.Out(out), texture, size, Math.cos(angle), Math.sin(angle), shape);
  return out;
}

function rotatedByHost(angle: number): Float32Array {
  const [cosine, sine, half] = [Math.cos(angle), Math.sin(angle), (size - 1) / 2];
  const pixel = (x: number, y: number) =>
    x >= 0 && x < size && y >= 0 && y < size ? (pixels[y * size + x] ?? NaN) / 255 : 0;
  return new Float32Array(size * size).map((_, i) => {
    const [right, down] = [(i % size) - half, Math.floor(i / size) - half];
    const [x, y] = [cosine * right + sine * down + half, cosine * down - sine * right + half];
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const [u, v] = [x - left, y - top];
    const upper = (1 - u) * pixel(left, top) + u * pixel(left + 1, top);
    return (1 - v) * upper + v * ((1 - u) * pixel(left, top + 1) + u * pixel(left + 1, top + 1));
  });
}

const turned = rotated(Math.PI / 6);
for (let y = 4; y < size - 4; y += 3) {
  const row = Array.from(turned.subarray(y * size, (y + 1) * size), (value) => ' .:*#'[Math.round(4 * value)]);
  console.log(row.join('').trimEnd());
}

// The hardware has 8 bits for a position between two pixels.
const expected = rotatedByHost(Math.PI / 6);
const worst = turned.reduce((most, value, i) => Math.max(most, Math.abs(value - (expected[i] ?? NaN))), 0);
// A quarter turn maps pixels exactly to pixels.
const quarter = rotated(Math.PI / 2);
const isExact = quarter.every((value, i) => {
  const [x, y] = [i % size, Math.floor(i / size)];
  return Math.abs(value - (pixels[(size - 1 - x) * size + y] ?? NaN) / 255) < 1e-3;
});
const passed = worst < 0.02 && isExact;
console.log(`largest difference from the host: ${worst.toFixed(4)}`);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
