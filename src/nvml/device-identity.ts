import { describeFacts, PublicObject } from '../core/public-object.ts';
import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { record, text, uint, type RawDevice } from './answer.ts';
import { nv } from './call.ts';
import { nameIn, type NamesOf } from './names.ts';
import { readPciInfo } from './pcie.ts';
import { Architecture, Brand } from './sys/enums.ts';
import { structs } from './sys/structs.ts';
import { take } from '../ffi/slot.ts';
import { slotOf } from './slots.ts';

/**
 * The facts that identify a device and never change. Apart from {@link Device}, which has the queries of its state: together
 * they would be too long for one file.
 */
export abstract class DeviceIdentity extends PublicObject {
  readonly #raw: RawDevice;

  /** @internal */
  constructor(maker: Maker, raw: RawDevice) {
    checkMade(maker === MAKER, 'DeviceIdentity', 'write new Device(0)');
    super();
    this.#raw = raw;
  }

  /** The number of the device, in the order of the PCI bus. */
  get index(): number {
    return uint((out) => nv.nvmlDeviceGetIndex(this.#raw, out));
  }

  /** The product: `'NVIDIA H100 80GB HBM3'`. */
  get name(): string {
    return text((out, length) => nv.nvmlDeviceGetName(this.#raw, out, length));
  }

  /** `'GPU-8a1c…'`, which `CUDA_VISIBLE_DEVICES` takes too. */
  get uuid(): string {
    return text((out, length) => nv.nvmlDeviceGetUUID(this.#raw, out, length));
  }

  /** The serial number of the board. */
  get serial(): string {
    return text((out, length) => nv.nvmlDeviceGetSerial(this.#raw, out, length));
  }

  /** `'00000000:3B:00.0'` */
  get busId(): string {
    return readPciInfo(record(structs.nvmlPciInfo_t, (out) => nv.nvmlDeviceGetPciInfo(this.#raw, out))).busId;
  }

  /** The number in `/dev/nvidia0`. Linux only. */
  get minorNumber(): number {
    return uint((out) => nv.nvmlDeviceGetMinorNumber(this.#raw, out));
  }

  /** The part number of the board. */
  get boardPartNumber(): string {
    return text((out, length) => nv.nvmlDeviceGetBoardPartNumber(this.#raw, out, length));
  }

  /** The version of the video BIOS. */
  get vbiosVersion(): string {
    return text((out, length) => nv.nvmlDeviceGetVbiosVersion(this.#raw, out, length));
  }

  /** The product line: `'nvidia'`, `'tesla'`, `'geforce'`. */
  get brand(): NamesOf<typeof Brand> {
    return nameIn(
      Brand,
      uint((out) => nv.nvmlDeviceGetBrand(this.#raw, out)),
    );
  }

  /** The generation: `'hopper'`; `'unknown'` for one newer than this package. */
  get architecture(): NamesOf<typeof Architecture> {
    return nameIn(
      Architecture,
      uint((out) => nv.nvmlDeviceGetArchitecture(this.#raw, out)),
    );
  }

  /** `[9, 0]` for sm_90. */
  get computeCapability(): readonly [major: number, minor: number] {
    const major = slotOf('int');
    const minor = slotOf('int');
    nv.nvmlDeviceGetCudaComputeCapability(this.#raw, major, minor);
    return [take(major), take(minor)];
  }

  /** How many CUDA cores there are. */
  get coreCount(): number {
    return uint((out) => nv.nvmlDeviceGetNumGpuCores(this.#raw, out));
  }

  /**
   * NVML's `nvmlDevice_t`.
   * @internal
   */
  get raw(): RawDevice {
    return this.#raw;
  }
}
describeFacts(DeviceIdentity, ({ name }) => ({ name }));
