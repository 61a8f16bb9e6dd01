import { checkInteger } from '../core/check.ts';
import { Handle } from '../core/handle.ts';
import type { ElementName } from '../core/element-table.ts';
import type { AnyElement } from '../core/typed/element.ts';
import { inContext, requireContext } from '../cuda/device/context.ts';
import type { DevicePointer } from '../cuda/memory/device-pointer.ts';
import { DeviceAllocation } from '../cuda/memory/memory.ts';
import { cleanup, nc } from './call.ts';
import { Cell } from './cell.ts';

/**
 * Allocate device memory as NCCL wants it: for windows, and for registered buffers that NVLink's switches use.
 *
 * Host: may block. Stream: not ordered.
 *
 * @param byteLength - size in bytes, at least 1; NCCL may round it up
 * @throws {@link NcclError} ncclUnhandledCudaError: there is not so much memory
 * @see {@link https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/bufferreg.html | Buffer registration}
 */
export function memAlloc<E extends ElementName = AnyElement>(byteLength: number): DeviceAllocation<E> {
  const bytes = checkInteger(byteLength, 'The size of an allocation', 1);
  const context = requireContext('ncclMemAlloc');
  const cell = new Cell();
  nc.ncclMemAlloc(cell.address, bytes);
  const free = (pointer: DevicePointer): void => {
    inContext(context, () => cleanup('ncclMemFree', pointer));
  };
  return new DeviceAllocation<E>(new Handle('DeviceAllocation', cell.wide as DevicePointer, free, [context]), bytes);
}
