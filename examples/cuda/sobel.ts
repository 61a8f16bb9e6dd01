// Find the edges of an image with the Sobel filter, and print them.
// After PyCUDA's sobel filter.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const width = 72;
const height = 36;

using mod = new cuda.SourceModule(`
__global__ void sobel(unsigned char *edges, const unsigned char *image, int width, int height)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  // Beyond the edges the outermost pixels go on.
  auto at = [&](int dx, int dy) {
    return (int)image[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
  };
  int across = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
  int down = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
  edges[y * width + x] = min(abs(across) + abs(down), 255);
}`);

/** A disc and a square, of different brightness. */
const image = Uint8Array.from({ length: width * height }, (_, i) => {
  const [x, y] = [(i % width) / 2, Math.floor(i / width)];
  if (Math.hypot(x - 11, y - 14) < 9) return 60;
  return x > 18 && x < 31 && y > 12 && y < 31 ? 200 : 10;
});
const edges = new Uint8Array(image.length);
mod.getFunction('sobel')(cuda.Out(edges), cuda.In(image), width, height, {
  block: [32, 8],
  grid: [Math.ceil(width / 32), Math.ceil(height / 8)],
});

for (let y = 0; y < height; y += 2) {
  const row = edges.subarray(y * width, (y + 1) * width);
  console.log(
    Array.from(row, (edge) => ' .+#'[edge >> 6])
      .join('')
      .trimEnd(),
  );
}
const passed = edges.every((edge, i) => edge === sobelOnHost(i % width, Math.floor(i / width)));
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;

function sobelOnHost(x: number, y: number): number {
  const clamp = (value: number, most: number) => Math.min(Math.max(value, 0), most);
  let [across, down] = [0, 0];
  for (const dy of [-1, 0, 1]) {
    for (const dx of [-1, 0, 1]) {
      const pixel = image[clamp(y + dy, height - 1) * width + clamp(x + dx, width - 1)] ?? NaN;
      across += dx * (2 - Math.abs(dy)) * pixel;
      down += dy * (2 - Math.abs(dx)) * pixel;
    }
  }
  return Math.min(Math.abs(across) + Math.abs(down), 255);
}
