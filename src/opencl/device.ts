import type { Opaque } from '../ffi/ctype.ts';
import { cl } from './call.ts';
import { defineInfo, readInfo, type InfoKind, type InfoOf, type InfoProperties, type InfoValue } from './info.ts';
import type { Platform } from './platform.ts';
import { isEmbedded, perTable } from './select.ts';
import { DeviceInfo } from './sys/enums.ts';

type RawDevice = Opaque<'cl_device_id'>;

const known = perTable(() => new Map<bigint, Device>());

/** The driver's queries of a device as properties: `device.maxComputeUnits`. */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the properties are made from the table */
export interface Device extends Omit<InfoProperties<typeof DeviceInfo>, 'platform'> {}

/**
 * A device of a {@link Platform}. Every query of the header is a property; one that this driver does not know throws.
 *
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clGetDeviceInfo.html | clGetDeviceInfo}
 */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- see above */
export class Device {
  /** The driver's handle. It is good for the life of the process. */
  readonly raw: RawDevice;
  readonly platform: Platform;
  #limits: DeviceLimits | undefined;

  /** @internal */
  constructor(raw: RawDevice, platform: Platform) {
    this.raw = raw;
    this.platform = platform;
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
  getInfo(param: number, kind: InfoKind): InfoValue;
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
   * if (ctx.devices.some((device) => device.isEmbedded)) console.log('This is no measurement of a GPU');
   * ```
   */
  get isEmbedded(): boolean {
    return isEmbedded(this.platform.raw);
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

  /** @internal */
  static of(raw: RawDevice, platform: Platform): Device {
    let device = known().get(raw);
    if (!device) known().set(raw, (device = new Device(raw, platform)));
    return device;
  }
}
defineInfo(Device.prototype, DeviceInfo);

/** What a device allows, asked once. */
export interface DeviceLimits {
  readonly workGroupSize: number;
  readonly workItemSizes: readonly number[];
  /** Bytes of one buffer. */
  readonly allocation: number;
  /** Bytes of local memory in one work-group. */
  readonly localMemory: number;
  /** Bytes. */
  readonly subBufferAlignment: number;
  /** Every work-group must have the whole local size: OpenCL 1.x. */
  readonly uniformGroups: boolean;
}
