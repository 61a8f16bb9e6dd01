// A light field: images of a camera that moves sideways, as one three-dimensional texture. From them the program renders
// new images: from positions between those of the camera, focused at a distance that is chosen afterwards.
// After PyCUDA's light field viewer, without its window.
// requires: cuda, arrays
import * as cuda from 'rawkernel/cuda';
import 'rawkernel/cuda/autoinit';

const width = 96;
const height = 32;
const views = 9;
const middle = (views - 1) / 2;
/** The shift of an object between two images, in pixels: larger for near objects. */
const shifts = { far: 1, near: 3 };

using mod = new cuda.SourceModule(`
// What moves by this shift is at the same place in all pictures that are added; the rest is blurred.
__global__ void look(float *image, cudaTextureObject_t field, int width, int height, int views, float from, float shift)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int view = 0; view < views; view++)
    sum += tex3D<float>(field, x + shift * (view - from) + 0.5f, y + 0.5f, view + 0.5f);
  image[y * width + x] = sum / views;
}`);
const look = mod.getFunction('look');

// A wall and a board in front of it, both with spots.
const wall = Float32Array.from({ length: 2 * width * height }, Math.random);
const board = Float32Array.from({ length: 2 * width * height }, Math.random);
const isBoard = (x: number, y: number) => x >= 32 && x < 64 && y >= 8 && y < 24;
const field = Float32Array.from({ length: views * height * width }, (_, i) => {
  const [x, y] = [i % width, Math.floor(i / width) % height];
  const moved = Math.floor(i / (width * height)) - middle;
  const onBoard = x - shifts.near * moved;
  const [spots, at] = isBoard(onBoard, y) ? [board, onBoard] : [wall, x - shifts.far * moved];
  return spots[y * 2 * width + at + width / 2] ?? NaN;
});

using volume = cuda.toArray(field, { width, height, depth: views, dtype: 'f32' });
using texture = new cuda.Texture(volume, { filterMode: 'linear' });

/** The image from a position between the cameras. */
function seen(from: number, shift: number): Float32Array {
  const image = new Float32Array(width * height);
  const shape = { block: [16, 16], grid: [Math.ceil(width / 16), Math.ceil(height / 16)] };
  look(cuda.Out(image), texture, width, height, views, from, shift, shape);
  return image;
}

/** The same on the host: linear interpolation along x, clamped at the edge. */
function seenByHost(from: number, shift: number): Float32Array {
  return new Float32Array(width * height).map((_, i) => {
    let sum = 0;
    for (let view = 0; view < views; view++) {
      const at = (i % width) + shift * (view - from);
      const row = (view * height + Math.floor(i / width)) * width;
      const [left, right] = [Math.floor(at), Math.floor(at) + 1].map(
        (x) => field[row + Math.min(Math.max(x, 0), width - 1)] ?? NaN,
      ) as [number, number];
      sum += left + (at - Math.floor(at)) * (right - left);
    }
    return sum / views;
  });
}

/** The difference of neighbouring pixels: large where an image is sharp. */
function sharpness(image: Float32Array, left: number, right: number, top: number, bottom: number): number {
  let sum = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++)
      sum += Math.abs((image[y * width + x + 1] ?? NaN) - (image[y * width + x] ?? NaN));
  }
  return sum / ((right - left) * (bottom - top));
}

let passed = true;
let best = { wall: { shift: NaN, sharpness: 0 }, board: { shift: NaN, sharpness: 0 } };
for (const shift of [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]) {
  const image = seen(middle, shift);
  const sharp = { wall: sharpness(image, 16, 80, 0, 8), board: sharpness(image, 34, 61, 8, 24) };
  console.log(`shift ${shift.toFixed(1)}: wall ${sharp.wall.toFixed(3)}, board ${sharp.board.toFixed(3)}`);
  if (sharp.wall > best.wall.sharpness) best = { ...best, wall: { shift, sharpness: sharp.wall } };
  if (sharp.board > best.board.sharpness) best = { ...best, board: { shift, sharpness: sharp.board } };

  // The hardware has 8 bits for a position between two pixels.
  const between = seen(middle - 0.3, shift);
  const expected = seenByHost(middle - 0.3, shift);
  passed &&= between.every((value, i) => Math.abs(value - (expected[i] ?? NaN)) < 0.01);
}
console.log(`the wall is sharp with ${best.wall.shift}, the board with ${best.board.shift}`);
passed &&= best.wall.shift === shifts.far && best.board.shift === shifts.near;
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
