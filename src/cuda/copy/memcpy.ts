import { arrayClass, type ArrayOf, type ElementType } from '../../core/dtype.ts';
import { noteCopied, tagOfArray } from '../../core/element-tag.ts';
import { checkInteger } from '../../core/check.ts';
import { hostByteLength, type HostMemory } from '../../core/host-memory.ts';
import { checkFixed } from '../../core/pin.ts';
import { hostOf, type RefValue } from '../../core/ref-value.ts';
import type { ElementsOf } from '../../core/typed/element.ts';
import { checkViewBytes, addressOf, plainView } from '../../ffi/memory.ts';
import { attempt, quickly } from '../call.ts';
import { deviceRange, roomOf, type DeviceMemory } from '../memory/device-pointer.ts';
import { memAlloc, type DeviceAllocation } from '../memory/memory.ts';
import { keepOnStream } from '../lifetime/hold-on-stream.ts';
import { streamHandle, type Stream } from '../stream/stream.ts';
import { copyOrThrow } from './refused-copy.ts';

/**
 * Copy a host array to the device.
 *
 * Host: blocks until the array has been read. Stream: ordered by the legacy default stream; work on a `nonBlocking` stream may
 * begin before the last bytes of an array that is not pinned have arrived.
 *
 * @param destination - device memory, at least as large as the array
 * @param source - the array; all of its bytes are copied
 * @throws RangeError the array is empty or larger than the device memory
 * @throws TypeError one of the two is not memory, or the array is detached
 * @throws {@link ClosedError} the device memory was freed
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { memAlloc, memcpyDtoH, memcpyHtoD } from 'rawkernel/cuda';
 *
 * using memory = memAlloc(12);
 * memcpyHtoD(memory, Float32Array.of(1, 2, 3));
 * const back = new Float32Array(3);
 * memcpyDtoH(back, memory);
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemcpyHtoD}
 */
export function memcpyHtoD(destination: DeviceMemory, source: HostMemory | RefValue): void {
  const host = plainView(hostOf(source));
  const bytes = hostByteLength(host, 'memcpyHtoD: the source');
  const to = deviceRange(destination, bytes, 'memcpyHtoD: the destination');
  noteCopied(destination, host);
  const status = quickly('cuMemcpyHtoD')(to, host, bytes);
  if (status !== 0) copyOrThrow('cuMemcpyHtoD', status, [to], { to, from: addressOf(host), bytes });
}

/**
 * Copy device memory into a host array.
 *
 * Host: blocks. Stream: ordered by the legacy default stream, which does not wait for `nonBlocking` streams.
 *
 * @param destination - the array; all of it is filled
 * @param source - device memory, at least as large as the array
 * @throws RangeError the array is empty or larger than the device memory
 * @throws TypeError one of the two is not memory, or the array is detached
 * @throws {@link ClosedError} the device memory was freed
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemcpyDtoH}
 */
export function memcpyDtoH(destination: HostMemory | RefValue, source: DeviceMemory): void {
  const host = plainView(hostOf(destination));
  const bytes = hostByteLength(host, 'memcpyDtoH: the destination');
  const from = deviceRange(source, bytes, 'memcpyDtoH: the source');
  const status = quickly('cuMemcpyDtoH')(host, from, bytes);
  if (status !== 0) copyOrThrow('cuMemcpyDtoH', status, [from], { to: addressOf(host), from, bytes });
}

/**
 * Copy device memory to device memory.
 *
 * Host: does not block. Stream: ordered by the legacy default stream.
 *
 * @param destination - device memory, at least as large as what is copied
 * @param source - device memory; the two may not overlap
 * @param byteLength - in bytes; the source's size by default, which a raw address does not know
 * @throws RangeError one of the two is smaller than that
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemcpyDtoD}
 */
export function memcpyDtoD(destination: DeviceMemory, source: DeviceMemory, byteLength?: number): void {
  const bytes = copyLength(source, byteLength, 'memcpyDtoD');
  const from = deviceRange(source, bytes, 'memcpyDtoD: the source');
  const to = deviceRange(destination, bytes, 'memcpyDtoD: the destination');
  noteCopied(destination, source);
  const status = attempt('cuMemcpyDtoD', to, from, bytes);
  if (status !== 0) copyOrThrow('cuMemcpyDtoD', status, [to, from], { to, from, bytes });
}

/**
 * Enqueue a copy of a host array to the device.
 *
 * Host: does not block for pinned memory ({@link pagelockedEmpty}); pageable memory is staged first, which may block.
 * Stream: ordered. The array is kept where it is until the copy has finished (a transfer of its buffer fails or copies
 * until then; Node.js 21 to 23 cannot keep it); writing to it before that is a race.
 *
 * @param destination - device memory, at least as large as the array
 * @param source - the array; all of its bytes are copied
 * @param stream - the legacy default stream where none is given
 * @throws TypeError the array's buffer is resizable
 * @throws what {@link memcpyHtoD} throws
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { memAlloc, memcpyDtoHAsync, memcpyHtoDAsync, pagelockedEmpty, Stream } from 'rawkernel/cuda';
 *
 * using stream = new Stream();
 * using memory = memAlloc(4096);
 * using host = pagelockedEmpty(1024, 'f32');
 * memcpyHtoDAsync(memory, host.fill(1), stream);
 * memcpyDtoHAsync(host, memory, stream);
 * await stream.done();
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemcpyHtoDAsync}
 */
