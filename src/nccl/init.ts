import { isNameIn } from '../core/choice.ts';
import { checkGiven, checkInteger, checkOptions, nameOf } from '../core/check.ts';
import { handleOf } from '../core/resource.ts';
import { Context } from '../cuda/device/context.ts';
import { Device } from '../cuda/device/device.ts';
import { MAX_TIMEOUT_MS } from './call-arguments.ts';
import type { CommunicatorFacts, CommunicatorState, OnTimeout } from './communicator-state.ts';
import { configBytes, type CommunicatorConfig } from './config.ts';
import { checkLaunchBlocking, checkPrimary, initialize } from './create.ts';
import { NcclTimeoutError } from './errors.ts';
import { Exchange } from './exchange.ts';
import type { ReportStore } from './report-store.ts';
import { createUniqueId, UniqueId } from './unique-id.ts';
import { requireNccl } from './call.ts';

/** The options of all ways to make a communicator. */
export interface CommunicatorOptions {
  readonly config?: CommunicatorConfig | undefined;
  /** The name in NCCL's log and in reports. */
  readonly name?: string | undefined;
  /** The time limit of calls, and of this one; 600,000 by default, as in torch. */
  readonly timeoutMs?: number | undefined;
  /** What a time-out does besides rejecting; `'abort'` by default, `'exit'` for {@link Communicator.fromEnvironment}. */
  readonly onTimeout?: OnTimeout | undefined;
}

/** The options of {@link Communicator.init}. */
export interface InitOptions extends CommunicatorOptions {
  /** This rank, 0 to size - 1. */
  readonly rank: number;
  /** The number of ranks. */
  readonly size: number;
  /** What all ranks have. */
  readonly id: UniqueId;
  /** The primary context of this rank's device; the current context by default. */
  readonly context?: Context | undefined;
  /** Where ranks tell each other at a time-out what they are at. {@link Communicator.fromEnvironment} has the job's. */
  readonly store?: ReportStore | undefined;
}

/** The options of {@link Communicator.initAll}. */
export interface InitAllOptions extends CommunicatorOptions {
  /** What all ranks have; made here by default. */
  readonly id?: UniqueId | undefined;
}

/** As in torch. */
const DEFAULT_TIMEOUT_MS = 600_000;
const MAX_SIZE = 2 ** 24;
const COMMON = ['config', 'name', 'timeoutMs', 'onTimeout'];
const ON_TIMEOUT: Readonly<Record<OnTimeout, OnTimeout>> = { abort: 'abort', exit: 'exit', report: 'report' };

/** What the common options say. */
export function commonFacts(
  options: CommunicatorOptions,
  what: string,
  onTimeout: OnTimeout,
): Pick<CommunicatorFacts, 'name' | 'timeoutMs' | 'onTimeout' | 'config'> {
  requireNccl();
  const { config, name } = options;
  const chosen: unknown = options.onTimeout ?? onTimeout;
  if (!isNameIn(ON_TIMEOUT, chosen)) {
    throw new TypeError(`${what}: onTimeout must be 'abort', 'exit' or 'report', got ${nameOf(chosen)}`);
  }
  return {
    name,
    timeoutMs: checkInteger(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, `${what}: timeoutMs`, 1, MAX_TIMEOUT_MS),
    onTimeout: chosen,
    config: configBytes(config, name, what),
  };
}

/** {@link Communicator.init}. */
export async function initRank(options: InitOptions): Promise<CommunicatorState> {
  const what = 'Communicator.init';
  checkGiven(options, ['rank', 'size', 'id', 'context', 'store', ...COMMON], what);
  const size = checkInteger(options.size, `${what}: size`, 1, MAX_SIZE);
  const rank = checkInteger(options.rank, `${what}: rank`, 0, size - 1);
  const id = checkId(options.id, what);
  const facts = {
    rank,
    size,
    ...placeOf(options.context ?? currentContext(what), what),
    ...commonFacts(options, what, 'abort'),
  };
  checkLaunchBlocking([facts.context.device.ordinal], what);
  const key = Buffer.from(id.toBytes()).toString('base64url');
  const exchange = options.store && (await Exchange.open(options.store, key, { rank, size }));
  return initialized(facts, exchange, () => id);
}

