import { SamplerBits } from '../../../../src/cpu/abi/opencl-image.ts';

/** An image of one component in JavaScript, to compare with. */
export interface Grid {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly at: (x: number, y: number, z: number) => number;
}

/** What is read outside. */
const BORDER = 0;

const ADDRESSING = 0xe;
const clamp = (x: number, low: number, high: number): number => Math.max(low, Math.min(high, x));

/** One coordinate in elements before it is rounded, by the formulas of OpenCL's specification. */
function unfold(sampler: number, s: number, size: number): number {
  if ((sampler & SamplerBits.NORMALIZED) === 0) return s;
  const mode = sampler & ADDRESSING;
  if (mode === SamplerBits.ADDRESS_REPEAT) return (s - Math.floor(s)) * size;
  if (mode === SamplerBits.ADDRESS_MIRRORED_REPEAT) {
    const even = 2 * roundEven(0.5 * s);
    return Math.abs(s - even) * size;
  }
  return s * size;
}

function roundEven(x: number): number {
  const below = Math.floor(x);
  const rest = x - below;
  return below + (rest > 0.5 || (rest === 0.5 && below % 2 !== 0) ? 1 : 0);
}

/** The element that stands for number `i` along a dimension; undefined outside. */
function element(sampler: number, i: number, size: number): number | undefined {
  switch (sampler & ADDRESSING) {
    case SamplerBits.ADDRESS_CLAMP_TO_EDGE:
    case SamplerBits.ADDRESS_MIRRORED_REPEAT:
      return clamp(i, 0, size - 1);
    case SamplerBits.ADDRESS_REPEAT:
      return i < 0 ? i + size : i >= size ? i - size : i;
    default:
      return i < 0 || i >= size ? undefined : i;
  }
}

/** The value at a place; `layered` takes the last coordinate as the number of an image. */
export function sampled(grid: Grid, sampler: number, place: readonly number[], layered: boolean): number {
  const sizes = [grid.width, grid.height, grid.depth];
  const last = place.length - 1;
  const layer = layered ? clamp(roundEven(place[last] ?? 0), 0, (last === 1 ? grid.depth : (sizes[2] ?? 1)) - 1) : 0;
  const filtered = layered ? place.slice(0, last) : place;
  const linear = (sampler & SamplerBits.FILTER_LINEAR) !== 0;
  let sum = 0;
  for (let corner = 0; corner < (linear ? 2 ** filtered.length : 1); corner++) {
    let weight = 1;
    const found = filtered.map((coordinate, d) => {
      const size = sizes[d] ?? 1;
      const u = unfold(sampler, coordinate, size) - (linear ? 0.5 : 0);
      const low = Math.floor(u);
      const high = (corner >> d) & 1;
      if (linear) weight *= high === 1 ? u - low : 1 - (u - low);
      return element(sampler, low + high, size);
    });
    const outside = found.includes(undefined);
    const [x = 0, y = 0, z = 0] = found;
    sum += weight * (outside ? BORDER : grid.at(x, y, layered ? layer : z));
  }
  return sum;
}
