import { MAX_16, MAX_32, SIGNATURES, SIZES, ZIP64_FIELD, type ZipDirectory, type ZipEntry } from './zip-record.ts';

/** Begins the messages about archives whose records contradict each other. */
const DAMAGED = 'The .npz file is damaged';

/**
 * The members of a zip archive, in the central directory's order. Nothing of them was read but that.
 *
 * @throws SyntaxError it is no archive, of several disks, or damaged
 */
export function readZipDirectory(file: Uint8Array): readonly ZipEntry[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const directory = findDirectory(view);
  const entries: ZipEntry[] = [];
  const end = directory.offset + directory.size;
  let at = directory.offset;
  while (at < end) {
    const next = entryEnd(view, at, end);
    entries.push(readEntry(file, view, at));
    at = next;
  }
  if (entries.length !== directory.count) {
    throw new SyntaxError(`${DAMAGED}: its directory must have ${directory.count} members, got ${entries.length}`);
  }
  checkApart(entries, directory.offset);
  return entries;
}

/**
 * The bytes of a member as they are stored, the archive's own memory.
 *
 * @param what - the member's name in a message
 * @throws SyntaxError they are not where the directory says
 */
export function storedBytes(file: Uint8Array, entry: ZipEntry, what: string): Uint8Array {
  const { offset, compressedSize, name } = entry;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const found = offset + SIZES.local <= file.length ? view.getUint32(offset, true) : undefined;
  if (found !== SIGNATURES.local) throw new SyntaxError(`${what} is damaged: there is no header at byte ${offset}`);
  const nameAt = offset + SIZES.local;
  const nameEnd = nameAt + view.getUint16(offset + 26, true);
  const there = file.subarray(nameAt, nameEnd);
  if (there.length !== name.length || name.some((byte, i) => there[i] !== byte)) {
    throw new SyntaxError(`${what} is damaged: its header at byte ${offset} has another name`);
  }
  const start = nameEnd + view.getUint16(offset + 28, true);
  if (start + compressedSize > file.length) {
    const left = Math.max(0, file.length - start);
    throw new SyntaxError(`${what} is cut off: ${compressedSize} bytes wanted, ${left} there`);
  }
  return file.subarray(start, start + compressedSize);
}

/** Where the end record says that the directory is, within the file. */
function findDirectory(view: DataView): ZipDirectory {
  const end = findEnd(view);
  if (end === undefined) {
    throw new SyntaxError(
      'It is not an .npz file: it does not end as a zip archive does; one that is cut off does not',
    );
  }
  const has = [view.getUint16(end + 4, true), view.getUint16(end + 6, true), view.getUint16(end + 8, true)];
  const narrow = {
    count: view.getUint16(end + 10, true),
    size: view.getUint32(end + 12, true),
    offset: view.getUint32(end + 16, true),
  };
  const isWide = has.includes(MAX_16) || narrow.count === MAX_16 || narrow.size === MAX_32 || narrow.offset === MAX_32;
  const wide = isWide ? readWide(view, end) : undefined;
  const { count, size, offset } = wide ?? narrow;
  const [disk = 0, first = 0, onDisk = 0] = wide?.disks ?? has;
  if (disk !== 0 || first !== 0 || onDisk !== count) {
    throw new SyntaxError('The .npz file must be one whole archive, got a part of one that is on several disks');
  }
  const limit = wide?.at ?? end;
  if (offset + size > limit) {
    throw new SyntaxError(`${DAMAGED}: its directory of ${size} bytes at ${offset} must end before byte ${limit}`);
  }
  return { count, size, offset };
}

/** Where the end record begins: the last one whose comment goes to the end of the file. */
function findEnd(view: DataView): number | undefined {
  const last = view.byteLength - SIZES.end;
  for (let at = last; at >= 0 && at >= last - MAX_16; at--) {
    if (view.getUint32(at, true) !== SIGNATURES.end) continue;
    if (at + SIZES.end + view.getUint16(at + 20, true) === view.byteLength) return at;
  }
  return undefined;
}

/** The end record of zip64, which a locator before the other one points to; undefined where there is none. */
function readWide(
  view: DataView,
  end: number,
): (ZipDirectory & { readonly at: number; readonly disks: readonly number[] }) | undefined {
  const locator = end - SIZES.locator64;
  if (locator < 0 || view.getUint32(locator, true) !== SIGNATURES.locator64) return undefined;
  const at = readU64(view, locator + 8);
  if (at + SIZES.end64 > locator || view.getUint32(at, true) !== SIGNATURES.end64) {
    throw new SyntaxError(`${DAMAGED}: there is no zip64 end record at byte ${at}`);
  }
  return {
    at,
    disks: [view.getUint32(at + 16, true), view.getUint32(at + 20, true), readU64(view, at + 24)],
    count: readU64(view, at + 32),
    size: readU64(view, at + 40),
    offset: readU64(view, at + 48),
  };
}

/** Where a record of the directory ends, if it is one. */
function entryEnd(view: DataView, at: number, end: number): number {
  if (at + SIZES.central <= end && view.getUint32(at, true) === SIGNATURES.central) {
    const parts = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    const next = parts.reduce((sum, length) => sum + length, at + SIZES.central);
    if (next <= end) return next;
  }
  throw new SyntaxError(`${DAMAGED}: its directory has no whole record at byte ${at}`);
}

function readEntry(file: Uint8Array, view: DataView, at: number): ZipEntry {
  const nameAt = at + SIZES.central;
  const extraAt = nameAt + view.getUint16(at + 28, true);
  const extraEnd = extraAt + view.getUint16(at + 30, true);
  const narrow = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)];
  const [size, compressedSize, offset] = widened(view, narrow, extraAt, extraEnd) as [number, number, number];
  return {
    name: file.subarray(nameAt, extraAt),
    flags: view.getUint16(at + 8, true),
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    size,
    compressedSize,
    offset,
  };
}

/** Numbers with those that did not fit in 32 bits taken from the zip64 field, where there is one. */
function widened(view: DataView, narrow: readonly number[], from: number, end: number): readonly number[] {
  if (!narrow.includes(MAX_32)) return narrow;
  for (let at = from; at + 4 <= end;) {
    const start = at + 4;
    const next = start + view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === ZIP64_FIELD && next <= end) {
      let field = start;
      return narrow.map((number) => {
        if (number !== MAX_32 || field + 8 > next) return number;
        field += 8;
        return readU64(view, field - 8);
      });
    }
    at = next;
  }
  return narrow;
}

/** Members that share bytes would let a small archive have any size. */
function checkApart(entries: readonly ZipEntry[], directory: number): void {
  const sorted = [...entries].sort((a, b) => a.offset - b.offset);
  for (const [i, { offset, name, compressedSize }] of sorted.entries()) {
    const end = offset + SIZES.local + name.length + compressedSize;
    const limit = sorted[i + 1]?.offset ?? directory;
    if (end > limit) {
      throw new SyntaxError(
        `${DAMAGED}: a member at byte ${offset} must end before byte ${limit}, got an end of ${end}`,
      );
    }
  }
}

/** A number of 64 bits; rounded where it is far above any size of a file. */
function readU64(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}
