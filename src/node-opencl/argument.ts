import { types } from 'node:util';
import { nameOf } from '../core/check.ts';
import { hostExtent, isHostMemory, trueByteLength, trueLength, type HostMemory } from '../core/host-memory.ts';
import { hostOf } from '../core/ref-value.ts';
import { failure } from './failure.ts';
import { CLObject, type Kind, type Raw } from './handle.ts';

/** Converts a program's argument to the driver's, or throws as node-opencl does. */
export type Convert<T> = (value: unknown, position: number) => T;

/** node-opencl's message for a value that is not a host array. */
const UNSUPPORTED = "Unsupported type of buffer. Use node's Buffer or JS' ArrayBuffer";

/** Flags, names and counts: C's conversion of any value to 32 bits. */
export const uint: Convert<number> = (value) => numberOf(value) >>> 0;

/** A status: C's conversion to 32 bits with a sign. */
export const int: Convert<number> = (value) => numberOf(value) | 0;

/** A size, offset or pitch: whole, and up to 2^53 bytes. undefined and null are 0. */
export const size: Convert<number> = (value) => {
  const bytes = Math.trunc(numberOf(value ?? 0));
  if (Number.isSafeInteger(bytes) && bytes >= 0) return bytes;
  throw failure('CL_INVALID_VALUE', new RangeError(`A size must be a number from 0 to 2^53, got ${nameOf(value)}`));
};

/** JavaScript's conversion; NaN for a value without one. */
function numberOf(value: unknown): number {
  try {
    return Number(value);
  } catch {
    return NaN;
  }
}

/** A C boolean. */
export const bool: Convert<0 | 1> = (value) => (value ? 1 : 0);

/** A wrapper of a kind. */
export function object<K extends Kind>(kind: K): Convert<Raw<K>> {
  return (value) => CLObject.raw(value, kind);
}

export const context: Convert<Raw<'CLContext'>> = object('CLContext');
export const device: Convert<Raw<'CLDeviceId'>> = object('CLDeviceId');
export const kernel: Convert<Raw<'CLKernel'>> = object('CLKernel');
export const mem: Convert<Raw<'CLMem'>> = object('CLMem');
export const queue: Convert<Raw<'CLCommandQueue'>> = object('CLCommandQueue');

/** An array of any elements. */
export const array: Convert<readonly unknown[]> = (value, position) => {
  // Holes are undefined.
  if (isArray(value)) return Array.from(value);
  throw new TypeError(`Argument ${position} must be an array`);
};

/** Whether a value is an array; a revoked proxy is not. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Wrappers of a kind; a missing list counts as an empty one. */
export function objects(kind: Kind): Convert<BigUint64Array<ArrayBuffer>> {
  return (value, position) => {
    const list = value === null || value === undefined ? [] : array(value, position);
    return BigUint64Array.from(list, (one) => CLObject.raw(one, kind));
  };
}

/** A string. */
export const text: Convert<string> = (value, position) => {
  if (typeof value === 'string') return value;
  throw new TypeError(`Argument ${position} must be a string`);
};

/** A list of numbers, or the elements of a typed array by its true length. */
export const elements: Convert<readonly unknown[]> = (value, position) => {
  if (!ArrayBuffer.isView(value)) return array(value, position);
  if (!types.isTypedArray(value)) return [];
  return Array.from({ length: trueLength(value) }, (_, i) => value[i]);
};

/** Sizes in up to three dimensions; missing ones are 0. */
export const triple: Convert<BigUint64Array<ArrayBuffer>> = (value, position) => {
  const list = elements(value, position);
  if (list.length === 0 && ArrayBuffer.isView(value)) {
    throw failure(
      'CL_INVALID_VALUE',
      new RangeError(`Three sizes must be given, got ${nameOf(value)} without elements`),
    );
  }
  return BigUint64Array.from({ length: 3 }, (_, i) => BigInt(size(list[i], position)));
};

/** Host memory, which may be detached. */
export const hostOrEmpty: Convert<HostMemory> = (value) => {
  const memory = hostOf(value);
  if (isHostMemory(memory)) return memory;
  throw new TypeError(UNSUPPORTED);
};

/** Host memory. */
export const host: Convert<HostMemory> = (value, position) => {
  const memory = hostOrEmpty(value, position);
  if (trueByteLength(memory) > 0) return memory;
  throw new TypeError(UNSUPPORTED);
};

/** Host memory, which the call must have: a missing one is an invalid value. */
export const wantedHost: Convert<HostMemory> = (value, position) => {
  if (value === null || value === undefined) throw failure('CL_INVALID_VALUE');
  return host(value, position);
};

/** The bytes of host memory. */
export function bytesOf(memory: HostMemory): Uint8Array {
  const { buffer, byteOffset, byteLength } = hostExtent(memory);
  return byteLength === 0 ? new Uint8Array() : new Uint8Array(buffer, byteOffset, byteLength);
}

/** The driver's pointer to a list: NULL for an empty one. */
export function pointerTo<T extends ArrayBufferView>(list: T): T | bigint {
  return list.byteLength > 0 ? list : 0n;
}
