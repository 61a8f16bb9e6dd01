import type { CpuStream } from './objects.ts';

/** The captures of streams, for commands that are not the driver's own. */
export interface Capturing {
  readonly isCapturing: (streams: readonly CpuStream[]) => boolean;
  /** Record a node that waits for all of these streams, and that their next nodes wait for: a status. */
  readonly record: (streams: readonly CpuStream[], type: number, step: (on: CpuStream) => number) => number;
}