export function memcpyHtoDAsync(
  destination: DeviceMemory,
  source: HostMemory | RefValue,
  stream: Stream | null = null,
): void {
  const host = plainView(hostOf(source));
  const bytes = hostByteLength(host, 'memcpyHtoDAsync: the source');
  checkFixed(host, 'memcpyHtoDAsync: the source');
  const to = deviceRange(destination, bytes, 'memcpyHtoDAsync: the destination');
  const queue = streamHandle(stream, 'memcpyHtoDAsync');
  noteCopied(destination, host);
  const status = quickly('cuMemcpyHtoDAsync')(to, host, bytes, queue);
  if (status !== 0) copyOrThrow('cuMemcpyHtoDAsync', status, [to], { to, from: addressOf(host), bytes, queue });
  keepOnStream(queue, host);
}

/**
 * Enqueue a copy of device memory into a host array.
 *
 * Host: does not block for pinned memory ({@link pagelockedEmpty}); for pageable memory the driver may wait.
 * Stream: ordered. The array is kept where it is until the copy has finished, as by {@link memcpyHtoDAsync}; reading it
 * before that is a race.
 *
 * @param destination - the array; all of it is filled
 * @param source - device memory, at least as large as the array
 * @param stream - the legacy default stream where none is given
 * @throws TypeError the array's buffer is resizable
 * @throws what {@link memcpyDtoH} throws
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemcpyDtoHAsync}
 */
export function memcpyDtoHAsync(
  destination: HostMemory | RefValue,
  source: DeviceMemory,
  stream: Stream | null = null,
): void {
  const host = plainView(hostOf(destination));
  const bytes = hostByteLength(host, 'memcpyDtoHAsync: the destination');
  checkFixed(host, 'memcpyDtoHAsync: the destination');
  const from = deviceRange(source, bytes, 'memcpyDtoHAsync: the source');
  const queue = streamHandle(stream, 'memcpyDtoHAsync');
  const status = quickly('cuMemcpyDtoHAsync')(host, from, bytes, queue);
  if (status !== 0) copyOrThrow('cuMemcpyDtoHAsync', status, [from], { to: addressOf(host), from, bytes, queue });
  keepOnStream(queue, host);
}

/**
 * Enqueue a copy of device memory to device memory.
 *
 * Host: does not block. Stream: ordered.
 *
 * @param destination - device memory, at least as large as what is copied
 * @param source - device memory; the two may not overlap
 * @param byteLength - in bytes; the source's size by default
 * @param stream - the legacy default stream where none is given
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemcpyDtoDAsync}
 */
export function memcpyDtoDAsync(
  destination: DeviceMemory,
  source: DeviceMemory,
  byteLength?: number,
  stream: Stream | null = null,
): void {
  const bytes = copyLength(source, byteLength, 'memcpyDtoDAsync');
  const from = deviceRange(source, bytes, 'memcpyDtoDAsync: the source');
  const to = deviceRange(destination, bytes, 'memcpyDtoDAsync: the destination');
  const queue = streamHandle(stream, 'memcpyDtoDAsync');
  noteCopied(destination, source);
  const status = quickly('cuMemcpyDtoDAsync')(to, from, bytes, queue);
  if (status !== 0) copyOrThrow('cuMemcpyDtoDAsync', status, [to, from], { to, from, bytes, queue });
}

/**
 * Allocate device memory of a host array's size and copy the array there. The memory remembers the array's element type:
 * a kernel that takes a pointer to another type refuses it. A Uint8Array, a Buffer, a DataView and an ArrayBuffer are bytes,
 * which go for any type. A copy or a fill of another type into the memory makes it forget.
 *
 * Host: blocks.
 *
 * @param array - its bytes are copied; the allocation is as large
 * @throws TypeError no host memory, or a detached array
 * @throws {@link CudaMemoryError} CUDA_ERROR_OUT_OF_MEMORY
 */
export function toDevice<A extends HostMemory | RefValue>(array: A): DeviceAllocation<ElementsOf<A>> {
  const host = hostOf(array);
  const memory = memAlloc<ElementsOf<A>>(hostByteLength(host, 'toDevice: the array'));
  try {
    memcpyHtoD(memory, host);
    memory.elementTag = tagOfArray(host);
  } catch (error) {
    memory.close();
    throw error;
  }
  return memory;
}

/**
 * Copy device memory back into a new array.
 *
 * Host: blocks.
 *
 * @param source - an allocation or a part of one; a raw address needs `length`
 * @param type - a typed array class, or a dtype's name
 * @param length - elements; as many as the memory holds by default
 * @throws RangeError the memory is smaller than that
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { fromDevice, toDevice } from 'rawkernel/cuda';
 *
 * using memory = toDevice(Float32Array.of(1, 2, 3));
 * fromDevice(memory, Float32Array); // Float32Array [1, 2, 3]
 * ```
 */
export function fromDevice<const T extends ElementType>(source: DeviceMemory, type: T, length?: number): ArrayOf<T> {
  const { array: ArrayType, bytes } = arrayClass(type, 'fromDevice: the type');
  const room = roomOf(source);
  if (length === undefined && room === undefined) throw new TypeError('fromDevice: a raw address needs a length');
  const count = length === undefined ? Math.floor((room ?? 0) / bytes) : checkInteger(length, 'length', 1);
  if (count === 0) {
    throw new RangeError(`fromDevice: the source has ${room} bytes, less than one element of ${bytes}`);
  }
  deviceRange(source, count * bytes, 'fromDevice: the source');
  const array = new ArrayType(new ArrayBuffer(checkViewBytes(count * bytes, 'fromDevice: the array')));
  memcpyDtoH(array, source);
  return array as ArrayOf<T>;
}

function copyLength(source: DeviceMemory, byteLength: number | undefined, what: string): number {
  const bytes = byteLength ?? roomOf(source);
  if (bytes === undefined) throw new TypeError(`${what}: a raw address has no size; give byteLength`);
  return checkInteger(bytes, `${what}: byteLength`, 1);
}
