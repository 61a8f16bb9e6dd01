import { types } from 'node:util';
import { nameOf } from './check.ts';
import { hostExtent, trueByteLength, trueLength } from './host-extent.ts';

export { hostExtent, trueByteLength, trueLength };

/** Host memory that a copy reads or writes: a typed array, a Buffer, a DataView, or a whole (shared) ArrayBuffer. */
export type HostMemory = ArrayBufferView | ArrayBufferLike;

/** Whether a value is host memory, of any realm. */
export function isHostMemory(value: unknown): value is HostMemory {
  return ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value);
}

/**
 * The size of host memory in bytes.
 *
 * @param value - what the caller passed
 * @param what - its name in the error
 * @throws TypeError it is not a host memory, or its buffer is detached
 * @throws RangeError it has no bytes
 */
export function hostByteLength(value: unknown, what: string): number {
  if (!isHostMemory(value)) {
    throw new TypeError(`${what} must be a typed array, a Buffer, a DataView or an ArrayBuffer, got ${nameOf(value)}`);
  }
  const byteLength = trueByteLength(value);
  if (byteLength > 0) return byteLength;
  if (isDetached(hostExtent(value).buffer)) {
    throw new TypeError(`${what} is detached: its buffer was transferred or freed`);
  }
  throw new RangeError(`${what} is empty; a copy needs at least one byte`);
}

/**
 * Host memory as bytes, the same memory.
 *
 * @throws what {@link hostByteLength} throws
 */
export function hostBytes(value: HostMemory, what: string): Uint8Array {
  hostByteLength(value, what);
  const { buffer, byteOffset, byteLength } = hostExtent(value);
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function isDetached(buffer: ArrayBufferLike): boolean {
  try {
    new Uint8Array(buffer);
    return false;
  } catch {
    return true;
  }
}
