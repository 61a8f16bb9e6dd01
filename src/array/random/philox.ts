/** The multipliers of a round, and what keys grow by. */
export const PHILOX_MULTIPLIERS: readonly [number, number] = [0xd2511f53, 0xcd9e8d57];
export const PHILOX_STEPS: readonly [number, number] = [0x9e3779b9, 0xbb67ae85];
export const PHILOX_ROUNDS = 10;

/** Four words of 32 bits. */
export type PhiloxBlock = readonly [number, number, number, number];

/**
 * Philox4x32-10 on the host, for the few words that are needed there: a block of a counter and a key of two words.
 * J. Salmon, M. Moraes, R. Dror, D. Shaw: Parallel random numbers: as easy as 1, 2, 3 (2011).
 */
export function philox(counter: PhiloxBlock, key: readonly [number, number]): PhiloxBlock {
  let [c0, c1, c2, c3] = counter;
  let [k0, k1] = key;
  for (let round = 0; round < PHILOX_ROUNDS; round++) {
    const [high0, low0] = product(PHILOX_MULTIPLIERS[0], c0);
    const [high1, low1] = product(PHILOX_MULTIPLIERS[1], c2);
    [c0, c1, c2, c3] = [(high1 ^ c1 ^ k0) >>> 0, low1, (high0 ^ c3 ^ k1) >>> 0, low0];
    k0 = (k0 + PHILOX_STEPS[0]) >>> 0;
    k1 = (k1 + PHILOX_STEPS[1]) >>> 0;
  }
  return [c0, c1, c2, c3];
}

/** The two words of a product. */
function product(a: number, b: number): [high: number, low: number] {
  const whole = BigInt(a) * BigInt(b);
  return [Number(whole >> 32n), Number(whole & 0xffff_ffffn)];
}
