import { hostByteLength, type HostMemory } from '../../core/host-memory.ts';
import { slicesOf, type ArrayOptions } from '../texture/array-shape.ts';
import { arrayPlace, devicePlace, hostPlace, type CopyPlace } from './copy-place.ts';
import { deviceRange, type DeviceMemory } from '../memory/device-pointer.ts';
import { setPlace } from './box-copy.ts';
import { Memcpy3D } from './memcpy-3d.ts';
import { arrayHandle, OpaqueArray, shapeOf } from '../texture/opaque-array.ts';
import type { Stream } from '../stream/stream.ts';

/**
 * Fill an array from host memory: all its elements, row by row and layer by layer, without gaps. The faces of a cubemap are
 * layers.
 *
 * Host: blocks. Stream: ordered by the legacy default stream.
 *
 * @throws RangeError the host memory has not as many bytes as the array
 * @throws TypeError no array, or no host memory
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemcpy3D}
 */
export function memcpyHtoA(array: OpaqueArray, source: HostMemory): void {
  fill(array, 'memcpyHtoA', (what) => hostSource(array, source, what)).run();
}

/**
 * {@link memcpyHtoA} on a stream; the host memory is kept alive until then.
 *
 * Host: does not block for pinned memory. Stream: ordered.
 */
export function memcpyHtoAAsync(array: OpaqueArray, source: HostMemory, stream: Stream | null = null): void {
  fill(array, 'memcpyHtoAAsync', (what) => hostSource(array, source, what)).runAsync(stream);
}

/** Copy all of an array to host memory; see {@link memcpyHtoA}. Host: blocks. */
export function memcpyAtoH(target: HostMemory, array: OpaqueArray): void {
  drain(array, 'memcpyAtoH', (what) => hostSource(array, target, what)).run();
}

/** {@link memcpyAtoH} on a stream. Host: does not block for pinned memory. Stream: ordered. */
export function memcpyAtoHAsync(target: HostMemory, array: OpaqueArray, stream: Stream | null = null): void {
  drain(array, 'memcpyAtoHAsync', (what) => hostSource(array, target, what)).runAsync(stream);
}

/** Fill an array from device memory without gaps; see {@link memcpyHtoA}. Host: does not block. */
export function memcpyDtoA(array: OpaqueArray, source: DeviceMemory): void {
  fill(array, 'memcpyDtoA', (what) => deviceSource(array, source, what)).run();
}

/** {@link memcpyDtoA} on a stream. Host: does not block. Stream: ordered. */
export function memcpyDtoAAsync(array: OpaqueArray, source: DeviceMemory, stream: Stream | null = null): void {
  fill(array, 'memcpyDtoAAsync', (what) => deviceSource(array, source, what)).runAsync(stream);
}

/** Copy all of an array to device memory; see {@link memcpyHtoA}. Host: does not block. */
export function memcpyAtoD(target: DeviceMemory, array: OpaqueArray): void {
  drain(array, 'memcpyAtoD', (what) => deviceSource(array, target, what)).run();
}

/** {@link memcpyAtoD} on a stream. Host: does not block. Stream: ordered. */
export function memcpyAtoDAsync(target: DeviceMemory, array: OpaqueArray, stream: Stream | null = null): void {
  drain(array, 'memcpyAtoDAsync', (what) => deviceSource(array, target, what)).runAsync(stream);
}

/** Copy one array to another of the same shape. Host: does not block. */
export function memcpyAtoA(target: OpaqueArray, source: OpaqueArray): void {
  fill(target, 'memcpyAtoA', (what) => alike(target, source, what)).run();
}

/** {@link memcpyAtoA} on a stream. Host: does not block. Stream: ordered. */
export function memcpyAtoAAsync(target: OpaqueArray, source: OpaqueArray, stream: Stream | null = null): void {
  fill(target, 'memcpyAtoAAsync', (what) => alike(target, source, what)).runAsync(stream);
}

/**
 * Make an array and fill it from host memory.
 *
 * Host: blocks.
 *
 * @param source - as many bytes as the array has
 * @throws what {@link OpaqueArray} and {@link memcpyHtoA} throw; nothing is left then
 * @example
 * ```typescript
 * using image = toArray(new Float32Array(640 * 480), { width: 640, height: 480, dtype: 'f32' });
 * ```
 */
export function toArray(source: HostMemory, options: ArrayOptions): OpaqueArray {
  hostByteLength(source, 'toArray: the source');
  const array = new OpaqueArray(options);
  try {
    fill(array, 'toArray', (what) => hostSource(array, source, what)).run();
  } catch (error) {
    array.close();
    throw error;
  }
  return array;
}

type Place = (what: string) => CopyPlace;

function fill(array: OpaqueArray, what: string, source: Place): Memcpy3D {
  const copy = whole(array, what);
  setPlace(copy, 'src', source(what));
  setPlace(copy, 'dst', arrayPlace(array, `${what}: the array`));
  return copy;
}

function drain(array: OpaqueArray, what: string, target: Place): Memcpy3D {
  const copy = whole(array, what);
  setPlace(copy, 'src', arrayPlace(array, `${what}: the array`));
  setPlace(copy, 'dst', target(what));
  return copy;
}

function whole(array: OpaqueArray, what: string): Memcpy3D {
  arrayHandle(array, `${what}: the array`);
  const shape = shapeOf(array);
  const { elementBytes } = shape;
  return Object.assign(new Memcpy3D(), {
    widthInBytes: shape.width * elementBytes,
    height: Math.max(1, shape.height),
    depth: slicesOf(shape),
  });
}

function hostSource(array: OpaqueArray, memory: HostMemory, what: string): CopyPlace {
  const bytes = hostByteLength(memory, `${what}: the host memory`);
  if (bytes !== array.byteLength) {
    throw new RangeError(`${what}: the array has ${array.byteLength} bytes; the host memory has ${bytes}`);
  }
  return hostPlace(memory, `${what}: the host memory`);
}

function deviceSource(array: OpaqueArray, memory: DeviceMemory, what: string): CopyPlace {
  deviceRange(memory, array.byteLength, `${what}: the device memory`);
  return devicePlace(memory, `${what}: the device memory`);
}

function alike(target: OpaqueArray, source: OpaqueArray, what: string): CopyPlace {
  const place = arrayPlace(source, `${what}: the source`);
  const [a, b] = [formOf(target), formOf(source)];
  if (a !== b) throw new RangeError(`${what}: an array of ${b} does not fit one of ${a}`);
  return place;
}

/** `64 × 64 × 1 elements of 4 bytes` */
function formOf(array: OpaqueArray): string {
  const shape = shapeOf(array);
  const sizes = [shape.width, Math.max(1, shape.height), slicesOf(shape)].join(' × ');
  return `${sizes} elements of ${shape.elementBytes} bytes`;
}
