/** One member of a zip archive, as the central directory has it. */
export interface ZipEntry {
  /** The name as it is stored. */
  readonly name: Uint8Array;
  readonly flags: number;
  /** How it is compressed: {@link STORED}, {@link DEFLATED}, or what is not read here. */
  readonly method: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Where its local header begins. */
  readonly offset: number;
}

/** Where the central directory is. */
export interface ZipDirectory {
  readonly count: number;
  readonly size: number;
  readonly offset: number;
}

export const STORED = 0;
export const DEFLATED = 8;
/** The flag of names in UTF-8. */
export const UTF8_NAME = 0x800;

/** The records' first four bytes. */
export const SIGNATURES = {
  local: 0x04034b50,
  central: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
} as const;

/** The records' sizes in bytes, without names, extra fields and comments. */
export const SIZES = { local: 30, central: 46, end: 22, end64: 56, locator64: 20 } as const;

/** What stands in a field whose number is in the zip64 record. */
export const MAX_32 = 0xffff_ffff;
export const MAX_16 = 0xffff;
/** The extra field with sizes of 64 bits. */
export const ZIP64_FIELD = 1;

/** The versions that a reader must know: with folders and deflate, and with zip64. */
const VERSION = 20;
const VERSION_64 = 45;
/** The first day that there is, so that equal members make equal archives. */
const DAY = (1 << 5) | 1;

/** The bytes before a member's data. */
export function localHeader(entry: ZipEntry): Uint8Array {
  // Both sizes or none: so the format wants it here.
  const isWide = entry.size >= MAX_32 || entry.compressedSize >= MAX_32;
  const wide = isWide ? [entry.size, entry.compressedSize] : [];
  const record = new RecordWriter(SIZES.local + entry.name.length + extraSize(wide));
  record.u32(SIGNATURES.local);
  writeFacts(record, entry, isWide, isWide);
  record.u16(entry.name.length);
  record.u16(extraSize(wide));
  record.bytes(entry.name);
  writeExtra(record, wide);
  return record.target;
}

/** A member's record in the central directory. */
export function centralHeader(entry: ZipEntry): Uint8Array {
  const wide = [entry.size, entry.compressedSize, entry.offset].filter((number) => number >= MAX_32);
  const record = new RecordWriter(SIZES.central + entry.name.length + extraSize(wide));
  const isWide = wide.length > 0;
  record.u32(SIGNATURES.central);
  record.u16(isWide ? VERSION_64 : VERSION);
  writeFacts(record, entry, isWide, false);
  record.u16(entry.name.length);
  record.u16(extraSize(wide));
  record.u16(0); // the comment
  record.u16(0); // the disk
  record.u16(0);
  record.u32(0); // the attributes
  record.u32(Math.min(entry.offset, MAX_32));
  record.bytes(entry.name);
  writeExtra(record, wide);
  return record.target;
}

/** The bytes behind the central directory, with the records of zip64 where its numbers need them. */
export function endRecords({ count, size, offset }: ZipDirectory): Uint8Array {
  const isWide = count >= MAX_16 || size >= MAX_32 || offset >= MAX_32;
  const record = new RecordWriter(SIZES.end + (isWide ? SIZES.end64 + SIZES.locator64 : 0));
  if (isWide) {
    record.u32(SIGNATURES.end64);
    record.u64(SIZES.end64 - 12); // without these first fields
    record.u16(VERSION_64);
    record.u16(VERSION_64);
    record.u32(0); // the disks
    record.u32(0);
    record.u64(count);
    record.u64(count);
    record.u64(size);
    record.u64(offset);
    record.u32(SIGNATURES.locator64);
    record.u32(0);
    record.u64(offset + size);
    record.u32(1); // one disk
  }
  record.u32(SIGNATURES.end);
  record.u16(0);
  record.u16(0);
  record.u16(Math.min(count, MAX_16));
  record.u16(Math.min(count, MAX_16));
  record.u32(Math.min(size, MAX_32));
  record.u32(Math.min(offset, MAX_32));
  record.u16(0); // the comment
  return record.target;
}

/** What a local header and a central one have in common. */
function writeFacts(record: RecordWriter, entry: ZipEntry, isWide: boolean, areBothWide: boolean): void {
  const size = (number: number): number => (areBothWide ? MAX_32 : Math.min(number, MAX_32));
  record.u16(isWide ? VERSION_64 : VERSION);
  record.u16(entry.flags);
  record.u16(entry.method);
  record.u16(0); // midnight
  record.u16(DAY);
  record.u32(entry.crc);
  record.u32(size(entry.compressedSize));
  record.u32(size(entry.size));
}

function extraSize(wide: readonly number[]): number {
  return wide.length === 0 ? 0 : 4 + 8 * wide.length;
}

function writeExtra(record: RecordWriter, wide: readonly number[]): void {
  if (wide.length === 0) return;
  record.u16(ZIP64_FIELD);
  record.u16(8 * wide.length);
  for (const number of wide) record.u64(number);
}

/** Writes little-endian fields one after the other. */
class RecordWriter {
  readonly target: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(byteLength: number) {
    const buffer = new ArrayBuffer(byteLength);
    this.target = new Uint8Array(buffer);
    this.#view = new DataView(buffer);
  }

  u16(value: number): void {
    this.#view.setUint16(this.#at, value, true);
    this.#at += 2;
  }

  u32(value: number): void {
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  u64(value: number): void {
    this.#view.setBigUint64(this.#at, BigInt(value), true);
    this.#at += 8;
  }

  bytes(value: Uint8Array): void {
    this.target.set(value, this.#at);
    this.#at += value.length;
  }
}
