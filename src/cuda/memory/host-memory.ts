import { arrayClass, type ArrayOf, type ElementType } from '../../core/dtype.ts';
import { ClosedError } from '../../core/errors.ts';
import { claim, Handle } from '../../core/handle.ts';
import { checkInteger } from '../../core/check.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { addressOf, checkViewBytes, detach, viewOf } from '../../ffi/memory.ts';
import { attempt, cu } from '../call.ts';
import { requireContext, destroyIn } from '../device/context.ts';
import { whenIdle } from '../device/idle.ts';
import type { DevicePointer } from './device-pointer.ts';
import { allocate } from './memory.ts';
import { HostAllocFlags } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type HostPointer = Opaque<'host memory'>;

/** A typed array over page-locked memory. Free it with {@link pagelockedFree}, or declare it with `using`. */
export type Pagelocked<A> = A & Disposable;

interface Allocation {
  readonly handle: Handle<HostPointer>;
  readonly disown: () => void;
  readonly context: ReturnType<typeof requireContext>;
  freed: boolean;
}

const addressSlot = slotOf('size_t');
const pointerSlot = slotOf('CUdeviceptr');
const records = new WeakMap<ArrayBufferLike, Allocation>();

/**
 * Make a typed array over page-locked host memory: copies to and from it run at full speed and need no staging, so
 * that an async copy really overlaps.
 *
 * Host: may block. The content is undefined; {@link pagelockedZeros} clears it. The memory goes when the array is freed
 * or collected; arrays made from its `buffer` have length 0 after that.
 *
 * @param length - elements
 * @param type - a typed array class, or a dtype's name
 * @param flags - {@link HostAllocFlags}: PORTABLE, DEVICEMAP, WRITECOMBINED
 * @throws {@link CudaMemoryError} CUDA_ERROR_OUT_OF_MEMORY
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { pagelockedEmpty } from 'rawkernel/cuda';
 *
 * using a = pagelockedEmpty(1024, Float32Array);
 * a.fill(1);
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemHostAlloc}
 */
export function pagelockedEmpty<const T extends ElementType>(
  length: number,
  type: T,
  flags = 0,
): Pagelocked<ArrayOf<T>> {
  const { array: ArrayType, bytes } = arrayClass(type, 'pagelockedEmpty: the type');
  const count = checkInteger(length, 'pagelockedEmpty: the length', 1);
  const byteLength = checkViewBytes(count * bytes, 'pagelockedEmpty: the array');
  const allocFlags = checkInteger(flags, 'pagelockedEmpty: flags', 0, 7) | HostAllocFlags.PORTABLE;
  const context = requireContext('cuMemHostAlloc');
  allocate('cuMemHostAlloc', byteLength, () => attempt('cuMemHostAlloc', addressSlot, byteLength, allocFlags));
  const address = take(addressSlot) as HostPointer;
  const handle = own(context, address);
  const buffer = mapped(handle, byteLength);
  // The buffer, not the array, is what every view of the memory keeps alive.
  records.set(buffer, { handle, disown: claim(buffer, handle), context, freed: false });
  const array = new ArrayType(buffer);
  Object.defineProperty(array, Symbol.dispose, {
    value: () => {
      if (array.byteLength > 0) pagelockedFree(array);
    },
  });
  return array as Pagelocked<ArrayOf<T>>;
}

/** In a function of its own: a closure made beside the array would keep the array from the collector. */
function own(context: ReturnType<typeof requireContext>, address: HostPointer): Handle<HostPointer> {
  const free = (pointer: HostPointer): void => {
    destroyIn(context, 'cuMemFreeHost', pointer);
  };
  return new Handle('pagelocked array', address, free, [context]);
}

/** A runtime without external buffers refuses the view: then nothing may be left allocated. */
function mapped(handle: Handle<HostPointer>, byteLength: number): ArrayBuffer {
  try {
    return viewOf(handle.value, byteLength);
  } catch (error) {
    handle.release();
    throw error;
  }
}

/** {@link pagelockedEmpty}, cleared. */
export function pagelockedZeros<const T extends ElementType>(
  length: number,
  type: T,
  flags = 0,
): Pagelocked<ArrayOf<T>> {
  const array = pagelockedEmpty(length, type, flags);
  new Uint8Array((array as ArrayBufferView).buffer).fill(0);
  return array;
}

/**
 * Free page-locked memory now. The array and everything over its buffer have length 0 afterwards.
 *
 * Host: blocks until the array's context has finished what it was doing, because a copy may still use the memory.
 *
 * @throws TypeError the array is not page-locked memory of {@link pagelockedEmpty}
 * @throws {@link ClosedError} it was freed before
 */
export function pagelockedFree(array: ArrayBufferView): void {
  const record = recordOf(array);
  if (!record) throw new TypeError('pagelockedFree: the array was not made by pagelockedEmpty or pagelockedZeros');
  if (record.freed) throw new ClosedError('pagelocked array', 'pagelockedFree');
  // A context that is lost has nothing running any more: its memory can go all the same.
  record.freed = true;
  record.disown();
  detach(array.buffer as ArrayBuffer);
  whenIdle(record.context, [], () => {
    record.handle.release();
  });
}

/**
 * The address under which kernels see page-locked memory.
 *
 * @throws TypeError the array is not page-locked memory
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemHostGetDevicePointer}
 */
export function getDevicePointer(array: ArrayBufferView): DevicePointer {
  if (recordOf(array)?.freed !== false) throw new TypeError('getDevicePointer: the array is not page-locked');
  cu.cuMemHostGetDevicePointer(pointerSlot, addressOf(array), 0);
  return take(pointerSlot);
}

function recordOf(array: unknown): Allocation | undefined {
  return ArrayBuffer.isView(array) ? records.get(array.buffer) : undefined;
}
