import { types } from 'node:util';

/** Whether a value is a proxy that was revoked: every look at it throws, in the language's own words. */
export function isRevoked(value: unknown): boolean {
  if (!types.isProxy(value)) return false;
  try {
    Array.isArray(value);
    return false;
  } catch {
    return true;
  }
}

/**
 * Have `instanceof` of a class and of those that extend it tell what their constructors made: neither a prototype, nor what
 * inherits from an object or is a proxy of one. These have no private state, and every method of theirs would fail.
 *
 * @param isMade - whether the constructor made it
 */
export function exact(constructor: { readonly prototype: object }, isMade: (value: object) => boolean): void {
  Object.defineProperty(constructor, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // First, since it is quick, and nothing of the user's runs: what a proxy answers is not asked for.
      const isOurs = ((typeof value === 'object' && value !== null) || typeof value === 'function') && isMade(value);
      return isOurs && Function.prototype[Symbol.hasInstance].call(this, value);
    },
  });
}
