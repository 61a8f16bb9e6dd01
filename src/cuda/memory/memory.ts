import { Handle, reclaim } from '../../core/handle.ts';
import type { ElementName } from '../../core/element-table.ts';
import { tagOn, type ElementTag, type Tagged } from '../../core/element-tag.ts';
import { checkInteger, nameOf } from '../../core/check.ts';
import { sweepFlights } from '../../core/in-flight.ts';
import { checkMade, MAKER, type Maker } from '../../core/maker.ts';
import { closeOnce, Resource } from '../../core/resource.ts';
import type { AddressHolder } from '../../core/struct.ts';
import type { AnyElement, Known } from '../../core/typed/element.ts';
import { attempt, callError, cu } from '../call.ts';
import { requireContext, destroyIn } from '../device/context.ts';
import { MemoryPart } from '../lifetime/memory-part.ts';
import { deviceRange, type DevicePointer } from './device-pointer.ts';
import { status as statuses } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

const OUT_OF_MEMORY = statuses.CUDA_ERROR_OUT_OF_MEMORY[0];
const slot = slotOf('CUdeviceptr');
const pitchSlot = slotOf('size_t');
const freeSlot = slotOf('size_t');
const totalSlot = slotOf('size_t');

/** Linear device memory that this program owns. Made by {@link memAlloc}. */
export class DeviceAllocation<E extends ElementName = AnyElement>
  extends Resource<DevicePointer>
  implements AddressHolder
{
  /** What it holds, for the type checker alone: no value has the property. */
  declare readonly '~elements': Known<E>;
  /** Its size in bytes. */
  readonly byteLength: number;
  /**
   * What {@link toDevice} has put there.
   * @internal
   */
  elementTag: ElementTag = 0;

  /** @internal */
  constructor(handle: Handle<DevicePointer>, byteLength: number) {
    checkMade(Handle.isRecord(handle), new.target, 'write memAlloc(bytes), or another function that allocates');
    super(handle);
    this.byteLength = byteLength;
  }

  /** The device address, borrowed: good until {@link DeviceAllocation.free}. */
  get ptr(): DevicePointer {
    return this.use('ptr');
  }

  /**
   * A part of the allocation, for copies and kernel arguments. It owns nothing and is usable until the allocation is
   * freed.
   *
   * @param byteOffset - from the start, in bytes
   * @param byteLength - in bytes; the rest by default
   * @throws RangeError it does not lie inside
   */
  slice(byteOffset: number, byteLength?: number): DeviceSlice<E> {
    return sliceOf<E>(this, this.byteLength, byteOffset, byteLength);
  }

  /**
   * Give the memory back.
   *
   * Host: blocks until the device no longer uses it.
   *
   * @throws {@link ClosedError} it was freed before
   */
  free(): void {
    closeOnce(this, 'free');
  }
}

/** A part of device memory: an allocation's, a module variable's. */
export class DeviceSlice<E extends ElementName = AnyElement> extends MemoryPart implements AddressHolder {
  /** What it holds, for the type checker alone: no value has the property. */
  declare readonly '~elements': Known<E>;
  /** Its size in bytes. */
  readonly byteLength: number;
  /** Where it begins in what it is a part of, in bytes. */
  readonly byteOffset: number;
  readonly #base: AddressHolder;

  /** @internal */
  constructor(maker: Maker, base: AddressHolder, byteOffset: number, byteLength: number) {
    checkMade(maker === MAKER, 'DeviceSlice', 'call slice() of what it is a part of');
    super(base);
    this.#base = base;
    this.byteOffset = byteOffset;
    this.byteLength = byteLength;
  }

