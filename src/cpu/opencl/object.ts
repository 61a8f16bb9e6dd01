/**
 * Handles are numbers in a range in which no system has addresses: above what 52 bits can say, below what a number
 * holds exactly. So they are never taken for the handles of an installed implementation.
 */
const FIRST = 0x1c_0000_0000_0000;
const END = 0x20_0000_0000_0000;
const LEAST_HANDLE: bigint = BigInt(FIRST);
const HANDLE_LIMIT: bigint = BigInt(END);

let next = 1;

/** Whether a handle is one of this device's objects, alive or not. */
export function isEmbeddedHandle(handle: bigint): boolean {
  return handle >= LEAST_HANDLE && handle < HANDLE_LIMIT;
}

/** What has a handle and is counted. */
export abstract class ClObject {
  /** By which it is found. */
  readonly id: number = next++;
  references = 1;

  get handle(): bigint {
    return BigInt(FIRST + this.id);
  }

  /** Called when the last reference has gone. */
  abstract destroy(): void;

  retain(): void {
    this.references++;
  }

  release(): void {
    if (--this.references === 0) this.destroy();
  }
}

/** The objects of one kind by their handles. Handles are never used again, so an old one finds nothing. */
export class Handles<T extends ClObject> {
  readonly #objects = new Map<number, T>();

  add(object: T): bigint {
    this.#objects.set(object.id, object);
    return object.handle;
  }

  remove(object: T): void {
    this.#objects.delete(object.id);
  }

  find(handle: bigint): T | undefined {
    return this.#objects.get(Number(handle) - FIRST);
  }

  /** The same for a handle that is a number already. */
  at(handle: number): T | undefined {
    return this.#objects.get(handle - FIRST);
  }

  all(): Iterable<T> {
    return this.#objects.values();
  }
}
