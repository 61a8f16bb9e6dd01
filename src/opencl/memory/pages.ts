import { warn } from '../../core/errors.ts';
import { trueByteLength } from '../../core/host-extent.ts';
import { lockBuffer } from '../../core/pin.ts';
import { runtimeProcess } from '../../core/runtime-process.ts';
import { detach, viewOf } from '../../ffi/memory.ts';

const refuse = (): never => {
  throw new TypeError('Memory of a device or a driver cannot be transferred; pass a copy: slice()');
};

/**
 * Native memory as an ArrayBuffer, until its owner takes it back. From Node 24 on no other code can take the bytes out of the
 * buffer. Node 20 has no transfer of such memory. On Node 21 to 23 the runtime's own functions (a byte stream's
 * `read(view)`) can transfer it: then the memory has to stay.
 */
export class Pages {
  readonly buffer: ArrayBuffer;
  readonly #byteLength: number;
  readonly #unlock: (() => void) | undefined;
  #ended = false;

  /** @param byteLength - 0 for memory without an address */
  constructor(address: bigint, byteLength: number) {
    this.buffer = byteLength === 0 ? new ArrayBuffer(0) : viewOf(address, byteLength);
    this.#byteLength = byteLength;
    this.#unlock = byteLength === 0 ? undefined : lockUntilExit(this.buffer);
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

/** The key of the process's record of buffers to unlock at its end: test runners load this module several times. */
const LOCKED = Symbol.for('rawkernel.opencl.locked.1');
type Unlocks = Set<() => void>;

/** Lock a buffer. The runtime takes native memory back at its end, and does not survive a lock that is left. */
function lockUntilExit(buffer: ArrayBuffer): (() => void) | undefined {
  if (!lockBuffer(buffer)) return undefined;
  const owner = runtimeProcess() as NodeJS.Process & { [LOCKED]?: Unlocks };
  let unlocks = owner[LOCKED];
  if (!unlocks) {
    const made: Unlocks = (owner[LOCKED] = new Set());
    unlocks = made;
    owner.once('exit', () => {
      for (const unlock of made) unlock();
    });
  }
  const list = unlocks;
  const ref = new WeakRef(buffer);
  const unlock = (): void => {
    list.delete(unlock);
    const locked = ref.deref();
    if (locked) lockBuffer(locked)?.();
  };
  list.add(unlock);
  collected.register(buffer, () => list.delete(unlock));
  return unlock;
}

const collected = new FinalizationRegistry<() => void>((forget) => forget());
