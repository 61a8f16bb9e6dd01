import type { CommandQueue } from './queue.ts';
import { SLOTS } from './control.ts';

const ALIGNMENT = 16;

/**
 * A ring of space for the data of commands: packed arguments, and bytes on their way to the device. The space of a
 * command is free again when the command has finished.
 */
export class ArgumentRing {
  readonly #queue: CommandQueue;
  readonly #base: number;
  readonly #size: number;
  /** Where each command's space ends, by the command's number; counted on over all rounds. */
  readonly #ends = new Float64Array(SLOTS);
  #head = 0;
  #tail = 0;
  /** The oldest command whose space is still in use. */
  #oldest: number;

  constructor(queue: CommandQueue, base: number, size: number) {
    this.#queue = queue;
    this.#base = base;
    this.#size = size;
    this.#oldest = queue.next;
  }

  /** The most bytes that one command can have. */
  get most(): number {
    return this.#size >>> 1;
  }

  /** Space for the command that comes next; may wait for older ones. Called once for each command, after `reserve`. */
  take(byteLength: number): number {
    const size = (byteLength + ALIGNMENT - 1) & -ALIGNMENT;
    const at = this.#head % this.#size;
    // Not around the end: a command's bytes lie in a row.
    if (at + size > this.#size) this.#head += this.#size - at;
    while (this.#head + size - this.#tail > this.#size) this.#takeBack();
    const address = this.#base + (this.#head % this.#size);
    this.#head += size;
    const next = this.#queue.next;
    // A command's place in the list is taken again before the list is full.
    while (((next - this.#oldest) | 0) >= SLOTS) this.#takeBack();
    this.#ends[next & (SLOTS - 1)] = this.#head;
    return address;
  }

  #takeBack(): void {
    const oldest = this.#oldest;
    if (oldest === this.#queue.next) {
      this.#tail = this.#head;
      return;
    }
    if (!this.#queue.done(oldest)) this.#queue.wait(oldest);
    this.#tail = Math.max(this.#tail, this.#ends[oldest & (SLOTS - 1)] as number);
    this.#oldest = (oldest + 1) | 0;
  }
}
