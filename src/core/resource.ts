import { describeFacts, PublicObject } from './public-object.ts';
import { checkMade } from './maker.ts';
import { ClosedError } from './errors.ts';
import { claimFor, disown, Handle, type Claim } from './handle.ts';
import { notMade } from './made.ts';

let isOurs: (value: object) => boolean;
/** Throws for what is not a resource, in spite of its prototype. */
let recordOf: <T>(resource: Resource<T>) => Handle<T> | undefined;

/**
 * The base of every object that owns something native.
 *
 * `close()` is idempotent and final: every later use throws {@link ClosedError}. The native object itself lives until
 * nothing made from it is left, so closing a parent before its children does no harm.
 */
export abstract class Resource<T> extends PublicObject implements Disposable {
  #handle: Handle<T> | undefined;
  readonly #claim: Claim;

  /**
   * @param quiet - whether the collector may take it without a warning
   * @internal
   */
  constructor(handle: Handle<T>, quiet = false) {
    super();
    // Its type is hidden from users, and so a call without arguments compiles.
    checkMade(Handle.isRecord(handle), new.target, 'its class says what makes it');
    this.#handle = handle;
    this.#claim = claimFor(this, handle, quiet || !handle.owns);
  }

  /** Whether `close()` was called. */
  get closed(): boolean {
    return recordOf(this) === undefined;
  }

  /** Release the native object. A second call does nothing. */
  close(): void {
    const handle = recordOf(this);
    if (!handle) return;
    this.#handle = undefined;
    disown(this.#claim);
    handle.release();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /**
   * The raw value, for one call of the named method.
   * @internal
   */
  use(method: string): T {
    const handle = recordOf(this);
    if (handle === undefined) throw new ClosedError(className(this), method);
    return handle.value;
  }

  static {
    isOurs = (value) => #handle in value;
    recordOf = (resource) => {
      if (#handle in resource) return resource.#handle;
      throw notMade(resource);
    };
  }
}

/**
 * The owning record of an object, for making children. Not a method: code with the record can destroy what others use.
 *
 * @throws ClosedError the object is closed
 */
export function handleOf<T>(resource: Resource<T>, method: string): Handle<T> {
  const handle = recordOf(resource);
  if (handle === undefined) throw new ClosedError(className(resource), method);
  return handle;
}

/** What `instanceof Resource` says, without its walk along the prototypes. */
export function isResource(value: unknown): value is Resource<unknown> {
  return typeof value === 'object' && value !== null && isOurs(value);
}

// The driver's handle is known here; it is not asked for.
describeFacts(Resource, (resource) => {
  const value: unknown = recordOf(resource)?.value;
  return typeof value === 'bigint' ? { handle: value } : {};
});

/** The explicit verbs `free()` and `release()`: a second one throws, because a double free is a bug worth hearing of. */
export function closeOnce(resource: { readonly closed: boolean; close(): void }, method: string): void {
  if (resource.closed) throw new ClosedError(className(resource), method);
  resource.close();
}

function className(resource: object): string {
  return resource.constructor.name;
}
