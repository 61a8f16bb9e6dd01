import { readChoice } from '../../core/choice.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import { Handle } from '../../core/handle.ts';
import { holdUntil } from '../../core/in-flight.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cleanup, withReclaim } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import type { Device } from '../device/device.ts';
import { hasExtensionVersion, requireExtension } from '../device/requirement.ts';
import { extensionCalls, type ExtensionCalls } from '../extension.ts';
import { readInfo, type InfoKind, type InfoKinds, type InfoOf, type InfoValue } from '../info.ts';
import type { EnqueueOptions } from '../queue/enqueue.ts';
import type { Event } from '../queue/event.ts';
import { checkQueue, refuseToBlock, submit, type CommandQueue } from '../queue/queue.ts';
import { Uses } from '../queue/uses.ts';
import { SemaphoreHandle, SemaphoreInfo, SemaphoreProperty, SemaphoreType } from '../sys/enums.ts';
import { checkDescriptor, contextDevices, deviceList, requireHandleType } from '../device/file-descriptor.ts';

/** The kind of file descriptor by which a semaphore is shared. */
export type SemaphoreHandleName = keyof typeof SemaphoreHandle;

/** How a {@link Semaphore} is made. */
export interface SemaphoreOptions {
  /** The kinds of descriptors for {@link Semaphore.exportHandle}. Needs `cl_khr_external_semaphore`. */
  readonly exportable?: readonly SemaphoreHandleName[];
  /** Import a semaphore: the kind of its descriptor, and the descriptor, which the driver owns from then on. */
  readonly imported?: readonly [name: SemaphoreHandleName, descriptor: number];
  /** One of the context's devices, where the context has several and the semaphore is for one. */
  readonly device?: Device;
}

type RawSemaphore = Opaque<'cl_semaphore_khr'>;

const OPTIONS = ['exportable', 'imported', 'device'];
/** From version 0.9.1 on semaphores have a property of their own for the devices. */
const OWN_DEVICE_LIST = 0x2053;
const EXTERNAL = 'cl_khr_external_semaphore';

/**
 * A binary semaphore: one command signals it, another one waits for it and resets it. It orders commands of different
 * contexts, drivers and processes, where events do not reach. Needs `cl_khr_semaphore`.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using one = new cl.CommandQueue(ctx);
 * using two = new cl.CommandQueue(ctx);
 * if (cl.Semaphore.isPossible(ctx)) {
 *   using ready = new cl.Semaphore(ctx);
 *   ready.enqueueSignal(one);
 *   ready.enqueueWait(two).wait();
 * }
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCreateSemaphoreWithPropertiesKHR.html | clCreateSemaphoreWithPropertiesKHR}
 */
export class Semaphore extends Resource<RawSemaphore> {
  readonly context: Context;
  readonly #calls: ExtensionCalls;
  readonly #uses: Uses;
  /** Whether another library or process may signal it. */
  readonly #isShared: boolean;
  readonly #exportable: readonly SemaphoreHandleName[];
  /** The signal for which no wait is enqueued. */
  #signal: Event | undefined;

  /**
   * @throws Error a device of the context does not have the extension
   * @throws {@link OpenCLLogicError} CL_INVALID_OPERATION: the device does not know the kind of descriptor
   */
  constructor(context: Context, options: SemaphoreOptions = {}) {
    checkContext(context, 'Semaphore');
    checkOptions(options, OPTIONS, 'Semaphore');
    const { exportable = [], imported, device } = options;
    const owner = handleOf(context, 'Semaphore');
    const list = properties(context, exportable, imported, device);
    const calls = extensionCalls(context.platform.raw);
    const raw = withReclaim(() => calls.clCreateSemaphoreWithPropertiesKHR(owner.value, list));
    const uses = new Uses();
    super(new Handle('Semaphore', raw, destroyer(calls, uses), [owner]));
    this.context = context;
    this.#calls = calls;
    this.#uses = uses;
    this.#isShared = imported !== undefined || exportable.length > 0;
    this.#exportable = exportable;
  }

