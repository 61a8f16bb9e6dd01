/** Words of 32 bits of a vector, the lowest first. */
const WORDS = 4;
const BITS = 32 * WORDS;
const BYTES = BITS / 8;
/** Words of a table: for each value of each byte, a vector. */
const OF_BYTE = 256 * WORDS;

/**
 * A map of vectors of 128 bits in which each bit of the result is a sum, without carries, of bits of the vector: of two such maps one
 * after the other is a third one, so that 2^64 steps of a generator take as long as one.
 */
export class LinearMap {
  /** What each byte of a vector adds to the result, for each of its values. */
  readonly #table = new Uint32Array(BYTES * OF_BYTE);

  /** @param columns - the results for vectors with one bit, the lowest first: 4 words each */
  constructor(columns: Uint32Array) {
    const table = this.#table;
    for (let byte = 0; byte < BYTES; byte++) {
      for (let value = 1; value < 256; value++) {
        const lowest = 31 - Math.clz32(value & -value);
        const to = byte * OF_BYTE + value * WORDS;
        const rest = byte * OF_BYTE + (value & (value - 1)) * WORDS;
        const column = (8 * byte + lowest) * WORDS;
        for (let word = 0; word < WORDS; word++)
          table[to + word] = (table[rest + word] as number) ^ (columns[column + word] as number);
      }
    }
  }

  /** Write the result for the vector at one place of `words` to another place of them, or to the same. */
  apply(words: Uint32Array, from: number, to: number): void {
    const table = this.#table;
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let word = 0; word < WORDS; word++) {
      const bits = words[from + word] as number;
      for (let byte = 0; byte < 4; byte++) {
        const at = (4 * word + byte) * OF_BYTE + ((bits >>> (8 * byte)) & 255) * WORDS;
        a ^= table[at] as number;
        b ^= table[at + 1] as number;
        c ^= table[at + 2] as number;
        d ^= table[at + 3] as number;
      }
    }
    words[to] = a;
    words[to + 1] = b;
    words[to + 2] = c;
    words[to + 3] = d;
  }

  /** The map that is this one twice. */
  squared(): LinearMap {
    const columns = new Uint32Array(BITS * WORDS);
    for (let bit = 0; bit < BITS; bit++) {
      const at = bit * WORDS;
      columns[at + (bit >>> 5)] = 2 ** (bit & 31);
      this.apply(columns, at, at);
      this.apply(columns, at, at);
    }
    return new LinearMap(columns);
  }
}
