import { formatMessage } from '../core/errors.ts';
import { StoreError } from '../job/errors.ts';
import type { Store } from '../job/store.ts';
import { NcclTimeoutError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { Alarm } from './exchange-notes.ts';
import { endText, reportHang } from './hang-report.ts';
import { createUniqueId, UniqueId } from './unique-id.ts';

/** A rank that waits for an id. */
interface Awaiting {
  readonly rank: number;
  readonly size: number;
  readonly exchange: Exchange;
  readonly timeoutMs: number;
}

/** How often it is asked whether a rank has gone. */
const LOOK_MS = 100;

/**
 * The id of a job's communicator, which rank 0 makes and puts into the store. Those that wait for it tell each other what they
 * know, as they do in the init that follows: the first one at its time limit ends the job, which the others are to explain as well.
 *
 * @param key - of the id in the store
 */
export async function jobId(
  store: Pick<Store, 'get' | 'set'>,
  key: string,
  { rank, size, exchange, timeoutMs }: Awaiting,
): Promise<UniqueId> {
  if (rank === 0) {
    const id = await createUniqueId();
    await store.set(key, id.toBytes());
    return id;
  }
  const over = new AbortController();
  let end: Alarm = { timeoutMs };
  const give = (alarm: Alarm): void => {
    end = alarm;
    over.abort();
  };
  exchange.onAlarm(give);
  const timer = setInterval(() => {
    if (exchange.isBroken) give({ timeoutMs: undefined });
  }, LOOK_MS);
  try {
    return UniqueId.fromBytes(await store.get(key, { timeoutMs, signal: over.signal }));
  } catch (error) {
    const isLate = error instanceof StoreError && error.code === 'ERR_RAWKERNEL_STORE_TIMEOUT';
    if (!isLate && !over.signal.aborted) throw error;
    throw await lateError(exchange, end, `rank ${rank} of ${size}`);
  } finally {
    clearInterval(timer);
  }
}

async function lateError(exchange: Exchange, { timeoutMs }: Alarm, here: string): Promise<NcclTimeoutError> {
  const report = reportHang(await exchange.gather(timeoutMs), timeoutMs, exchange.lost);
  const headline = `init ${endText(timeoutMs)}`;
  const text = formatMessage({ headline, reason: report.lines.join('\n'), facts: { here } });
  return new NcclTimeoutError(text, 'ncclGetUniqueId', report);
}
