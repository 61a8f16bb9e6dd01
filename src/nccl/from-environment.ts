import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkInteger, checkOptions } from '../core/check.ts';
import { Context } from '../cuda/device/context.ts';
import { Device } from '../cuda/device/device.ts';
import { findLauncher, readLauncher } from '../job/environment.ts';
import type { Launcher } from '../job/launcher.ts';
import { meet } from '../job/meet.ts';
import type { StoreError } from '../job/errors.ts';
import { HOST_CLOSED } from '../job/link.ts';
import type { Store } from '../job/store.ts';
import type { CommunicatorState } from './communicator-state.ts';
import { checkLaunchBlocking } from './create.ts';
import { Exchange } from './exchange.ts';
import type { ReportStore } from './report-store.ts';
import { commonFacts, initialized, placeOf, type CommunicatorOptions } from './init.ts';
import { jobId } from './job-id.ts';
import { createUniqueId } from './unique-id.ts';

/** The options of {@link Communicator.fromEnvironment}. */
export interface EnvironmentOptions extends CommunicatorOptions {
  /** The ordinal of this rank's device; that of its local rank by default, or the only one. */
  readonly device?: number | undefined;
  /** Be the only rank of a job where no launcher has started this process, in the place of an error. */
  readonly alone?: boolean | undefined;
}

/** The place of a process that no launcher has started. */
const ALONE = { rank: 0, localRank: 0 } as const;

/** The job of this process: all of its communicators use one store. */
let job: Promise<Store> | undefined;
/** What hears of the end of its store. */
const lost = new Set<(error: StoreError) => void>();
/** How many communicators of the job were made: the ranks count alike. */
let made = 0;
/** The context of a device that was chosen here; it stays, as that of `autoinit` does. */
let kept: Context | undefined;

/** {@link Communicator.fromEnvironment}. */
export async function fromEnvironment(options: EnvironmentOptions): Promise<CommunicatorState> {
  const what = 'Communicator.fromEnvironment';
  checkOptions(options, ['config', 'name', 'timeoutMs', 'onTimeout', 'device', 'alone'], what);
  const launcher = options.alone === true ? findLauncher() : readLauncher();
  const common = commonFacts(options, what, 'exit');
  // The first time each of these steps takes milliseconds: they are not to add up.
  await nextTurn();
  const context = contextOf(options.device, launcher ?? ALONE, what);
  checkLaunchBlocking([context.device.ordinal], what);
  await nextTurn();
  const place = placeOf(context, what);
  if (launcher === undefined) {
    return initialized({ rank: 0, size: 1, ...place, ...common }, undefined, createUniqueId);
  }
  const key = `job${launcher.restart}.${made++}`;
  const { rank, size } = launcher;
  const store = await meetOnce(launcher, common.timeoutMs);
  await nextTurn();
  const exchange = await Exchange.open(reportStore(store, launcher), key, { rank, size, isJob: true });
  return initialized({ rank, size, ...place, ...common }, exchange, async () => {
    const id = await jobId(store, `nccl/${key}/id`, { rank, size, exchange, timeoutMs: common.timeoutMs });
    await nextTurn();
    return id;
  });
}

function meetOnce(launcher: Launcher, timeoutMs: number): Promise<Store> {
  job ??= meet(launcher, { timeoutMs }).then((store) => {
    store.onLost((error) => {
      for (const hear of [...lost]) hear(error);
    });
    // At the end of the program rank 0 waits for the others, whose store it has.
    process.once('beforeExit', () => {
      store.close().catch(() => undefined);
    });
    return store;
  });
  job.catch(() => (job = undefined));
  return job;
}

/** The store, and what its end means: under other launchers than ours rank 0 hosts it. */
function reportStore(store: Store, { hosted }: Launcher): ReportStore {
  const rankOf = (isClosed: boolean): number | undefined => (hosted || isClosed ? undefined : 0);
  return {
    rank: store.rank,
    set: (key, value) => store.set(key, value),
    deleteKey: (key) => store.deleteKey(key),
    subscribe: (prefix, listener) => store.subscribe(prefix, listener),
    onLeave: (listener) => store.onLeave(listener),
    onLost: (listener) => {
      const hear = (error: StoreError): void => listener(error.message, rankOf(error.cause === HOST_CLOSED));
      lost.add(hear);
      return { close: () => void lost.delete(hear) };
    },
    relay: (prefix) => {
      const relay = store.relay(prefix);
      return (
        relay && {
          take: () => {
            const note = relay.take();
            return note && 'lost' in note ? { lost: note.lost, rank: rankOf(note.isClosed) } : note;
          },
          set: (key, value) => relay.set(key, value),
          close: () => relay.close(),
        }
      );
    },
  };
}

function contextOf(
  asked: number | undefined,
  { rank, localRank }: Pick<Launcher, 'rank' | 'localRank'>,
  what: string,
): Context {
  const count = Device.count();
  if (asked !== undefined) checkInteger(asked, `${what}: device`, 0, count - 1);
  const ordinal = asked ?? (count === 1 ? 0 : localRank);
  if (ordinal >= count) {
    throw new RangeError(
      `${what}: rank ${rank} is local rank ${localRank}, but this machine shows ${count} devices; start at most one process a GPU, or check CUDA_VISIBLE_DEVICES`,
    );
  }
  const { current } = Context;
  if (current?.device.ordinal === ordinal && current.primary) return current;
  kept = new Context(new Device(ordinal));
  return kept;
}
