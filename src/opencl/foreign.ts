import { checkOptions, nameOf } from '../core/check.ts';

/** How an object of another library is adopted. */
export interface ForeignOptions {
  /**
   * Take an additional reference; the caller keeps its own. With `false` the new object takes over the caller's
   * reference and releases it when it is closed. Default: true
   */
  readonly retain?: boolean;
}

/** A driver's handle, checked as far as a number can be. */
export function foreignHandle<T extends bigint>(handle: T, options: ForeignOptions, what: string): T {
  checkOptions(options, ['retain'], what);
  if (typeof handle !== 'bigint') throw new TypeError(`${what}: the handle must be a bigint, got ${nameOf(handle)}`);
  if (handle <= 0n || handle >= 1n << 64n) {
    throw new RangeError(`${what}: the handle must be an address other than 0, got ${nameOf(handle)}`);
  }
  return handle;
}

/** Refuse an object of another context. */
export function checkForeignContext(own: unknown, context: { readonly identity: bigint }, what: string): void {
  if (own !== context.identity) throw new TypeError(`${what}: the object belongs to another context`);
}
