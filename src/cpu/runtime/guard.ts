import { GAP } from './allocator.ts';

/** The addresses of the checked mode's tables; check.h of the runtime library has the same numbers. */
export const GUARD: {
  /** Device memory ends here. */
  readonly LIMIT: number;
  readonly SHADOW: number;
  readonly RECORDS: number;
  /** The threads of a block that accessed a word last; only kernels use it. */
  readonly THREAD_RECORDS: number;
  /** Records of lines, whose words were accessed alike: see check-lines.h of the runtime library. */
  readonly LINES: number;
  readonly THREAD_LINES: number;
  /** The tables end here. */
  readonly END: number;
} = {
  ...{ LIMIT: 0x3000_0000, SHADOW: 0x3000_0000, RECORDS: 0x3300_0000, THREAD_RECORDS: 0x9345_5540 },
  ...{ LINES: 0xf380_0000, THREAD_LINES: 0xf995_5540, END: 0xffa0_0000 },
};

/** Values of a shadow byte for 16 bytes of memory; other values are the number of bytes that exist. */
const Granule = { NONE: 0, FREED: -1, PRIVATE: 48, SHARED: 80 } as const;
const GRANULE = 16;
const WORD = 4;
const LINE_WORDS = 16;
const LINE = WORD * LINE_WORDS;
/** The state of a line's record while a thread gives its words their own records. */
const BUSY = 1n << 10n;
/** Of the record of a line's threads: the first thread, and the power of two of the words of each thread. */
const WHO_SHIFT = 8n;
const POWER = 15n;
/** Of the record of a word: the bytes that were written. */
const INIT = 15;
/** The record of a word that the host has written: all bytes are written, without an access of a kernel. */
const WRITTEN = 0xffn;

/** The threads that may use a piece of memory. */
export type Use =
  /** All blocks, in any order. */
  | 'global'
  /** One thread, or only the runtime. */
  | 'private'
  /** The threads of one block. */
  | 'shared'
  /** The threads that allocate parts of it from the kernel heap. */
  | 'heap';

/**
 * The tables of checked kernels: the shadow, which tells the bytes that exist, and the records, which tell the bytes
 * that were ever written. The records are optional.
 */
export class MemoryGuard {
  readonly #shadow: Int8Array<SharedArrayBuffer>;
  readonly #records: BigUint64Array<SharedArrayBuffer>;
  readonly #lines: BigUint64Array<SharedArrayBuffer>;
  readonly #threadLines: BigUint64Array<SharedArrayBuffer>;
  readonly #buffer: SharedArrayBuffer;
  /** Record writes and their threads. */
  records: boolean;

  /** @param buffer - the whole memory, at its final size */
  constructor(buffer: SharedArrayBuffer, records: boolean) {
    this.records = records;
    this.#shadow = new Int8Array(buffer, GUARD.SHADOW, GUARD.LIMIT / GRANULE);
    this.#records = new BigUint64Array(buffer, GUARD.RECORDS, GUARD.LIMIT / WORD);
    this.#lines = new BigUint64Array(buffer, GUARD.LINES, GUARD.LIMIT / LINE);
    this.#threadLines = new BigUint64Array(buffer, GUARD.THREAD_LINES, GUARD.LIMIT / LINE);
    this.#buffer = buffer;
  }

  /** Note an allocation; the bytes behind it up to `end` stay unallocated. */
  give(address: number, byteLength: number, use: Use, end: number = address + byteLength): void {
    const first = address / GRANULE;
    const full = Math.floor((address + byteLength) / GRANULE);
    const rest = byteLength % GRANULE;
    const last = Math.ceil(end / GRANULE);
    if (use === 'heap') {
      this.hide(address, end - address);
      return;
    }
    this.#shadow.fill(use === 'global' ? GRANULE : use === 'private' ? Granule.PRIVATE : Granule.SHARED, first, full);
    if (full < last) this.#shadow.fill(Granule.NONE, full, last);
    // Only behind an allocation of the device there is room for what is known of it: check-whole.h has the place.
    if (this.records && end > address + byteLength)
      this.#threadLines[(Math.ceil((address + byteLength) / GAP) * GAP) / LINE] = 0n;
    if (rest > 0) this.#shadow[full] = use === 'global' ? rest : use === 'private' ? Granule.PRIVATE : 64 + rest;
  }

  /** Note that a piece of memory was freed. */
  take(address: number, byteLength: number): void {
    this.#shadow.fill(Granule.FREED, address / GRANULE, Math.ceil((address + byteLength) / GRANULE));
    this.forget(address, byteLength);
  }

