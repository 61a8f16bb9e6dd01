import { Word } from './control.ts';
import { locked } from './lock.ts';

const HEADER = 16;
const MIN = 32;
const BINS = 32;
/** Bins of addresses of free blocks, one for each power of two, before the first block. */
const BIN_BYTES = 4 * BINS;
const USED = 1;

/**
 * The heap of `malloc` and `free` in kernels: adjacent blocks in shared memory, each with a header that has its length
 * and the length of the block before. The whole state is in shared memory, so that every worker can use it.
 *
 * A header has 4 words: the bytes of this block including the header, with a bit for a used block; the bytes of the
 * block before; and, in a free block, the next and the previous free block of its bin.
 */
export class DeviceHeap {
  readonly #control: Int32Array;
  readonly #words: () => Uint32Array;

  /** @param words - returns the whole memory; called for each use, because memory grows */
  constructor(control: Int32Array, words: () => Uint32Array) {
    this.#control = control;
    this.#words = words;
  }

  /** Make the memory at an address an empty heap. No thread may use it meanwhile. */
  static prepare(control: Int32Array, words: Uint32Array, base: number, byteLength: number): void {
    const first = base + BIN_BYTES;
    const bytes = (byteLength - BIN_BYTES - HEADER) & -16;
    words.fill(0, base / 4, first / 4);
    const heap = new DeviceHeap(control, () => words);
    Atomics.store(control, Word.HEAP_LOCK, 0);
    Atomics.store(control, Word.HEAP_BASE, base);
    Atomics.store(control, Word.HEAP_BYTES, bytes);
    words[first / 4] = bytes;
    words[first / 4 + 1] = 0;
    // The end counts as a used block, so that no block needs a test for the limit.
    const end = (first + bytes) / 4;
    words[end] = USED;
    words[end + 1] = bytes;
    heap.#enter(words, base, first);
  }

  /** Whether no block is allocated. */
  get empty(): boolean {
    const base = Atomics.load(this.#control, Word.HEAP_BASE) >>> 0;
    return this.#words()[(base + BIN_BYTES) / 4] === Atomics.load(this.#control, Word.HEAP_BYTES);
  }

  /** Allocate: an address that is a multiple of 16, or 0 where there is no room. */
  allocate(byteLength: number): number {
    const bytes = Math.max(MIN, (byteLength + HEADER + 15) & -16);
    if (byteLength < 0 || byteLength > 0x7000_0000) return 0;
    return locked(this.#control, Word.HEAP_LOCK, () => {
      const words = this.#words();
      const base = Atomics.load(this.#control, Word.HEAP_BASE) >>> 0;
      if (base === 0) return 0;
      for (let bin = binOf(bytes); bin < BINS; bin++) {
        for (let at = words[base / 4 + bin] as number; at !== 0; at = words[at / 4 + 2] as number) {
          const room = words[at / 4] as number;
          if (room < bytes) continue;
          this.#leave(words, base, at);
          if (room - bytes >= MIN) this.#split(words, base, at, bytes);
          words[at / 4] = (words[at / 4] as number) | USED;
          return at + HEADER;
        }
      }
      return 0;
    });
  }

  /**
   * Free the block at an address. Other addresses are ignored, since a kernel may pass anything.
   *
   * @param before - called with the block's length before another thread can allocate it
   */
  release(address: number, before?: (byteLength: number) => void): void {
    if (address === 0) return;
    locked(this.#control, Word.HEAP_LOCK, () => {
      const words = this.#words();
      const base = Atomics.load(this.#control, Word.HEAP_BASE) >>> 0;
      const limit = base + BIN_BYTES + Atomics.load(this.#control, Word.HEAP_BYTES);
      let at = address - HEADER;
      if (address % 16 !== 0 || at < base + BIN_BYTES || at >= limit) return;
      const tagged = words[at / 4] as number;
      let bytes = tagged & ~USED;
      if ((tagged & USED) === 0 || bytes < MIN || at + bytes > limit) return;
      if (words[(at + bytes) / 4 + 1] !== bytes) return;
      before?.(bytes - HEADER);
      const after = at + bytes;
      const afterTag = words[after / 4] as number;
      if ((afterTag & USED) === 0) {
        this.#leave(words, base, after);
        bytes += afterTag;
      }
      const beforeBytes = words[at / 4 + 1] as number;
      if (beforeBytes !== 0 && ((words[(at - beforeBytes) / 4] as number) & USED) === 0) {
        at -= beforeBytes;
        this.#leave(words, base, at);
        bytes += beforeBytes;
      }
      words[at / 4] = bytes;
      words[(at + bytes) / 4 + 1] = bytes;
      this.#enter(words, base, at);
    });
  }

  #split(words: Uint32Array, base: number, at: number, bytes: number): void {
    const rest = at + bytes;
    const restBytes = (words[at / 4] as number) - bytes;
    words[at / 4] = bytes;
    words[rest / 4] = restBytes;
    words[rest / 4 + 1] = bytes;
    words[(rest + restBytes) / 4 + 1] = restBytes;
    this.#enter(words, base, rest);
  }

  #enter(words: Uint32Array, base: number, at: number): void {
    const head = base / 4 + binOf(words[at / 4] as number);
    const next = words[head] as number;
    words[at / 4 + 2] = next;
    words[at / 4 + 3] = 0;
    if (next !== 0) words[next / 4 + 3] = at;
    words[head] = at;
  }

  #leave(words: Uint32Array, base: number, at: number): void {
    const next = words[at / 4 + 2] as number;
    const last = words[at / 4 + 3] as number;
    if (next !== 0) words[next / 4 + 3] = last;
    if (last !== 0) words[last / 4 + 2] = next;
    else words[base / 4 + binOf(words[at / 4] as number)] = next;
  }
}

function binOf(bytes: number): number {
  return 31 - Math.clz32(bytes);
}
