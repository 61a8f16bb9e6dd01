import { setTimeout as sleep } from 'node:timers/promises';
import { Handle } from '../core/handle.ts';
import { checkInteger, checkOptions, nameOf } from '../core/check.ts';
import { Resource } from '../core/resource.ts';
import type { Opaque } from '../ffi/ctype.ts';
import { bits, record, uintAt } from './answer.ts';
import { cleanup, nv } from './call.ts';
import { Device } from './device.ts';
import { FoundDevice } from './find-device.ts';
import { bitNamesIn, type BitNamesOf } from './names.ts';
import { EventType, status } from './sys/enums.ts';
import { structs } from './sys/structs.ts';

type RawSet = Opaque<'nvmlEventSet_t'>;

/** What can happen to a device. */
export type EventName = BitNamesOf<typeof EventType>;

/** Something that has happened. */
export interface NvmlEvent {
  readonly device: Device;
  readonly type: EventName | 'unknown';
  /** The number of the driver's Xid message, for `'xidCriticalError'`; 999 where it is not known. */
  readonly xid: number | undefined;
  /** On a device in MIG mode: the parts that it happened to. */
  readonly gpuInstanceId: number | undefined;
  readonly computeInstanceId: number | undefined;
}

/** How to wait for an event without blocking. */
export interface NextEventOptions {
  /** Give up after so many milliseconds. Without it, never. */
  readonly timeoutMs?: number | undefined;
  /** How often to look, in milliseconds; 50 by default. */
  readonly intervalMs?: number | undefined;
  /** Stops the waiting: the promise is rejected. */
  readonly signal?: AbortSignal | undefined;
}

const [TIMEOUT] = status.NVML_ERROR_TIMEOUT;
// Timers and poll(2) take a longer time for another.
const MAX_MS = 0x7fff_ffff;
const INTERVAL_MS = 50;

/**
 * Events of devices, collected until they are waited for. The driver has them on Linux only.
 *
 * @example
 * ```ts
 * import { Device, EventSet } from 'rawkernel/nvml';
 *
 * const device = new Device(0);
 * using events = new EventSet();
 * if (device.supportedEvents.includes('xidCriticalError')) {
 *   events.register(device, ['xidCriticalError']);
 *   console.log(await events.next({ timeoutMs: 100 })); // undefined: nothing has happened
 * }
 * ```
 * @see {@link https://docs.nvidia.com/deploy/nvml-api/group__nvmlEvents.html | Event handling}
 */
export class EventSet extends Resource<RawSet> {
  /**
   * Make an empty set.
   *
   * @throws {@link NvmlError} the driver has no events
   */
  constructor() {
    super(create());
  }

  /**
   * Collect these events of a device from now on. Host: does not block.
   *
   * @returns the set itself
   * @throws {@link NvmlError} NVML_ERROR_NOT_SUPPORTED: the device has none of a type; see {@link Device.supportedEvents}
   */
  register(device: Device, types: readonly EventName[]): this {
    const set = this.use('register');
    if (!(device instanceof Device)) throw new TypeError(`EventSet.register takes a Device, got ${nameOf(device)}`);
    nv.nvmlDeviceRegisterEvents(device.raw, bitsOf(types), set);
    return this;
  }

  /**
   * Wait for the next event.
   *
   * Host: blocks, and nothing else in this thread runs meanwhile. {@link EventSet.next} does not.
   *
   * @returns undefined after the timeout; an interrupt of the GPU may end the waiting sooner
   */
  wait(timeoutMs: number): NvmlEvent | undefined {
    return this.#take(checkInteger(timeoutMs, 'EventSet.wait: timeoutMs', 0, MAX_MS), 'wait');
  }

  /**
   * Wait for the next event without blocking: looks now and then, and keeps the process alive meanwhile.
   *
   * @returns undefined after the timeout
   */
  async next(options: NextEventOptions = {}): Promise<NvmlEvent | undefined> {
    checkOptions(options, ['timeoutMs', 'intervalMs', 'signal'], 'EventSet.next');
    const { timeoutMs, signal } = options;
    const interval = checkInteger(options.intervalMs ?? INTERVAL_MS, 'EventSet.next: intervalMs', 1, MAX_MS);
    const most = timeoutMs === undefined ? Infinity : checkInteger(timeoutMs, 'EventSet.next: timeoutMs');
    if (signal !== undefined && !(signal instanceof AbortSignal)) {
      throw new TypeError(`EventSet.next: signal must be an AbortSignal, got ${nameOf(signal)}`);
    }
    const start = performance.now();
    for (;;) {
      signal?.throwIfAborted();
      const event = this.#take(0, 'next');
      if (event) return event;
      const left = start + most - performance.now();
      if (left <= 0) return undefined;
      await pause(Math.min(interval, left), signal);
    }
  }

  #take(timeoutMs: number, method: string): NvmlEvent | undefined {
    const set = this.use(method);
    const { fields } = structs.nvmlEventData_t;
    let answer = 0;
    const view = record(structs.nvmlEventData_t, (out) => (answer = nv.nvmlEventSetWait(set, out, timeoutMs)));
    if (answer === TIMEOUT) return undefined;
    const [type = 'unknown'] = bitNamesIn(EventType, view.getBigUint64(fields.eventType, true));
    return {
      device: new Device(new FoundDevice(view.getBigUint64(fields.device, true))),
      type,
      xid: type === 'xidCriticalError' ? Number(view.getBigUint64(fields.eventData, true)) : undefined,
      gpuInstanceId: uintAt(view, fields.gpuInstanceId),
      computeInstanceId: uintAt(view, fields.computeInstanceId),
    };
  }
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal && { signal });
  } catch (error) {
    // The reason that was given, before a wait as within it.
    signal?.throwIfAborted();
    throw error;
  }
}

function create(): Handle<RawSet> {
  const set = bits((out) => nv.nvmlEventSetCreate(out)) as RawSet;
  return new Handle('EventSet', set, (value) => {
    cleanup('nvmlEventSetFree', value);
  });
}

function bitsOf(types: readonly unknown[]): bigint {
  if (!(Array.isArray as (value: unknown) => boolean)(types) || types.length === 0) {
    throw new TypeError(`EventSet.register takes the names of events, got ${nameOf(types)}`);
  }
  const known = Object.entries(EventType);
  return [...types].reduce<bigint>((all, type) => {
    const found = known.find(([name]) => typeof type === 'string' && bitNamesIn({ [name]: 1 }, 1n)[0] === type);
    if (found === undefined) {
      const names = known.map(([name]) => `'${bitNamesIn({ [name]: 1 }, 1n).join('')}'`);
      throw new TypeError(`An event must be ${names.join(' or ')}, got ${nameOf(type)}`);
    }
    return all | BigInt(found[1]);
  }, 0n);
}
