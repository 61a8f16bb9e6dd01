import { addressOf } from '../../ffi/memory.ts';
import { bytesAt, type Out } from '../driver/out.ts';

/** The address that a pointer argument stands for. */
export function addressAt(pointer: Out): bigint {
  return typeof pointer === 'bigint' ? pointer : addressOf(pointer);
}

/** An array of 64-bit numbers behind a pointer: sizes, handles, addresses. */
export function widesAt(pointer: Out, count: number): BigUint64Array {
  const bytes = bytesAt(pointer, 8 * count).subarray(0, 8 * count);
  return new BigUint64Array(bytes.slice().buffer);
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

/** A list of pairs of a name and a value that a 0 ends; undefined for NULL. Values beyond `most` pairs are not read. */
export function propertiesAt(pointer: Out, most = 32): bigint[] | undefined {
  if (pointer === 0n) return undefined;
  if (typeof pointer !== 'bigint') return upToEnd([...widesAt(pointer, bytesAt(pointer, 0).length >>> 3)]);
  const list: bigint[] = [];
  for (let i = 0; i <= 2 * most; i += 2) {
    const [name = 0n] = widesAt(pointer + BigInt(8 * i), 1);
    if (name === 0n) return [...list, 0n];
    list.push(name, ...widesAt(pointer + BigInt(8 * (i + 1)), 1));
  }
  return list;
}

function upToEnd(list: readonly bigint[]): bigint[] {
  for (let i = 0; i < list.length; i += 2) if (list[i] === 0n) return [...list.slice(0, i), 0n];
  return [...list];
}

/** The bytes of what a command reads or writes in host memory, or undefined where the array is shorter. */
export function hostBytes(pointer: Out, byteLength: number): Uint8Array | undefined {
  const bytes = bytesAt(pointer, byteLength);
  return bytes.length < byteLength ? undefined : bytes.subarray(0, byteLength);
}
