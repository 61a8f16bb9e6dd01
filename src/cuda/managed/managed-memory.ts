import { arrayClass, type ArrayOf, type ElementType } from '../../core/dtype.ts';
import { ClosedError } from '../../core/errors.ts';
import { claim, Handle } from '../../core/handle.ts';
import { tagOfType } from '../../core/element-tag.ts';
import { checkInteger, nameOf } from '../../core/check.ts';
import type { ElementsOf, Holds } from '../../core/typed/element.ts';
import { checkViewBytes, detach, viewOf } from '../../ffi/memory.ts';
import { attempt, callError, cu } from '../call.ts';
import { requireContext, destroyIn } from '../device/context.ts';
import { whenIdle } from '../device/idle.ts';
import { deviceRange, roomOf, type DeviceMemory, type DevicePointer } from '../memory/device-pointer.ts';
import { packLocation, type MemLocation } from '../memory/mem-location.ts';
import { allocate } from '../memory/memory.ts';
import { streamHandle, type Stream } from '../stream/stream.ts';
import { MemAdvise, MemAttachFlags, MemRangeAttribute, PointerAttribute, status as statuses } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

const INVALID_VALUE = statuses.CUDA_ERROR_INVALID_VALUE[0];

/** A typed array over managed memory. Pass it to kernels as a pointer; free it with {@link managedFree} or `using`. */
export type Managed<A> = A & Disposable & { readonly ptr: DevicePointer } & Holds<ElementsOf<A>>;

interface Allocation {
  readonly handle: Handle<DevicePointer>;
  readonly disown: () => void;
  readonly context: ReturnType<typeof requireContext>;
  freed: boolean;
}

/** How {@link memAdvise} names its advice. */
export type MemAdviceName =
  | 'setReadMostly'
  | 'unsetReadMostly'
  | 'setPreferredLocation'
  | 'unsetPreferredLocation'
  | 'setAccessedBy'
  | 'unsetAccessedBy';

const ADVICE: Readonly<Record<MemAdviceName, number>> = {
  setReadMostly: MemAdvise.SET_READ_MOSTLY,
  unsetReadMostly: MemAdvise.UNSET_READ_MOSTLY,
  setPreferredLocation: MemAdvise.SET_PREFERRED_LOCATION,
  unsetPreferredLocation: MemAdvise.UNSET_PREFERRED_LOCATION,
  setAccessedBy: MemAdvise.SET_ACCESSED_BY,
  unsetAccessedBy: MemAdvise.UNSET_ACCESSED_BY,
};

const slot = slotOf('CUdeviceptr');
const records = new WeakMap<ArrayBufferLike, Allocation>();

/**
 * Make a typed array over managed memory, which moves to the side that uses it: the host by the array, kernels by passing the
 * array where a pointer belongs.
 *
 * Host: may block. The content is undefined; {@link managedZeros} clears it. Where the device has no
 * `concurrentManagedAccess`, the host must not touch the array while any kernel runs: the process would end.
 *
 * @param length - elements
 * @param type - a typed array class, or a dtype's name
 * @param flags - {@link MemAttachFlags}.GLOBAL (by default) or HOST
 * @throws RangeError the length is not an integer, or 0
 * @throws {@link CudaMemoryError} CUDA_ERROR_OUT_OF_MEMORY
 * @throws {@link CudaRuntimeError} CUDA_ERROR_NOT_SUPPORTED: the device has none (`device.managedMemory`)
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { Context, managedZeros, SourceModule } from 'rawkernel/cuda';
 *
 * using module = new SourceModule('__global__ void fill(float *x) { x[threadIdx.x] = threadIdx.x; }');
 * using array = managedZeros(32, 'f32');
 * module.getFunction('fill')(array, { block: 32 });
 * Context.current?.synchronize();
 * console.log(array[5]);
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemAllocManaged}
 */
export function managedEmpty<const T extends ElementType>(
  length: number,
  type: T,
  flags: number = MemAttachFlags.GLOBAL,
): Managed<ArrayOf<T>> {
  const { bytes } = arrayClass(type, 'managedEmpty: the type');
  const count = checkInteger(length, 'managedEmpty: the length', 1);
  const byteLength = checkViewBytes(count * bytes, 'managedEmpty: the array');
  const attach = checkInteger(flags, 'managedEmpty: flags', MemAttachFlags.GLOBAL, MemAttachFlags.HOST);
  const context = requireContext('cuMemAllocManaged');
  allocate('cuMemAllocManaged', byteLength, () => attempt('cuMemAllocManaged', slot, byteLength, attach));
  const pointer = take(slot);
  return managedArray(own(context, pointer), context, byteLength, type);
}

