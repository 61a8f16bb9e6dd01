import { checkGiven, checkInteger, nameOf } from '../core/check.ts';
import { readFlag } from '../core/choice.ts';
import { hostPlace, type HostTrace } from '../core/host-place.ts';
import { take } from '../ffi/slot.ts';
import { begin, nc, requireRoutine } from './call.ts';
import { submit } from './call-queue.ts';
import { Cell } from './cell.ts';
import type { CommunicatorFacts, CommunicatorState, Waiting } from './communicator-state.ts';
import { configBytes, type CommunicatorConfig, type ConfigBytes } from './config.ts';
import { listenTo, settled, stateOf, waitApart } from './create.ts';
import { Exchange } from './exchange.ts';
import { beLate, forgive } from './hang.ts';
import { NcclTimeoutError } from './errors.ts';
import { slotOf } from './slots.ts';
import { ShrinkFlags, SPLIT_NOCOLOR } from './sys/enums.ts';
import type { Opaque } from '../ffi/ctype.ts';

/** What a communicator that is made of another one takes over unless it is given. */
interface ChildOptions {
  /** This communicator's by default. */
  readonly config?: CommunicatorConfig | undefined;
  /** The name in NCCL's log and in reports. */
  readonly name?: string | undefined;
}

/** The options of {@link Communicator.split}. */
export interface SplitOptions extends ChildOptions {
  /** Ranks with the same color belong together; null: this rank joins none. */
  readonly color: number | null;
  /** The order of the ranks in the new communicator; this rank by default. */
  readonly key?: number | undefined;
}

/** The options of {@link Communicator.shrink}. */
export interface ShrinkOptions extends ChildOptions {
  /** The ranks that are left out, which do not call it. */
  readonly exclude: readonly number[];
  /** End the calls that are in flight first, such as those that wait for a rank that has died. */
  readonly abort?: boolean | undefined;
}

const MAX_INT = 0x7fff_ffff;
const intSlot = slotOf('int');

/** {@link Communicator.split}. */
export async function split(
  parent: CommunicatorState,
  options: SplitOptions,
  trace: HostTrace,
): Promise<CommunicatorState | undefined> {
  const what = 'Communicator.split';
  checkGiven(options, ['color', 'key', 'config', 'name'], what);
  const { color, key = parent.facts.rank } = options;
  if ((color as unknown) === undefined)
    throw new TypeError(`${what}: color must be given: an integer >= 0, or null for no communicator`);
  const number = color === null ? SPLIT_NOCOLOR : checkInteger(color, `${what}: color`, 0, MAX_INT);
  const order = checkInteger(key, `${what}: key`, -MAX_INT, MAX_INT);
  const name = `split${parent.children++}.${color}`;
  const waiting = waitingOf('split', 'ncclCommSplit', trace);
  return child(parent, options, what, waiting, name, (config, out) =>
    begin('ncclCommSplit', parent.raw, number, order, out, config),
  );
}

/** {@link Communicator.shrink}. */
export async function shrink(
  parent: CommunicatorState,
  options: ShrinkOptions,
  trace: HostTrace,
): Promise<CommunicatorState> {
  const what = 'Communicator.shrink';
  checkGiven(options, ['exclude', 'abort', 'config', 'name'], what);
  requireRoutine('ncclCommShrink');
  const isAborting = readFlag(options.abort, `${what}: abort`);
  // Calls that hang are why ranks are left out.
  if (isAborting && parent.failure instanceof NcclTimeoutError && !parent.isAborted) forgive(parent);
  parent.checkUsable('shrink');
  const ranks = Int32Array.from(checkExcluded(options.exclude, parent, what));
  const flags = isAborting ? ShrinkFlags.ABORT : ShrinkFlags.DEFAULT;
  const name = `shrink${parent.children++}`;
  const waiting = waitingOf('shrink', 'ncclCommShrink', trace);
  const state = await child(parent, options, what, waiting, name, (config, out) =>
    begin('ncclCommShrink', parent.raw, ranks, ranks.length, out, config, flags),
  );
  return state as CommunicatorState;
}

function waitingOf(name: string, routine: string, trace: HostTrace): Waiting {
  const place = hostPlace(trace);
  return { text: place === undefined ? name : `${name} (${place})`, routine };
}

function checkExcluded(exclude: unknown, { facts }: CommunicatorState, what: string): readonly number[] {
  if (!Array.isArray(exclude) || exclude.length === 0) {
    throw new TypeError(
      `${what}: exclude must be an array of ranks, got ${Array.isArray(exclude) ? 'an empty one' : nameOf(exclude)}`,
    );
  }
  const ranks = exclude.map((rank: unknown) => checkInteger(rank, `${what}: exclude`, 0, facts.size - 1));
  if (ranks.includes(facts.rank)) {
    throw new RangeError(
      `${what}: exclude must not have ${facts.rank}, this rank: the ranks that are left out do not call shrink()`,
    );
  }
  return ranks;
}

/** Make a communicator of another one. NCCL writes it once all ranks have come. */
async function child(
  parent: CommunicatorState,
  { config: given, name }: ChildOptions,
  what: string,
  waiting: Waiting,
  key: string,
  start: (config: DataView | bigint, out: bigint) => void,
): Promise<CommunicatorState | undefined> {
  const config = given === undefined && name === undefined ? undefined : configBytes(given, name, what);
  const cell = new Cell();
  const { text, routine } = waiting;
  parent.waiting = waiting;
  parent.exchange?.wait(text);
  try {
    await submit({
      states: [parent],
      routine,
      timeoutMs: parent.facts.timeoutMs,
      start: () => parent.inContext(() => start(config?.bytes ?? 0n, cell.address)),
      late: (timeoutMs) => beLate(parent, timeoutMs),
    });
  } finally {
    parent.waiting = undefined;
    parent.exchange?.wait(undefined);
  }
  return cell.wide === 0n ? undefined : adopt(parent, cell.wide, config, name, key);
}

async function adopt(
  parent: CommunicatorState,
  raw: bigint,
  config: ConfigBytes | undefined,
  name: string | undefined,
  key: string,
): Promise<CommunicatorState> {
  const comm = raw as Opaque<'ncclComm_t'>;
  nc.ncclCommUserRank(comm, intSlot);
  const rank = take(intSlot);
  nc.ncclCommCount(comm, intSlot);
  const size = take(intSlot);
  // What NCCL reads of the parent's config it reads for as long as the child lives.
  const facts: CommunicatorFacts = {
    ...parent.facts,
    rank,
    size,
    name,
    config: config ?? parent.facts.config,
    ownsContext: false,
  };
  const state = stateOf(raw, facts, undefined, { text: 'split', routine: 'ncclCommSplit' });
  try {
    await waitApart({
      states: [state],
      routine: 'ncclCommSplit',
      timeoutMs: facts.timeoutMs,
      start: () => undefined,
      late: (timeoutMs) => beLate(state, timeoutMs),
    });
    if (parent.exchange) {
      listenTo(await Exchange.open(parent.exchange.store, parent.exchange.childKey(key), { rank, size }), state);
    }
  } catch (error) {
    state.fail(error as Error);
    state.handle.release();
    throw error;
  }
  settled(state);
  return state;
}
