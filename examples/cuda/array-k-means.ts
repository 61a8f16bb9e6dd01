// k-means: distances by broadcasting, the nearest centre by argmin, means by a matrix product with a mask.
// After CuPy's k-means example.
// requires: cuda
import * as xp from 'rawkernel/cuda/array';
import 'rawkernel/cuda/autoinit';

const n = 6000;
const truth = [
  [0, 0],
  [6, 1],
  [2, 7],
] as const;
const k = truth.length;

/** Three clouds of points. */
const cloud = Float32Array.from({ length: 2 * n }, (_, i) => {
  const centre = truth[(i >> 1) % k]?.[i % 2] ?? 0;
  return centre + Math.random() + Math.random() + Math.random() - 1.5;
});
using points = xp.array(cloud, { shape: [n, 2] });

/** The number of the nearest centre for each point. */
function nearest(centres: xp.NDArray): xp.NDArray<'i64'> {
  // Of shape [n, 1, 2] and [k, 2]: the difference has [n, k, 2].
  return xp.evaluate`(${points.at(':, None')} - ${centres}) ** 2`.sum({ axis: 2 }).argmin({ axis: 1 });
}

/** The mean of the points that are nearest to each centre. */
function means(centres: xp.NDArray): xp.NDArray {
  const numbers = xp.arange(k, { dtype: 'i64' });
  const mask = nearest(centres).at(':, None').equal(numbers).astype('f32');
  return mask.T.matmul(points).div(mask.sum({ axis: 0 }).at(':, None'));
}

let centres: xp.NDArray = points.at(':3').copy();
let [moved, steps] = [Infinity, 0];
while (moved > 1e-3 && steps < 20) {
  // What the function makes is closed, but for what it returns.
  const next = xp.scope(() => means(centres));
  moved = Number(xp.scope(() => xp.evaluate`abs(${next} - ${centres})`.max().item()));
  centres.close();
  centres = next;
  steps++;
}
console.log(`${steps} steps; the centres:`);
console.log(centres.toString({ precision: 2, suppress: true }));

const found = centres.get() as Float32Array;
using labels = nearest(centres);
const isNearest = Array.from(labels.get(), Number).every((label, i) => {
  const distances = truth.map((_, c) => distance(i, c));
  return (distances[label] ?? NaN) <= Math.min(...distances) + 1e-4;
});
const isNear = truth.every(([x, y], c) => Math.hypot((found[2 * c] ?? NaN) - x, (found[2 * c + 1] ?? NaN) - y) < 0.1);
const passed = isNearest && isNear;
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;
centres.close();

function distance(point: number, centre: number): number {
  const along = (axis: number) => (cloud[2 * point + axis] ?? NaN) - (found[2 * centre + axis] ?? NaN);
  return along(0) ** 2 + along(1) ** 2;
}
