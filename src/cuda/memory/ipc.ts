import { Handle } from '../../core/handle.ts';
import { checkInteger, nameOf } from '../../core/check.ts';
import { hostBytes, trueByteLength } from '../../core/host-memory.ts';
import { cu } from '../call.ts';
import { requireContext, destroyIn } from '../device/context.ts';
import { deviceRange, type DeviceMemory, type DevicePointer } from './device-pointer.ts';
import { DeviceAllocation } from './memory.ts';
import { IpcMemFlags } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

const slot = slotOf('CUdeviceptr');
const sizeSlot = slotOf('size_t');

/**
 * 64 bytes that name an allocation to other processes on this machine, for {@link openIpcMemory}.
 *
 * @param memory - of {@link memAlloc}; the name is the whole allocation's, also for a part of it
 * @throws {@link CudaRuntimeError} CUDA_ERROR_NOT_SUPPORTED: the platform shares no memory this way
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuIpcGetMemHandle}
 */
export function memIpcHandle(memory: DeviceMemory): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(structs.CUipcMemHandle.size);
  cu.cuIpcGetMemHandle(bytes, deviceRange(memory, 0, 'memIpcHandle: the memory'));
  return bytes;
}

/**
 * Use an allocation of another process. It must be closed here before it is freed there.
 *
 * Host: may block.
 *
 * @param handle - what {@link memIpcHandle} gave there; a process cannot open its own
 * @param byteLength - in bytes; by default as much as the driver maps, which may be more than was allocated
 * @returns the memory; `free()` and `using` only close it here
 * @throws TypeError not 64 bytes
 * @throws {@link CudaLogicError} the handle is invalid, or this process's own
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuIpcOpenMemHandle}
 */
export function openIpcMemory(handle: Uint8Array, byteLength?: number): DeviceAllocation {
  const reserved = ipcBytes(handle, 'openIpcMemory');
  const wanted = byteLength === undefined ? undefined : checkInteger(byteLength, 'openIpcMemory: byteLength', 1);
  const context = requireContext('cuIpcOpenMemHandle');
  cu.cuIpcOpenMemHandle(slot, { reserved }, IpcMemFlags.LAZY_ENABLE_PEER_ACCESS);
  const close = (pointer: DevicePointer): void => {
    destroyIn(context, 'cuIpcCloseMemHandle', pointer);
  };
  const record = new Handle('IPC memory', take(slot), close, [context]);
  try {
    cu.cuMemGetAddressRange(slot, sizeSlot, record.value);
    const room = Number(take(sizeSlot));
    if (wanted !== undefined && wanted > room) {
      throw new RangeError(`openIpcMemory: the memory has ${room} bytes; ${wanted} were asked for`);
    }
    return new DeviceAllocation(record, wanted ?? room);
  } catch (error) {
    record.release();
    throw error;
  }
}

/** The 64 bytes of a handle of another process. */
export function ipcBytes(handle: unknown, what: string): Uint8Array {
  if (!ArrayBuffer.isView(handle) || trueByteLength(handle) !== structs.CUipcMemHandle.size) {
    throw new TypeError(`${what} takes the 64 bytes of a handle, got ${nameOf(handle)}`);
  }
  return hostBytes(handle, what);
}
