import type { Uses } from '../queue/uses.ts';

/** What an allocation is to the driver. */
export interface SVMState {
  /** 0n where nothing was allocated. */
  readonly address: bigint;
  readonly uses: Uses;
  /** Freed by a command: there is nothing to free any more. */
  freed: boolean;
  /** The host's at present. */
  mapped: boolean;
}
