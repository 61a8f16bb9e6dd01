import { warn } from '../../core/errors.ts';
import { trueByteLength } from '../../core/host-extent.ts';
import { lockBuffer } from '../../core/pin.ts';
import { detach, viewOf } from '../../ffi/memory.ts';

const refuse = (): never => {
  throw new TypeError('Memory of a device or a driver cannot be transferred; pass a copy: slice()');
};

/**
 * Native memory as an ArrayBuffer, until its owner takes it back. From Node 24 on nobody else can take the bytes out of the
 * buffer. Before, Node 20 has no transfer of such memory, and on Node 21 to 23 the runtime's own functions (a byte stream's
 * `read(view)`) can: then the memory has to stay.
 */
export class Pages {
  readonly buffer: ArrayBuffer;
  readonly #byteLength: number;
  readonly #unlock: (() => void) | undefined;
  #ended = false;

  /** @param byteLength - 0 for memory that has no address */
  constructor(address: bigint, byteLength: number) {
    this.buffer = byteLength === 0 ? new ArrayBuffer(0) : viewOf(address, byteLength);
    this.#byteLength = byteLength;
    this.#unlock = byteLength === 0 ? undefined : lockBuffer(this.buffer);
    if (this.#unlock) return;
    for (const name of ['transfer', 'transferToFixedLength']) {
      Object.defineProperty(this.buffer, name, { value: refuse });
    }
  }

  /** Whether another buffer has the bytes, which the memory's owner cannot reach. */
  get isTaken(): boolean {
    return !this.#ended && trueByteLength(this.buffer) !== this.#byteLength;
  }

  /**
   * Take the memory away from the buffer: it and all arrays over it are empty from now on.
   *
   * @param keep - keeps the memory for ever: called, with a warning, where another buffer has the bytes
   */
  end(what: string, keep: () => void): void {
    if (this.isTaken) {
      keep();
      const text = `The bytes of ${what} were transferred to another ArrayBuffer: their memory stays until the process ends`;
      warn(text, 'RAWKERNEL_TRANSFERRED');
    } else {
      this.#unlock?.();
      detach(this.buffer);
    }
    this.#ended = true;
  }
}
