import { checkOptions } from '../core/check.ts';
import { hostStore } from './host.ts';
import { isLoopback, listenAddress } from './address.ts';
import type { Launcher } from './launcher.ts';
import { Store } from './store.ts';

/** How the ranks of a job meet. */
export interface MeetOptions {
  /** The job's secret; `RAWKERNEL_JOB_TOKEN` by default. Ranks on several machines must have one. */
  readonly token?: string | undefined;
  /** Time for all to come, and the time limit of requests without one of their own; 300,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Rank 0: time that `close()` waits for other ranks that still use the store; 10,000 by default. */
  readonly lingerMs?: number | undefined;
}

const OPTIONS = ['token', 'timeoutMs', 'lingerMs'];
const DEFAULT_LINGER_MS = 10_000;

/**
 * Connect this rank with the store of its job. Rank 0 hosts the store, unless the launcher does.
 *
 * Host: does not block.
 *
 * @throws {@link StoreError} the address is taken, the store is not there in time, or it refuses this process
 */
export async function meet(launcher: Launcher, options: MeetOptions = {}): Promise<Store> {
  checkOptions(options, OPTIONS, 'meet');
  const { token, timeoutMs, lingerMs = DEFAULT_LINGER_MS } = options;
  const { rank, port, hosted } = launcher;
  const host = isOneMachine(launcher) && !hosted ? LOOPBACK : launcher.address;
  const client = { port, token, rank, timeoutMs };
  if (hosted || rank !== 0) return Store.connect({ ...client, host });
  const server = await hostStore({ host: listenAddress(host), port, token });
  try {
    return await Store.connectAnd({ ...client, host: isLoopback(host) ? host : LOOPBACK }, () =>
      server.close(lingerMs),
    );
  } catch (error) {
    await server.close();
    throw error;
  }
}

const LOOPBACK = '127.0.0.1';

/** Nothing needs to listen beyond the loopback then. */
function isOneMachine({ size, localSize }: Launcher): boolean {
  return size === 1 || size === localSize;
}
