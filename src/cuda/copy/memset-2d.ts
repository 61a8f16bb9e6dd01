import { integerTags, noteFilled } from '../../core/element-tag.ts';
import { checkInteger } from '../../core/check.ts';
import type { Scalar } from '../../core/value.ts';
import { cu } from '../call.ts';
import { fillPattern } from './fill-pattern.ts';
import { deviceRange, type DeviceMemory } from '../memory/device-pointer.ts';
import { streamHandle, type Stream } from '../stream/stream.ts';

/**
 * Fill a rectangle of device memory with a byte.
 *
 * Host: does not block. Stream: ordered by the legacy default stream.
 *
 * @param destination - device memory
 * @param pitch - bytes from one row to the next
 * @param value - 0 to 255, or a value of one byte: `int8(-1)`
 * @param width - elements of 1 byte in each row
 * @param height - rows
 * @throws RangeError the rectangle does not fit the pitch or the memory, or the value does not fit
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { memAllocPitch, memsetD2D32 } from 'rawkernel/cuda';
 *
 * const { memory, pitch } = memAllocPitch(400, 20);
 * memsetD2D32(memory, pitch, 0, 100, 20);
 * memory.free();
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemsetD2D8}
 */
export function memsetD2D8(
  destination: DeviceMemory,
  pitch: number,
  value: number | Scalar,
  width: number,
  height: number,
): void {
  const pattern = fillPattern(value, 1, 'memsetD2D8');
  const to = rectangle(destination, value, pitch, width, height, 1, 'memsetD2D8');
  cu.cuMemsetD2D8(to, pitch, pattern, width, height);
}

/** Fill with a 16-bit pattern; `width` in elements of 2 bytes. See {@link memsetD2D8}. */
export function memsetD2D16(
  destination: DeviceMemory,
  pitch: number,
  value: number | Scalar,
  width: number,
  height: number,
): void {
  const pattern = fillPattern(value, 2, 'memsetD2D16');
  const to = rectangle(destination, value, pitch, width, height, 2, 'memsetD2D16');
  cu.cuMemsetD2D16(to, pitch, pattern, width, height);
}

/** Fill with a 32-bit pattern; `width` in elements of 4 bytes. See {@link memsetD2D8}. */
export function memsetD2D32(
  destination: DeviceMemory,
  pitch: number,
  value: number | Scalar,
  width: number,
  height: number,
): void {
  const pattern = fillPattern(value, 4, 'memsetD2D32');
  const to = rectangle(destination, value, pitch, width, height, 4, 'memsetD2D32');
  cu.cuMemsetD2D32(to, pitch, pattern, width, height);
}

/** Enqueue {@link memsetD2D8} on a stream. Host: does not block. Stream: ordered. */
export function memsetD2D8Async(
  destination: DeviceMemory,
  pitch: number,
  value: number | Scalar,
  width: number,
  height: number,
  stream: Stream | null = null,
): void {
  const pattern = fillPattern(value, 1, 'memsetD2D8Async');
  const to = rectangle(destination, value, pitch, width, height, 1, 'memsetD2D8Async');
  cu.cuMemsetD2D8Async(to, pitch, pattern, width, height, streamHandle(stream, 'memsetD2D8Async'));
}

/** Enqueue {@link memsetD2D16} on a stream. Host: does not block. Stream: ordered. */
export function memsetD2D16Async(
  destination: DeviceMemory,
  pitch: number,
  value: number | Scalar,
  width: number,
  height: number,
  stream: Stream | null = null,
): void {
  const pattern = fillPattern(value, 2, 'memsetD2D16Async');
  const to = rectangle(destination, value, pitch, width, height, 2, 'memsetD2D16Async');
  cu.cuMemsetD2D16Async(to, pitch, pattern, width, height, streamHandle(stream, 'memsetD2D16Async'));
}

/** Enqueue {@link memsetD2D32} on a stream. Host: does not block. Stream: ordered. */
export function memsetD2D32Async(
  destination: DeviceMemory,
  pitch: number,
  value: number | Scalar,
  width: number,
  height: number,
  stream: Stream | null = null,
): void {
  const pattern = fillPattern(value, 4, 'memsetD2D32Async');
  const to = rectangle(destination, value, pitch, width, height, 4, 'memsetD2D32Async');
  cu.cuMemsetD2D32Async(to, pitch, pattern, width, height, streamHandle(stream, 'memsetD2D32Async'));
}

function rectangle(
  destination: DeviceMemory,
  value: number | Scalar,
  pitch: unknown,
  width: unknown,
  height: unknown,
  bytes: 1 | 2 | 4,
  what: string,
): ReturnType<typeof deviceRange> {
  const step = checkInteger(pitch, `${what}: the pitch`, 1);
  const row = checkInteger(width, `${what}: the width`, 1) * bytes;
  const rows = checkInteger(height, `${what}: the height`, 1);
  if (rows > 1 && step < row) throw new RangeError(`${what}: rows of ${row} bytes do not fit a pitch of ${step}`);
  if (step % bytes !== 0) throw new RangeError(`${what}: the pitch, ${step}, is not a multiple of ${bytes}`);
  const end = checkInteger((rows - 1) * step + row, `${what}: the end of the rectangle`);
  const to = deviceRange(destination, end, `${what}: the destination`);
  if (to % BigInt(bytes) !== 0n) throw new RangeError(`${what}: the address is not a multiple of ${bytes}`);
  noteFilled(destination, value, integerTags(bytes));
  return to;
}
