import type { CpuStream } from '../driver/objects.ts';
import type { DriverState } from '../driver/state.ts';
import type { CpuComm } from './communicator.ts';
import type { Operation } from './messages.ts';
import type { ProgressClient } from './progress-client.ts';

/** Operations of one communicator that begin together. */
export interface Batch {
  readonly comm: CpuComm;
  readonly operations: Operation[];
  readonly streams: Set<CpuStream>;
}

/** What the start of a batch asks of its thread. */
export interface BatchScope {
  readonly state: DriverState;
  readonly comms: Map<number, CpuComm>;
  readonly progress: ProgressClient;
  /** Note what is wrong, and answer with a status. */
  readonly say: (status: number, text: string) => number;
}