/**
 * A typed array over managed memory: it retains the handle for as long as there are views of its buffer.
 *
 * @param quiet - whether an array may be collected without a free and without a warning
 */
export function managedArray<const T extends ElementType>(
  handle: Handle<DevicePointer>,
  context: ReturnType<typeof requireContext>,
  byteLength: number,
  type: T,
  quiet = false,
): Managed<ArrayOf<T>> {
  const buffer = mapped(handle, byteLength);
  // The buffer, not the array, is what every view of the memory keeps alive.
  const record: Allocation = { handle, disown: claim(buffer, handle, quiet), context, freed: false };
  records.set(buffer, record);
  const { array: ArrayType } = arrayClass(type, 'managed array: the type');
  const array = new ArrayType(buffer);
  Object.defineProperty(array, 'ptr', { get: () => livePointer(record) });
  Object.defineProperty(array, 'elementTag', { value: tagOfType(type), writable: true });
  Object.defineProperty(array, Symbol.dispose, {
    value: () => {
      if (array.byteLength > 0) managedFree(array);
    },
  });
  return array as unknown as Managed<ArrayOf<T>>;
}

/** The record of a managed array's memory; undefined for any other array. It outlives {@link managedFree} where it is retained. */
export function managedOwner(array: ArrayBufferView): Handle<DevicePointer> | undefined {
  return records.get(array.buffer)?.handle;
}

/** {@link managedEmpty}, cleared. */
export function managedZeros<const T extends ElementType>(
  length: number,
  type: T,
  flags: number = MemAttachFlags.GLOBAL,
): Managed<ArrayOf<T>> {
  const array = managedEmpty(length, type, flags);
  new Uint8Array((array as unknown as ArrayBufferView).buffer).fill(0);
  return array;
}

/**
 * Free managed memory now. The array and everything over its buffer have length 0 afterwards.
 *
 * Host: blocks until the array's context has finished what it was doing.
 *
 * @throws TypeError the array is not managed memory
 * @throws {@link ClosedError} it was freed before
 */
export function managedFree(array: ArrayBufferView): void {
  const record = ArrayBuffer.isView(array) ? records.get(array.buffer) : undefined;
  if (!record) throw new TypeError('managedFree: the array was not made by managedEmpty or managedZeros');
  if (record.freed) throw new ClosedError('managed array', 'managedFree');
  record.freed = true;
  record.disown();
  detach(array.buffer as ArrayBuffer);
  whenIdle(record.context, [], () => {
    record.handle.release();
  });
}

/**
 * Enqueue the move of managed memory to where it is used next.
 *
 * Host: does not block. Stream: ordered.
 *
 * @param memory - a managed array, or device memory of that kind
 * @param location - a Device, `'host'`, or a NUMA node of the host
 * @param stream - the legacy default stream where none is given
 * @param byteLength - in bytes; all of it by default
 * @throws {@link CudaLogicError} the memory is not managed
 * @throws {@link SymbolNotFoundError} the driver is older than CUDA 12.2
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html | cuMemPrefetchAsync}
 */
export function memPrefetchAsync(
  memory: DeviceMemory,
  location: MemLocation,
  stream: Stream | null = null,
  byteLength?: number,
): void {
  const [pointer, bytes] = rangeOf(memory, byteLength, 'memPrefetchAsync');
  const to = packLocation(location, 'memPrefetchAsync: the location');
  const queue = streamHandle(stream, 'memPrefetchAsync');
  checkManaged('cuMemPrefetchAsync', attempt('cuMemPrefetchAsync', pointer, bytes, to, 0, queue));
}

/**
 * Tell the driver how managed memory will be used.
 *
 * Host: may block.
 *
 * @param memory - a managed array, or device memory of that kind
 * @param advice - `'setReadMostly'`, `'setPreferredLocation'`, `'setAccessedBy'`, or one of them with `unset`
 * @param location - the device or host that the advice concerns; ignored for advice without one
 * @param byteLength - in bytes; all of it by default
 * @throws {@link CudaLogicError} the memory is not managed
 * @throws {@link SymbolNotFoundError} the driver is older than CUDA 12.2
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html | cuMemAdvise}
 */
export function memAdvise(
  memory: DeviceMemory,
  advice: MemAdviceName,
  location: MemLocation = 'host',
  byteLength?: number,
): void {
  const [pointer, bytes] = rangeOf(memory, byteLength, 'memAdvise');
  if (typeof advice !== 'string' || !Object.hasOwn(ADVICE, advice)) {
    throw new TypeError(`memAdvise takes ${Object.keys(ADVICE).join(', ')}, got ${nameOf(advice)}`);
  }
  const at = packLocation(location, 'memAdvise: the location');
  checkManaged('cuMemAdvise', attempt('cuMemAdvise', pointer, bytes, ADVICE[advice], at));
}

