import { PublicObject } from '../../core/public-object.ts';
import { camelCase, type CamelCase } from '../../core/names.ts';
import { checkInteger, nameOf } from '../../core/check.ts';
import { attempt, callError, callWith, cu } from '../call.ts';
import { isEmbedded } from '../selection.ts';
import { DeviceAttribute, status as statuses } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

const INVALID_VALUE = statuses.CUDA_ERROR_INVALID_VALUE[0];
const NOT_SUPPORTED = statuses.CUDA_ERROR_NOT_SUPPORTED[0];

/** Every attribute of a device by its camelCase name: `device.warpSize`, `device.maxThreadsPerBlock`. */
export type DeviceAttributes = { readonly [Name in keyof typeof DeviceAttribute as CamelCase<Name>]: number };

const deviceSlot = slotOf('CUdevice');
const intSlot = slotOf('int');
const sizeSlot = slotOf('size_t');
const textSlot = new Uint8Array(256);

/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the properties are made from the table */
export interface Device extends DeviceAttributes {}

/**
 * A GPU that CUDA can use. It holds nothing: make as many as you like.
 *
 * @example
 * ```ts
 * import { Device } from 'rawkernel/cuda';
 *
 * for (let i = 0; i < Device.count(); i++) {
 *   const device = new Device(i);
 *   console.log(device.name, device.computeCapability, device.warpSize);
 * }
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html | Device management}
 */
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- see above */
export class Device extends PublicObject {
  /** The device's number, from 0. */
  readonly ordinal: number;
  readonly #raw: number;

  /**
   * Name a device.
   *
   * @param which - its number from 0, or its PCI bus id, `'0000:3b:00.0'`
   * @throws RangeError the machine does not have the device
   * @throws {@link CudaLogicError} CUDA_ERROR_INVALID_VALUE: no device has that PCI bus id
   */
  constructor(which: number | string = 0) {
    super();
    if (typeof which === 'string') {
      callWith({ 'bus id': which.slice(0, 40) }, 'cuDeviceGetByPCIBusId', deviceSlot, which);
      this.#raw = this.ordinal = take(deviceSlot);
      return;
    }
    if (typeof which !== 'number')
      throw new TypeError(`A device must be a number or a PCI bus id, got ${nameOf(which)}`);
    const count = Device.count();
    if (count === 0) throw new RangeError('There is no CUDA device on this machine');
    this.ordinal = checkInteger(which, 'The device number');
    if (which >= count) {
      const those = count === 1 ? 'one, device 0' : `${count}, devices 0 to ${count - 1}`;
      throw new RangeError(`There is no CUDA device ${which}; this machine has ${those}`);
    }
    cu.cuDeviceGet(deviceSlot, this.ordinal);
    this.#raw = take(deviceSlot);
  }

  /**
   * How many devices there are.
   *
   * @throws {@link LibraryNotFoundError} no driver is installed
   * @throws {@link CudaRuntimeError} the driver does not start
   */
  static count(): number {
    const status = attempt('cuDeviceGetCount', intSlot);
    if (status !== 0) throw callError('cuDeviceGetCount', status);
    return take(intSlot);
  }

  /**
   * All devices, in the order of their ordinals.
   *
   * @throws {@link LibraryNotFoundError} no driver is installed
   * @throws {@link CudaRuntimeError} the driver does not start
   * @example
   * ```ts
   * import { Context, Device } from 'rawkernel/cuda';
   *
   * const contexts = Device.all().map((device) => new Context(device)); // the last one is current
   * for (const context of contexts) context.close();
   * ```
   */
  static all(): Device[] {
    return Array.from({ length: Device.count() }, (_, ordinal) => new Device(ordinal));
  }

  /** The value of an attribute, by number or by the vendor's name without its prefix. */
  getAttribute(attribute: DeviceAttribute | keyof typeof DeviceAttribute): number {
    const number = typeof attribute === 'string' ? DeviceAttribute[attribute] : attribute;
    if (typeof number !== 'number') {
      throw new TypeError(
        `There is no device attribute ${typeof attribute === 'string' ? `'${attribute}'` : nameOf(attribute)}; see DeviceAttribute`,
      );
    }
    callWith({ attribute: String(attribute) }, 'cuDeviceGetAttribute', intSlot, number, this.#raw);
    return take(intSlot);
  }

  /** All attributes that this driver knows, by the vendor's names. */
  getAttributes(): Partial<Record<keyof typeof DeviceAttribute, number>> {
    const found: Partial<Record<keyof typeof DeviceAttribute, number>> = {};
    for (const [name, number] of Object.entries(DeviceAttribute)) {
      const status = attempt('cuDeviceGetAttribute', intSlot, number, this.#raw);
      if (status === INVALID_VALUE || status === NOT_SUPPORTED) continue;
      if (status !== 0) throw callError('cuDeviceGetAttribute', status);
      found[name as keyof typeof DeviceAttribute] = take(intSlot);
    }
    return found;
  }

  /** Whether kernels on this device can use the memory of another one. */
  canAccessPeer(peer: Device): boolean {
    if (!(peer instanceof Device)) throw new TypeError(`canAccessPeer takes a Device, got ${nameOf(peer)}`);
    cu.cuDeviceCanAccessPeer(intSlot, this.#raw, peer.raw);
    return take(intSlot) === 1;
  }

  /**
   * Whether this is the embedded CPU device, which has no textures and no kernels that launch kernels, and whose
   * times say nothing about a GPU. `RAWKERNEL_DEVICE` chooses it.
   *
   * @example
   * ```ts
   * import { Device } from 'rawkernel/cuda';
   *
   * if (new Device().isEmbedded) console.log('This is not a measurement of a GPU');
   * ```
   */
  get isEmbedded(): boolean {
    return isEmbedded();
  }

  /** The marketing name: `'NVIDIA H100 80GB HBM3'`. */
  get name(): string {
    cu.cuDeviceGetName(textSlot, textSlot.byteLength, this.#raw);
    return text();
  }

  /** The UUID as `nvidia-smi -L` prints it: `'GPU-8a1c…'`. */
  get uuid(): string {
    cu.cuDeviceGetUuid(textSlot, this.#raw);
    const hex = Buffer.from(textSlot.subarray(0, 16)).toString('hex');
    return `GPU-${hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
  }

  /** The PCI bus id: `'0000:3B:00.0'`. */
  get busId(): string {
    cu.cuDeviceGetPCIBusId(textSlot, textSlot.byteLength, this.#raw);
    return text();
  }

  /** `[9, 0]` for sm_90. */
  get computeCapability(): readonly [major: number, minor: number] {
    return [this.getAttribute('COMPUTE_CAPABILITY_MAJOR'), this.getAttribute('COMPUTE_CAPABILITY_MINOR')];
  }

  /** Device memory in bytes. */
  get totalMemory(): number {
    cu.cuDeviceTotalMem(sizeSlot, this.#raw);
    return Number(take(sizeSlot));
  }

  /**
   * The driver's `CUdevice`.
   * @internal
   */
  get raw(): number {
    return this.#raw;
  }
}

for (const name of Object.keys(DeviceAttribute) as (keyof typeof DeviceAttribute)[]) {
  Object.defineProperty(Device.prototype, camelCase(name), {
    get(this: Device) {
      return this.getAttribute(name);
    },
  });
}

function text(): string {
  const end = textSlot.indexOf(0);
  return Buffer.from(textSlot.subarray(0, end < 0 ? textSlot.length : end)).toString();
}
