import type { Family } from './object.ts';
import type { WebCLDevice } from './platform.ts';

/** A context, for the objects that are made in it. */
export interface Owner {
  readonly devices: readonly WebCLDevice[];
  /** The objects that the context releases. */
  readonly family: Family;
}
