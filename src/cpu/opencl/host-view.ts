import { bytesAt, type Out } from '../abi/out.ts';

/**
 * The bytes behind a pointer that is mostly the same from call to call: making a view is the slowest part of such a call.
 * The view is only read in a call that has just received its address, so that it is never read after its memory is gone.
 */
export class HostView {
  #address = 0n;
  #byteLength = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #words: Uint32Array = new Uint32Array(0);

  /** The bytes, or fewer for a shorter array. */
  bytes(pointer: Out, byteLength: number): Uint8Array {
    if (typeof pointer !== 'bigint') return bytesAt(pointer, byteLength).subarray(0, byteLength);
    if (pointer !== this.#address || byteLength !== this.#byteLength) this.#look(pointer, byteLength);
    return this.#bytes;
  }

  /** The same as 32-bit words; empty for an array that is not aligned for words. */
  words(pointer: Out, count: number): Uint32Array {
    if (typeof pointer !== 'bigint') return new Uint32Array(bytesAt(pointer, 4 * count).slice(0, 4 * count).buffer);
    if (pointer !== this.#address || 4 * count !== this.#byteLength) this.#look(pointer, 4 * count);
    return this.#words;
  }

  #look(address: bigint, byteLength: number): void {
    this.#bytes = bytesAt(address, byteLength);
    this.#words = new Uint32Array(this.#bytes.buffer, 0, this.#bytes.length >>> 2);
    this.#address = address;
    this.#byteLength = byteLength;
  }
}
