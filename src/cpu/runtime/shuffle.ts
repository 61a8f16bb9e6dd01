/** A hash of a number; scheduler.cc has the same function. */
function mix(value: number): number {
  let x = value >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb_352d);
  x = Math.imul(x ^ (x >>> 15), 0x846c_a68b);
  return (x ^ (x >>> 16)) >>> 0;
}

/**
 * The place of an index in a permutation of `count` places that a seed determines.
 *
 * @param count - 1 to 2^31
 */
export function shuffled(index: number, count: number, seed: number): number {
  const bits = 32 - Math.clz32(count - 1);
  const mask = bits === 32 ? -1 : (1 << bits) - 1;
  const half = Math.max(1, bits >>> 1);
  const [a, b, c] = [mix(seed), mix(seed + 1), mix(seed + 2)];
  let at = index;
  // Each step is invertible on numbers of `bits` bits. A result beyond `count` is permuted again until it is below.
  do {
    at = Math.imul((at + a) & mask, b | 1) & mask;
    at ^= at >>> half;
    at = Math.imul(at, c | 1) & mask;
    at ^= at >>> half;
  } while (at >>> 0 >= count);
  return at >>> 0;
}

/** A seed for one use, derived from another seed; never 0. */
export function seedOf(seed: number, part: number): number {
  return mix(mix(seed) + Math.imul(part + 1, 0x9e37_79b9)) || 1;
}
