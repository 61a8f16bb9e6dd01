import type { Engine } from '../runtime/engine.ts';

const BYTES = 16;
const AT_ONCE = 256;

/** Places in device memory where the engine writes when a command started and ended. */
export class TimeCells {
  readonly #engineOf: () => Engine;
  readonly #free: number[] = [];

  constructor(engineOf: () => Engine) {
    this.#engineOf = engineOf;
  }

  /** The device address of two time stamps; undefined when there is no memory. */
  take(): number | undefined {
    if (this.#free.length === 0) {
      const base = this.#engineOf().memory.allocate(BYTES * AT_ONCE);
      if (base === undefined) return undefined;
      for (let i = AT_ONCE - 1; i >= 0; i--) this.#free.push(base + BYTES * i);
    }
    return this.#free.pop();
  }

  /** Start and end in milliseconds. */
  read(cells: number): [started: number, ended: number] {
    const { view } = this.#engineOf().memory;
    return [view.getFloat64(cells, true), view.getFloat64(cells + 8, true)];
  }

  give(cells: number): void {
    this.#free.push(cells);
  }
}
