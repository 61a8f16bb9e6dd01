// The Mandelbrot set by arrays in single precision: a step of the iteration is one fused kernel with three results.
// After PyOpenCL's Mandelbrot demo.
// requires: opencl
import * as xp from 'rawkernel/opencl/array';

const [width, height, limit] = [78, 32, 100];

// A row and a column of coordinates, which broadcast to a grid.
using re = xp.linspace(-2.2, 1, width);
using im = xp.linspace(1.2, -1.2, height).at(':, None');
using a = xp.zeros([height, width]);
using b = xp.zeros([height, width]);
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

// A device may round a * b + c once, the host rounds twice: points at the edge of the set may leave the circle a step apart.
const [xs, ys] = [re.get(), im.get()];
const other = found.filter((count, i) => count !== countOnHost(xs[i % width] ?? 0, ys[Math.floor(i / width)] ?? 0));
console.log(`${other.length} of ${found.length} points differ from the host's`);
const passed = other.length <= found.length / 100 && found.includes(limit);
console.log(passed ? 'PASSED' : 'FAILED');
process.exitCode = passed ? 0 : 1;

function countOnHost(re: number, im: number): number {
  const { fround } = Math;
  let [a, b, count] = [0, 0, 0];
  while (count < limit) {
    const [aa, bb] = [fround(a * a), fround(b * b)];
    if (fround(aa + bb) > 4) break;
    [a, b] = [fround(fround(aa - bb) + re), fround(fround(2 * fround(a * b)) + im)];
    count++;
  }
  return count;
}
