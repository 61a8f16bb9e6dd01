/**
 * The store's protocol. All numbers are little-endian.
 *
 * 1. The server greets: magic, version, nonce.
 * 2. The client says hello: magic, version, its nonce, its proof of the token ({@link prove}), its rank or -1.
 * 3. From here on there are frames: length of the rest (u32), request (u32), code (u8), fields. The server's first one has
 *    its own proof, or a refusal.
 * 4. A request of the client gets one reply, which may come late and after others. A subscription gets notes behind it.
 */
export const MAGIC: Uint8Array = Buffer.from('RKST');
export const VERSION = 1;
export const GREETING_BYTES = 37;
export const HELLO_BYTES = 73;

export const MAX_KEY_BYTES = 1024;
export const MAX_VALUE_BYTES: number = 8 * 2 ** 20;
/** Keys of one `wait` or `check`. */
export const MAX_KEYS = 4096;
/** The longest frame: all keys of a `wait`, or two values of a `compareSet`. */
const MAX_FRAME_BYTES = 2 * MAX_VALUE_BYTES + MAX_KEY_BYTES + 64;
const HEAD_BYTES = 5;

/** Requests of a client. */
export const Request = {
  SET: 1,
  GET: 2,
  ADD: 3,
  COMPARE_SET: 4,
  WAIT: 5,
  CHECK: 6,
  DELETE: 7,
  SUBSCRIBE: 8,
  /** Of an earlier request. It has no reply. */
  CANCEL: 9,
  GOODBYE: 10,
} as const;

/** Codes of the server's frames. */
export const Reply = {
  OK: 0,
  INVALID: 1,
  LIMIT: 2,
  REFUSED: 3,
  /** A subscribed key has a value. */
  NOTE: 4,
  /** A subscribed key was deleted. */
  GONE: 5,
  /** The host closes the store. */
  CLOSING: 6,
} as const;

/** What the other side sends is not this protocol. */
export class ProtocolError extends Error {}

/** Cuts a stream of bytes into frames. It keeps at most one frame, and of a length that was checked. */
export class FrameReader {
  #buffer: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  push(chunk: Uint8Array): void {
    const used = this.#end - this.#start;
    if (this.#end + chunk.length > this.#buffer.length) {
      const size = Math.max(used + chunk.length, Math.min(2 * used, MAX_FRAME_BYTES + HEAD_BYTES));
      const larger = Buffer.allocUnsafeSlow(size);
      this.#buffer.copy(larger, 0, this.#start, this.#end);
      this.#buffer = larger;
      this.#start = 0;
      this.#end = used;
    }
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** So many bytes that are not a frame; undefined: they are not there yet. */
  bytes(count: number): Buffer | undefined {
    return this.#end - this.#start < count ? undefined : this.#take(count);
  }

  /**
   * The next frame, valid until the next bytes come; undefined: it is not whole yet.
   *
   * @throws ProtocolError its length is impossible
   */
  next(): FieldReader | undefined {
    const there = this.#end - this.#start;
    if (there < 4) return undefined;
    const length = this.#buffer.readUInt32LE(this.#start);
    if (length < HEAD_BYTES || length > MAX_FRAME_BYTES) throw new ProtocolError(`a frame of ${length} bytes`);
    return there < 4 + length ? undefined : new FieldReader(this.#take(4 + length).subarray(4));
  }

  #take(count: number): Buffer {
    const taken = this.#buffer.subarray(this.#start, this.#start + count);
    this.#start += count;
    if (this.#start === this.#end) {
      // A large frame's memory is not kept for small ones: the frame alone holds it.
      this.#buffer = Buffer.alloc(0);
      this.#start = this.#end = 0;
    }
    return taken;
  }
}

/** Reads the fields of a frame, and checks each length. */
export class FieldReader {
  readonly #body: Buffer;
  #at = 0;
  readonly id: number;
  readonly code: number;

  constructor(body: Buffer) {
    this.#body = body;
    this.id = this.u32();
    this.code = this.u8();
  }

  u8(): number {
    return this.#next(1).readUInt8();
  }

  u32(): number {
    return this.#next(4).readUInt32LE();
  }

  f64(): number {
    return this.#next(8).readDoubleLE();
  }

  /** A key as text of one character a byte: keys are bytes. */
  key(): string {
    const length = this.#next(2).readUInt16LE();
    if (length > MAX_KEY_BYTES) throw new ProtocolError(`a key of ${length} bytes`);
    return this.#next(length).toString('latin1');
  }

  keys(): string[] {
    const count = this.u32();
    if (count > MAX_KEYS) throw new ProtocolError(`${count} keys`);
    return Array.from({ length: count }, () => this.key());
  }

  /** A copy: the frame's own bytes are those of a larger buffer. */
  value(): Buffer {
    const length = this.u32();
    if (length > MAX_VALUE_BYTES) throw new ProtocolError(`a value of ${length} bytes`);
    return Buffer.from(this.#next(length));
  }

  text(): string {
    return this.value().toString('utf8');
  }

  /** So many bytes as they are. */
  rest(count: number): Buffer {
    return this.#next(count);
  }

  /** Refuse what follows the last field. */
  end(): void {
    const rest = this.#body.length - this.#at;
    if (rest > 0) throw new ProtocolError(`${rest} bytes behind the last field`);
  }

  #next(count: number): Buffer {
    if (this.#at + count > this.#body.length) throw new ProtocolError('a frame that ends inside of a field');
    this.#at += count;
    return this.#body.subarray(this.#at - count, this.#at);
  }
}

/** A frame as pieces, so that a value is not copied for each of its readers. */
export function frame(id: number, code: number, ...fields: readonly Uint8Array[]): Uint8Array[] {
  const head = Buffer.alloc(4 + HEAD_BYTES);
  head.writeUInt32LE(HEAD_BYTES + fields.reduce((sum, { length }) => sum + length, 0), 0);
  head.writeUInt32LE(id, 4);
  head.writeUInt8(code, 8);
  return [head, ...fields];
}

export function u32(value: number): Uint8Array {
  const field = Buffer.alloc(4);
  field.writeUInt32LE(value);
  return field;
}

export function f64(value: number): Uint8Array {
  const field = Buffer.alloc(8);
  field.writeDoubleLE(value);
  return field;
}

/** A key's length and bytes, from text of one character a byte. */
export function keyField(key: string): Uint8Array {
  const field = Buffer.alloc(2 + key.length);
  field.writeUInt16LE(key.length);
  field.write(key, 2, 'latin1');
  return field;
}

export function keysField(keys: readonly string[]): Uint8Array {
  return Buffer.concat([u32(keys.length), ...keys.map(keyField)]);
}

export function valueFields(value: Uint8Array): Uint8Array[] {
  return [u32(value.length), value];
}
