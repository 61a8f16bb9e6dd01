import { PublicObject } from '../core/public-object.ts';
import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { camelCase } from '../core/names.ts';
import { record, uint, wide, type RawDevice } from './answer.ts';
import { nv } from './call.ts';
import { attempt } from './errors.ts';
import { fieldValueOf } from './field-values.ts';
import { nameIn, type NamesOf } from './names.ts';
import { readPciInfo, type PciInfo } from './pcie.ts';
import { FieldId, NvLinkCapability, NvLinkDeviceType, NvLinkErrorCounter, NvLinkVersion } from './sys/enums.ts';
import { structs } from './sys/structs.ts';

/** What a link can do. */
export type NvLinkCapabilityName = NamesOf<typeof NvLinkCapability>;

/** What is at the other end of a link. */
export interface NvLinkRemote {
  readonly type: NamesOf<typeof NvLinkDeviceType>;
  /** Undefined where the driver does not tell. */
  readonly pci: PciInfo | undefined;
}

/** Errors of a link; undefined where the device does not count them. */
export type NvLinkErrors = { readonly [Name in NamesOf<typeof NvLinkErrorCounter>]: number | undefined };

/** No device has more. */
const MAX_LINKS = 18;
const KIBIBYTE = 1024;
const MEGABYTE = 1e6;

/**
 * One NVLink of a device: `device.nvlinks()`.
 *
 * Host: no call of it blocks.
 *
 * @example
 * ```ts
 * import { Device, optional } from 'rawkernel/nvml';
 *
 * for (const link of new Device(0).nvlinks()) {
 *   if (link.active) console.log(link.link, optional(() => link.version), optional(() => link.remote.type));
 * }
 * ```
 * @see {@link https://docs.nvidia.com/deploy/nvml-api/group__NvLink.html | NvLink methods}
 */
export class NvLink extends PublicObject {
  /** Its number, from 0. */
  readonly link: number;
  readonly #raw: RawDevice;

  /** @internal */
  constructor(maker: Maker, raw: RawDevice, link: number) {
    checkMade(maker === MAKER, 'NvLink', 'call device.nvlinks()');
    super();
    this.#raw = raw;
    this.link = link;
  }

  /** Whether something is connected and the link is up. */
  get active(): boolean {
    return uint((out) => nv.nvmlDeviceGetNvLinkState(this.#raw, this.link, out)) === 1;
  }

  /** The version: `'4.0'`; `'unknown'` for one newer than this package. */
  get version(): string {
    const number = uint((out) => nv.nvmlDeviceGetNvLinkVersion(this.#raw, this.link, out));
    const key = Object.entries(NvLinkVersion).find(([, each]) => each === number)?.[0];
    return key?.replace('_', '.') ?? 'unknown';
  }

  /** What it can do. */
  get capabilities(): NvLinkCapabilityName[] {
    return Object.entries(NvLinkCapability)
      .filter(([, number]) => uint((out) => nv.nvmlDeviceGetNvLinkCapability(this.#raw, this.link, number, out)) === 1)
      .map(([name]) => camelCase(name) as NvLinkCapabilityName);
  }

  /** What is at the other end. */
  get remote(): NvLinkRemote {
    const type = uint((out) => nv.nvmlDeviceGetNvLinkRemoteDeviceType(this.#raw, this.link, out));
    const pci = attempt(() =>
      readPciInfo(
        record(structs.nvmlPciInfo_t, (out) => nv.nvmlDeviceGetNvLinkRemotePciInfo(this.#raw, this.link, out)),
      ),
    );
    return { type: nameIn(NvLinkDeviceType, type), pci };
  }

  /** How many errors of each kind there were. */
  get errors(): NvLinkErrors {
    const counts = Object.entries(NvLinkErrorCounter).map(([name, number]) => [
      camelCase(name),
      attempt(() => wide((out) => nv.nvmlDeviceGetNvLinkErrorCounter(this.#raw, this.link, number, out))),
    ]);
    return Object.fromEntries(counts) as NvLinkErrors;
  }

  /** What it can carry in each direction, in bytes per second. */
  get bytesPerSecond(): number {
    return fieldValueOf(this.#raw, FieldId.NVLINK_GET_SPEED, this.link).value * MEGABYTE;
  }

  /** Data that was sent since the driver was loaded, in bytes. */
  get txBytes(): number {
    return fieldValueOf(this.#raw, FieldId.NVLINK_THROUGHPUT_DATA_TX, this.link).value * KIBIBYTE;
  }

  /** Data that was received since the driver was loaded, in bytes. */
  get rxBytes(): number {
    return fieldValueOf(this.#raw, FieldId.NVLINK_THROUGHPUT_DATA_RX, this.link).value * KIBIBYTE;
  }
}

/** The links of a device, those that are down too; none where it has no NVLink. */
export function nvlinksOf(device: RawDevice): NvLink[] {
  const found: NvLink[] = [];
  for (let number = 0; number < MAX_LINKS; number++) {
    const link = new NvLink(MAKER, device, number);
    // Beyond the last link, drivers call the number wrong.
    if (attempt(() => link.active) !== undefined) found.push(link);
  }
  return found;
}
