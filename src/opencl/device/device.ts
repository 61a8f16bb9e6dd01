import { describeFacts, PublicObject } from '../../core/public-object.ts';
import { ClosedError } from '../../core/errors.ts';
import { checkNumber, nameOf } from '../../core/check.ts';
import { claim, Handle } from '../../core/handle.ts';
import { checkMade, MAKER, type Maker } from '../../core/maker.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cl, cleanup } from '../call.ts';
import type { DeviceLimits } from './device-limits.ts';
import { formatUuid, pciBusInfo, type PciBusInfo } from './identity.ts';
import { isPossible, readPartition, type Partition } from './partition.ts';
import { requireVersion } from './requirement.ts';
import {
  defineInfo,
  readInfo,
  type InfoKind,
  type InfoKinds,
  type InfoOf,
  type InfoProperties,
  type InfoValue,
} from '../info.ts';
import { isEmbedded, perTable } from '../selection.ts';
import { DeviceInfo, DeviceType, PlatformInfo } from '../sys/enums.ts';

// Platforms, devices and their parts name each other in their public types, so they are one file.

type RawDevice = Opaque<'cl_device_id'>;
type RawPlatform = Opaque<'cl_platform_id'>;

const knownPlatforms = perTable(() => new Map<bigint, Platform>());
const known = perTable(() => new Map<bigint, Device>());

/** The driver's queries of a platform as properties: `platform.version`. */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the properties are made from the table */
export interface Platform extends InfoProperties<typeof PlatformInfo> {}

/**
 * One OpenCL implementation, with its devices. Every query of the header is a property.
 *
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clGetPlatformInfo.html | clGetPlatformInfo}
 */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- see above */
export class Platform extends PublicObject {
  /** The driver's handle. It is good for the life of the process. */
  readonly raw: RawPlatform;
  #version: readonly [major: number, minor: number] | undefined;

  /** @internal */
  constructor(maker: Maker, raw: RawPlatform) {
    checkMade(maker === MAKER, 'Platform', 'call getPlatforms()');
    super();
    this.raw = raw;
  }

  /**
   * The platform's devices of a type.
   *
   * @param type - a bit of {@link DeviceType}; default: all
   * @returns an empty array where no device is of that type, or the platform does not know the type
   */
  getDevices(type: number = DeviceType.ALL): Device[] {
    checkNumber(type, 'Platform.getDevices: the type', 1, DeviceType.ALL);
    const count = new Uint32Array(1);
    if (cl.clGetDeviceIDs(this.raw, type, 0, 0n, count) !== 0 || count[0] === 0) return [];
    const ids = new BigUint64Array(count[0] ?? 0);
    cl.clGetDeviceIDs(this.raw, type, ids.length, ids, 0n);
    return Array.from(ids, (id) => deviceOf(id as Opaque<'cl_device_id'>, this));
  }

  /**
   * Ask the driver for a property, by its name or by any number with the kind of the answer.
   *
   * @throws {@link OpenCLLogicError} CL_INVALID_VALUE: the driver does not know it
   */
  getInfo<Name extends PlatformInfo>(name: Name): InfoOf<typeof PlatformInfo, Name>;
  getInfo<Kind extends InfoKind>(param: number, kind: Kind): InfoKinds[Kind];
  getInfo(name: PlatformInfo | number, kind?: InfoKind): InfoValue {
    return readInfo(PlatformInfo, cl.clGetPlatformInfo.bind(undefined, this.raw), name, kind, 'Platform');
  }

  /** Whether the platform's OpenCL version is at least this one. */
  atLeast(major: number, minor: number): boolean {
    checkNumber(major, 'Platform.atLeast: major');
    checkNumber(minor, 'Platform.atLeast: minor');
    const [own, ownMinor] = (this.#version ??= this.#readVersion());
    return own > major || (own === major && ownMinor >= minor);
  }

  /**
   * Tell the platform that its compiler is not needed for a while: it may free the compiler's memory. A later build loads it
   * again.
   *
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clUnloadPlatformCompiler.html | clUnloadPlatformCompiler}
   */
  unloadCompiler(): void {
    cl.clUnloadPlatformCompiler(this.raw);
  }

  /** Read on first use: code that only counts the platforms does not load the embedded one. */
  #readVersion(): readonly [major: number, minor: number] {
    const [, major = '1', minor = '0'] = /^OpenCL (\d+)\.(\d+)/.exec(this.getInfo('VERSION')) ?? [];
    return [Number(major), Number(minor)];
  }
}
describeFacts(Platform, ({ name }) => ({ name }));
defineInfo(Platform.prototype, PlatformInfo);

