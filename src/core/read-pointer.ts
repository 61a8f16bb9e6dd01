import { types } from 'node:util';
import { isRevoked } from './instance.ts';
import { notMade } from './made.ts';
import { isHollow } from './public-object.ts';

/** The `ptr` of any object: of memory it is its address. Throws what {@link readMember} throws. */
export function readPointer(value: object): unknown {
  return readMember(value, 'ptr');
}

/**
 * By what an object says where its memory is.
 *
 * @throws TypeError the object is a proxy that has none to give: of one that was revoked, or of an object of ours, whose
 * private state a proxy does not have, nor what inherits from it
 * @throws what the property's own getter throws
 */
export function readMember(value: object, name: 'ptr' | 'cudaArrayInterface'): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[name];
  } catch (cause) {
    if (isRevoked(value)) throw new TypeError('A revoked proxy cannot be device memory', { cause });
    if (types.isProxy(value) && cause instanceof TypeError) {
      throw new TypeError('A proxy cannot be device memory; pass the object behind it', { cause });
    }
    if (cause instanceof TypeError && isHollow(value)) throw notMade(value, cause);
    throw cause;
  }
}
