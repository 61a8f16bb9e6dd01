/** Bytes of WebAssembly that the lowering does not know. */
export class WasmError extends Error {
  override readonly name = 'WasmError';

  constructor(what: string) {
    super(`The CPU device's compiler cannot lower this WebAssembly; please report it: ${what}`);
  }
}

/** Types of values that are one byte: numbers, vectors, and references to functions and to the host's objects. */
const VALUE_TYPES = new Set([0x7f, 0x7e, 0x7d, 0x7c, 0x7b, 0x70, 0x6f]);

/** Reads WebAssembly's binary format, piece by piece. */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly end: number;
  at: number;

  constructor(bytes: Uint8Array, at = 0, end: number = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  get done(): boolean {
    return this.at >= this.end;
  }

  byte(): number {
    if (this.at >= this.end) throw new WasmError('it ends too early');
    return this.bytes[this.at++] ?? 0;
  }

  /** An unsigned number. A number of more than 53 bits is rounded, which is enough to refuse it. */
  leb(): number {
    let byte = this.byte();
    let value = byte & 0x7f;
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = this.byte();
      value += (byte & 0x7f) * scale;
    }
    return value;
  }

  /** A signed number, as near as an unsigned one. */
  signed(): number {
    const from = this.at;
    const value = this.leb();
    const negative = ((this.bytes[this.at - 1] ?? 0) & 0x40) !== 0;
    return negative ? value - 0x80 ** (this.at - from) : value;
  }

  /** Go past a number, signed or not. */
  skipLeb(): void {
    while (this.byte() >= 0x80);
  }

  skip(count: number): void {
    if (count > this.end - this.at) throw new WasmError('it ends too early');
    this.at += count;
  }

  name(): string {
    const { bytes, at, end } = this.part(this.leb());
    return Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString('utf8');
  }

  /** The type of a value. */
  type(): number {
    const type = this.byte();
    if (!VALUE_TYPES.has(type)) throw new WasmError(`a value of type 0x${type.toString(16)}`);
    return type;
  }

  /** A reader of the next bytes. */
  part(length: number): ByteReader {
    const from = this.at;
    this.skip(length);
    return new ByteReader(this.bytes, from, this.at);
  }
}
