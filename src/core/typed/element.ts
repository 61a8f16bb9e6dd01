import type { ARRAY_ELEMENTS, ElementName } from '../element-table.ts';
import type { HostMemory } from '../host-memory.ts';
import type { RefValue } from '../ref-value.ts';

/** The elements of bytes, and of memory of which nothing is known. */
export type AnyElement = ElementName;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- bytes go for any element, and any memory for bytes
export type Known<E extends ElementName> = [ElementName] extends [E] ? any : E;

/**
 * What memory holds, for the type checker alone: no value has the property. Memory of unknown content goes for any.
 */
export interface Holds<E extends ElementName = AnyElement> {
  readonly '~elements'?: Known<E>;
}

/** The elements of a host array; bytes go for any. */
export type ElementsOf<A> = A extends { readonly [Symbol.toStringTag]: infer Name }
  ? Name extends keyof typeof ARRAY_ELEMENTS
    ? (typeof ARRAY_ELEMENTS)[Name]
    : AnyElement
  : AnyElement;

/** What memory is made of or for: an element's name, the host array that it has its content from, a number of bytes. */
export type Content = ElementName | HostMemory | RefValue | number;

/** The elements of memory that is made so. */
export type ElementsIn<C extends Content> = C extends ElementName ? C : ElementsOf<C>;