/** The driver's queries of a device as properties: `device.maxComputeUnits`. */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the properties are made from the table */
export interface Device extends Omit<InfoProperties<typeof DeviceInfo>, 'platform'> {}

/**
 * A device of a {@link Platform}. Every query of the header is a property; a property that this driver does not know throws.
 *
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clGetDeviceInfo.html | clGetDeviceInfo}
 */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- see above */
export class Device extends PublicObject {
  readonly platform: Platform;
  readonly #raw: RawDevice;
  #limits: DeviceLimits | undefined;

  /** @internal */
  constructor(maker: Maker, raw: RawDevice, platform: Platform) {
    checkMade(maker === MAKER, 'Device', 'call platform.getDevices()');
    super();
    this.#raw = raw;
    this.platform = platform;
  }

  /** The driver's handle. It is good for the life of the process, that of a {@link SubDevice} for its own. */
  get raw(): RawDevice {
    return this.#raw;
  }

  /**
   * Ask the driver for a property, by its name or by any number with the kind of the answer.
   *
   * @throws {@link OpenCLLogicError} CL_INVALID_VALUE: the driver does not know it
   * @example
   * ```ts
   * import * as cl from 'rawkernel/opencl';
   *
   * using ctx = cl.createSomeContext();
   * for (const device of ctx.devices) console.log(device.getInfo('NAME'), device.getInfo(0x1002, 'uint'));
   * ```
   */
  getInfo<Name extends DeviceInfo>(name: Name): InfoOf<typeof DeviceInfo, Name>;
  getInfo<Kind extends InfoKind>(param: number, kind: Kind): InfoKinds[Kind];
  getInfo(name: DeviceInfo | number, kind?: InfoKind): InfoValue {
    return readInfo(DeviceInfo, cl.clGetDeviceInfo.bind(undefined, this.raw), name, kind, 'Device');
  }

  /** Whether the device has an extension: `device.hasExtension('cl_khr_fp64')`. */
  hasExtension(name: string): boolean {
    return this.getInfo('EXTENSIONS').split(/\s+/).includes(name);
  }

  /**
   * Whether this is the embedded CPU device, whose times say nothing about a GPU. `RAWKERNEL_DEVICE` chooses it.
   *
   * @example
   * ```ts
   * import * as cl from 'rawkernel/opencl';
   *
   * using ctx = cl.createSomeContext();
   * if (ctx.devices.some((device) => device.isEmbedded)) console.log('This is not a measurement of a GPU');
   * ```
   */
  get isEmbedded(): boolean {
    return isEmbedded(this.platform.raw);
  }

  /**
   * Divide the device: each part is a device of its own, with some of the compute units.
   *
   * @param partition - into parts of equal size, by counts, by a shared resource, or as C's list without the 0 at its end
   * @throws Error the device cannot be divided this way: see `device.partitionProperties`
   * @throws RangeError more compute units than there are
   * @example
   * ```ts
   * import * as cl from 'rawkernel/opencl';
   *
   * using whole = cl.createSomeContext();
   * const [device] = whole.devices;
   * if (device && cl.SubDevice.isPossible(device, { equally: 1 })) {
   *   const parts = device.createSubDevices({ equally: 1 });
   *   using ctx = new cl.Context(parts.slice(0, 1));
   *   for (const part of parts) part.close(); // the context keeps its own
   * }
   * ```
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCreateSubDevices.html | clCreateSubDevices}
   */
  createSubDevices(partition: Partition): SubDevice[] {
    const what = 'Device.createSubDevices';
    requireVersion(this.platform, 1, 2, what);
    const properties = BigUint64Array.from([...readPartition(partition, this, what), 0], BigInt);
    const count = new Uint32Array(1);
    cl.clCreateSubDevices(this.raw, properties, 0, 0n, count);
    const ids = new BigUint64Array(count[0] ?? 0);
    if (ids.length > 0) cl.clCreateSubDevices(this.raw, properties, ids.length, ids, 0n);
    return Array.from(ids, (id) => new SubDevice(MAKER, id as RawDevice, this));
  }

