/** Bytes of a large buffer that come back at once. */
export const PART: number = 256 << 20;
/** Bytes of an element. */
export const UNIT = 4;

/**
 * The most of what a test wants that fits into what is free, with a tenth to spare: all of it, or halves down to `least`.
 */
export function sizeThatFits(wanted: number, free: number, least: number): number | undefined {
  for (let bytes = wanted; bytes >= least; bytes /= 2) if (bytes <= 0.9 * free) return bytes;
  return undefined;
}

/** What the kernels write at an element: both halves of its index are in it. */
export function valueAt(index: number): number {
  return ((index % 2 ** 32) ^ Math.imul(Math.floor(index / 2 ** 32), 0x9e3779b9)) >>> 0;
}

/** Throw where a part that begins at a byte is not what the kernels write. A part never has two high halves of indices. */
export function checkPart(part: Uint32Array, byteOffset: number): void {
  const first = byteOffset / UNIT;
  const low = first % 2 ** 32;
  const high = Math.imul(Math.floor(first / 2 ** 32), 0x9e3779b9);
  for (let i = 0; i < part.length; i++) {
    if (part[i] === ((low + i) ^ high) >>> 0) continue;
    throw new Error(`Element ${first + i} is ${part[i]}, not ${valueAt(first + i)}`);
  }
}
