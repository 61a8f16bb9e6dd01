/** What the package's own code hands to constructors that are not public. It is never exported, nor kept in an object. */
export const MAKER: unique symbol = Symbol('maker');
export type Maker = typeof MAKER;

/**
 * The first statement of a constructor that is not public: without what only this package can hand over, the object
 * would be half made.
 *
 * @param of - the class, or its name
 * @param how - what to write instead
 */
export function checkMade(ours: boolean, of: string | { readonly name: string }, how: string): asserts ours {
  if (!ours) throw new TypeError(`${typeof of === 'string' ? of : of.name} is not made with new; ${how}`);
}