  /** @internal */
  get elementTag(): ElementTag {
    return tagOn(this.#base) ?? 0;
  }

  /** @internal */
  set elementTag(tag: ElementTag) {
    if (tagOn(this.#base) !== undefined) (this.#base as AddressHolder & Tagged).elementTag = tag;
  }

  /** The device address, borrowed: good until what it is a part of is freed. */
  get ptr(): DevicePointer {
    return (this.#base.ptr + BigInt(this.byteOffset)) as DevicePointer;
  }

  /** A part of this part; see {@link DeviceAllocation.slice}. */
  slice(byteOffset: number, byteLength?: number): DeviceSlice<E> {
    return sliceOf<E>(this, this.byteLength, byteOffset, byteLength);
  }
}

/** A checked part of something with an address. */
export function sliceOf<E extends ElementName = AnyElement>(
  base: AddressHolder,
  room: number,
  byteOffset: number,
  byteLength: number | undefined,
): DeviceSlice<E> {
  const offset = checkInteger(byteOffset, 'byteOffset');
  const length = byteLength === undefined ? room - offset : checkInteger(byteLength, 'byteLength');
  if (offset > room) throw new RangeError(`slice(${offset}) begins beyond the end; there are ${room} bytes`);
  if (offset + length > room) {
    throw new RangeError(`slice(${offset}, ${length}) ends at ${offset + length}; there are ${room} bytes`);
  }
  deviceRange(base, length, 'slice: the memory');
  return new DeviceSlice<E>(MAKER, base, offset, length);
}

/**
 * Allocate linear device memory in the current context.
 *
 * Host: may block. Stream: not ordered; the memory is usable from every stream. When memory runs out, what the garbage
 * collector has not given back yet is freed first, and the allocation tried once more.
 *
 * @typeParam E - what it will hold, `memAlloc<'f32'>(bytes)`: the type checker refuses it for a pointer to another type
 * @param byteLength - size in bytes, at least 1
 * @returns an owned allocation; close it, or declare it with `using`
 * @throws RangeError the size is not an integer, or 0
 * @throws {@link CudaMemoryError} CUDA_ERROR_OUT_OF_MEMORY
 * @throws {@link CudaLogicError} no context is current
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { memAlloc } from 'rawkernel/cuda';
 *
 * using a = memAlloc(4 * 1024);
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemAlloc}
 */
export function memAlloc<E extends ElementName = AnyElement>(byteLength: number): DeviceAllocation<E> {
  const bytes = checkInteger(byteLength, 'The size of an allocation', 1);
  const context = requireContext('cuMemAlloc');
  allocate('cuMemAlloc', bytes, () => attempt('cuMemAlloc', slot, bytes));
  return own(context, take(slot), bytes);
}

/**
 * Allocate rows that each start at a well aligned address.
 *
 * Host: may block.
 *
 * @param widthBytes - bytes used in each row
 * @param height - how many rows
 * @param elementBytes - 4, 8 or 16: the widest access of a kernel
 * @returns the allocation, and the pitch: bytes from one row to the next
 * @throws {@link CudaMemoryError} CUDA_ERROR_OUT_OF_MEMORY
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemAllocPitch}
 */
export function memAllocPitch<E extends ElementName = AnyElement>(
  widthBytes: number,
  height: number,
  elementBytes: 4 | 8 | 16 = 4,
): { readonly memory: DeviceAllocation<E>; readonly pitch: number } {
  const width = checkInteger(widthBytes, 'widthBytes', 1);
  const rows = checkInteger(height, 'height', 1);
  if (![4, 8, 16].includes(elementBytes))
    throw new RangeError(`elementBytes must be 4, 8 or 16, got ${nameOf(elementBytes)}`);
  const context = requireContext('cuMemAllocPitch');
  allocate('cuMemAllocPitch', width * rows, () =>
    attempt('cuMemAllocPitch', slot, pitchSlot, width, rows, elementBytes),
  );
  const pitch = Number(take(pitchSlot));
  return { memory: own(context, take(slot), pitch * rows), pitch };
}

/** Run an allocating call; once more after the collector's leavings were freed. */
export function allocate(routine: string, bytes: number, call: () => number): void {
  let status = call();
  if (status === OUT_OF_MEMORY) {
    sweepFlights();
    reclaim();
    status = call();
  }
  if (status !== 0) throw callError(routine, status, { facts: { asked: `${bytes} bytes`, free: freeBytes() } });
}

function freeBytes(): string | undefined {
  return attempt('cuMemGetInfo', freeSlot, totalSlot) === 0
    ? `${take(freeSlot)} of ${take(totalSlot)} bytes`
    : undefined;
}

function own<E extends ElementName>(
  context: ReturnType<typeof requireContext>,
  address: bigint,
  byteLength: number,
): DeviceAllocation<E> {
  const destroy = (pointer: DevicePointer): void => {
    destroyIn(context, 'cuMemFree', pointer);
  };
  const handle = new Handle('DeviceAllocation', address as DevicePointer, destroy, [context]);
  return new DeviceAllocation<E>(handle, byteLength);
}

/** Device memory of the current context, in bytes. Host: may block. */
export function memGetInfo(): { readonly free: number; readonly total: number } {
  requireContext('cuMemGetInfo');
  cu.cuMemGetInfo(freeSlot, totalSlot);
  return { free: Number(take(freeSlot)), total: Number(take(totalSlot)) };
}
