import type { Opaque } from '../../ffi/ctype.ts';
import type { DriverTable } from '../../cuda/sys/tables.ts';
import { MemoryType } from '../../cuda/sys/enums.ts';
import { structs } from '../../cuda/sys/structs.ts';
import { Status } from '../abi/status.ts';
import { streamOfStep } from './frozen.ts';
import type { Step } from './graph-store.ts';
import { bytesAt, type Out } from '../abi/out.ts';
import type { DriverState } from './state.ts';

type Memory = Opaque<'CUdeviceptr'>;

const C = structs.CUDA_MEMCPY3D;
const F = structs.CUDA_MEMSET_NODE_PARAMS;

/** The step of a CUDA_MEMCPY3D; of one row only. */
export function copyStepOf(state: DriverState, table: DriverTable, params: Out): Step | number {
  const bytes = bytesAt(params, C.size).slice(0, C.size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, C.size);
  const wide = (name: keyof typeof C.fields): bigint => view.getBigUint64(C.fields[name], true);
  const offsets = ['srcXInBytes', 'srcY', 'srcZ', 'srcLOD', 'dstXInBytes', 'dstY', 'dstZ', 'dstLOD'] as const;
  if (offsets.some((name) => wide(name) !== 0n) || wide('Height') !== 1n || wide('Depth') !== 1n) {
    return Status.NOT_SUPPORTED;
  }
  const from = view.getUint32(C.fields.srcMemoryType, true);
  const to = view.getUint32(C.fields.dstMemoryType, true);
  const size = Number(wide('WidthInBytes'));
  const there = (address: bigint): boolean => state.memory.find(Number(address), size) !== undefined;
  if (from === MemoryType.DEVICE && !there(wide('srcDevice'))) return Status.INVALID_VALUE;
  if (to === MemoryType.DEVICE && !there(wide('dstDevice'))) return Status.INVALID_VALUE;
  const source = wide('srcDevice') as Memory;
  const target = wide('dstDevice') as Memory;
  const hostSource = wide('srcHost');
  const hostTarget = wide('dstHost');
  if (from === MemoryType.HOST && to === MemoryType.DEVICE) {
    return (stream) => table.cuMemcpyHtoDAsync(target, hostSource, size, streamOfStep(stream));
  }
  if (from === MemoryType.DEVICE && to === MemoryType.HOST) {
    return (stream) => table.cuMemcpyDtoHAsync(hostTarget, source, size, streamOfStep(stream));
  }
  if (from !== MemoryType.DEVICE || to !== MemoryType.DEVICE) return Status.NOT_SUPPORTED;
  return (stream) => table.cuMemcpyDtoDAsync(target, source, size, streamOfStep(stream));
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
