import { pause } from '../../core/pause.ts';
import { isAlive } from '../../core/process-life.ts';
import { milliseconds } from '../runtime/clock.ts';

/** Bytes of an event that several processes know. */
export const EVENT_BYTES = 1024;

/** The number of the record that counts, and the process that made it. */
const Header = { LATEST: 0, PROCESS: 1 } as const;
/** Records whose times are kept, eight bytes each, behind the header: a record waits for none that are older. */
const RECORDS: number = EVENT_BYTES / 8 - 1;

/**
 * An event in memory that several processes see. Each record has a time, which is 0 until the stream has come to it, so that
 * a record that is made meanwhile does not count as passed.
 */
export class SharedEvent {
  /** Its address in device memory. */
  readonly address: number;
  readonly #words: Int32Array;
  readonly #first: number;

  constructor(memory: SharedArrayBuffer, address: number) {
    this.address = address;
    this.#words = new Int32Array(memory);
    this.#first = address >>> 2;
  }

  #header(word: number): number {
    return Atomics.load(this.#words, this.#first + word);
  }

  /** Whether another process has made the latest record. */
  get isElsewhere(): boolean {
    return this.#header(Header.LATEST) !== 0 && this.process !== process.pid;
  }

  /** The process that made the latest record. */
  get process(): number {
    return this.#header(Header.PROCESS);
  }

  /** The word that is not 0 once the latest record has been passed. */
  get word(): number {
    // The upper half of a time is never 0.
    return this.#first + 2 * this.#header(Header.LATEST) + 1;
  }

  /** Whether the latest record has been passed. What a process that has ended would have done counts as done. */
  get isPast(): boolean {
    if (this.#header(Header.LATEST) === 0 || Atomics.load(this.#words, this.word) !== 0) return true;
    return !isAlive(this.process);
  }

  /** Forget all records. */
  reset(): void {
    Atomics.store(this.#words, this.#first + Header.LATEST, 0);
  }

  /** Make a new record the latest one: the address of its time. */
  begin(): number {
    const next = (this.#header(Header.LATEST) % RECORDS) + 1;
    const at = this.#first + 2 * next;
    Atomics.store(this.#words, at, 0);
    Atomics.store(this.#words, at + 1, 0);
    Atomics.store(this.#words, this.#first + Header.PROCESS, process.pid);
    Atomics.store(this.#words, this.#first + Header.LATEST, next);
    return 4 * at;
  }

  /** Sleep until the latest record has been passed. */
  wait(): void {
    const beganMs = milliseconds();
    while (!this.isPast) pause(milliseconds() - beganMs);
  }
}
