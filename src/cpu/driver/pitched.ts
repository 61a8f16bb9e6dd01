import type { DriverTable } from '../../cuda/sys/tables.ts';
import { MemoryType } from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import { Status } from '../abi/status.ts';
import { bytesAt, type Out } from '../abi/out.ts';
import type { DriverState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'cuMemcpy2D'
  | 'cuMemcpy2DUnaligned'
  | 'cuMemcpy2DAsync'
  | 'cuMemcpy3D'
  | 'cuMemcpy3DAsync'
  | 'cuMemcpy3DPeer'
  | 'cuMemcpy3DPeerAsync'
  | 'cuMemcpyPeer'
  | 'cuMemcpyPeerAsync'
  | 'cuMemsetD2D8'
  | 'cuMemsetD2D8Async'
  | 'cuMemsetD2D16'
  | 'cuMemsetD2D16Async'
  | 'cuMemsetD2D32'
  | 'cuMemsetD2D32Async';

/** One side of a copy: its first byte, and the distances of its rows and layers in bytes. */
interface Side {
  readonly kind: number;
  readonly address: bigint;
  readonly pitch: number;
  readonly layer: number;
}

interface Box {
  readonly source: Side;
  readonly target: Side;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

/** Copies of boxes, fills of rectangles. They wait for earlier commands and run on the calling thread. */
export const pitchedFunctions: Rows<DriverState, DriverTable, Names> = {
  cuMemcpy2D: (state, description) => copy2D(state, description, 0n),
  cuMemcpy2DUnaligned: (state, description) => copy2D(state, description, 0n),
  cuMemcpy2DAsync: copy2D,
  cuMemcpy3D: (state, description) => copy3D(state, description, 0n),
  cuMemcpy3DAsync: copy3D,
  cuMemcpy3DPeer: (state, description) => copy3D(state, description, 0n),
  cuMemcpy3DPeerAsync: copy3D,
  cuMemcpyPeer: (state, to, first, from, second, size) => copyPeer(state, to, first, from, second, Number(size), 0n),
  cuMemcpyPeerAsync: (state, to, first, from, second, size, stream) =>
    copyPeer(state, to, first, from, second, Number(size), stream),
  cuMemsetD2D8: (state, to, pitch, value, width, height) => fill(state, to, pitch, value, width, height, 1, 0n),
  cuMemsetD2D8Async: (state, to, pitch, value, width, height, stream) =>
    fill(state, to, pitch, value, width, height, 1, stream),
  cuMemsetD2D16: (state, to, pitch, value, width, height) => fill(state, to, pitch, value, width, height, 2, 0n),
  cuMemsetD2D16Async: (state, to, pitch, value, width, height, stream) =>
    fill(state, to, pitch, value, width, height, 2, stream),
  cuMemsetD2D32: (state, to, pitch, value, width, height) => fill(state, to, pitch, value, width, height, 4, 0n),
  cuMemsetD2D32Async: (state, to, pitch, value, width, height, stream) =>
    fill(state, to, pitch, value, width, height, 4, stream),
};

/** Wait for all commands ahead of a stream's next one. */
function settle(state: DriverState, stream: bigint): number {
  const refused = state.refuse();
  if (refused !== 0) return refused;
  const on = state.streamOf(Number(stream));
  return on ? state.finish(on.context, on.context.last) : Status.INVALID_HANDLE;
}

function deviceAt(state: DriverState, address: bigint, byteLength: number): number | undefined {
  return state.memory.find(Number(address), byteLength) ? Number(address) : undefined;
}

/** The bytes that a side touches, from its first on. */
function reach(
  state: DriverState,
  { kind, address }: Side,
  byteLength: number,
): { readonly bytes: Uint8Array; readonly device: number | undefined } | undefined {
  const device = kind === MemoryType.HOST ? state.memory.deviceAddress(address) : deviceAt(state, address, byteLength);
  if (device !== undefined && state.memory.find(device, byteLength)) {
    return { bytes: state.memory.bytes.subarray(device, device + byteLength), device };
  }
  if (kind === MemoryType.DEVICE || address === 0n) return undefined;
  return { bytes: bytesAt(address, byteLength), device: undefined };
}

function copyBox(state: DriverState, { source, target, width, height, depth }: Box): number {
  if (width === 0 || height === 0 || depth === 0) return Status.SUCCESS;
  const known = [MemoryType.HOST, MemoryType.DEVICE, MemoryType.UNIFIED] as readonly number[];
  if (!known.includes(source.kind) || !known.includes(target.kind)) return Status.NOT_SUPPORTED;
  const span = ({ pitch, layer }: Side): number => (depth - 1) * layer + (height - 1) * pitch + width;
  const wrong = ({ pitch, layer }: Side): boolean =>
    (height > 1 && pitch < width) || (depth > 1 && layer < pitch * height) || !Number.isSafeInteger(layer * depth);
  if (wrong(source) || wrong(target)) return Status.INVALID_VALUE;
  const from = reach(state, source, span(source));
  const to = reach(state, target, span(target));
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

function copy2D(state: DriverState, description: Out, stream: bigint): number {
  const view = viewOf(description, structs.CUDA_MEMCPY2D.size);
  return settle(state, stream) || (view ? copyBox(state, readBox2D(view)) : Status.INVALID_VALUE);
}

function copy3D(state: DriverState, description: Out, stream: bigint): number {
  const view = viewOf(description, structs.CUDA_MEMCPY3D.size);
  return settle(state, stream) || (view ? copyBox(state, readBox3D(view)) : Status.INVALID_VALUE);
}

function line(kind: number, address: bigint): Side {
  return { kind, address, pitch: 0, layer: 0 };
}

function copyLine(state: DriverState, to: bigint, from: bigint, size: number, kind: number): number {
  return copyBox(state, { source: line(kind, from), target: line(kind, to), width: size, height: 1, depth: 1 });
}

function fill(
  state: DriverState,
  to: bigint,
  pitch: number | bigint,
  value: number,
  columns: number | bigint,
  rows: number | bigint,
  width: 1 | 2 | 4,
  stream: bigint,
): number {
  const refused = settle(state, stream);
  if (refused !== 0) return refused;
  const rowBytes = Number(columns) * width;
  const height = Number(rows);
  const step = Number(pitch);
  if (rowBytes === 0 || height === 0) return Status.SUCCESS;
  const address = deviceAt(state, to, (height - 1) * step + rowBytes);
  if (address === undefined || address % width !== 0 || (height > 1 && (step < rowBytes || step % width !== 0))) {
    return Status.INVALID_VALUE;
  }
  const { buffer } = state.memory.bytes;
  for (let y = 0; y < height; y++) {
    const at = address + y * step;
    if (width === 4) new Uint32Array(buffer, at, rowBytes / 4).fill(value);
    else if (width === 2) new Uint16Array(buffer, at, rowBytes / 2).fill(value);
    else new Uint8Array(buffer, at, rowBytes).fill(value);
    state.memory.guard?.write(at, rowBytes);
  }
  return Status.SUCCESS;
}

function copyPeer(
  state: DriverState,
  to: bigint,
  first: bigint,
  from: bigint,
  second: bigint,
  size: number,
  stream: bigint,
): number {
  for (const context of [first, second]) if (!state.contexts.has(Number(context))) return Status.INVALID_CONTEXT;
  return settle(state, stream) || copyLine(state, to, from, size, MemoryType.DEVICE);
}

function viewOf(description: Out, size: number): DataView | undefined {
  const bytes = bytesAt(description, size);
  return bytes.length < size ? undefined : new DataView(bytes.buffer, bytes.byteOffset, size);
}

function readBox2D(view: DataView): Box {
  const { fields } = structs.CUDA_MEMCPY2D;
  const at = (field: keyof typeof fields): number => Number(view.getBigUint64(fields[field], true));
  const side = (end: 'src' | 'dst'): Side => {
    const kind = view.getInt32(fields[`${end}MemoryType`], true);
    const base = view.getBigUint64(kind === MemoryType.HOST ? fields[`${end}Host`] : fields[`${end}Device`], true);
    const pitch = at(`${end}Pitch`);
    const address = base + BigInt(at(`${end}Y`)) * BigInt(pitch) + BigInt(at(`${end}XInBytes`));
    return { kind, address, pitch, layer: 0 };
  };
  return { source: side('src'), target: side('dst'), width: at('WidthInBytes'), height: at('Height'), depth: 1 };
}

function readBox3D(view: DataView): Box {
  const { fields } = structs.CUDA_MEMCPY3D;
  const at = (field: keyof typeof fields): number => Number(view.getBigUint64(fields[field], true));
  const side = (end: 'src' | 'dst'): Side => {
    const kind = view.getInt32(fields[`${end}MemoryType`], true);
    const base = view.getBigUint64(kind === MemoryType.HOST ? fields[`${end}Host`] : fields[`${end}Device`], true);
    const pitch = at(`${end}Pitch`);
    const layer = pitch * at(`${end}Height`);
    const rows = BigInt(at(`${end}Y`)) * BigInt(pitch) + BigInt(at(`${end}Z`)) * BigInt(layer);
    return { kind, address: base + rows + BigInt(at(`${end}XInBytes`)), pitch, layer };
  };
  const depth = at('Depth');
  return { source: side('src'), target: side('dst'), width: at('WidthInBytes'), height: at('Height'), depth };
}
