import { createHash } from 'node:crypto';

/** What each file of the cache begins with. A change of the format is another header. */
export const HEADER: Buffer = Buffer.from('rawkernel-cache-2\n');
const DIGEST_BYTES = 32;
const MAX_PARTS = 1 << 16;

/** The bytes of an entry: header, digest of key and content, the parts' sizes as JSON in a line, the parts. */
export function packEntry(key: string, parts: readonly Uint8Array[]): Buffer {
  const sizes = Buffer.from(`${JSON.stringify(parts.map((part) => part.byteLength))}\n`);
  const body = Buffer.concat([sizes, ...parts]);
  return Buffer.concat([HEADER, digest(key, body), body]);
}

/** The parts of an entry; undefined for anything but what {@link packEntry} made for this key. */
export function unpackEntry(key: string, bytes: Buffer): Buffer[] | undefined {
  const start = HEADER.length + DIGEST_BYTES;
  if (bytes.length < start || !hasHeader(bytes)) return undefined;
  const body = bytes.subarray(start);
  if (!digest(key, body).equals(bytes.subarray(HEADER.length, start))) return undefined;
  const end = body.indexOf('\n');
  const sizes = end < 0 ? undefined : sizesIn(body.toString('latin1', 0, end));
  let at = end + 1;
  if (sizes?.reduce((sum, size) => sum + size, at) !== body.length) return undefined;
  return sizes.map((size) => body.subarray(at, (at += size)));
}

/** Whether a file begins as one of the cache does, or was cut off before that could be seen. */
export function hasHeader(bytes: Uint8Array): boolean {
  const length = Math.min(bytes.length, HEADER.length);
  return HEADER.subarray(0, length).equals(bytes.subarray(0, length));
}

/** A file under another key's name must not pass for that one. */
function digest(key: string, body: Uint8Array): Buffer {
  return createHash('sha256').update(`${key}\n`).update(body).digest();
}

/** A digest tells damage, not malice: an attacker can compute the digest of odd sizes. */
function sizesIn(line: string): readonly number[] | undefined {
  if (!/^\[(?:\d{1,15}(?:,\d{1,15})*)?\]$/.test(line)) return undefined;
  const sizes = JSON.parse(line) as number[];
  return sizes.length <= MAX_PARTS ? sizes : undefined;
}
