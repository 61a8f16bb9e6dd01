// Conway's game of life on a torus: two boards that swap roles after each generation.
// After PyCUDA's game of life.
// requires: cuda
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const width = 64;
const height = 32;
const generations = 100;

using mod = new cuda.SourceModule(`
__global__ void step(const unsigned char *now, unsigned char *next, int width, int height)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx != 0 || dy != 0) neighbours += now[(y + dy + height) % height * width + (x + dx + width) % width];
  next[y * width + x] = neighbours == 3 || (neighbours == 2 && now[y * width + x]);
}`);

// A glider and an R-pentomino.
const start = new Uint8Array(width * height);
for (const [x, y] of [
  [1, 0],
  [2, 1],
  [0, 2],
  [1, 2],
  [2, 2],
  [41, 15],
  [42, 15],
  [40, 16],
  [41, 16],
  [41, 17],
] as const) {
  start[y * width + x] = 1;
}

using even = cuda.toDevice(start);
using odd = cuda.memAlloc(start.byteLength);
const step = mod.getFunction('step').prepare({ block: [16, 16], grid: [width / 16, height / 16] });
for (let i = 0; i < generations; i += 2) {
  step(even, odd, width, height);
  step(odd, even, width, height);
}
const board = cuda.fromDevice(even, Uint8Array);

for (let y = 0; y < height; y += 2) {
  // Two cells per character.
  const cells = Array.from(
    { length: width },
    (_, x) => ' ▀▄█'[(board[y * width + x] ?? 0) + 2 * (board[(y + 1) * width + x] ?? 0)],
  );
  console.log(cells.join('').trimEnd());
}

let expected: Uint8Array = start;
for (let i = 0; i < generations; i++) expected = stepOnHost(expected);
const passed = board.every((cell, i) => cell === expected[i]);
console.log(`generation ${generations}: ${board.reduce((sum, cell) => sum + cell, 0)} cells live`);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;

function stepOnHost(now: Uint8Array): Uint8Array {
  return now.map((cell, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    let neighbours = -cell;
    for (const row of [y + height - 1, y, y + 1]) {
      for (const column of [x + width - 1, x, x + 1]) neighbours += now[(row % height) * width + (column % width)] ?? 0;
    }
    return neighbours === 3 || (neighbours === 2 && cell === 1) ? 1 : 0;
  });
}
