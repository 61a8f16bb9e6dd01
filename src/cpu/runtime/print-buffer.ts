import { Word } from './control.ts';
import { locked } from './lock.ts';

/** A record begins with its length; the highest bit says that it goes to stderr. */
const LENGTH_BYTES = 4;
const TO_STDERR = 0x8000_0000;

/** A piece of text and its stream. */
export interface Print {
  readonly bytes: Uint8Array;
  readonly error: boolean;
}

/**
 * Text from the workers for the main thread: records in a shared ring. A full ring drops the oldest records, as on a
 * GPU.
 */
export class PrintBuffer {
  readonly #control: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(control: Int32Array, bytes: Uint8Array) {
    this.#control = control;
    this.#bytes = bytes;
  }

  /** Add a record; a record longer than the ring is cut. */
  write(text: string, error = false): void {
    const size = this.#bytes.length;
    const length = Math.min(text.length, size - LENGTH_BYTES);
    if (length === 0) return;
    locked(this.#control, Word.PRINT_LOCK, () => {
      const head = Atomics.load(this.#control, Word.PRINT_HEAD);
      let tail = Atomics.load(this.#control, Word.PRINT_TAIL);
      const end = (head + LENGTH_BYTES + length) | 0;
      while (((end - tail) | 0) > size) tail = (tail + LENGTH_BYTES + this.#length(tail)) | 0;
      const tag = error ? length | TO_STDERR : length;
      for (let i = 0; i < LENGTH_BYTES; i++) this.#put(head + i, (tag >>> (8 * i)) & 0xff);
      for (let i = 0; i < length; i++) this.#put(head + LENGTH_BYTES + i, text.charCodeAt(i));
      Atomics.store(this.#control, Word.PRINT_TAIL, tail);
      Atomics.store(this.#control, Word.PRINT_HEAD, end);
    });
  }

  /** Remove all records; consecutive records for the same stream are joined. */
  read(): readonly Print[] {
    const control = this.#control;
    if (Atomics.load(control, Word.PRINT_HEAD) === Atomics.load(control, Word.PRINT_TAIL)) return [];
    return locked(control, Word.PRINT_LOCK, () => {
      const head = Atomics.load(control, Word.PRINT_HEAD);
      const prints: Print[] = [];
      const bytes = new Uint8Array((head - Atomics.load(control, Word.PRINT_TAIL)) | 0);
      let start = 0;
      let end = 0;
      let last: boolean | undefined;
      const close = (): void => {
        if (last !== undefined && end > start) prints.push({ bytes: bytes.subarray(start, end), error: last });
        start = end;
      };
      for (let tail = Atomics.load(control, Word.PRINT_TAIL); tail !== head;) {
        const length = this.#length(tail);
        const error = this.#get(tail + LENGTH_BYTES - 1) >= 0x80;
        if (error !== last) close();
        last = error;
        for (let i = 0; i < length; i++) bytes[end++] = this.#get(tail + LENGTH_BYTES + i);
        tail = (tail + LENGTH_BYTES + length) | 0;
      }
      close();
      Atomics.store(control, Word.PRINT_TAIL, head);
      return prints;
    });
  }

  #length(at: number): number {
    let length = 0;
    for (let i = 0; i < LENGTH_BYTES; i++) length |= this.#get(at + i) << (8 * i);
    return length & ~TO_STDERR;
  }

  // The size is a power of two, so that counts may wrap.
  #get(at: number): number {
    return this.#bytes[at & (this.#bytes.length - 1)] as number;
  }

  #put(at: number, byte: number): void {
    this.#bytes[at & (this.#bytes.length - 1)] = byte;
  }
}
