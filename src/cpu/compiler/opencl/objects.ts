const MARK = new TextEncoder().encode('RKCLO-01');

/** A compiled source that waits to be linked, as a binary. */
export function encodeObject(text: string): Uint8Array {
  const body = new TextEncoder().encode(text);
  const bytes = new Uint8Array(MARK.length + body.length);
  bytes.set(MARK);
  bytes.set(body, MARK.length);
  return bytes;
}

/** The module's text in an object of {@link encodeObject}; undefined for other bytes. */
export function decodeObject(bytes: Uint8Array): string | undefined {
  return MARK.every((byte, i) => bytes[i] === byte) ? new TextDecoder().decode(bytes.subarray(MARK.length)) : undefined;
}
