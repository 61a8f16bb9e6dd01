import { integerTags, noteFilled } from '../../core/element-tag.ts';
import { checkInteger } from '../../core/check.ts';
import type { Scalar } from '../../core/value.ts';
import { cu } from '../call.ts';
import { fillPattern } from './fill-pattern.ts';
import { deviceRange, type DeviceMemory } from '../memory/device-pointer.ts';
import { streamHandle, type Stream } from '../stream/stream.ts';

/**
 * Fill device memory with a byte.
 *
 * Host: does not block. Stream: ordered by the legacy default stream.
 *
 * @param destination - device memory of at least `count` elements
 * @param value - 0 to 255, or a value of one byte: `int8(-1)`
 * @param count - elements of 1 byte
 * @throws RangeError the memory is smaller, or the value does not fit
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { float32, memAlloc, memsetD32 } from 'rawkernel/cuda';
 *
 * using memory = memAlloc(4096);
 * memsetD32(memory, 0, 1024);
 * memsetD32(memory, float32(1.5), 1024);
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemsetD8}
 */
export function memsetD8(destination: DeviceMemory, value: number | Scalar, count: number): void {
  const pattern = fillPattern(value, 1, 'memsetD8');
  cu.cuMemsetD8(range(destination, value, count, 1, 'memsetD8'), pattern, count);
}

/** Fill device memory with 16 bits, a pattern or `float16(1)`; `count` in elements of 2 bytes. See {@link memsetD8}. */
export function memsetD16(destination: DeviceMemory, value: number | Scalar, count: number): void {
  const pattern = fillPattern(value, 2, 'memsetD16');
  cu.cuMemsetD16(range(destination, value, count, 2, 'memsetD16'), pattern, count);
}

/** Fill device memory with 32 bits, a pattern, `float32(1)` or `int32(-1)`; `count` in elements of 4 bytes. See {@link memsetD8}. */
export function memsetD32(destination: DeviceMemory, value: number | Scalar, count: number): void {
  const pattern = fillPattern(value, 4, 'memsetD32');
  cu.cuMemsetD32(range(destination, value, count, 4, 'memsetD32'), pattern, count);
}

/** Enqueue {@link memsetD8} on a stream. Host: does not block. Stream: ordered. */
export function memsetD8Async(
  destination: DeviceMemory,
  value: number | Scalar,
  count: number,
  stream: Stream | null = null,
): void {
  const pattern = fillPattern(value, 1, 'memsetD8Async');
  const to = range(destination, value, count, 1, 'memsetD8Async');
  cu.cuMemsetD8Async(to, pattern, count, streamHandle(stream, 'memsetD8Async'));
}

/** Enqueue {@link memsetD16} on a stream. Host: does not block. Stream: ordered. */
export function memsetD16Async(
  destination: DeviceMemory,
  value: number | Scalar,
  count: number,
  stream: Stream | null = null,
): void {
  const pattern = fillPattern(value, 2, 'memsetD16Async');
  const to = range(destination, value, count, 2, 'memsetD16Async');
  cu.cuMemsetD16Async(to, pattern, count, streamHandle(stream, 'memsetD16Async'));
}

/** Enqueue {@link memsetD32} on a stream. Host: does not block. Stream: ordered. */
export function memsetD32Async(
  destination: DeviceMemory,
  value: number | Scalar,
  count: number,
  stream: Stream | null = null,
): void {
  const pattern = fillPattern(value, 4, 'memsetD32Async');
  const to = range(destination, value, count, 4, 'memsetD32Async');
  cu.cuMemsetD32Async(to, pattern, count, streamHandle(stream, 'memsetD32Async'));
}

function range(
  destination: DeviceMemory,
  value: number | Scalar,
  count: number,
  bytes: 1 | 2 | 4,
  what: string,
): ReturnType<typeof deviceRange> {
  const elements = checkInteger(count, `${what}: the count`, 1);
  const to = deviceRange(destination, elements * bytes, `${what}: the destination`);
  if (to % BigInt(bytes) !== 0n) throw new RangeError(`${what}: the address is not a multiple of ${bytes}`);
  noteFilled(destination, value, integerTags(bytes));
  return to;
}
