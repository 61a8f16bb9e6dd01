import { checkInteger, nameOf } from '../../core/check.ts';
import { Device } from '../device/device.ts';
import { MemAccessFlags, MemLocationType } from '../sys/enums.ts';

/** Where memory lies, or shall: a device, the host, or a NUMA node of the host. */
export type MemLocation = Device | 'host' | { readonly numaNode: number };

/** The access that a device has to memory: none, read, read and write. */
export type MemAccess = 'none' | 'read' | 'readwrite';

const ACCESS: Readonly<Record<MemAccess, number>> = {
  none: MemAccessFlags.NONE,
  read: MemAccessFlags.READ,
  readwrite: MemAccessFlags.READWRITE,
};

/** A location's two words, type and id, as one number: the way in which it travels by value. */
export function packLocation(location: unknown, what: string): bigint {
  const [type, id] = wordsOf(location, what);
  return BigInt(type) | (BigInt.asUintN(32, BigInt(id)) << 32n);
}

/** A `CUmemAccessDesc`, the only one of its list. */
export function accessDescription(device: unknown, access: unknown, what: string): Uint32Array<ArrayBuffer> {
  if (!(device instanceof Device)) throw new TypeError(`${what} takes a Device, got ${nameOf(device)}`);
  if (typeof access !== 'string' || !Object.hasOwn(ACCESS, access)) {
    throw new TypeError(`${what}: access must be 'none', 'read' or 'readwrite', got ${nameOf(access)}`);
  }
  return Uint32Array.of(MemLocationType.DEVICE, device.raw, ACCESS[access as MemAccess]);
}

/** The word for the driver's access flags. */
export function accessName(flags: number): MemAccess {
  return flags === MemAccessFlags.READWRITE ? 'readwrite' : flags === MemAccessFlags.READ ? 'read' : 'none';
}

function wordsOf(location: unknown, what: string): readonly [type: number, id: number] {
  if (location instanceof Device) return [MemLocationType.DEVICE, location.raw];
  if (location === 'host') return [MemLocationType.HOST, 0];
  const node = (location as { readonly numaNode?: unknown } | null | undefined)?.numaNode;
  if (node !== undefined) return [MemLocationType.HOST_NUMA, checkInteger(node, `${what}: numaNode`, 0, 0xffff)];
  throw new TypeError(`${what} must be a Device, 'host' or { numaNode }, got ${nameOf(location)}`);
}
