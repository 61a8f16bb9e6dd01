const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);
const LOW_HALF = 0x7fff;
const QUIET = 0x40;

/** Write a number as a bfloat16, the upper half of a float: to the nearest, ties to even. */
export function setBfloat16(view: DataView, at: number, value: number): void {
  view.setUint16(at, upperHalf(value), true);
}

/** Read a bfloat16. */
export function getBfloat16(view: DataView, at: number): number {
  bits[0] = view.getUint16(at, true) << 16;
  return float[0] ?? 0;
}

function upperHalf(value: number): number {
  float[0] = value;
  const nearest = float[0];
  let word = bits[0] ?? 0;
  if (Number.isNaN(value)) return (word >>> 16) | QUIET;
  if (nearest !== value) {
    // Rounded twice, a number may come to lie on a tie: what the float lacks stays visible in its last bit.
    if (Math.abs(nearest) > Math.abs(value)) word--;
    word |= 1;
  }
  const even = (word >>> 16) & 1;
  return (word + LOW_HALF + even) >>> 16;
}
