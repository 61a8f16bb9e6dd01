import { FIRST_EMBEDDED as FIRST } from '../../core/embedded-handle.ts';

let next = 1;

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
