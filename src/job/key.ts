import { isUint8Array } from 'node:util/types';
import { nameOf } from '../core/check.ts';
import { MAX_KEY_BYTES, MAX_VALUE_BYTES } from './protocol.ts';

/** A key as the protocol has it: its UTF-8 bytes, one character each. */
export function keyOf(key: unknown, name: string, minBytes = 1): string {
  if (typeof key !== 'string') throw new TypeError(`${name}: a key must be a string, got ${nameOf(key)}`);
  const bytes = Buffer.from(key);
  if (bytes.length >= minBytes && bytes.length <= MAX_KEY_BYTES) return bytes.toString('latin1');
  throw new RangeError(`${name}: a key must have ${minBytes} to ${MAX_KEY_BYTES} bytes, got ${bytes.length}`);
}

/** The text of a key in the protocol. */
export function textOfKey(key: string): string {
  return Buffer.from(key, 'latin1').toString();
}

/** The bytes of a value. */
export function valueOf(value: unknown, name: string): Uint8Array {
  if (typeof value !== 'string' && !isUint8Array(value)) {
    throw new TypeError(`${name}: a value must be a Uint8Array or a string, got ${nameOf(value)}`);
  }
  // A copy: the caller may write to it while the bytes wait to be sent.
  const bytes = Buffer.from(value);
  if (bytes.length <= MAX_VALUE_BYTES) return bytes;
  throw new RangeError(`${name}: a value must have at most ${MAX_VALUE_BYTES} bytes, got ${bytes.length}`);
}
