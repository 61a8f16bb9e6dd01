import { GAP } from '../runtime/allocator.ts';

/** Where a piece of a process's device memory is, in the 64 bytes of a handle. */
export interface SharedPlace {
  readonly kind: 'memory' | 'event';
  readonly process: number;
  /** The number of the file there, and which file it is. */
  readonly file: number;
  readonly inode: bigint;
  /** The device address there, which is the place in the file, too. */
  readonly address: number;
  readonly byteLength: number;
}

const MAGIC = 0x31_43_50_49_6b_72n;
const BYTES = 64;
const KINDS = ['memory', 'event'] as const;

/** Write the bytes of a handle. */
export function writePlace(bytes: Uint8Array, place: SharedPlace): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, BYTES);
  bytes.fill(0, 0, BYTES);
  view.setBigUint64(0, MAGIC, true);
  view.setUint32(8, KINDS.indexOf(place.kind), true);
  view.setUint32(12, place.process, true);
  view.setUint32(16, place.file, true);
  view.setBigUint64(24, place.inode, true);
  view.setBigUint64(32, BigInt(place.address), true);
  view.setBigUint64(40, BigInt(place.byteLength), true);
}

/** Read the bytes of a handle; undefined for bytes that are not of this device, or of another kind. */
export function readPlace(bytes: Uint8Array, kind: SharedPlace['kind']): SharedPlace | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < BYTES || view.getBigUint64(0, true) !== MAGIC) return undefined;
  if (KINDS[view.getUint32(8, true)] !== kind) return undefined;
  const place: SharedPlace = {
    kind,
    process: view.getUint32(12, true),
    file: view.getUint32(16, true),
    inode: view.getBigUint64(24, true),
    address: Number(view.getBigUint64(32, true)),
    byteLength: Number(view.getBigUint64(40, true)),
  };
  const isInReach = place.byteLength > 0 && place.address + place.byteLength <= 2 ** 32;
  return isInReach && place.address % GAP === 0 ? place : undefined;
}
