import koffi from 'koffi';

// Linux alone: memfd_create(2), mmap(2), open(2). The numbers are those of x86-64 and 64-bit ARM.
const CLOSE_ON_EXEC = 1;
const OPEN_READ_WRITE = 0x8_0002;
const PROTECTION = 3;
const SHARED_FIXED = 0x11;
const PRIVATE_FIXED = 0x4032;

interface Calls {
  readonly memfd_create: (name: string, flags: number) => number;
  readonly ftruncate: (file: number, byteLength: number) => number;
  readonly open: (path: string, flags: number) => number;
  readonly close: (file: number) => number;
  readonly mmap: (
    address: bigint,
    byteLength: number,
    protection: number,
    flags: number,
    file: number,
    offset: number,
  ) => number | bigint;
}

let calls: Calls | undefined;

function load(): Calls | undefined {
  if (calls || process.platform !== 'linux') return calls;
  const { int, uint64, int64, str } = koffi.types;
  try {
    const library = koffi.load(null);
    calls = {
      memfd_create: library.func('memfd_create', int, [str, int]) as Calls['memfd_create'],
      ftruncate: library.func('ftruncate', int, [int, int64]) as Calls['ftruncate'],
      open: library.func('open', int, [str, int]) as Calls['open'],
      close: library.func('close', int, [int]) as Calls['close'],
      mmap: library.func('mmap', int64, [uint64, uint64, int, int, int, int64]) as Calls['mmap'],
    };
  } catch {
    // A C library without one of them.
  }
  return calls;
}

/** A new file that has no place in a folder; undefined where the system has none. Untouched parts of it take no memory. */
export function newMemoryFile(name: string, byteLength: number): number | undefined {
  const made = load();
  const file = made?.memfd_create(name, CLOSE_ON_EXEC) ?? -1;
  if (!made || file < 0) return undefined;
  if (made.ftruncate(file, byteLength) === 0) return file;
  made.close(file);
  return undefined;
}

/** Open a file to map it; undefined where that fails. */
export function openToMap(path: string): number | undefined {
  const file = load()?.open(path, OPEN_READ_WRITE) ?? -1;
  return file < 0 ? undefined : file;
}

export function closeMapped(file: number): void {
  load()?.close(file);
}

/**
 * Put a part of a file in the place of this process's memory. Other threads see the one or the other.
 *
 * @param address - a multiple of 64 KiB, as the other numbers; the memory must be mapped already
 * @returns whether it is there; else all is as before
 */
export function mapFile(address: bigint, byteLength: number, file: number, offset: number): boolean {
  return isMapped(load()?.mmap(address, byteLength, PROTECTION, SHARED_FIXED, file, offset));
}

/** Put zeros of this process alone in the place of a file. */
export function unmapFile(address: bigint, byteLength: number): boolean {
  return isMapped(load()?.mmap(address, byteLength, PROTECTION, PRIVATE_FIXED, -1, 0));
}

function isMapped(result: number | bigint | undefined): boolean {
  return result !== undefined && Number(result) !== -1;
}
