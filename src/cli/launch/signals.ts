import { constants } from 'node:os';
import { SIGNALS } from '../watch.ts';

/** This process's signals, for the attempt that runs. Between attempts, one ends the launcher. */
export class Signals {
  #listener: ((signal: NodeJS.Signals, count: number) => void) | undefined;
  #count = 0;
  readonly #hear = (signal: NodeJS.Signals): void => {
    this.#count++;
    if (this.#listener) this.#listener(signal, this.#count);
    else process.exit(128 + constants.signals[signal]);
  };

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#hear);
  }

  /** Send signals to a listener, with how many have come. */
  listen(listener: ((signal: NodeJS.Signals, count: number) => void) | undefined): void {
    this.#listener = listener;
  }

  close(): void {
    for (const signal of SIGNALS) process.off(signal, this.#hear);
  }
}
