import { MemoryType } from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import { Status } from '../abi/status.ts';
import { bytesAt, type Out } from '../abi/out.ts';
import type { DriverState } from './state.ts';

/** One side of a copy: its first byte, and the distances of its rows and layers in bytes. */
export interface Side {
  readonly kind: number;
  readonly address: bigint;
  readonly pitch: number;
  readonly layer: number;
}

/** A copy of rows in layers. */
export interface Box {
  readonly source: Side;
  readonly target: Side;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

type End = 'src' | 'dst';
type Extent = Pick<Box, 'width' | 'height' | 'depth'>;
type Fields = Readonly<
  Record<`${End}${'XInBytes' | 'Y' | 'MemoryType' | 'Host' | 'Device' | 'Array' | 'Pitch'}`, number>
>;

/** The kinds of memory that have addresses. */
const ADDRESSED: readonly number[] = [MemoryType.HOST, MemoryType.DEVICE, MemoryType.UNIFIED];

/** The copy that a CUDA_MEMCPY2D describes, or a status. */
export function readBox2D(state: DriverState, description: Out): Box | number {
  const { size, fields } = structs.CUDA_MEMCPY2D;
  const view = viewOf(description, size);
  if (!view) return Status.INVALID_VALUE;
  const at = (field: number): number => Number(view.getBigUint64(field, true));
  const extent = { width: at(fields.WidthInBytes), height: at(fields.Height), depth: 1 };
  return boxOf(extent, (end) => sideOf(state, view, fields, end, { z: 0, rows: 0 }, extent));
}

/** The copy that a CUDA_MEMCPY3D or a CUDA_MEMCPY3D_PEER describes, or a status. */
export function readBox3D(state: DriverState, description: Out): Box | number {
  const { size, fields } = structs.CUDA_MEMCPY3D;
  const view = viewOf(description, size);
  if (!view) return Status.INVALID_VALUE;
  const at = (field: number): number => Number(view.getBigUint64(field, true));
  const extent = { width: at(fields.WidthInBytes), height: at(fields.Height), depth: at(fields.Depth) };
  return boxOf(extent, (end) =>
    sideOf(state, view, fields, end, { z: at(fields[`${end}Z`]), rows: at(fields[`${end}Height`]) }, extent),
  );
}

function boxOf(extent: Extent, side: (end: End) => Side | number): Box | number {
  const source = side('src');
  const target = side('dst');
  if (typeof source === 'number') return source;
  return typeof target === 'number' ? target : { source, target, ...extent };
}

function sideOf(
  state: DriverState,
  view: DataView,
  fields: Fields,
  end: End,
  { z, rows }: { readonly z: number; readonly rows: number },
  extent: Extent,
): Side | number {
  const at = (field: number): number => Number(view.getBigUint64(field, true));
  const kind = view.getInt32(fields[`${end}MemoryType`], true);
  const [x, y] = [at(fields[`${end}XInBytes`]), at(fields[`${end}Y`])];
  if (kind === MemoryType.ARRAY) return arraySide(state, at(fields[`${end}Array`]), [x, y, z], extent);
  if (!ADDRESSED.includes(kind)) return Status.INVALID_VALUE;
  const base = view.getBigUint64(kind === MemoryType.HOST ? fields[`${end}Host`] : fields[`${end}Device`], true);
  const pitch = at(fields[`${end}Pitch`]);
  const layer = pitch * rows;
  const inside = BigInt(y) * BigInt(pitch) + BigInt(z) * BigInt(Number.isSafeInteger(layer) ? layer : 0);
  return { kind, address: base + inside + BigInt(x), pitch, layer };
}

/** A part of an array. It has its own pitch, and moves whole elements. */
function arraySide(
  state: DriverState,
  handle: number,
  [x, y, z]: readonly [number, number, number],
  { width, height, depth }: Extent,
): Side | number {
  const array = state.images.arrays.get(handle);
  if (!array) return Status.INVALID_HANDLE;
  const { element, rowPitch, slicePitch, rows, slices } = array.shape;
  if (x % element.bytes !== 0 || width % element.bytes !== 0) return Status.INVALID_VALUE;
  if (x + width > rowPitch || y + height > rows || z + depth > slices) return Status.INVALID_VALUE;
  const address = array.address + z * slicePitch + y * rowPitch + x;
  return { kind: MemoryType.DEVICE, address: BigInt(address), pitch: rowPitch, layer: slicePitch };
}

function viewOf(description: Out, size: number): DataView | undefined {
  const bytes = bytesAt(description, size);
  return bytes.length < size ? undefined : new DataView(bytes.buffer, bytes.byteOffset, size);
}

/** The status of a copy that cannot be made; 0 for one that can. */
export function refuseBox(state: DriverState, box: Box): number {
  const { source, target, width, height, depth } = box;
  if (width === 0 || height === 0 || depth === 0) return Status.SUCCESS;
  const wrong = ({ pitch, layer }: Side): boolean =>
    (height > 1 && pitch < width) || (depth > 1 && layer < pitch * height) || !Number.isSafeInteger(layer * depth);
  if (wrong(source) || wrong(target)) return Status.INVALID_VALUE;
  return reach(state, source, box) && reach(state, target, box) ? Status.SUCCESS : Status.INVALID_VALUE;
}

/** Copy row by row: a status. */
export function copyBox(state: DriverState, box: Box): number {
  const { source, target, width, height, depth } = box;
  const refused = refuseBox(state, box);
  if (refused !== 0 || width === 0 || height === 0 || depth === 0) return refused;
  const from = reach(state, source, box);
  const to = reach(state, target, box);
  if (!from || !to) return Status.INVALID_VALUE;
  for (let z = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      const out = z * target.layer + y * target.pitch;
      const at = z * source.layer + y * source.pitch;
      to.bytes.set(from.bytes.subarray(at, at + width), out);
      if (to.device !== undefined) state.memory.guard?.write(to.device + out, width);
    }
  }
  return Status.SUCCESS;
}

/** The bytes that a side touches, from its first on. */
function reach(
  state: DriverState,
  { kind, address, pitch, layer }: Side,
  { width, height, depth }: Extent,
): { readonly bytes: Uint8Array; readonly device: number | undefined } | undefined {
  const byteLength = (depth - 1) * layer + (height - 1) * pitch + width;
  const device = kind === MemoryType.HOST ? state.memory.deviceAddress(address) : deviceAt(state, address, byteLength);
  if (device !== undefined && state.memory.find(device, byteLength)) {
    return { bytes: state.memory.bytes.subarray(device, device + byteLength), device };
  }
  if (kind === MemoryType.DEVICE || address === 0n) return undefined;
  return { bytes: bytesAt(address, byteLength), device: undefined };
}

/** The address of device memory; undefined unless all of its bytes are allocated. */
export function deviceAt(state: DriverState, address: bigint, byteLength: number): number | undefined {
  return state.memory.find(Number(address), byteLength) ? Number(address) : undefined;
}
