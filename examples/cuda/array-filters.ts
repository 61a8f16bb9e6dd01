// Filters of an image by arrays: each pixel's neighbours are views of a padded image, blurred and as edges.
// requires: cuda
import * as xp from 'rawkernel/cuda/array';
import 'rawkernel/cuda/autoinit';

const [width, height] = [72, 36];

/** A disc and a square, of different brightness. */
const image = Int32Array.from({ length: width * height }, (_, i) => {
  const [x, y] = [(i % width) / 2, Math.floor(i / width)];
  if (Math.hypot(x - 11, y - 14) < 9) return 60;
  return x > 18 && x < 31 && y > 12 && y < 31 ? 200 : 10;
});
using pixels = xp.array(image, { shape: [height, width] });

/** The image moved by one pixel, or not, along both axes. Beyond the edges the outermost pixels go on. */
function around(picture: xp.NDArray): (down: number, right: number) => xp.NDArray {
  const padded = xp.pad(picture, 1, { mode: 'edge' });
  return (down, right) => padded.at(xp.slice(1 + down, 1 + down + height), xp.slice(1 + right, 1 + right + width));
}

/** Weights of 1, 2, 1 along both axes, rounded down to integers. */
function blur(picture: xp.NDArray): xp.NDArray {
  const at = around(picture);
  const corners = xp.evaluate`${at(-1, -1)} + ${at(-1, 1)} + ${at(1, -1)} + ${at(1, 1)}`;
  return xp.evaluate`(${corners} + 2 * (${at(-1, 0)} + ${at(1, 0)} + ${at(0, -1)} + ${at(0, 1)}) + 4 * ${picture}) >> 4`;
}

/** The Sobel filter, as bytes. */
function edges(picture: xp.NDArray): xp.NDArray<'u8'> {
  const at = around(picture);
  const [nw, n, ne] = [at(-1, -1), at(-1, 0), at(-1, 1)];
  const [w, e] = [at(0, -1), at(0, 1)];
  const [sw, s, se] = [at(1, -1), at(1, 0), at(1, 1)];
  const across = xp.evaluate`${ne} + 2 * ${e} + ${se} - ${nw} - 2 * ${w} - ${sw}`;
  const down = xp.evaluate`${sw} + 2 * ${s} + ${se} - ${nw} - 2 * ${n} - ${ne}`;
  return xp.evaluate`minimum(abs(${across}) + abs(${down}), 255)`.astype('u8');
}

// What a scope's function makes is closed at its end, but for what it returns.
using blurred = xp.scope(() => blur(pixels));
using found = xp.scope(() => edges(blurred));

const soft = blurred.get() as Int32Array;
const bytes = found.get();
for (let y = 0; y < height; y += 2) {
  const row = bytes.subarray(y * width, (y + 1) * width);
  console.log(
    Array.from(row, (edge) => ' .+#'[edge >> 6])
      .join('')
      .trimEnd(),
  );
}
const passed =
  soft.every((pixel, i) => pixel === weighted(image, i, (d, r) => (2 - Math.abs(d)) * (2 - Math.abs(r))) >> 4) &&
  bytes.every((edge, i) => {
    const across = weighted(soft, i, (d, r) => r * (2 - Math.abs(d)));
    const down = weighted(soft, i, (d, r) => d * (2 - Math.abs(r)));
    return edge === Math.min(Math.abs(across) + Math.abs(down), 255);
  });
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;

/** The sum of a pixel and its eight neighbours with weights, on the host. */
function weighted(picture: Int32Array, i: number, weight: (down: number, right: number) => number): number {
  const clamp = (value: number, most: number) => Math.min(Math.max(value, 0), most);
  let sum = 0;
  for (const down of [-1, 0, 1]) {
    for (const right of [-1, 0, 1]) {
      const [y, x] = [clamp(Math.floor(i / width) + down, height - 1), clamp((i % width) + right, width - 1)];
      sum += weight(down, right) * (picture[y * width + x] ?? NaN);
    }
  }
  return sum;
}
