/** The polynomial of zip and gzip, lowest power first. */
const POLYNOMIAL = 0xedb88320;
/** Bytes that are taken at once: a table for each place among them. */
const STEP = 8;

let made: Uint32Array | undefined;

/** The CRC-32 that zip archives have, as a number from 0 to 2^32 - 1. */
export function crc32(bytes: Uint8Array): number {
  const table = (made ??= makeTables());
  const read = (place: number, byte: number): number => table[place * 256 + (byte & 0xff)] as number;
  const byteAt = (i: number): number => bytes[i] as number;
  let crc = -1;
  let i = 0;
  for (; i + STEP <= bytes.length; i += STEP) {
    const low = crc ^ (byteAt(i) | (byteAt(i + 1) << 8) | (byteAt(i + 2) << 16) | (byteAt(i + 3) << 24));
    crc =
      read(7, low) ^
      read(6, low >>> 8) ^
      read(5, low >>> 16) ^
      read(4, low >>> 24) ^
      read(3, byteAt(i + 4)) ^
      read(2, byteAt(i + 5)) ^
      read(1, byteAt(i + 6)) ^
      read(0, byteAt(i + 7));
  }
  for (; i < bytes.length; i++) crc = (crc >>> 8) ^ read(0, crc ^ byteAt(i));
  return ~crc >>> 0;
}

/** What a byte does to the CRC, with 0 to 7 bytes behind it. */
function makeTables(): Uint32Array {
  const table = new Uint32Array(STEP * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    table[byte] = crc;
  }
  for (let i = 256; i < table.length; i++) {
    const before = table[i - 256] as number;
    table[i] = (before >>> 8) ^ (table[before & 0xff] as number);
  }
  return table;
}