  /** Whether all devices of a context have semaphores. */
  static isPossible(context: Context): boolean {
    checkContext(context, 'Semaphore.isPossible');
    return context.devices.every((device) => device.hasExtension('cl_khr_semaphore'));
  }

  /**
   * Enqueue a signal, which ends when all earlier commands have ended.
   *
   * Host: does not block. Queue: ordered.
   *
   * @param queue - of the semaphore's context
   * @throws Error the semaphore is already signaled, and nothing waits for it; or the signal would come after a user event
   * that is not set, for which some drivers wait at once
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueSignalSemaphoresKHR.html | clEnqueueSignalSemaphoresKHR}
   */
  enqueueSignal(queue: CommandQueue, options: EnqueueOptions = {}): Event {
    const what = 'Semaphore.enqueueSignal';
    const list = this.#check(queue, options, what);
    if (this.#signal && !this.#isShared) {
      throw new Error(`${what}: a signal is already enqueued and nothing waits for it; call enqueueWait() first`);
    }
    refuseToBlock(queue, what, options.waitFor);
    const event = submit(queue, what, options.waitFor, [this.#uses], (raw, count, waits, out) =>
      this.#calls.clEnqueueSignalSemaphoresKHR(raw, 1, list, 0n, count, waits, out),
    );
    this.#signal = event;
    return event;
  }

  /**
   * Enqueue a wait: later commands of the queue start when the semaphore is signaled; the wait resets it.
   *
   * Host: does not block. Queue: ordered.
   *
   * @param queue - of the semaphore's context
   * @throws Error no signal is enqueued, so the wait would never end; or the wait would come after a user event that is not
   * set
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueWaitSemaphoresKHR.html | clEnqueueWaitSemaphoresKHR}
   */
  enqueueWait(queue: CommandQueue, options: EnqueueOptions = {}): Event {
    const what = 'Semaphore.enqueueWait';
    const list = this.#check(queue, options, what);
    const signal = this.#signal;
    if (!signal && !this.#isShared) {
      throw new Error(`${what} would never end: nothing signals the semaphore; call enqueueSignal() first`);
    }
    // The commands of the signaling queue cannot run before a flush.
    signal?.flush();
    refuseToBlock(queue, what, options.waitFor);
    const event = submit(queue, what, options.waitFor, [this.#uses], (raw, count, waits, out) =>
      this.#calls.clEnqueueWaitSemaphoresKHR(raw, 1, list, 0n, count, waits, out),
    );
    this.#signal = undefined;
    return event;
  }

  /**
   * Export the semaphore to another process, CUDA or Vulkan.
   *
   * @param name - one of its `exportable` kinds
   * @param device - one of the context's. Default: the first
   * @returns a file descriptor, which belongs to the caller: an import takes it over; otherwise close it with `fs.closeSync`
   * @throws TypeError the kind is not one of its `exportable` kinds
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clGetSemaphoreHandleForTypeKHR.html | clGetSemaphoreHandleForTypeKHR}
   */
  exportHandle(name: SemaphoreHandleName, device: Device | undefined = this.context.devices[0]): number {
    const what = 'Semaphore.exportHandle';
    const raw = this.use('exportHandle');
    const kind = readChoice(name, SemaphoreHandle, `${what}: the kind`);
    if (!this.#exportable.includes(name)) {
      throw new TypeError(`${what}: the semaphore was not made with exportable: ['${name}']`);
    }
    if (!device || !this.context.devices.includes(device)) {
      throw new TypeError(`${what}: the device must be one of the context's, got ${nameOf(device)}`);
    }
    const found = new Int32Array(1);
    this.#calls.clGetSemaphoreHandleForTypeKHR(raw, device.raw, kind, 4, found, 0n);
    return found[0] ?? -1;
  }

  /** Ask the driver for a property, by its name or by any number with the kind of the answer. */
  getInfo<Name extends SemaphoreInfo>(name: Name): InfoOf<typeof SemaphoreInfo, Name>;
  getInfo<Kind extends InfoKind>(param: number, kind: Kind): InfoKinds[Kind];
  getInfo(name: SemaphoreInfo | number, kind?: InfoKind): InfoValue {
    const query = this.#calls.clGetSemaphoreInfoKHR.bind(undefined, this.use('getInfo'));
    return readInfo(SemaphoreInfo, query, name, kind, 'Semaphore');
  }

  /** The driver's count of references. For tests: it may be stale when it is read. */
  get referenceCount(): number {
    return this.getInfo('REFERENCE_COUNT');
  }

  #check(queue: unknown, options: EnqueueOptions, what: string): BigUint64Array {
    checkQueue(queue, what);
    checkOptions(options, ['waitFor'], what);
    if (queue.context.identity !== this.context.identity)
      throw new TypeError(`${what}: the queue is of another context`);
    return BigUint64Array.of(this.use(what.slice('Semaphore.'.length)));
  }
}

function properties(
  context: Context,
  exportable: unknown,
  imported: unknown,
  device: Device | undefined,
): BigUint64Array {
  const devices = contextDevices(context, device);
  for (const one of devices) requireExtension(one, 'cl_khr_semaphore', 'Semaphore');
  const list: (number | bigint)[] = [SemaphoreProperty.TYPE, SemaphoreType.BINARY];
  const isLate = devices[0] && hasExtensionVersion(devices[0], 'cl_khr_semaphore', [0, 9, 1]) === true;
  list.push(...deviceList(device, isLate ? OWN_DEVICE_LIST : SemaphoreProperty.DEVICE_HANDLE_LIST));
  if (!Array.isArray(exportable))
    throw new TypeError(`Semaphore: exportable must be an array, got ${nameOf(exportable)}`);
  const types = Array.from(exportable, (name: unknown) => handleType(name, 'exportable'));
  for (const type of types) for (const one of devices) requireType(one, 'EXPORT', type);
  if (types.length > 0) list.push(SemaphoreProperty.EXPORT_HANDLE_TYPES, ...types.map(([, type]) => type), 0);
  if (imported !== undefined) {
    if (!Array.isArray(imported) || imported.length !== 2) {
      throw new TypeError(`Semaphore: imported must be a name and a file descriptor, got ${nameOf(imported)}`);
    }
    const type = handleType(imported[0], 'imported');
    for (const one of devices) requireType(one, 'IMPORT', type);
    list.push(type[1], checkDescriptor(imported[1], 'Semaphore: imported'));
  }
  return BigUint64Array.from([...list, 0], BigInt);
}

function requireType(device: Device, way: 'IMPORT' | 'EXPORT', type: readonly [string, number]): void {
  requireHandleType(device, EXTERNAL, `SEMAPHORE_${way}_HANDLE_TYPES_KHR`, type, `Semaphore: ${way.toLowerCase()}`);
}

function handleType(name: unknown, what: string): readonly [name: string, type: number] {
  if (typeof name === 'string' && Object.hasOwn(SemaphoreHandle, name)) {
    return [name, SemaphoreHandle[name as SemaphoreHandleName]];
  }
  const known = Object.keys(SemaphoreHandle).join(', ');
  throw new TypeError(`Semaphore: ${what} must be one of ${known}, got ${nameOf(name)}`);
}

/** Not a closure of the constructor, which would keep the semaphore alive. */
function destroyer(calls: ExtensionCalls, uses: Uses): (raw: RawSemaphore) => void {
  return (raw) => {
    const free = (): void => cleanup('Semaphore', () => calls.clReleaseSemaphoreKHR(raw));
    if (uses.pending) holdUntil(() => !uses.pending, free);
    else free();
  };
}
