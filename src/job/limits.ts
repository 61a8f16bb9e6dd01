import type { TableLimits } from './key-table.ts';

/** What a store's server allows. The defaults are far above what jobs need; tests have smaller ones. */
export interface StoreLimits extends TableLimits {
  /** Time for a client to prove the token. */
  readonly handshakeMs: number;
  /** Connections that have not proved it; a further one ends the oldest. */
  readonly maxHandshakes: number;
  readonly maxClients: number;
  /** Keys that one client waits for, and its subscriptions. */
  readonly maxWaits: number;
  /** Unsent bytes of one client above which none of its requests is read. */
  readonly chokeBytes: number;
  /** Unsent bytes of one client that end its connection. */
  readonly maxUnsentBytes: number;
  /** Time for a client to read what it was sent. */
  readonly stallMs: number;
}

export const DEFAULT_LIMITS: StoreLimits = {
  maxKeys: 100_000,
  maxBytes: 256 * 2 ** 20,
  handshakeMs: 10_000,
  maxHandshakes: 256,
  maxClients: 4096,
  maxWaits: 16_384,
  chokeBytes: 2 ** 20,
  maxUnsentBytes: 64 * 2 ** 20,
  stallMs: 30_000,
};
