import { checkInteger } from '../../core/check.ts';
import { hostByteLength, type HostMemory } from '../../core/host-memory.ts';
import { addressOf } from '../../ffi/memory.ts';
import { slicesOf } from '../texture/array-shape.ts';
import { deviceAddress, deviceRange, type DeviceMemory } from '../memory/device-pointer.ts';
import { arrayHandle, shapeOf, type OpaqueArray } from '../texture/opaque-array.ts';
import { recording } from '../captures.ts';
import { noteUse } from '../lifetime/recording.ts';
import { MemoryType } from '../sys/enums.ts';

/** One end of a copy: what memory, and how the driver is told where it is. */
export interface CopyPlace {
  /** A `CUmemorytype`. */
  readonly kind: number;
  readonly memory: HostMemory | DeviceMemory | OpaqueArray;
}

/** Where a box lies in the memory of one end, in bytes and rows and layers. */
export interface CopyOrigin {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** Bytes from one row to the next; 0 for rows that touch. */
  readonly pitch: number;
  /** Rows from one layer to the next; 0 for layers that touch. */
  readonly rows: number;
}

/** How large a box is, in bytes and rows and layers. */
export interface CopyExtent {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

/** What goes into the driver's description of one end. */
export interface CopyEnd {
  readonly kind: number;
  readonly host: bigint;
  readonly device: bigint;
  readonly array: bigint;
  readonly pitch: number;
  readonly rows: number;
}

/** Host memory as an end of a copy. */
export function hostPlace(array: HostMemory, what: string): CopyPlace {
  hostByteLength(array, what);
  return { kind: MemoryType.HOST, memory: array };
}

/** Device memory as an end of a copy. */
export function devicePlace(memory: DeviceMemory, what: string): CopyPlace {
  deviceRange(memory, 0, what);
  return { kind: MemoryType.DEVICE, memory };
}

/**
 * Memory of either side: device memory, a managed array, or an address whose side the driver finds out. A host
 * array is known to be the host's: not every device has one address space for both.
 */
export function unifiedPlace(memory: HostMemory | DeviceMemory, what: string): CopyPlace {
  if (deviceAddress(memory) === undefined) return hostPlace(memory as HostMemory, what);
  deviceRange(memory, 0, what);
  return { kind: MemoryType.UNIFIED, memory };
}

/** An array as an end of a copy. */
export function arrayPlace(array: OpaqueArray, what: string): CopyPlace {
  arrayHandle(array, what);
  return { kind: MemoryType.ARRAY, memory: array };
}

/** Check the size of a box. */
export function checkExtent(width: unknown, height: unknown, depth: unknown, what: string): CopyExtent {
  return {
    width: checkInteger(width, `${what}: widthInBytes`, 1),
    height: checkInteger(height, `${what}: height`, 1),
    depth: checkInteger(depth, `${what}: depth`, 1),
  };
}

/**
 * Check that a box lies in the memory of one end, and describe that end.
 *
 * @param end - `'src'` or `'dst'`, for errors
 * @throws TypeError no memory was given for this end, or it is gone
 * @throws RangeError the box does not fit the memory, the pitch or the rows
 */
export function describeEnd(
  place: CopyPlace | undefined,
  origin: CopyOrigin,
  extent: CopyExtent,
  what: string,
  end: 'src' | 'dst',
): CopyEnd {
  const name = `${what}: the ${end === 'src' ? 'source' : 'destination'}`;
  if (!place)
    throw new TypeError(`${name} is not set: call ${end === 'src' ? 'setSrcHost' : 'setDstHost'} or a similar method`);
  const x = checkInteger(origin.x, `${what}: ${end}XInBytes`);
  const y = checkInteger(origin.y, `${what}: ${end}Y`);
  const z = checkInteger(origin.z, `${what}: ${end}Z`);
  if (place.kind === MemoryType.ARRAY) return describeArray(place.memory as OpaqueArray, { x, y, z }, extent, name);
  const pitch = checkInteger(origin.pitch, `${what}: ${end}Pitch`) || x + extent.width;
  const rows = checkInteger(origin.rows, `${what}: ${end}Height`) || y + extent.height;
  if (pitch < x + extent.width) {
    throw new RangeError(`${name}: rows of ${x} + ${extent.width} bytes do not fit a pitch of ${pitch}`);
  }
  if (extent.depth > 1 && rows < y + extent.height) {
    throw new RangeError(`${name}: layers of ${y} + ${extent.height} rows do not fit ${rows} rows`);
  }
  const last = (z + extent.depth - 1) * rows + y + extent.height - 1;
  const bytes = checkInteger(last * pitch + x + extent.width, `${name}: the end of the box`);
  return { ...addressesOf(place, bytes, name), array: 0n, pitch, rows };
}

/** An array knows its own pitch, and moves whole elements. */
function describeArray(
  array: OpaqueArray,
  { x, y, z }: Pick<CopyOrigin, 'x' | 'y' | 'z'>,
  { width, height, depth }: CopyExtent,
  name: string,
): CopyEnd {
  const owner = arrayHandle(array, name);
  const shape = shapeOf(array);
  const { elementBytes } = shape;
  for (const [bytes, which] of [
    [x, "box's x"],
    [width, "box's width"],
  ] as const) {
    if (bytes % elementBytes !== 0) {
      throw new RangeError(
        `${name}: the ${which} must be a multiple of the ${elementBytes} bytes of an element, got ${bytes}`,
      );
    }
  }
  const rooms = { bytes: shape.width * elementBytes, rows: Math.max(1, shape.height), layers: slicesOf(shape) };
  const ends = { bytes: x + width, rows: y + height, layers: z + depth };
  for (const unit of ['bytes', 'rows', 'layers'] as const) {
    if (ends[unit] > rooms[unit]) {
      const of = unit === 'bytes' ? 'in a row' : 'in all';
      throw new RangeError(`${name} has ${rooms[unit]} ${unit} ${of}; the box ends at ${ends[unit]}`);
    }
  }
  if (recording.active > 0) noteUse(array);
  return { kind: MemoryType.ARRAY, host: 0n, device: 0n, array: owner.value, pitch: 0, rows: 0 };
}

function addressesOf(
  { kind, memory }: CopyPlace,
  bytes: number,
  name: string,
): { readonly kind: number; readonly host: bigint; readonly device: bigint } {
  if (kind !== MemoryType.HOST) return { kind, host: 0n, device: deviceRange(memory, bytes, name) };
  const room = hostByteLength(memory, name);
  if (bytes > room) throw new RangeError(`${name} has ${room} bytes; the box ends at ${bytes}`);
  return { kind, host: addressOf(memory as HostMemory), device: 0n };
}

/** The host arrays of a copy's ends, which it needs until it is done. */
export function hostArrays(...places: readonly (CopyPlace | undefined)[]): HostMemory[] {
  return places.flatMap((place) => (place?.kind === MemoryType.HOST ? [place.memory as HostMemory] : []));
}