/**
 * Attach managed memory to a stream, so that the host may use other managed memory while the stream works. Only devices
 * without `concurrentManagedAccess` need it.
 *
 * Host: does not block. Stream: ordered.
 *
 * @param memory - a managed array, or device memory of that kind
 * @param flags - {@link MemAttachFlags}: GLOBAL for all streams, HOST for none, SINGLE for this one
 * @throws {@link CudaLogicError} the memory is not managed, or SINGLE without a stream
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html | cuStreamAttachMemAsync}
 */
export function streamAttachMemAsync(
  stream: Stream | null,
  memory: DeviceMemory,
  flags: number = MemAttachFlags.SINGLE,
): void {
  const pointer = deviceRange(memory, 0, 'streamAttachMemAsync: the memory');
  const how = checkInteger(flags, 'streamAttachMemAsync: flags', 1, 4);
  cu.cuStreamAttachMemAsync(streamHandle(stream, 'streamAttachMemAsync'), pointer, 0, how);
}

/** Attributes of a range of managed memory. Device ordinals; -1 is the host, -2 none. */
export interface MemRangeAttributes {
  readonly readMostly: boolean;
  readonly preferredLocation: number;
  readonly accessedBy: readonly number[];
  readonly lastPrefetchLocation: number;
}

const NOBODY = -2;
/** Room for the host and more devices than a machine has. */
const MAX_PLACES = 32;

/**
 * What was advised and prefetched for managed memory. Where parts of the range differ, the answer is the one for
 * "nothing".
 *
 * Host: does not block.
 *
 * @param memory - a managed array, or device memory of that kind
 * @param byteLength - in bytes; all of it by default
 * @throws {@link CudaLogicError} the memory is not managed
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html | cuMemRangeGetAttribute}
 */
export function memRangeAttributes(memory: DeviceMemory, byteLength?: number): MemRangeAttributes {
  const [pointer, bytes] = rangeOf(memory, byteLength, 'memRangeAttributes');
  const ask = (attribute: number, count = 1): Int32Array => {
    const words = new Int32Array(count).fill(NOBODY);
    const status = attempt('cuMemRangeGetAttribute', words, words.byteLength, attribute, pointer, bytes);
    checkManaged('cuMemRangeGetAttribute', status);
    return words;
  };
  return {
    readMostly: ask(MemRangeAttribute.READ_MOSTLY)[0] === 1,
    preferredLocation: ask(MemRangeAttribute.PREFERRED_LOCATION)[0] ?? NOBODY,
    accessedBy: [...ask(MemRangeAttribute.ACCESSED_BY, MAX_PLACES)].filter((place) => place !== NOBODY),
    lastPrefetchLocation: ask(MemRangeAttribute.LAST_PREFETCH_LOCATION)[0] ?? NOBODY,
  };
}

function rangeOf(
  memory: DeviceMemory,
  byteLength: number | undefined,
  what: string,
): readonly [pointer: DevicePointer, byteLength: number] {
  const room = byteLength === undefined ? roomOf(memory) : byteLength;
  if (room === undefined) {
    deviceRange(memory, 0, `${what}: the memory`);
    throw new TypeError(`${what}: a raw address has no size; give byteLength`);
  }
  const bytes = checkInteger(room, `${what}: byteLength`, 1);
  return [deviceRange(memory, bytes, `${what}: the memory`), bytes];
}

function livePointer({ handle, freed }: Allocation): DevicePointer {
  if (freed || !handle.alive) throw new ClosedError('managed array', 'ptr');
  return handle.value;
}

/** In a function of its own: a closure made beside the array would keep the array from the collector. */
function own(context: ReturnType<typeof requireContext>, pointer: DevicePointer): Handle<DevicePointer> {
  const free = (address: DevicePointer): void => {
    destroyIn(context, 'cuMemFree', address);
  };
  return new Handle('managed array', pointer, free, [context]);
}

/** The host's view. A GPU's driver has one address for both sides; a device that has another for the host says so. */
function mapped(handle: Handle<DevicePointer>, byteLength: number): ArrayBuffer {
  try {
    slot[0] = 0n;
    const status = attempt('cuPointerGetAttribute', slot, PointerAttribute.HOST_POINTER, handle.value);
    return viewOf(status === 0 && take(slot) !== 0n ? take(slot) : handle.value, byteLength);
  } catch (error) {
    handle.release();
    throw error;
  }
}

/** The driver's answer for memory of another kind is that of every wrong number. */
function checkManaged(routine: string, status: number): void {
  if (status === 0) return;
  const reason =
    status === INVALID_VALUE ? 'The memory has to be managed: managedEmpty or managedZeros makes it' : undefined;
  throw callError(routine, status, { reason });
}
