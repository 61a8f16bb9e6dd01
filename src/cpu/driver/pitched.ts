import type { DriverTable } from '../../cuda/sys/tables.ts';
import { Status } from '../abi/status.ts';
import type { Out } from '../abi/out.ts';
import { copyBox, deviceAt, readBox2D, readBox3D } from './box.ts';
import type { DriverState } from './state.ts';
import { ahead } from './stream-order.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'cuMemcpy2D'
  | 'cuMemcpy2DUnaligned'
  | 'cuMemcpy2DAsync'
  | 'cuMemcpy3D'
  | 'cuMemcpy3DAsync'
  | 'cuMemsetD2D8'
  | 'cuMemsetD2D8Async'
  | 'cuMemsetD2D16'
  | 'cuMemsetD2D16Async'
  | 'cuMemsetD2D32'
  | 'cuMemsetD2D32Async';

/** Copies of boxes, fills of rectangles. They wait for earlier commands and run on the calling thread. */
export const pitchedFunctions: Rows<DriverState, DriverTable, Names> = {
  cuMemcpy2D: (state, description) => copy2D(state, description, 0n),
  cuMemcpy2DUnaligned: (state, description) => copy2D(state, description, 0n),
  cuMemcpy2DAsync: copy2D,
  cuMemcpy3D: (state, description) => copy3D(state, description, 0n),
  cuMemcpy3DAsync: copy3D,
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
  return on ? state.finish(on.context, ahead(on)) : Status.INVALID_HANDLE;
}

function copy2D(state: DriverState, description: Out, stream: bigint): number {
  const refused = settle(state, stream);
  if (refused !== 0) return refused;
  const box = readBox2D(state, description);
  return typeof box === 'number' ? box : copyBox(state, box);
}

function copy3D(state: DriverState, description: Out, stream: bigint): number {
  const refused = settle(state, stream);
  if (refused !== 0) return refused;
  const box = readBox3D(state, description);
  return typeof box === 'number' ? box : copyBox(state, box);
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
  const on = state.streamOf(Number(stream))?.context;
  if (on && !state.devices.reaches(on, address)) return Status.INVALID_VALUE;
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
