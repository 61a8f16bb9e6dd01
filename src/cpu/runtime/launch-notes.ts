import { hostTrace, type HostTrace } from '../../core/host-place.ts';

/** The note of a launch of checked code, for reports. */
export interface LaunchNote {
  /** The packed arguments. */
  readonly args: Uint8Array;
  readonly host: HostTrace;
}

/** Notes of the latest launches, by the offset of their words in the control block. */
export class LaunchNotes {
  readonly #notes = new Map<number, LaunchNote>();

  /** @param host - the program's call that enqueued the launch. Default: the present call */
  add(command: number, args: Uint8Array, host: HostTrace | undefined): void {
    this.#notes.set(command, { args: args.slice(), host: host ?? hostTrace() });
  }

  of(command: number): LaunchNote | undefined {
    return this.#notes.get(command);
  }
}
