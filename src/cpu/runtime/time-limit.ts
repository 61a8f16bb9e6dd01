import { milliseconds } from './clock.ts';
import { Kind, Slot, slotBase } from './control.ts';
import type { CommandQueue } from './queue.ts';

/** How long a kernel may run. */
export class TimeLimit {
  readonly #queue: CommandQueue;
  readonly #limitMs: number;
  #seen = 0;
  #since = 0;

  /** @param limitMs - the limit in milliseconds; 0 for none */
  constructor(queue: CommandQueue, limitMs: number) {
    this.#queue = queue;
    this.#limitMs = limitMs;
  }

  /** Called before a command is enqueued. */
  start(): void {
    if (this.#limitMs > 0 && this.#queue.idle) this.#look();
  }

  /** Whether the kernel that runs has run for too long. */
  get exceeded(): boolean {
    const queue = this.#queue;
    if (this.#limitMs === 0 || queue.idle) return false;
    const { control } = queue;
    const base = slotBase(queue.current);
    // A command that no worker has taken is not running: the workers may still be starting.
    const running = Atomics.load(control, base + Slot.NEXT) !== 0;
    if (running && this.#seen === queue.current) {
      return milliseconds() - this.#since > this.#limitMs && control[base + Slot.KIND] === Kind.LAUNCH;
    }
    this.#look();
    return false;
  }

  #look(): void {
    this.#seen = this.#queue.current;
    this.#since = milliseconds();
  }
}