/** The same once all is checked. What has said that it came says that it has gone. */
export async function initialized(
  facts: CommunicatorFacts,
  exchange: Exchange | undefined,
  idOf: () => UniqueId | Promise<UniqueId>,
): Promise<CommunicatorState> {
  try {
    const [state] = await initialize([{ facts, exchange }], await idOf(), facts.timeoutMs);
    return state as CommunicatorState;
  } catch (error) {
    // A rank that is late has said so.
    exchange?.close(error instanceof NcclTimeoutError ? undefined : 'failed');
    throw error;
  }
}

/** {@link Communicator.initAll}. */
export async function initAll(
  devices: readonly (Device | Context | number)[],
  options: InitAllOptions,
): Promise<CommunicatorState[]> {
  const what = 'Communicator.initAll';
  checkOptions(options, ['id', ...COMMON], what);
  if (!Array.isArray(devices) || devices.length === 0) {
    throw new TypeError(
      `${what}: devices must be an array of devices, got ${Array.isArray(devices) ? 'an empty one' : nameOf(devices)}`,
    );
  }
  const ordinals = devices.map((device: unknown) => ordinalOf(device, what));
  const twice = ordinals.find((ordinal, i) => ordinals.indexOf(ordinal) !== i);
  if (twice !== undefined) {
    throw new RangeError(
      `${what}: devices must be different ones, got device ${twice} twice: NCCL wants a GPU for each rank`,
    );
  }
  checkLaunchBlocking(ordinals, what);
  const common = commonFacts(options, what, 'abort');
  const id = options.id === undefined ? await createUniqueId() : checkId(options.id, what);
  const contexts = openContexts(devices);
  try {
    const ranks = contexts.map(({ context, ownsContext }, rank) => {
      const facts = { rank, size: devices.length, ...placeOf(context, what), ...common, ownsContext };
      return { facts, exchange: undefined };
    });
    return await initialize(ranks, id, common.timeoutMs);
  } catch (error) {
    for (const { context, ownsContext } of contexts) if (ownsContext) context.close();
    throw error;
  }
}

function openContexts(
  devices: readonly (Device | Context | number)[],
): readonly { readonly context: Context; readonly ownsContext: boolean }[] {
  const before = Context.current;
  const opened: { readonly context: Context; readonly ownsContext: boolean }[] = [];
  try {
    for (const device of devices) {
      if (device instanceof Context) opened.push({ context: device, ownsContext: false });
      else opened.push(openContext(typeof device === 'number' ? new Device(device) : device, before));
    }
  } catch (error) {
    for (const { context, ownsContext } of opened) if (ownsContext) context.close();
    throw error;
  } finally {
    before?.makeCurrent();
  }
  return opened;
}

/** That of a device: the current one if it is its, since two objects of one context would close it for each other. */
function openContext(
  device: Device,
  current: Context | undefined,
): { readonly context: Context; readonly ownsContext: boolean } {
  if (current?.primary === true && current.device.ordinal === device.ordinal) {
    return { context: current, ownsContext: false };
  }
  return { context: new Context(device), ownsContext: true };
}

function ordinalOf(device: unknown, what: string): number {
  if (device instanceof Context) return device.device.ordinal;
  if (device instanceof Device) return device.ordinal;
  if (typeof device === 'number') return new Device(device).ordinal;
  throw new TypeError(`${what}: a device must be a Device, its number or a Context, got ${nameOf(device)}`);
}

/** A communicator's context, which is a primary one. */
export function placeOf(
  context: Context,
  what: string,
): Pick<CommunicatorFacts, 'context' | 'contextHandle' | 'ownsContext'> {
  if (!(context instanceof Context)) throw new TypeError(`${what}: context must be a Context, got ${nameOf(context)}`);
  const contextHandle = handleOf(context, what);
  checkPrimary(context, contextHandle, what);
  return { context, contextHandle, ownsContext: false };
}

function currentContext(what: string): Context {
  const { current } = Context;
  if (current !== undefined) return current;
  throw new TypeError(
    `${what}: no context is current; write import 'rawkernel/cuda/autoinit' first, make one with new Context(device), or give { context }`,
  );
}

function checkId(id: unknown, what: string): UniqueId {
  if (id instanceof UniqueId) return id;
  throw new TypeError(
    `${what}: id must be a UniqueId, got ${nameOf(id)}; the other ranks make it with UniqueId.fromBytes(bytes)`,
  );
}
