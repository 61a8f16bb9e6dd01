import { types } from 'node:util';
import { isRevoked } from './instance.ts';

/**
 * The `ptr` of whatever object came: of memory it is its address.
 *
 * @throws TypeError the object is a proxy that has none to give: of one that was revoked, or of an object of ours, whose
 * private state a proxy does not have
 * @throws what the property's own getter throws
 */
export function readPointer(value: object): unknown {
  try {
    return (value as { readonly ptr?: unknown }).ptr;
  } catch (cause) {
    if (isRevoked(value)) throw new TypeError('A revoked proxy cannot be device memory', { cause });
    if (types.isProxy(value) && cause instanceof TypeError) {
      throw new TypeError('A proxy cannot be device memory; pass the object behind it', { cause });
    }
    throw cause;
  }
}
