import { FIRST_EMBEDDED as FIRST } from '../../core/embedded-handle.ts';

let next = 1;

/** A reference-counted object with a handle. */
export abstract class ClObject {
  /** The number that finds it. */
  readonly id: number = next++;
  references = 1;

  get handle(): bigint {
    return BigInt(FIRST + this.id);
  }

  /** Called after the last reference is released. */
  abstract destroy(): void;

  retain(): void {
    this.references++;
  }

  release(): void {
    if (--this.references === 0) this.destroy();
  }
}

/** The objects of one kind, by their handles. Handles are never reused, so a stale handle finds nothing. */
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

  /** Find an object by a handle that is already a number. */
  at(handle: number): T | undefined {
    return this.#objects.get(handle - FIRST);
  }

  all(): Iterable<T> {
    return this.#objects.values();
  }
}
