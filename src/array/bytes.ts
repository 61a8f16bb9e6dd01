import { nameOf } from '../core/check.ts';

/**
 * Bytes as a plain Uint8Array of the same memory: `subarray` and `slice` of a Buffer give Buffers.
 *
 * @throws TypeError no Uint8Array, of any realm
 */
export function readBytes(value: unknown, what: string): Uint8Array {
  if (!ArrayBuffer.isView(value) || Object.prototype.toString.call(value) !== '[object Uint8Array]') {
    throw new TypeError(`${what} must be a Uint8Array, got ${nameOf(value)}`);
  }
  // No view can be made of a buffer that was transferred, whose views have no bytes.
  return value.byteLength === 0 ? new Uint8Array(0) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

/**
 * New bytes, all 0.
 *
 * @throws RangeError one Uint8Array does not hold as many, or there is no memory for them
 */
export function newBytes(byteLength: number, what: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(byteLength);
  } catch (cause) {
    throw new RangeError(`${what} must fit in one Uint8Array and in memory, got ${byteLength} bytes`, { cause });
  }
}
