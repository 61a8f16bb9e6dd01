import { ClosedError } from './errors.ts';
import { claim, Handle } from './handle.ts';

/**
 * The base of every object that owns something native.
 *
 * `close()` is idempotent and final: every later use throws {@link ClosedError}. The native object itself lives until
 * nothing made from it is left, so closing a parent before its children does no harm.
 */
export abstract class Resource<T> implements Disposable {
  #handle: Handle<T> | undefined;
  readonly #disown: () => void;

  /** @internal */
  constructor(handle: Handle<T>) {
    // Its type is hidden from users, and so a call without arguments compiles.
    if (!(handle instanceof Handle)) throw new TypeError(`${new.target.name} is not made with new`);
    this.#handle = handle;
    this.#disown = claim(this, handle, !handle.owns);
  }

  /** Whether {@link Resource.close} was called. */
  get closed(): boolean {
    return this.#handle === undefined;
  }

  /** Let go of the native object. A second call does nothing. */
  close(): void {
    const handle = this.#handle;
    if (!handle) return;
    this.#handle = undefined;
    this.#disown();
    handle.release();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /**
   * The owning record, for making children.
   * @internal
   */
  owned(method: string): Handle<T> {
    const handle = this.#handle;
    if (handle === undefined) throw new ClosedError(className(this), method);
    return handle;
  }

  /**
   * The raw value, for one call of the named method.
   * @internal
   */
  use(method: string): T {
    return this.owned(method).value;
  }
}

/** The explicit verbs `free()` and `release()`: a second one throws, because a double free is a bug worth hearing of. */
export function closeOnce(resource: { readonly closed: boolean; close(): void }, method: string): void {
  if (resource.closed) throw new ClosedError(className(resource), method);
  resource.close();
}

function className(resource: object): string {
  return resource.constructor.name;
}
