import { addressOf } from '../../ffi/memory.ts';
import { bytesAt, propertiesAt, widesAt } from '../../ffi/pointer.ts';
import type { Out } from '../abi/out.ts';

export { propertiesAt, widesAt };

/** The address that a pointer argument stands for. */
export function addressAt(pointer: Out): bigint {
  return typeof pointer === 'bigint' ? pointer : addressOf(pointer);
}

/** An array of size_t behind a pointer. */
export function sizesAt(pointer: Out, count: number): number[] {
  return Array.from(widesAt(pointer, count), Number);
}

/** Three sizes behind a pointer: x, y, z. Undefined for NULL. */
export function extentAt(pointer: Out): readonly [number, number, number] | undefined {
  if (pointer === 0n) return undefined;
  const [x, y, z] = sizesAt(pointer, 3);
  return z === undefined ? undefined : [x ?? 0, y ?? 0, z];
}

/** On some versions of Node, a larger view ends the process. */
const MAX_BYTES = 2 ** 32;

/** The host memory that a command reads or writes; undefined where the array is shorter. */
export function hostBytes(pointer: Out, byteLength: number): Uint8Array | undefined {
  if (byteLength > MAX_BYTES) return undefined;
  const bytes = bytesAt(pointer, byteLength);
  return bytes.length < byteLength ? undefined : bytes.subarray(0, byteLength);
}
