import { RandomGenerator } from '../../array/random/generator.ts';
import { currentEngine } from './engine.ts';

/** Random numbers in arrays of the current context: see {@link RandomGenerator}. */
export class Generator extends RandomGenerator {
  /**
   * @param seed - the key of 64 bits: an integer from 0, or a bigint below 2^64. Without it, one of the system
   * @throws RangeError a seed beyond that
   */
  constructor(seed?: number | bigint) {
    super(currentEngine, seed, (key) => new Generator(key));
  }
}

/** A generator of a seed, as `new Generator(seed)`. */
export function defaultRng(seed?: number | bigint): Generator {
  return new Generator(seed);
}
