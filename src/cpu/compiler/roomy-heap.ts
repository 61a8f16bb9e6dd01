import { ByteReader } from './wasm/byte-reader.ts';

/** The parts of an instance's memory, as addresses: the stack from 0, data, the heap, pages for the adapter. */
export interface MemoryParts {
  /** The end of the stack, which grows towards 0. */
  readonly stackEnd: number;
  /** The end of the data: the memory's size in the file. */
  readonly dataEnd: number;
  /**
   * The end of the heap that an instance has from the start. The adapter's pages follow: the first one begins with the
   * number of the next page that it gets.
   */
  readonly heapEnd: number;
  readonly end: number;
}

export const PAGE: number = 1 << 16;
/** Enough for kernels of some hundred lines; others get more as before. A page costs nothing until it is written. */
const HEAP_PAGES = 512;
/** The adapter takes two, for a stack and for its state. */
const ADAPTER_PAGES = 4;
/**
 * The one core that is known: its size, and how often its `malloc` names the end of the heap (as wasi-libc's dlmalloc
 * does where it first sets its heap up). `malloc` is one of the first functions.
 */
const CORE = { bytes: 75_532_134, names: 4, window: 1 << 20 };
const Section = { MEMORY: 5, GLOBAL: 6, EXPORT: 7, CODE: 10 } as const;
const I32_CONST = 0x41;
const NOP = 0x01;
/** What the core exports: a memory and a function with the number 37, to which the stack's pointer is added. */
const EXPORTS = Buffer.from('\x02\x06memory\x02\x00\x06_start\x00\x25', 'latin1');
const MORE_EXPORTS = Buffer.from('\x03\x06memory\x02\x00\x01s\x00\x25\x02sp\x03\x00', 'latin1');
/** Their names. */
export const Exported = { MEMORY: 'memory', START: 's', STACK_POINTER: 'sp' } as const;
/**
 * In the adapter of WASI's versions, the end of the function that gets it a page: `new_size == 65536` must hold, then
 * `memory.grow(1)`, unless that is -1, times 65536.
 */
const GROWTH = Buffer.from('418080042003470440000b410140002204417f460440000b20044110740b', 'hex');

/**
 * Change the code of the tools' core, in place, so that an instance can be used again: it starts with a larger heap, since
 * a memory that has grown stays large, and exports its stack's pointer, which has a wrong value after an exit.
 *
 * @returns undefined for any other code, which stays as it is
 */
export function makeHeapRoomy(bytes: Uint8Array): MemoryParts | undefined {
  if (bytes.length !== CORE.bytes) return undefined;
  const found = sectionsOf(bytes);
  const memory = found.get(Section.MEMORY);
  const global = found.get(Section.GLOBAL);
  const exported = found.get(Section.EXPORT);
  const code = found.get(Section.CODE);
  if (!memory || !global || !exported || !code) return undefined;
  const exportedAt = bytes.subarray(exported.at, exported.end);
  memory.skip(2); // one memory, with a maximum
  const sizeAt = memory.at;
  const pages = memory.leb();
  global.skip(4); // one variable, the stack's pointer: i32, mutable, i32.const
  const heapPages = pages + HEAP_PAGES;
  const parts = {
    ...{ stackEnd: global.signed(), dataEnd: pages * PAGE },
    ...{ heapEnd: heapPages * PAGE, end: (heapPages + ADAPTER_PAGES) * PAGE },
  };
  const heapEnd = Buffer.from([I32_CONST, ...padded(parts.dataEnd, 5)]);
  const window = Buffer.from(bytes.buffer, bytes.byteOffset + code.at, CORE.window);
  const names = placesOf(window, heapEnd);
  if (memory.at - sizeAt !== 2 || names.length !== CORE.names || !EXPORTS.equals(exportedAt)) return undefined;
  exportedAt.set(MORE_EXPORTS);
  bytes.set(padded(heapPages + ADAPTER_PAGES, 2), sizeAt);
  for (const name of names) window.set(padded(parts.heapEnd, 5), name + 1);
  return parts;
}

/**
 * Change the code of the adapter, in place, so that it takes pages behind the heap instead of letting the memory grow. Any
 * other code stays as it is.
 */
export function keepAdapterIn(bytes: Uint8Array, { heapEnd }: MemoryParts): void {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(GROWTH);
  if (at < 0) return;
  const next = padded(heapEnd, 4);
  const own = [
    ...[0x41, 0, 0x41, 0, 0x28, 2, ...next, 0x22, 4], // page = load(next)
    ...[0x41, 1, 0x6a, 0x36, 2, ...next], // store(next, page + 1)
    ...[0x20, 4, 0x41, 16, 0x74, 0x0b], // page << 16
  ];
  bytes.set([...Array.from({ length: GROWTH.length - own.length }, () => NOP), ...own], at);
}

/** A number of 7 bits a byte, with as many bytes as the linker left room for. */
function padded(value: number, length: number): number[] {
  return Array.from({ length }, (_, i) => ((value >> (7 * i)) & 0x7f) | (i < length - 1 ? 0x80 : 0));
}

function sectionsOf(bytes: Uint8Array): Map<number, ByteReader> {
  const found = new Map<number, ByteReader>();
  const module = new ByteReader(bytes, 8);
  while (!module.done) {
    const id = module.byte();
    found.set(id, module.part(module.leb()));
  }
  return found;
}

function placesOf(code: Buffer, pattern: Buffer): number[] {
  const places: number[] = [];
  for (let at = code.indexOf(pattern); at >= 0; at = code.indexOf(pattern, at + 1)) places.push(at);
  return places;
}