  /**
   * The device's and the host's clocks at the same moment, in nanoseconds: the device's is that of `event.profile`.
   *
   * @throws Error the platform is older than OpenCL 2.1
   * @throws {@link OpenCLLogicError} CL_INVALID_OPERATION: the device has no such clock
   */
  deviceAndHostTimer(): { readonly device: bigint; readonly host: bigint } {
    requireVersion(this.platform, 2, 1, 'Device.deviceAndHostTimer');
    const [device, host] = [new BigUint64Array(1), new BigUint64Array(1)];
    cl.clGetDeviceAndHostTimer(this.raw, device, host);
    return { device: device[0] ?? 0n, host: host[0] ?? 0n };
  }

  /**
   * The host's clock, in nanoseconds, as {@link Device.deviceAndHostTimer} reads it.
   *
   * @throws Error the platform is older than OpenCL 2.1
   * @throws {@link OpenCLLogicError} CL_INVALID_OPERATION: the device has no such clock
   */
  hostTimer(): bigint {
    requireVersion(this.platform, 2, 1, 'Device.hostTimer');
    const host = new BigUint64Array(1);
    cl.clGetHostTimer(this.raw, host);
    return host[0] ?? 0n;
  }

  /** Where the device is on the PCI bus; undefined where the device does not report one. */
  get pciBusInfo(): PciBusInfo | undefined {
    return pciBusInfo(this);
  }

  /** The device's UUID, `'8cf9a4f2-…'`; undefined where it has none (`cl_khr_device_uuid`). */
  get uuid(): string | undefined {
    return this.hasExtension('cl_khr_device_uuid') ? formatUuid(this.getInfo('UUID_KHR')) : undefined;
  }

  /** @internal */
  get limits(): DeviceLimits {
    return (this.#limits ??= {
      workGroupSize: this.getInfo('MAX_WORK_GROUP_SIZE'),
      workItemSizes: this.getInfo('MAX_WORK_ITEM_SIZES'),
      allocation: this.getInfo('MAX_MEM_ALLOC_SIZE'),
      localMemory: this.getInfo('LOCAL_MEM_SIZE'),
      subBufferAlignment: Math.max(1, this.getInfo('MEM_BASE_ADDR_ALIGN') / 8),
      uniformGroups: /^OpenCL 1\./.test(this.getInfo('VERSION')),
    });
  }
}
describeFacts(Device, ({ name }) => ({ name }));
defineInfo(Device.prototype, DeviceInfo);

/** The object of a platform: one for each. */
export function platformOf(raw: RawPlatform): Platform {
  let platform = knownPlatforms().get(raw);
  if (!platform) knownPlatforms().set(raw, (platform = new Platform(MAKER, raw)));
  return platform;
}

/** The object of a device: one for each. */
export function deviceOf(raw: RawDevice, platform: Platform): Device {
  let device = known().get(raw);
  if (!device) known().set(raw, (device = new Device(MAKER, raw, platform)));
  return device;
}

let readHandle: (device: SubDevice) => Handle<RawDevice>;

/**
 * A part of a device, made by {@link Device.createSubDevices}: a device like any other, which a program closes. It
 * lives as long as it is open or has an open context.
 */
export class SubDevice extends Device implements Disposable {
  readonly parent: Device;
  readonly #handle: Handle<RawDevice>;
  readonly #disown: () => void;
  #closed = false;

  /** @internal */
  constructor(maker: Maker, raw: RawDevice, parent: Device) {
    checkMade(maker === MAKER, 'SubDevice', 'call device.createSubDevices(partition)');
    super(maker, raw, parent.platform);
    const parents = parent instanceof SubDevice ? [parent.#handle] : [];
    const release = (device: RawDevice): void => cleanup('SubDevice', () => cl.clReleaseDevice(device));
    this.parent = parent;
    this.#handle = new Handle('SubDevice', raw, release, parents);
    this.#disown = claim(this, this.#handle);
  }

  /** Whether a device can be divided this way. */
  static isPossible(device: Device, partition: Partition): boolean {
    const what = 'SubDevice.isPossible';
    if (!(device instanceof Device)) throw new TypeError(`${what} takes a Device, got ${nameOf(device)}`);
    return device.platform.atLeast(1, 2) && isPossible(device, partition, what);
  }

  override get raw(): RawDevice {
    if (!this.#handle.alive) throw new ClosedError('SubDevice', 'raw');
    return super.raw;
  }

  /** Whether {@link SubDevice.close} was called. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Release the part. Its contexts go on. A second call does nothing. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#disown();
    this.#handle.release();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  static {
    readHandle = (device) => device.#handle;
  }
}

/** The owning record of a part of a device. */
export function subDeviceHandle(device: SubDevice): Handle<RawDevice> {
  return readHandle(device);
}
