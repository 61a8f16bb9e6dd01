import type { Opaque } from '../../ffi/ctype.ts';
import type { DriverTable } from '../../cuda/sys/tables.ts';
import { MemoryType } from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import { Status } from '../abi/status.ts';
import { streamOfStep } from './frozen.ts';
import type { Step } from './graph-store.ts';
import { bytesAt, type Out } from '../abi/out.ts';
import { readBox3D, refuseBox } from './box.ts';
import type { DriverState } from './state.ts';

type Memory = Opaque<'CUdeviceptr'>;

const C = structs.CUDA_MEMCPY3D;
const F = structs.CUDA_MEMSET_NODE_PARAMS;

/** The step of a CUDA_MEMCPY3D. One row between memory of the host and the device need not wait for earlier commands. */
export function copyStepOf(state: DriverState, table: DriverTable, params: Out): Step | number {
  const bytes = bytesAt(params, C.size).slice(0, C.size);
  const box = readBox3D(state, bytes);
  if (typeof box === 'number') return box;
  const refused = refuseBox(state, box);
  if (refused !== 0) return refused;
  const { source, target, width, height, depth } = box;
  const [from, to] = [source.kind, target.kind];
  const isRow = height === 1 && depth === 1;
  if (isRow && from === MemoryType.HOST && to === MemoryType.DEVICE) {
    return (stream) => table.cuMemcpyHtoDAsync(target.address as Memory, source.address, width, streamOfStep(stream));
  }
  if (isRow && from === MemoryType.DEVICE && to === MemoryType.HOST) {
    return (stream) => table.cuMemcpyDtoHAsync(target.address, source.address as Memory, width, streamOfStep(stream));
  }
  if (isRow && from === MemoryType.DEVICE && to === MemoryType.DEVICE) {
    return (stream) =>
      table.cuMemcpyDtoDAsync(target.address as Memory, source.address as Memory, width, streamOfStep(stream));
  }
  return (stream) => table.cuMemcpy3DAsync(bytes, streamOfStep(stream));
}

/** The step of a CUDA_MEMSET_NODE_PARAMS; of one row only. */
export function fillStepOf(state: DriverState, table: DriverTable, params: Out): Step | number {
  const bytes = bytesAt(params, F.size).slice(0, F.size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, F.size);
  const to = view.getBigUint64(F.fields.dst, true) as Memory;
  const value = view.getUint32(F.fields.value, true);
  const width = view.getUint32(F.fields.elementSize, true);
  const count = Number(view.getBigUint64(F.fields.width, true));
  if (view.getBigUint64(F.fields.height, true) !== 1n) return Status.NOT_SUPPORTED;
  if (![1, 2, 4].includes(width) || Number(to) % width !== 0) return Status.INVALID_VALUE;
  if (!state.memory.find(Number(to), count * width)) return Status.INVALID_VALUE;
  if (width === 4) return (stream) => table.cuMemsetD32Async(to, value, count, streamOfStep(stream));
  if (width === 2) return (stream) => table.cuMemsetD16Async(to, value, count, streamOfStep(stream));
  return (stream) => table.cuMemsetD8Async(to, value, count, streamOfStep(stream));
}
