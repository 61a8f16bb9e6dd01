import { constantName, readConstant } from '../../core/choice.ts';
import { Handle } from '../../core/handle.ts';
import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import type { KernelReport } from '../../core/kernel-report.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import { NULL, type Opaque } from '../../ffi/ctype.ts';
import {
  attempt,
  callError,
  callQuickly,
  callWith,
  cleanup,
  cu,
  quickly,
  warnOfStatus,
  type Arguments,
  type Routine,
} from '../call.ts';
import { Device } from './device.ts';
import { checkedDevice } from '../selection.ts';
import { checkCheckOption, type CheckOption } from '../../core/check-mode.ts';
import { ContextFlags, FuncCache, Limit, status as statuses } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type CUcontext = Opaque<'CUcontext'>;

/** How a context is made. */
export interface ContextOptions {
  /** {@link ContextFlags}: scheduling of host waits, mapping. */
  readonly flags?: number;
  /** Make a context of its own instead of sharing the device's primary one. */
  readonly own?: boolean;
  /**
   * Have the embedded CPU device check every access, race and barrier of kernels, which is several times slower. Parts of the
   * checks: `'bounds'` checks only that memory exists, `'no-global-races'` leaves out races on global memory,
   * `'no-races-in-blocks'` races on global memory between the threads of one block. With `'report'` a launch goes on
   * after a finding, and {@link Context.reports} collects them. Programs that were compiled before are not checked.
   */
  readonly check?: CheckOption;
}

const INVALID_CONTEXT = statuses.CUDA_ERROR_INVALID_CONTEXT[0];
const NOT_SUPPORTED = statuses.CUDA_ERROR_NOT_SUPPORTED[0];
const sizeSlot = slotOf('size_t');
const contextSlot = slotOf('CUcontext');
const cacheSlot = slotOf('CUfunc_cache');
const leastSlot = slotOf('int');
const greatestSlot = slotOf('int');
const deviceSlot = slotOf('CUdevice');
const popSlot = slotOf('CUcontext');
const known = new Map<bigint, WeakRef<Context>>();
const foreign = new Map<bigint, Handle<CUcontext>>();
const pushed: { readonly context: Context; readonly handle: Handle<CUcontext> }[] = [];
// The current context must outlive a wrapper without references: `new Context()` alone on a line is fine.
let kept: Context | undefined;

/**
 * The state of one device in this process: memory, modules, streams. By default the primary context, which all
 * libraries of a process share (cuBLAS, PyTorch's C++ …); `{ own: true }` makes a separate one.
 *
 * A context is *current* for the thread; making one makes it current. Objects remember the context they were made in
 * and are destroyed in it, not in the one that is current then.
 *
 * @example
 * ```ts
 * import { Context, Device } from 'rawkernel/cuda';
 *
 * using context = new Context(new Device(0));
 * context.synchronize();
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html | Context management}
 */
export class Context extends Resource<CUcontext> {
  readonly device: Device;
  /** Whether it is the device's primary context. */
  readonly primary: boolean;

  /**
   * Retain the device's primary context, or create one, and make it current.
   *
   * Host: may block (the first context of a device takes some 100 ms).
   *
   * @throws {@link CudaMemoryError} CUDA_ERROR_OUT_OF_MEMORY
   * @throws {@link CudaRuntimeError} the device is unavailable
   * @throws {@link CudaLogicError} CUDA_ERROR_NOT_SUPPORTED: `check` for a GPU
   */
  constructor(options: ContextOptions);
  constructor(device?: Device, options?: ContextOptions);
  /** @internal */
  constructor(options: ContextOptions, second: undefined, adopted: Handle<CUcontext>);
  constructor(first: Device | ContextOptions = new Device(0), second?: ContextOptions, adopted?: Handle<CUcontext>) {
    if (adopted) {
      super(adopted);
      this.primary = false;
      try {
        this.device = deviceOf(adopted);
      } catch (error) {
        super.close();
        throw error;
      }
      return;
    }
    const isDevice = first instanceof Device;
    if (!isDevice && (second !== undefined || typeof first !== 'object' || (first as unknown) === null))
      throw new TypeError(`Context takes a Device, got ${nameOf(first)}`);
    const [device, options] = isDevice ? [first, second === undefined ? {} : second] : [new Device(0), first];
    checkOptions(options, ['flags', 'own', 'check'], 'Context');
    const { flags = ContextFlags.SCHED_AUTO, own = false, check = false } = options;
    checkInteger(flags, 'Context flags', 0, 0xffff_ffff);
    checkCheckOption(check);
    super(own ? createContext(device, flags) : retainPrimary(device, flags));
    this.device = device;
    this.primary = !own;
    try {
      if (check !== false) turnOnChecks(handleOf(this, 'Context').value, check);
      this.makeCurrent();
    } catch (error) {
      super.close();
      throw error;
    }
  }

  /** The context that is current on this thread, if it was made here. */
  static get current(): Context | undefined {
    const context = known.get(currentRaw())?.deref();
    return context?.closed ? undefined : context;
  }

