import { isHostMemory, type HostMemory } from '../core/host-memory.ts';
import { hostOf } from '../core/ref-value.ts';
import { failure } from './failure.ts';
import { CLObject, type Kind, type Raw } from './handle.ts';

/** Turns what a program passes into what the driver takes, or throws as node-opencl does. */
export type Convert<T> = (value: unknown, position: number) => T;

/** What stands for an array of the host in node-opencl's messages. */
const UNSUPPORTED = "Unsupported type of buffer. Use node's Buffer or JS' ArrayBuffer";

/** Flags, names and counts: C's conversion to 32 bits, whatever comes. */
export const uint: Convert<number> = (value) => Number(value) >>> 0;

/** A status: C's conversion to 32 bits with a sign. */
export const int: Convert<number> = (value) => Number(value) | 0;

/** A size, offset or pitch: whole, and up to 2^53 bytes. Nothing at all is 0. */
export const size: Convert<number> = (value) => {
  const bytes = Math.trunc(Number(value ?? 0));
  if (Number.isSafeInteger(bytes) && bytes >= 0) return bytes;
  throw failure('CL_INVALID_VALUE', new RangeError(`A size is a number from 0 to 2^53; ${String(value)} came`));
};

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

/** An array, of whatever is in it. */
export const array: Convert<readonly unknown[]> = (value, position) => {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw new TypeError(`Argument ${position} must be an array`);
};

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

/** Sizes in up to three dimensions; what is missing is 0. */
export const triple: Convert<BigUint64Array<ArrayBuffer>> = (value, position) => {
  const list = ArrayBuffer.isView(value) ? Array.from(value as unknown as ArrayLike<number>) : array(value, position);
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
  if (memory.byteLength > 0) return memory;
  throw new TypeError(UNSUPPORTED);
};

/** Memory of the host where nothing is a wrong value. */
export const wantedHost: Convert<HostMemory> = (value, position) => {
  if (value === null || value === undefined) throw failure('CL_INVALID_VALUE');
  return host(value, position);
};

/** The bytes of memory of the host. */
export function bytesOf(memory: HostMemory): Uint8Array {
  return ArrayBuffer.isView(memory)
    ? new Uint8Array(memory.buffer, memory.byteOffset, memory.byteLength)
    : new Uint8Array(memory);
}

/** The driver's pointer to a list: NULL for an empty one. */
export function pointerTo<T extends ArrayBufferView>(list: T): T | bigint {
  return list.byteLength > 0 ? list : 0n;
}
