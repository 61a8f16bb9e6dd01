import { LOOPBACK, NONCE_BYTES } from './hello.ts';
import type { RootAddress } from './messages.ts';

const MAGIC = 'rkncclid';
const ID_BYTES = 128;
const ADDRESS_AT = 8;
const PORT_AT = 12;
const NONCE_AT = 16;

/** An `ncclUniqueId`: where its ranks meet, and what they show there. */
export function encodeId({ port, nonce }: RootAddress): Uint8Array {
  const bytes = Buffer.alloc(ID_BYTES);
  bytes.write(MAGIC, 'latin1');
  bytes.set(LOOPBACK.split('.').map(Number), ADDRESS_AT);
  bytes.writeUInt16LE(port, PORT_AT);
  bytes.set(nonce, NONCE_AT);
  return bytes;
}

/** Undefined for bytes that are no id of the embedded device. */
export function decodeId(id: Uint8Array): RootAddress | undefined {
  const bytes = Buffer.from(id);
  const port = bytes.length >= ID_BYTES ? bytes.readUInt16LE(PORT_AT) : 0;
  if (port === 0 || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  return { port, nonce: new Uint8Array(bytes.subarray(NONCE_AT, NONCE_AT + NONCE_BYTES)) };
}