  /** Note that no access to a piece of memory is allowed. */
  hide(address: number, byteLength: number): void {
    this.#shadow.fill(Granule.NONE, address / GRANULE, Math.ceil((address + byteLength) / GRANULE));
  }

  /** Clear the records of a piece of memory, which then counts as never written. */
  forget(address: number, byteLength: number): void {
    if (!this.records) return;
    this.#spread(address, byteLength);
    this.#records.fill(0n, Math.floor(address / WORD), Math.ceil((address + byteLength) / WORD));
  }

  /** Clear the accesses of kernels in the records of a piece of memory, but keep the written bytes. */
  forgetKernels(address: number, byteLength: number): void {
    if (!this.records) return;
    for (let line = Math.floor(address / LINE); line * LINE < address + byteLength; line++) this.#spreadLine(line);
    const last = Math.ceil((address + byteLength) / WORD);
    for (let word = Math.floor(address / WORD); word < last; word++) {
      const record = this.#records[word] as bigint;
      if (record > WRITTEN) this.#records[word] = record & WRITTEN;
    }
  }

  /** Note a write of the host. */
  write(address: number, byteLength: number): void {
    if (!this.records || byteLength <= 0) return;
    this.#spread(address, byteLength);
    const end = address + byteLength;
    const first = Math.ceil(address / WORD);
    const last = Math.floor(end / WORD);
    if (first < last) this.#records.fill(WRITTEN, first, last);
    for (let at = address; at < Math.min(first * WORD, end); at++) this.#mark(at);
    for (let at = Math.max(last * WORD, address, first * WORD); at < end; at++) this.#mark(at);
  }

  /** Copy the records of copied bytes. */
  copy(to: number, from: number, byteLength: number): void {
    if (!this.records || byteLength <= 0) return;
    if (to % WORD === 0 && from % WORD === 0 && byteLength % WORD === 0) {
      for (let line = Math.floor(from / LINE); line * LINE < from + byteLength; line++) this.#spreadLine(line);
      this.#spread(to, byteLength);
      // What counted as written may not be any more.
      if (!this.#isWritten(from, byteLength)) Atomics.add(this.#threadLines, 0, 1n);
      this.#records.copyWithin(to / WORD, from / WORD, (from + byteLength) / WORD);
    } else this.write(to, byteLength);
  }

  /** Whether all words of a piece of memory were written, by their own records. */
  #isWritten(address: number, byteLength: number): boolean {
    const low = new Uint32Array(this.#buffer, GUARD.RECORDS + (address / WORD) * 8, (byteLength / WORD) * 2);
    for (let i = 0; i < low.length; i += 2) if (((low[i] as number) & INIT) !== INIT) return false;
    return true;
  }

  /**
   * Called before all words of a piece of memory get other records. Words outside of it, in lines at its ends, keep
   * theirs.
   */
  #spread(address: number, byteLength: number): void {
    const end = address + byteLength;
    const first = Math.ceil(address / LINE);
    const last = Math.floor(end / LINE);
    if (address % LINE !== 0) this.#spreadLine(first - 1);
    if (end % LINE !== 0) this.#spreadLine(last);
    if (first < last) this.#lines.fill(0n, first, last);
  }

  /** Give the words of a line their own records again. A kernel may do the same at the same time. */
  #spreadLine(line: number): void {
    let was = Atomics.load(this.#lines, line);
    while (was !== 0n) {
      const found = was === BUSY ? BUSY : Atomics.compareExchange(this.#lines, line, was, BUSY);
      if (found === was && was !== BUSY) break;
      was = Atomics.load(this.#lines, line);
    }
    if (was === 0n) return;
    this.#records.fill(was, line * LINE_WORDS, (line + 1) * LINE_WORDS);
    const first = this.#threadLines[line] as bigint;
    const threads = new BigUint64Array(this.#buffer, GUARD.THREAD_RECORDS + line * LINE_WORDS * 8, LINE_WORDS);
    const power = first & POWER;
    for (let i = 0; i < LINE_WORDS; i++) threads[i] = (first | POWER) + ((BigInt(i) >> power) << WHO_SHIFT);
    Atomics.store(this.#lines, line, 0n);
  }

  #mark(address: number): void {
    const word = Math.floor(address / WORD);
    this.#records[word] = (this.#records[word] as bigint) | (1n << BigInt(address % WORD));
  }
}
