import type { Opaque } from '../../ffi/ctype.ts';
import { attempt, callError } from '../call.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';
import type { DevicePointer } from '../memory/device-pointer.ts';
import { MemoryType, PointerAttribute, status as statuses } from '../sys/enums.ts';

const INVALID_VALUE = statuses.CUDA_ERROR_INVALID_VALUE[0];
const typeSlot = slotOf('unsigned int');

/** The ends of a copy that was refused, as addresses. */
export interface RefusedCopy {
  readonly to: bigint;
  readonly from: bigint;
  readonly bytes: number;
  /** The stream of a copy that does not block. */
  readonly queue?: Opaque<'CUstream'>;
}

/**
 * Copy after all, or throw. Memory of a pool on the host has an address for the device, but drivers (580 at least) refuse it
 * where a function's name says that the end is the device's; `cuMemcpy` looks at the addresses. It takes any host address
 * too, so it is asked for nothing else.
 *
 * @param pointers - the ends that were passed as the device's
 */
export function copyOrThrow(
  routine: string,
  status: number,
  pointers: readonly DevicePointer[],
  { to, from, bytes, queue }: RefusedCopy,
): void {
  if (status === INVALID_VALUE && pointers.some(isOnHost) && pointers.every(isKnown)) {
    const ends = [to as DevicePointer, from as DevicePointer] as const;
    const again =
      queue === undefined ? attempt('cuMemcpy', ...ends, bytes) : attempt('cuMemcpyAsync', ...ends, bytes, queue);
    if (again === 0) return;
  }
  throw callError(routine, status);
}

function isOnHost(pointer: DevicePointer): boolean {
  return isKnown(pointer) && take(typeSlot) === MemoryType.HOST;
}

function isKnown(pointer: DevicePointer): boolean {
  return attempt('cuPointerGetAttribute', typeSlot, PointerAttribute.MEMORY_TYPE, pointer) === 0;
}
