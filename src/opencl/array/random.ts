import { RandomGenerator } from '../../array/random/generator.ts';
import { engineFor } from './default-context.ts';

/** Random numbers in arrays of a queue's context, or of the one that is made once: see {@link RandomGenerator}. */
export class Generator extends RandomGenerator {
  /**
   * @param seed - the key of 64 bits: an integer from 0, or a bigint below 2^64. Without it, one of the system
   * @throws RangeError a seed beyond that
   */
  constructor(seed?: number | bigint) {
    super(engineFor, seed, (key) => new Generator(key));
  }
}

/** A generator of a seed, as `new Generator(seed)`. */
export function defaultRng(seed?: number | bigint): Generator {
  return new Generator(seed);
}
