import { PublicObject } from '../core/public-object.ts';
import { readChoice } from '../core/choice.ts';
import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { record, textAt, uint, type RawDevice } from './answer.ts';
import { nv } from './call.ts';
import { PcieCounter } from './sys/enums.ts';
import { structs } from './sys/structs.ts';

/** Where a device is on the PCI bus, and what it says it is. */
export interface PciInfo {
  /** `'00000000:3B:00.0'` */
  readonly busId: string;
  readonly domain: number;
  readonly bus: number;
  readonly device: number;
  /** Device in the upper 16 bits, vendor in the lower. */
  readonly deviceId: number;
  readonly subsystemId: number;
}

/** From where to where: `'tx'` from the device to the host, `'rx'` from the host to the device. */
export type PcieDirection = 'tx' | 'rx';

const DIRECTIONS: Readonly<Record<PcieDirection, number>> = { tx: PcieCounter.TX_BYTES, rx: PcieCounter.RX_BYTES };
const KILOBYTE = 1024;

/**
 * A device's link to the host: `device.pcie`.
 *
 * @example
 * ```ts
 * import { Device, optional } from 'rawkernel/nvml';
 *
 * const { pcie } = new Device(0);
 * console.log(pcie.info.busId);
 * console.log(optional(() => `PCIe ${pcie.generation} x${pcie.width}`));
 * ```
 * @see {@link https://docs.nvidia.com/deploy/nvml-api/group__nvmlDeviceQueries.html | Device queries}
 */
export class Pcie extends PublicObject {
  readonly #raw: RawDevice;

  /** @internal */
  constructor(maker: Maker, raw: RawDevice) {
    checkMade(maker === MAKER, 'Pcie', 'read device.pcie');
    super();
    this.#raw = raw;
  }

  /** Where the device is. */
  get info(): PciInfo {
    return readPciInfo(record(structs.nvmlPciInfo_t, (out) => nv.nvmlDeviceGetPciInfo(this.#raw, out)));
  }

  /** The link's generation now; it may be lower while the device is idle. */
  get generation(): number {
    return uint((out) => nv.nvmlDeviceGetCurrPcieLinkGeneration(this.#raw, out));
  }

  /** The link's lanes now. */
  get width(): number {
    return uint((out) => nv.nvmlDeviceGetCurrPcieLinkWidth(this.#raw, out));
  }

  /** The newest generation that the device and its slot have. */
  get maxGeneration(): number {
    return uint((out) => nv.nvmlDeviceGetMaxPcieLinkGeneration(this.#raw, out));
  }

  /** The most lanes that the device and its slot have. */
  get maxWidth(): number {
    return uint((out) => nv.nvmlDeviceGetMaxPcieLinkWidth(this.#raw, out));
  }

  /** How often something had to be sent again. */
  get replayCount(): number {
    return uint((out) => nv.nvmlDeviceGetPcieReplayCounter(this.#raw, out));
  }

  /**
   * What goes over the link, in bytes per second. NVML counts kilobytes, taken as 1024 bytes.
   *
   * Host: blocks for about 20 ms, over which it is measured.
   */
  throughputBytesPerSecond(direction: PcieDirection): number {
    const counter = readChoice(direction, DIRECTIONS, 'Pcie.throughputBytesPerSecond: direction');
    return uint((out) => nv.nvmlDeviceGetPcieThroughput(this.#raw, counter, out)) * KILOBYTE;
  }
}

/** A filled nvmlPciInfo_t. */
export function readPciInfo(view: DataView): PciInfo {
  const { busId, domain, bus, device, pciDeviceId, pciSubSystemId } = structs.nvmlPciInfo_t.fields;
  return {
    busId: textAt(new Uint8Array(view.buffer, view.byteOffset + busId, structs.nvmlPciInfo_t.size - busId)),
    domain: view.getUint32(domain, true),
    bus: view.getUint32(bus, true),
    device: view.getUint32(device, true),
    deviceId: view.getUint32(pciDeviceId, true),
    subsystemId: view.getUint32(pciSubSystemId, true),
  };
}