  /** Make it the current context of this thread. */
  makeCurrent(): void {
    const raw = this.use('makeCurrent');
    cu.cuCtxSetCurrent(raw);
    known.set(raw, new WeakRef(this));
    keep(this);
  }

  /**
   * Make it current until {@link Context.pop}: on top of the current context, which is current again then. While it is on the thread's
   * stack, the context stays alive; a stack that is not empty at the end harms nothing.
   */
  push(): void {
    const handle = handleOf(this, 'push');
    cu.cuCtxPushCurrent(handle.value);
    known.set(handle.value, new WeakRef(this));
    pushed.push({ context: this, handle: handle.retain() });
  }

  /**
   * Take the current context from the thread's stack.
   *
   * @returns the context, if it was made here and is not closed
   * @throws {@link CudaLogicError} CUDA_ERROR_INVALID_CONTEXT: none is current
   */
  static pop(): Context | undefined {
    if (currentRaw() === 0n) {
      const reason = 'No context is current: there is nothing to pop';
      throw callError('cuCtxPopCurrent', INVALID_CONTEXT, { reason });
    }
    cu.cuCtxPopCurrent(popSlot);
    const raw = take(popSlot);
    const context = known.get(raw)?.deref();
    const top = pushed.at(-1);
    if (top?.handle.value === raw) {
      pushed.pop();
      top.handle.release();
    }
    return context?.closed ? undefined : context;
  }

  /**
   * Use a context of another library, or of another thread of this process: handles travel by `postMessage`.
   * It is not made current, and closing it only forgets it.
   *
   * @param handle - the `CUcontext` as an integer
   * @throws {@link CudaLogicError} CUDA_ERROR_INVALID_CONTEXT
   */
  static fromHandle(handle: bigint): Context {
    if (typeof handle !== 'bigint') throw new TypeError(`A context handle must be a bigint, got ${nameOf(handle)}`);
    if (handle <= 0n || handle >= 1n << 64n) throw new RangeError(`${handle} is not a context handle`);
    return new Context({}, undefined, new Handle('Context', handle as CUcontext, undefined));
  }

  /**
   * Wait until everything in this context has finished.
   *
   * Host: blocks.
   *
   * @throws {@link CudaLaunchError} a kernel that ran before has failed
   */
  synchronize(): void {
    inContext(handleOf(this, 'synchronize'), () => cu.cuCtxSynchronize());
  }

  /** A limit, such as the stack size of a thread. {@link Limit} has their numbers and units. */
  getLimit(limit: Limit): number {
    const number = readConstant(limit, Limit, 'Limit');
    const facts = { limit: constantName(number, Limit) };
    inContext(handleOf(this, 'getLimit'), () => callWith(facts, 'cuCtxGetLimit', sizeSlot, number));
    return Number(take(sizeSlot));
  }

  /** Ask for a limit; the driver may round it up. */
  setLimit(limit: Limit, value: number): void {
    const number = readConstant(limit, Limit, 'Limit');
    const checked = checkInteger(value, 'The limit');
    const facts = { limit: constantName(number, Limit), asked: String(checked) };
    inContext(handleOf(this, 'setLimit'), () => callWith(facts, 'cuCtxSetLimit', number, checked));
  }

  /** Whether kernels prefer L1 cache or shared memory. */
  get cacheConfig(): FuncCache {
    inContext(handleOf(this, 'cacheConfig'), () => cu.cuCtxGetCacheConfig(cacheSlot));
    return take(cacheSlot) as FuncCache;
  }

  set cacheConfig(config: FuncCache) {
    const number = readConstant(config, FuncCache, 'FuncCache');
    const facts = { asked: constantName(number, FuncCache) };
    inContext(handleOf(this, 'cacheConfig'), () => callWith(facts, 'cuCtxSetCacheConfig', number));
  }

  /** Stream priorities: lower numbers go first. */
  get streamPriorityRange(): { readonly least: number; readonly greatest: number } {
    inContext(handleOf(this, 'streamPriorityRange'), () => cu.cuCtxGetStreamPriorityRange(leastSlot, greatestSlot));
    return { least: take(leastSlot), greatest: take(greatestSlot) };
  }

  /**
   * What the checked mode of the embedded device has found in this context's kernels that have finished, oldest first;
   * on a GPU always empty.
   */
  get reports(): readonly KernelReport[] {
    return checkedDevice()?.reportsOf(this.use('reports')) ?? [];
  }

  /** The driver's `CUcontext`, borrowed: good until {@link Context.close}. */
  get handle(): CUcontext {
    return this.use('handle');
  }

  /**
   * Release the context. If it is current, the one below it on the thread's stack becomes current, or none. What was
   * made in it stays alive, and works while a context is current that may use it.
   */
  override close(): void {
    if (this.closed) return;
    endOf(handleOf(this, 'close'));
    try {
      if (currentRaw() === this.use('close')) cu.cuCtxSetCurrent(NULL);
    } finally {
      if (kept === this) kept = undefined;
      super.close();
    }
  }
}

