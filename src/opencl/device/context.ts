import { checkCheckOption, type CheckOption } from '../../core/check-mode.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import { ClosedError } from '../../core/errors.ts';
import { Handle } from '../../core/handle.ts';
import type { CheckedDevice, KernelReport } from '../../core/kernel-report.ts';
import { Resource } from '../../core/resource.ts';
import { traceReports } from '../../core/trace.ts';
import { NULL, type Opaque } from '../../ffi/ctype.ts';
import { perrorFunction } from '../../ffi/libc.ts';
import { cl, cleanup, withReclaim } from '../call.ts';
import { Device, SubDevice, subDeviceHandle, type Platform } from './device.ts';
import { openclError } from '../errors.ts';
import { readInfo, type InfoKind, type InfoKinds, type InfoOf, type InfoValue } from '../info.ts';
import { foreignHandle, type ForeignOptions } from '../foreign.ts';
import { deviceOfHandle } from './platforms.ts';
import { checkedDevice, isEmbedded } from '../selection.ts';
import { ContextInfo, ContextProperty, status as statuses } from '../sys/enums.ts';

/** How a context is made. */
export interface ContextOptions {
  /**
   * Have the embedded CPU device check every access, race and barrier of kernels, which is several times slower. Parts of the
   * checks: `'bounds'` checks only that memory exists, `'no-global-races'` leaves out races on global memory,
   * `'no-races-in-blocks'` races on global memory between the work-items of one work-group. With `'report'` a kernel goes on
   * after a finding, and {@link Context.reports} collects them.
   */
  readonly check?: CheckOption;
  /**
   * Have the driver print its reports about the context on stderr, at once and from any thread. C's `perror` prints
   * them, which adds the text of `errno`. Default: whether `RAWKERNEL_TRACE` has `reports`
   */
  readonly printReports?: boolean;
}

/** The facts about a context of another library. */
class Adopted {
  readonly handle: Handle<Opaque<'cl_context'>>;
  readonly devices: readonly [Device, ...Device[]];

  constructor(handle: Handle<Opaque<'cl_context'>>, devices: readonly [Device, ...Device[]]) {
    this.handle = handle;
    this.devices = devices;
  }
}

/**
 * Devices of one platform that share memory objects and programs.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * const [platform] = cl.getPlatforms();
 * using ctx = new cl.Context(platform?.getDevices() ?? []);
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCreateContext.html | clCreateContext}
 */
export class Context extends Resource<Opaque<'cl_context'>> {
  readonly devices: readonly Device[];
  readonly platform: Platform;
  /**
   * The raw context, for comparisons: a number that is not reused while an object made from the context lives.
   * @internal
   */
  readonly identity: bigint;
  /**
   * How its programs are checked, where that differs from the environment: a part of the compile cache's keys.
   * @internal
   */
  readonly checks: string;

  /**
   * @param devices - one device, or several of one platform
   * @param options - whether kernels are checked, and whether the driver prints its reports
   * @throws {@link OpenCLRuntimeError} CL_DEVICE_NOT_AVAILABLE
   * @throws {@link OpenCLLogicError} CL_INVALID_OPERATION: `check` for a device that is not the embedded one
   */
  constructor(devices: Device | readonly Device[], options?: ContextOptions);
  /** @internal */
  constructor(devices: Adopted);
  constructor(devices: Device | readonly Device[] | Adopted, options: ContextOptions = {}) {
    if (devices instanceof Adopted) {
      super(devices.handle);
      this.devices = devices.devices;
      this.platform = devices.devices[0].platform;
      this.identity = devices.handle.value;
      this.checks = '';
      return;
    }
    const list = checkDevices(devices);
    checkOptions(options, ['check', 'printReports'], 'Context');
    const { check = false, printReports = traceReports } = options;
    checkCheckOption(check);
    const { platform } = list[0];
    const properties = new BigInt64Array([BigInt(ContextProperty.PLATFORM), BigInt.asIntN(64, platform.raw), 0n]);
    const ids = new BigUint64Array(list.map((device) => device.raw));
    const notify = (printReports ? perrorFunction() : NULL) as Opaque<'cl_context_notify'>;
    const raw = withReclaim(() => cl.clCreateContext(properties, ids.length, ids, notify, 0n));
    const destroy = (): void => cleanup('Context', () => cl.clReleaseContext(raw));
    const parts = list.flatMap((device) => (device instanceof SubDevice ? [subDeviceHandle(device)] : []));
    super(new Handle('Context', raw, destroy, parts));
    this.devices = list;
    this.platform = platform;
    this.identity = raw;
    this.checks = check === false ? '' : check === true ? '1' : check;
    try {
      if (check !== false) this.#turnOnChecks();
    } catch (error) {
      super.close();
      throw error;
    }
  }

