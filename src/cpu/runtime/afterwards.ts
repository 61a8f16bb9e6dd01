import type { CommandQueue } from './queue.ts';

/** Functions to call when all present commands have finished. */
export class Afterwards {
  readonly #queue: CommandQueue;
  readonly #waiting: { readonly sequence: number; readonly run: () => void }[] = [];

  constructor(queue: CommandQueue) {
    this.#queue = queue;
  }

  /** Call a function after all present commands; at once for an idle queue. */
  add(run: () => void): void {
    if (this.#queue.idle) run();
    else this.#waiting.push({ sequence: (this.#queue.next - 1) | 0, run });
  }

  /** Call the functions whose commands have finished. */
  collect(): void {
    for (let first = this.#waiting[0]; first && this.#queue.doneUpTo(first.sequence); first = this.#waiting[0]) {
      this.#waiting.shift();
      first.run();
    }
  }
}
