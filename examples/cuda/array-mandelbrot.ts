// The Mandelbrot set by arrays: all points at once, a step of the iteration as one fused kernel with three results.
// After the NumPy program that PyCUDA's mandelbrot examples begin with.
// requires: cuda
import * as xp from 'rawkernel/cuda/array';
import 'rawkernel/cuda/autoinit';

const [width, height, limit] = [78, 32, 100];

// A row and a column of coordinates, which broadcast to a grid.
using re = xp.linspace(-2.2, 1, width, { dtype: 'f64' });
using im = xp.linspace(1.2, -1.2, height, { dtype: 'f64' }).at(':, None');
using a = xp.zeros([height, width], { dtype: 'f64' });
using b = xp.zeros([height, width], { dtype: 'f64' });
using counts = xp.zeros([height, width], { dtype: 'i32' });

// A point that has left the circle stays where it is, so that its count ends too.
const step = xp.fuse((x, y, count, re, im) => {
  const [xx, yy] = [x.square(), y.square()];
  const inside = xx.add(yy).lessEqual(4);
  return [inside.where(xx.sub(yy).add(re), x), inside.where(x.mul(y).mul(2).add(im), y), count.add(inside)];
});
for (let i = 0; i < limit; i++) step(a, b, counts, re, im, { out: [a, b, counts] });

const found = counts.get();
const shades = ' .:-=+*#%';
for (let y = 0; y < height; y++) {
  const row = found.subarray(y * width, (y + 1) * width);
  console.log(
    Array.from(row, (count) => (count === limit ? '@' : shades[Math.min(count >> 1, shades.length - 1)])).join(''),
  );
}

// A GPU rounds a * b + c once, JavaScript twice: points at the edge of the set may leave the circle a step apart.
const [xs, ys] = [re.get(), im.get()];
const other = found.filter((count, i) => count !== countOnHost(xs[i % width] ?? 0, ys[Math.floor(i / width)] ?? 0));
console.log(`${other.length} of ${found.length} points differ from the host's`);
const passed = other.length <= found.length / 100 && found.includes(limit);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;

function countOnHost(re: number, im: number): number {
  let [a, b, count] = [0, 0, 0];
  while (count < limit && a * a + b * b <= 4) {
    [a, b] = [a * a - b * b + re, 2 * a * b + im];
    count++;
  }
  return count;
}
