import { addressOf } from '../../ffi/memory.ts';
import { bytesAt, putInt, type Pointer } from '../../ffi/pointer.ts';

export { bytesAt, putInt };

/** An out-parameter: an array or an address; 0n (NULL) for an unwanted one. */
export type Out = Pointer;

const texts = new Map<string, readonly [bytes: Uint8Array, address: bigint]>();

function viewAt(out: Out, byteLength: number): DataView {
  const bytes = bytesAt(out, byteLength);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Write a pointer, a handle or a size. */
export function putWide(out: Out, value: bigint | number): 0 {
  if (out !== 0n) viewAt(out, 8).setBigUint64(0, BigInt(value), true);
  return 0;
}

export function putFloat(out: Out, value: number): 0 {
  viewAt(out, 4).setFloat32(0, value, true);
  return 0;
}

/** Write text with its NUL, cut to the room. */
export function putText(out: Out, text: string, room: number): 0 {
  const bytes = bytesAt(out, room);
  const most = Math.min(room, bytes.length);
  const encoded = new TextEncoder().encode(text).subarray(0, Math.max(0, most - 1));
  bytes.set(encoded);
  if (most > 0) bytes[encoded.length] = 0;
  return 0;
}

/** The address of a text that stays valid for the life of the process. */
export function textAddress(text: string): bigint {
  let known = texts.get(text);
  if (!known) {
    const bytes = new TextEncoder().encode(`${text}\0`);
    known = [bytes, addressOf(bytes)];
    texts.set(text, known);
  }
  return known[1];
}
