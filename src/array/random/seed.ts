import { nameOf } from '../../core/check.ts';

/** The key of a seed: the same 64 bits; without a seed, some of the system. */
export function readSeed(seed: unknown): bigint {
  if (seed === undefined) return crypto.getRandomValues(new BigUint64Array(1))[0] as bigint;
  if (typeof seed === 'bigint' || typeof seed === 'number') {
    const isInteger = typeof seed === 'bigint' || Number.isSafeInteger(seed);
    if (isInteger && seed >= 0 && seed < 2 ** 64) return BigInt(seed);
    throw new RangeError(
      `Generator: seed must be an integer from 0 to 2^53 - 1, or a bigint below 2^64, got ${nameOf(seed)}`,
    );
  }
  throw new TypeError(`Generator: seed must be an integer or a bigint, got ${nameOf(seed)}`);
}
