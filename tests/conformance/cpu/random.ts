/** Numbers that look random and are the same on every machine: a case's inputs come from its name alone. */
export class Random {
  #state: number;

  constructor(seed: string) {
    let hash = 0x811c9dc5;
    for (const letter of seed) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
    this.#state = hash;
  }

  /** 32 bits. */
  bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** A number of [low, high). */
  real(low = 0, high = 1): number {
    return low + (this.bits() / 2 ** 32) * (high - low);
  }

  /** An integer of [low, high). */
  integer(low: number, high: number): number {
    return Math.floor(this.real(low, high));
  }

  floats(length: number, low = -1, high = 1): Float32Array<ArrayBuffer> {
    return Float32Array.from({ length }, () => this.real(low, high));
  }

  doubles(length: number, low = -1, high = 1): Float64Array<ArrayBuffer> {
    return Float64Array.from({ length }, () => this.real(low, high));
  }

  ints(length: number, low = -0x8000_0000, high = 0x8000_0000): Int32Array<ArrayBuffer> {
    return Int32Array.from({ length }, () => this.integer(low, high));
  }

  uints(length: number, low = 0, high = 0x1_0000_0000): Uint32Array<ArrayBuffer> {
    return Uint32Array.from({ length }, () => this.integer(low, high));
  }

  bytes(length: number, low = 0, high = 256): Uint8Array<ArrayBuffer> {
    return Uint8Array.from({ length }, () => this.integer(low, high));
  }

  longs(length: number): BigInt64Array<ArrayBuffer> {
    return BigInt64Array.from({ length }, () => BigInt.asIntN(64, (BigInt(this.bits()) << 32n) | BigInt(this.bits())));
  }

  /** 0 … length - 1 in random order. */
  permutation(length: number): Int32Array<ArrayBuffer> {
    const order = Int32Array.from({ length }, (_, i) => i);
    for (let i = length - 1; i > 0; i--) {
      const j = this.integer(0, i + 1);
      [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
    }
    return order;
  }
}
