import { checkInteger, nameOf } from '../core/check.ts';
import { uint, type RawDevice } from './answer.ts';
import { callWith, nv } from './call.ts';
import { take } from '../ffi/slot.ts';
import { slotOf, type DeviceSlot } from './slots.ts';

/** A device by the serial number of its board. */
export interface DeviceSerial {
  readonly serial: string;
}

/** A device that NVML has given; no number of a user's can be taken for one. */
export class FoundDevice {
  readonly raw: RawDevice;

  constructor(raw: bigint) {
    this.raw = raw as RawDevice;
  }
}

/** How many GPUs there are. */
export function deviceCount(): number {
  return uint((out) => nv.nvmlDeviceGetCount(out));
}

/** The device of a number, a UUID, a PCI bus id or a serial number. */
export function findDevice(which: number | string | DeviceSerial | FoundDevice): RawDevice {
  if (which instanceof FoundDevice) return which.raw;
  const slot = slotOf('nvmlDevice_t');
  if (typeof which === 'number') findIndex(which, slot);
  else if (typeof which === 'string') findName(which, slot);
  else {
    const serial = serialOf(which);
    if (serial === undefined) {
      throw new TypeError(`A device must be a number, a UUID, a PCI bus id or { serial }, got ${nameOf(which)}`);
    }
    callWith({ serial }, 'nvmlDeviceGetHandleBySerial', serial, slot);
  }
  return take(slot);
}

function serialOf(which: unknown): string | undefined {
  if (typeof which !== 'object' || which === null) return undefined;
  try {
    const { serial } = which as { readonly serial?: unknown };
    return typeof serial === 'string' ? serial : undefined;
  } catch (error) {
    // A proxy of a Device has no serial number to tell.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function findIndex(which: number, slot: DeviceSlot): void {
  const index = checkInteger(which, 'The device number');
  const count = deviceCount();
  if (index >= count) {
    const those = count === 0 ? 'none' : count === 1 ? 'one, device 0' : `${count}, devices 0 to ${count - 1}`;
    throw new RangeError(`There is no GPU ${index}; this machine has ${those}`);
  }
  callWith({ device: String(index) }, 'nvmlDeviceGetHandleByIndex', index, slot);
}

function findName(which: string, slot: DeviceSlot): void {
  if (which.includes(':')) {
    callWith({ 'bus id': which.slice(0, 40) }, 'nvmlDeviceGetHandleByPciBusId', which, slot);
  } else if (/^(GPU|MIG)-/.test(which)) {
    callWith({ uuid: which.slice(0, 96) }, 'nvmlDeviceGetHandleByUUID', which, slot);
  } else
    throw new TypeError(
      `A device's name must be a UUID (GPU- or MIG-) or a PCI bus id (with colons), got ${nameOf(which)}`,
    );
}
