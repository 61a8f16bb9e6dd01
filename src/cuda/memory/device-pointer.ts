import type { ElementName } from '../../core/element-table.ts';
import { tagOfTypeString, tagOn, type ElementTag } from '../../core/element-tag.ts';
import { nameOf } from '../../core/check.ts';
import { trueByteLength } from '../../core/host-memory.ts';
import { readPointer } from '../../core/read-pointer.ts';
import type { AddressHolder } from '../../core/struct.ts';
import type { AnyElement, Holds } from '../../core/typed/element.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { awaitedAddress, cudaArrayOf, extentOf, type CudaArrayLike } from './cuda-array.ts';
import { recording } from '../captures.ts';
import { noteUse } from '../lifetime/recording.ts';

/** An address in device memory. */
export type DevicePointer = Opaque<'CUdeviceptr'>;

/** What a device pointer can be given as: an allocation, a part of one, anything with a `ptr`, an array of another
 * library ({@link CudaArrayLike}), a raw address. */
export type DeviceMemory<E extends ElementName = AnyElement> = (AddressHolder & Holds<E>) | CudaArrayLike | bigint;

const MAX_ADDRESS = (1n << 64n) - 1n;

/**
 * The address behind a device pointer; undefined for any other value.
 * Reading the address of freed memory throws {@link ClosedError}.
 */
export function deviceAddress(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'object') return undefined;
  if (value === null) return 0n;
  const ptr = readPointer(value);
  if (typeof ptr === 'bigint') return ptr;
  const array = cudaArrayOf(value);
  return array && awaitedAddress(array);
}

/** What the elements behind a device pointer are, as far as it is known: a raw address and another's object tell nothing. */
export function deviceElements(value: unknown): ElementTag {
  if (typeof value !== 'object' || value === null) return 0;
  const tag = tagOn(value);
  if (tag !== undefined) return tag;
  // An address comes first, as in deviceAddress: an object with one is not asked for a description.
  if (typeof readPointer(value) === 'bigint') return 0;
  return tagOfTypeString(cudaArrayOf(value)?.typestr);
}

function ownLength(value: unknown): unknown {
  try {
    if (ArrayBuffer.isView(value)) return trueByteLength(value);
    return (value as { readonly byteLength?: unknown } | null)?.byteLength;
  } catch {
    // What inherits from an array of the language has a getter that refuses it.
    return undefined;
  }
}

/** The bytes behind a device pointer, where it knows them. */
export function roomOf(value: unknown): number | undefined {
  const length = ownLength(value);
  if (typeof length === 'number') return length;
  const array = cudaArrayOf(value);
  return array && extentOf(array);
}

/**
 * The address that a copy or a fill of `byteLength` bytes touches.
 *
 * @throws TypeError no device memory
 * @throws RangeError the memory is smaller
 */
export function deviceRange(value: unknown, byteLength: number, what: string): DevicePointer {
  const address = deviceAddress(value);
  if (address === undefined || address === 0n) {
    throw new TypeError(
      `${what} must be device memory (memAlloc, toDevice, a slice) or an address, got ${nameOf(value)}`,
    );
  }
  if (address < 0n || address > MAX_ADDRESS) throw new RangeError(`${what} is not an address: ${address}`);
  const room = roomOf(value);
  if (room !== undefined && byteLength > room) {
    throw new RangeError(`${what} has ${room} bytes; ${byteLength} were asked for`);
  }
  // A graph that is being captured keeps the memory of its copies.
  if (recording.active > 0) noteUse(value);
  return address as DevicePointer;
}
