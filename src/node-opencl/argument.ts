import { types } from 'node:util';
import { nameOf } from '../core/check.ts';
import { hostExtent, isHostMemory, trueByteLength, trueLength, type HostMemory } from '../core/host-memory.ts';
import { hostOf } from '../core/ref-value.ts';
import { failure } from './failure.ts';
import { CLObject, type Kind, type Raw } from './handle.ts';

/** Turns what a program passes into what the driver takes, or throws as node-opencl does. */
export type Convert<T> = (value: unknown, position: number) => T;

/** What stands for an array of the host in node-opencl's messages. */
const UNSUPPORTED = "Unsupported type of buffer. Use node's Buffer or JS' ArrayBuffer";

/** Flags, names and counts: C's conversion of any value to 32 bits. */
export const uint: Convert<number> = (value) => numberOf(value) >>> 0;

/** A status: C's conversion to 32 bits with a sign. */
export const int: Convert<number> = (value) => numberOf(value) | 0;

/** A size, offset or pitch: whole, and up to 2^53 bytes. Nothing at all is 0. */
export const size: Convert<number> = (value) => {
  const bytes = Math.trunc(numberOf(value ?? 0));
  if (Number.isSafeInteger(bytes) && bytes >= 0) return bytes;
  throw failure('CL_INVALID_VALUE', new RangeError(`A size must be a number from 0 to 2^53, got ${nameOf(value)}`));
};

/** JavaScript's conversion; what has none is not a number. */
function numberOf(value: unknown): number {
  try {
    return Number(value);
  } catch {
    return NaN;
  }
}

/** A flag of C's. */
export const bool: Convert<0 | 1> = (value) => (value ? 1 : 0);

/** An object of a kind. */
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

/** Objects of a kind; no list is an empty one. */
export function objects(kind: Kind): Convert<BigUint64Array<ArrayBuffer>> {
  return (value, position) => {
    const list = value === null || value === undefined ? [] : array(value, position);
    return BigUint64Array.from(list, (one) => CLObject.raw(one, kind));
  };
}

/** A text. */
export const text: Convert<string> = (value, position) => {
  if (typeof value === 'string') return value;
  throw new TypeError(`Argument ${position} must be a string`);
};

/** A list of numbers, or a typed array's elements, as many as there really are. */
export const elements: Convert<readonly unknown[]> = (value, position) => {
  if (!ArrayBuffer.isView(value)) return array(value, position);
  if (!types.isTypedArray(value)) return [];
  return Array.from({ length: trueLength(value) }, (_, i) => value[i]);
};

/** Sizes in up to three dimensions; what is missing is 0. */
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

/** Memory of the host, which may have no bytes any more. */
export const hostOrEmpty: Convert<HostMemory> = (value) => {
  const memory = hostOf(value);
  if (isHostMemory(memory)) return memory;
  throw new TypeError(UNSUPPORTED);
};

/** Memory of the host. */
export const host: Convert<HostMemory> = (value, position) => {
  const memory = hostOrEmpty(value, position);
  if (trueByteLength(memory) > 0) return memory;
  throw new TypeError(UNSUPPORTED);
};

/** Memory of the host where nothing is a wrong value. */
export const wantedHost: Convert<HostMemory> = (value, position) => {
  if (value === null || value === undefined) throw failure('CL_INVALID_VALUE');
  return host(value, position);
};

/** The bytes of memory of the host. */
export function bytesOf(memory: HostMemory): Uint8Array {
  const { buffer, byteOffset, byteLength } = hostExtent(memory);
  return byteLength === 0 ? new Uint8Array() : new Uint8Array(buffer, byteOffset, byteLength);
}

/** The driver's pointer to a list: NULL for an empty one. */
export function pointerTo<T extends ArrayBufferView>(list: T): T | bigint {
  return list.byteLength > 0 ? list : 0n;
}
