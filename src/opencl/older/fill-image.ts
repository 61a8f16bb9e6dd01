import { bytesAt, widesAt, type Pointer } from '../../ffi/pointer.ts';
import { ImageInfo, status } from '../sys/enums.ts';
import { encodeColor, formatOf } from '../sys/pixel.ts';
import { Chain, repeated, withBytesBeside } from './chain.ts';
import type { OpenCLTable } from '../sys/tables.ts';

const SUCCESS = status.CL_SUCCESS[0];
const INVALID_VALUE = status.CL_INVALID_VALUE[0];
const COLOR_BYTES = 16;
/** Bytes of the buffer that a fill copies from, at least one row. */
const MAX = 1 << 20;

/** Fill an image with copies of a buffer of pixels. */
export function fillImage(cl: OpenCLTable, refuse: () => never): OpenCLTable['clEnqueueFillImage'] {
  return (queue, image, color, rawOrigin, rawRegion, count, list, event) => {
    const given = new Uint32Array(2);
    const told = cl.clGetImageInfo(image, ImageInfo.FORMAT[0], given.byteLength, given, 0n);
    if (told !== SUCCESS) return told;
    const format = formatOf(given[0] ?? 0, given[1] ?? 0);
    // Channels that share their bytes.
    if (!format) return refuse();
    if (color === 0n || rawOrigin === 0n || rawRegion === 0n) return INVALID_VALUE;
    const origin = extentAt(rawOrigin);
    const region = extentAt(rawRegion);
    if (region.includes(0)) return INVALID_VALUE;
    const parts = [...partsOf(region, format.elementBytes)];
    const pixel = encodeColor(format, bytesAt(color, COLOR_BYTES).subarray(0, COLOR_BYTES));
    const [, [width, height, depth]] = parts[0] as Part;
    const pixels = repeated(pixel, width * height * depth * pixel.length);
    return withBytesBeside(cl, image, pixels, (source) => {
      const chain = new Chain(cl, count, list, event);
      for (const [at, size] of parts) {
        const to = BigUint64Array.from(at, (start, i) => BigInt(start + origin[i as 0 | 1 | 2]));
        const extent = BigUint64Array.from(size, BigInt);
        chain.add((n, waits, out) => cl.clEnqueueCopyBufferToImage(queue, source, image, 0, to, extent, n, waits, out));
      }
      return chain.end();
    });
  };
}

type Extent = readonly [x: number, y: number, z: number];
type Part = readonly [at: Extent, size: Extent];

/** The parts of a region, the first the largest: some layers, or some rows of one. */
function* partsOf([width, height, depth]: Extent, elementBytes: number): Generator<Part> {
  const row = width * elementBytes;
  const layers = Math.max(1, Math.min(depth, Math.floor(MAX / (row * height))));
  const rows = layers > 1 ? height : Math.max(1, Math.min(height, Math.floor(MAX / row)));
  for (let z = 0; z < depth; z += layers) {
    for (let y = 0; y < height; y += rows) {
      yield [
        [0, y, z],
        [width, Math.min(rows, height - y), Math.min(layers, depth - z)],
      ];
    }
  }
}

function extentAt(pointer: Pointer): Extent {
  const [x = 0n, y = 0n, z = 0n] = widesAt(pointer, 3);
  return [Number(x), Number(y), Number(z)];
}
