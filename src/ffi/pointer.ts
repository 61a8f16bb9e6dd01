import { hostExtent } from '../core/host-extent.ts';
import { viewOf } from './memory.ts';

/** What a pointer argument is given as: an array or its address; 0n for NULL. */
export type Pointer = bigint | ArrayBufferView | ArrayBufferLike;

/** The bytes behind a pointer argument; `byteLength` of them where only the address is known, none behind NULL. */
export function bytesAt(pointer: Pointer, byteLength: number): Uint8Array {
  if (typeof pointer === 'bigint') return new Uint8Array(pointer === 0n ? [] : viewOf(pointer, byteLength));
  const { buffer, byteOffset, byteLength: length } = hostExtent(pointer);
  return new Uint8Array(buffer, byteOffset, length);
}

/** An array of 64-bit numbers behind a pointer: sizes, handles, addresses. */
export function widesAt(pointer: Pointer, count: number): BigUint64Array {
  const bytes = bytesAt(pointer, 8 * count).subarray(0, 8 * count);
  return new BigUint64Array(bytes.slice().buffer);
}

/** A list of pairs of a name and a value that a 0 ends; undefined for NULL. Values beyond `most` pairs are not read. */
export function propertiesAt(pointer: Pointer, most = 32): bigint[] | undefined {
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

/** Write an int or unsigned int; nothing where the pointer is NULL. */
export function putInt(out: Pointer, value: number): 0 {
  if (out === 0n) return 0;
  const bytes = bytesAt(out, 4);
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).setInt32(0, value, true);
  return 0;
}
