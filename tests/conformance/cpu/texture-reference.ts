/** Images and how textures read them, by the formulas of the CUDA C++ Programming Guide ("Texture Fetching"). */

export type Mode = 'wrap' | 'clamp' | 'mirror' | 'border';

/** An image of up to three dimensions; `data` has the numbers of an element next to each other. */
export interface Picture {
  readonly size: readonly number[];
  readonly channels: number;
  readonly data: ArrayLike<number>;
  /** What a number is read as. */
  readonly as?: (raw: number) => number;
}

/** How a picture is read. */
export interface Reading {
  readonly mode?: Mode | readonly Mode[];
  readonly linear?: boolean;
  readonly normalized?: boolean;
  readonly border?: readonly number[];
}

/** An index along one dimension of N elements; undefined for the border. */
function wrapped(i: number, n: number, mode: Mode): number | undefined {
  const modulo = (a: number, b: number): number => ((a % b) + b) % b;
  switch (mode) {
    case 'wrap':
      return modulo(i, n);
    case 'mirror': {
      // The picture and its mirror image, over and over.
      const j = modulo(i, 2 * n);
      return j < n ? j : 2 * n - 1 - j;
    }
    case 'border':
      return i >= 0 && i < n ? i : undefined;
    default:
      return Math.min(Math.max(i, 0), n - 1);
  }
}

function element(
  { size, channels, data, as = (raw) => raw }: Picture,
  at: readonly number[],
  reading: Reading,
): number[] {
  let index = 0;
  for (let axis = size.length - 1; axis >= 0; axis--) {
    const mode = typeof reading.mode === 'string' ? reading.mode : (reading.mode?.[axis] ?? 'clamp');
    const n = size[axis] ?? 1;
    const i = wrapped(at[axis] ?? 0, n, mode);
    if (i === undefined) return Array.from({ length: channels }, (_, c) => reading.border?.[c] ?? 0);
    index = index * n + i;
  }
  return Array.from({ length: channels }, (_, c) => as(data[index * channels + c] ?? NaN));
}

/**
 * How much a corner weighs. In a plane the weight of the far corner is rounded to 8 bits, and the others complete it: seen on
 * an H200, to the last bit in two dimensions. In three, a GPU rounds further.
 */
function weightOf([x, y, z]: readonly number[], [a = 0, b, c]: readonly number[]): number {
  if (b === undefined) return x ? a : 1 - a;
  const far = Math.round(a * b * 256) / 256;
  const plane = x ? (y ? far : a - far) : y ? b - far : 1 - a - b + far;
  return c === undefined ? plane : plane * (z ? c : 1 - c);
}

/** What a texture gives at a place, all its numbers. Weights have 8 bits after the point. */
export function sampled(picture: Picture, place: readonly number[], reading: Reading = {}): number[] {
  const { size } = picture;
  const scaled = place.map((x, axis) =>
    Math.fround(reading.normalized === true ? Math.fround(x) * (size[axis] ?? 1) : x),
  );
  if (reading.linear !== true) return element(picture, scaled.map(Math.floor), reading);
  const fixed = scaled.map((x) => Math.round((x - 0.5) * 256));
  const sum = new Array<number>(picture.channels).fill(0);
  const low = fixed.map((x) => Math.floor(x / 256));
  const parts = fixed.map((x, axis) => (x - 256 * (low[axis] ?? 0)) / 256);
  for (let corner = 0; corner < 2 ** size.length; corner++) {
    const high = size.map((_, axis) => (corner >> axis) & 1);
    const at = low.map((x, axis) => x + (high[axis] ?? 0));
    element(picture, at, reading).forEach((value, c) => {
      sum[c] = (sum[c] ?? 0) + weightOf(high, parts) * value;
    });
  }
  return sum;
}

/** A layer of a picture, of which several lie behind each other. */
export function layerOf(picture: Picture, layer: number): Picture {
  const numbers = picture.channels * picture.size.reduce((all, n) => all * n, 1);
  return { ...picture, data: Array.from({ length: numbers }, (_, i) => picture.data[layer * numbers + i] ?? NaN) };
}

/** The face of a cube that a direction meets, and where, from 0 to 1: the guide's table in "Cubemap Textures". */
export function onCube([x = 0, y = 0, z = 0]: readonly number[]): {
  readonly face: number;
  readonly place: [number, number];
} {
  const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  // Of equal lengths z comes first, then y: seen on an H200.
  const table: readonly (readonly [face: number, is: boolean, s: number, t: number])[] = [
    [4, z === largest, x, -y],
    [5, z === -largest, -x, -y],
    [2, y === largest, x, z],
    [3, y === -largest, x, -z],
    [0, x === largest, -z, -y],
    [1, x === -largest, z, -y],
  ];
  const [face, , s, t] = table.find(([, is]) => is) ?? [NaN, true, NaN, NaN];
  return { face, place: [(s / largest + 1) / 2, (t / largest + 1) / 2] };
}
