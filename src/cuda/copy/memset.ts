import { checkInteger } from '../../core/host-memory.ts';
import { cu } from '../call.ts';
import { deviceRange, type DeviceMemory } from '../memory/device-pointer.ts';
import { streamHandle, type Stream } from '../stream/stream.ts';

/**
 * Fill device memory with a byte.
 *
 * Host: does not block. Stream: ordered by the legacy default stream.
 *
 * @param destination - device memory of at least `count` elements
 * @param value - 0 to 255
 * @param count - elements of 1 byte
 * @throws RangeError the memory is smaller, or the value does not fit
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { memAlloc, memsetD32 } from 'rawkernel/cuda';
 *
 * using memory = memAlloc(4096);
 * memsetD32(memory, 0, 1024);
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemsetD8}
 */
export function memsetD8(destination: DeviceMemory, value: number, count: number): void {
  cu.cuMemsetD8(range(destination, value, count, 1, 'memsetD8'), value, count);
}

/** Fill device memory with a 16-bit pattern; `count` in elements of 2 bytes. See {@link memsetD8}. */
export function memsetD16(destination: DeviceMemory, value: number, count: number): void {
  cu.cuMemsetD16(range(destination, value, count, 2, 'memsetD16'), value, count);
}

/** Fill device memory with a 32-bit pattern; `count` in elements of 4 bytes. See {@link memsetD8}. */
export function memsetD32(destination: DeviceMemory, value: number, count: number): void {
  cu.cuMemsetD32(range(destination, value, count, 4, 'memsetD32'), value, count);
}

/** Enqueue {@link memsetD8} on a stream. Host: does not block. Stream: ordered. */
export function memsetD8Async(
  destination: DeviceMemory,
  value: number,
  count: number,
  stream: Stream | null = null,
): void {
  const to = range(destination, value, count, 1, 'memsetD8Async');
  cu.cuMemsetD8Async(to, value, count, streamHandle(stream, 'memsetD8Async'));
}

/** Enqueue {@link memsetD16} on a stream. Host: does not block. Stream: ordered. */
export function memsetD16Async(
  destination: DeviceMemory,
  value: number,
  count: number,
  stream: Stream | null = null,
): void {
  const to = range(destination, value, count, 2, 'memsetD16Async');
  cu.cuMemsetD16Async(to, value, count, streamHandle(stream, 'memsetD16Async'));
}

/** Enqueue {@link memsetD32} on a stream. Host: does not block. Stream: ordered. */
export function memsetD32Async(
  destination: DeviceMemory,
  value: number,
  count: number,
  stream: Stream | null = null,
): void {
  const to = range(destination, value, count, 4, 'memsetD32Async');
  cu.cuMemsetD32Async(to, value, count, streamHandle(stream, 'memsetD32Async'));
}

function range(
  destination: DeviceMemory,
  value: number,
  count: number,
  bytes: 1 | 2 | 4,
  what: string,
): ReturnType<typeof deviceRange> {
  checkInteger(value, `${what}: the value`, 0, 2 ** (8 * bytes) - 1);
  const elements = checkInteger(count, `${what}: the count`, 1);
  const to = deviceRange(destination, elements * bytes, `${what}: the destination`);
  if (to % BigInt(bytes) !== 0n) throw new RangeError(`${what}: the address is not a multiple of ${bytes}`);
  return to;
}
