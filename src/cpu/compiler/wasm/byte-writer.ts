/** Writes WebAssembly's binary format, piece by piece. */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  /** @param expected - the initial capacity in bytes */
  constructor(expected = 64) {
    this.#bytes = new Uint8Array(expected);
  }

  get length(): number {
    return this.#length;
  }

  /** The written bytes; valid until the next write. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Start again in the same buffer. */
  clear(): void {
    this.#length = 0;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** An unsigned number. */
  leb(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.byte((rest % 0x80) | 0x80);
    this.byte(rest);
  }

  /** A signed number of 32 bits. */
  signed(value: number): void {
    let rest = value;
    for (; rest < -0x40 || rest >= 0x40; rest >>= 7) this.byte((rest & 0x7f) | 0x80);
    this.byte(rest & 0x7f);
  }

  copy(bytes: Uint8Array, from = 0, to: number = bytes.length): void {
    const count = to - from;
    this.#reserve(count);
    // Most copies are so short that making a view would take longer.
    if (count > 32) this.#bytes.set(bytes.subarray(from, to), this.#length);
    else for (let i = 0; i < count; i++) this.#bytes[this.#length + i] = bytes[from + i] ?? 0;
    this.#length += count;
  }

  /** Bytes with their number before them. */
  counted(bytes: Uint8Array): void {
    this.leb(bytes.length);
    this.copy(bytes);
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.bytes);
    this.#bytes = larger;
  }
}