const farewells = new WeakMap<Handle<CUcontext>, (() => void)[]>();

/** Do something when the object of a context is closed: what the package has made in it for itself goes then. */
export function beforeContextCloses(context: Handle<CUcontext>, run: () => void): void {
  const runs = farewells.get(context) ?? [];
  farewells.set(context, runs);
  runs.push(run);
}

function endOf(context: Handle<CUcontext>): void {
  const runs = farewells.get(context) ?? [];
  farewells.delete(context);
  for (const run of runs) run();
}

/** Whether programs of a context are checked: only the embedded device's can be. */
export function isChecked(context: CUcontext): boolean {
  return checkedDevice()?.isChecked(context) ?? false;
}

function turnOnChecks(context: CUcontext, check: Exclude<ContextOptions['check'], false | undefined>): void {
  const device = checkedDevice();
  const reason = device
    ? 'The tables of the checked mode need address space that is already in use: make the checked context before other memory'
    : 'Only the embedded CPU device has a checked mode (RAWKERNEL_DEVICE=cpu); a GPU has compute-sanitizer: compute-sanitizer node program.mjs';
  const status = device ? device.check(context, check === true ? '1' : check) : NOT_SUPPORTED;
  if (status !== 0) throw callError('Context', status, { group: 'CTX', reason });
}

function keep(context: Context): void {
  kept = context;
}

function retainPrimary(device: Device, flags: number): Handle<CUcontext> {
  if (flags !== 0) cu.cuDevicePrimaryCtxSetFlags(device.raw, flags);
  cu.cuDevicePrimaryCtxRetain(contextSlot, device.raw);
  return new Handle('Context', take(contextSlot), () => {
    cleanup('cuDevicePrimaryCtxRelease', device.raw);
  });
}

function createContext(device: Device, flags: number): Handle<CUcontext> {
  cu.cuCtxCreate(contextSlot, flags, device.raw);
  // Creating pushes; what becomes current replaces the caller's, so that none is left below it.
  cleanup('cuCtxPopCurrent', popSlot);
  return new Handle('Context', take(contextSlot), (context) => {
    cleanup('cuCtxDestroy', context);
  });
}

/** Each object asks for it when it is made and when it goes: the only argument needs no check. */
function currentRaw(): bigint {
  callQuickly('cuCtxGetCurrent', contextSlot);
  return take(contextSlot);
}

/**
 * The record of the current context, for making something in it.
 *
 * @throws {@link CudaLogicError} CUDA_ERROR_INVALID_CONTEXT: none is current
 */
export function requireContext(routine: string): Handle<CUcontext> {
  const raw = currentRaw();
  if (raw === 0n) {
    const reason =
      "No context is current: write import 'rawkernel/cuda/autoinit'; first, or make one with new Context()\n" +
      "Without names: compilers leave out an import { context } from 'rawkernel/cuda/autoinit' whose name is not used";
    throw callError(routine, INVALID_CONTEXT, { group: 'CTX', reason });
  }
  const context = known.get(raw)?.deref();
  if (context && !context.closed) return handleOf(context, routine);
  return foreign.get(raw) ?? adopt(raw);
}

/** A context that another library made and made current: used, never destroyed. */
function adopt(raw: bigint): Handle<CUcontext> {
  const handle = new Handle('foreign Context', raw as CUcontext, () => undefined);
  foreign.set(raw, handle);
  return handle;
}

const devices = new WeakMap<Handle<CUcontext>, Device>();

/** The device that a context is on. */
export function deviceOf(context: Handle<CUcontext>): Device {
  const known = devices.get(context);
  if (known) return known;
  inContext(context, () => cu.cuCtxGetDevice(deviceSlot));
  const device = new Device(take(deviceSlot));
  devices.set(context, device);
  return device;
}

/**
 * The device of the current context.
 *
 * @throws {@link CudaLogicError} none is current
 */
export function currentDevice(): Device {
  return deviceOf(requireContext('cuCtxGetDevice'));
}

/** Run a function in a context; the caller's context is restored afterwards, after an error too. */
export function inContext<T>(context: Handle<CUcontext>, run: () => T): T {
  if (currentRaw() === context.value) return run();
  cu.cuCtxPushCurrent(context.value);
  try {
    return run();
  } finally {
    cleanup('cuCtxPopCurrent', popSlot);
  }
}

/** Destroy something in the context it was born in. A context that is gone took it along. */
export function destroyIn<Name extends Routine>(
  context: Handle<CUcontext>,
  routine: Name,
  ...args: Arguments<Name>
): void {
  popSlot[0] = 0n;
  quickly('cuCtxGetCurrent')(popSlot);
  if (take(popSlot) === context.value) {
    cleanup(routine, ...args);
    return;
  }
  const status = attempt('cuCtxPushCurrent', context.value);
  if (status === 0) {
    cleanup(routine, ...args);
    cleanup('cuCtxPopCurrent', popSlot);
  } else if (status !== INVALID_CONTEXT) warnOfStatus('cuCtxPushCurrent', status);
}
