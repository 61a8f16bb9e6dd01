import type { Uses } from '../queue/uses.ts';

/** The state of an allocation. */
export interface SVMState {
  /** 0n where nothing was allocated. */
  readonly address: bigint;
  readonly uses: Uses;
  /** Whether a command frees the memory: the handle must not free it again. */
  freed: boolean;
  /** Whether the memory is mapped for the host. */
  mapped: boolean;
}