  /**
   * Use a context that another library has made, by its `cl_context`.
   *
   * @param handle - used as it is: a wrong handle ends the process
   * @param options - whether the new object takes a reference of its own
   * @example
   * ```ts
   * import * as cl from 'rawkernel/opencl';
   *
   * using made = cl.createSomeContext();
   * using ctx = cl.Context.fromHandle(made.handle);
   * using queue = new cl.CommandQueue(ctx);
   * ```
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clRetainContext.html | clRetainContext}
   */
  static fromHandle(handle: Opaque<'cl_context'>, options: ForeignOptions = {}): Context {
    const raw = foreignHandle(handle, options, 'Context.fromHandle');
    const query = cl.clGetContextInfo.bind(undefined, raw);
    const ids = readInfo(ContextInfo, query, 'DEVICES', undefined, 'Context') as readonly Device['raw'][];
    const list = checkDevices(ids.map(deviceOfHandle));
    if (options.retain !== false) cl.clRetainContext(raw);
    const destroy = (): void => cleanup('Context', () => cl.clReleaseContext(raw));
    return new Context(new Adopted(new Handle('Context', raw, destroy), list));
  }

  /**
   * The findings of the checked mode of the embedded device in this context's kernels that have ended, oldest first; on
   * other devices always empty.
   */
  get reports(): readonly KernelReport[] {
    const raw = this.use('reports');
    return checksOf(this)?.reportsOf(raw) ?? [];
  }

  #turnOnChecks(): void {
    const device = checksOf(this);
    const reason = device
      ? 'The tables of the checked mode need address space that is already in use: make the checked context before other memory'
      : `Only the embedded CPU device has a checked mode (RAWKERNEL_DEVICE=cpu), not ${this.platform.name}; oclgrind node program.mjs makes some of its checks on any machine that has oclgrind`;
    const status = device ? device.check(this.identity, this.checks) : INVALID_OPERATION;
    if (status !== 0) throw openclError('Context', status, { reason });
  }

  /** Ask the driver for a property, by its name or by any number with the kind of the answer. */
  getInfo<Name extends ContextInfo>(name: Name): InfoOf<typeof ContextInfo, Name>;
  getInfo<Kind extends InfoKind>(param: number, kind: Kind): InfoKinds[Kind];
  getInfo(name: ContextInfo | number, kind?: InfoKind): InfoValue {
    return readInfo(ContextInfo, cl.clGetContextInfo.bind(undefined, this.use('getInfo')), name, kind, 'Context');
  }

  override close(): void {
    if (!this.closed) endOf(this);
    super.close();
  }

  /** The driver's `cl_context`, borrowed: good until {@link Context.close}. */
  get handle(): Opaque<'cl_context'> {
    return this.use('handle');
  }

  /** The driver's count of references. For tests: it may be stale when it is read. */
  get referenceCount(): number {
    return this.getInfo('REFERENCE_COUNT');
  }
}

function checksOf({ platform }: Context): CheckedDevice | undefined {
  return isEmbedded(platform.raw) ? checkedDevice() : undefined;
}

/** Whether programs of a context are checked: only the embedded device's can be. */
export function isChecked(context: Context): boolean {
  return checksOf(context)?.isChecked(context.identity) ?? false;
}

const INVALID_OPERATION = statuses.CL_INVALID_OPERATION[0];
const farewells = new WeakMap<Context, (() => void)[]>();

/** Call a function right before a context is closed. */
export function beforeContextCloses(context: Context, run: () => void): void {
  const runs = farewells.get(context) ?? [];
  farewells.set(context, runs);
  runs.push(run);
}

function endOf(context: Context): void {
  const runs = farewells.get(context) ?? [];
  farewells.delete(context);
  for (const run of runs) run();
}

function checkDevices(devices: unknown): readonly [Device, ...Device[]] {
  const list: readonly unknown[] = Array.isArray(devices) ? devices : [devices];
  for (const device of list) {
    if (!(device instanceof Device)) throw new TypeError(`Context takes Devices, got ${nameOf(device)}`);
    if (device instanceof SubDevice && device.closed) throw new ClosedError('SubDevice', 'Context');
  }
  const [first, ...rest] = list as readonly Device[];
  if (!first) throw new TypeError('Context takes at least one Device, got an empty array');
  const foreign = rest.find((device) => device.platform !== first.platform);
  if (foreign) {
    throw new TypeError(
      `Context takes devices of one platform; ${first.name} is of ${first.platform.name}, ${foreign.name} of ${foreign.platform.name}`,
    );
  }
  return [first, ...rest];
}

/** Refuse a value that is not a Context. */
export function checkContext(context: unknown, what: string): asserts context is Context {
  if (!(context instanceof Context)) throw new TypeError(`${what} takes a Context first, got ${nameOf(context)}`);
}
