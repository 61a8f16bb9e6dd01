/** Keys and values that all ranks of a communicator see, such as the store of a job. */
export interface ReportStore {
  set(key: string, value: string): Promise<void>;
  deleteKey(key: string): Promise<unknown>;
  /** Hear of each key that begins with a prefix, of those that are there first. */
  subscribe(prefix: string, listener: (key: string, value: Uint8Array | undefined) => void): Promise<{ close(): void }>;
  /** Hear of ranks of the job that leave, and why. */
  onLeave(listener: (rank: number, reason: string) => void): Promise<{ close(): void }>;
  /**
   * Hear that the store is gone, so that ranks can no longer tell each other anything: why, and the rank of the job that has
   * taken it along by its death.
   */
  onLost?(listener: (reason: string, rank: number | undefined) => void): { close(): void };
  /** This process's rank in the job. */
  readonly rank: number | undefined;
  /**
   * Reach the same keys while the event loop stands still; undefined where that cannot be done. Without it a rank that waits for
   * the device in a call that blocks tells nothing, and hears nothing.
   */
  relay?(prefix: string): ReportRelay | undefined;
}

/** A {@link ReportStore} for a thread whose event loop stands still. No call of it blocks. */
export interface ReportRelay {
  /** What it has heard next; undefined: nothing more by now. */
  take(): ReportNote | undefined;
  set(key: string, value: string): void;
  close(): void;
}

/** A change of a key (undefined: deleted), a rank of the job that leaves, or the end of the store with the rank that took it along. */
export type ReportNote =
  | { readonly key: string; readonly value: Uint8Array | undefined }
  | { readonly rank: number; readonly left: string }
  | { readonly lost: string; readonly rank: number | undefined };
