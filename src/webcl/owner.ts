import type { Family } from './object.ts';
import type { WebCLDevice } from './platform.ts';

/** A context, for its objects. */
export interface Owner {
  readonly devices: readonly WebCLDevice[];
  /** The objects that the context releases. */
  readonly family: Family;
}
