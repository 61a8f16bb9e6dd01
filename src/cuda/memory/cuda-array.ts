import { nameOf } from '../../core/check.ts';
import { readMember } from '../../core/read-pointer.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cu } from '../call.ts';

/**
 * The description of an array in device memory that libraries exchange: version 3 of the CUDA array interface, whose
 * Python name is `__cuda_array_interface__`.
 *
 * @see {@link https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html | CUDA array interface}
 */
export interface CudaArrayInterface {
  readonly version: number;
  /** Elements along each dimension. */
  readonly shape: readonly number[];
  /** `'<f4'`, `'|u1'`: byte order, kind, bytes. */
  readonly typestr: string;
  /** The address, and whether it may only be read. */
  readonly data: readonly [address: number | bigint, readOnly: boolean];
  /** Bytes from one element to the next along each dimension; without gaps, as in C, where it is missing. */
  readonly strides?: readonly number[] | null;
  /** The stream whose work has to be waited for: 1 for the legacy default one, 2 for the thread's, or a handle. */
  readonly stream?: number | bigint | null;
}

/** Something that carries such a description. It goes wherever device memory does. */
export interface CudaArrayLike {
  readonly cudaArrayInterface: CudaArrayInterface;
}

/** The description that a value carries, if it does. */
export function cudaArrayOf(value: unknown): CudaArrayInterface | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const described = readMember(value, 'cudaArrayInterface');
  return described === undefined ? undefined : checkInterface(described);
}

/** The address of such an array, once its stream has finished. Host: blocks where it names a stream. */
export function awaitedAddress(array: CudaArrayInterface): bigint {
  const stream = producerOf(array);
  if (stream !== undefined) cu.cuStreamSynchronize(stream);
  return BigInt(array.data[0]);
}

/** The stream that makes the array; undefined where nothing has to be waited for. */
export function producerOf({ stream }: CudaArrayInterface): Opaque<'CUstream'> | undefined {
  return stream === undefined || stream === null ? undefined : (BigInt(stream) as Opaque<'CUstream'>);
}

/** Bytes from the array's first to behind its last. */
export function extentOf({ shape, strides, typestr }: CudaArrayInterface): number {
  const item = Number(typestr.slice(2));
  if (shape.includes(0)) return 0;
  const steps = strides ?? packedStrides(shape, item);
  return shape.reduce((sum, extent, i) => sum + (extent - 1) * (steps[i] ?? 0), item);
}

/** Bytes from one element to the next along each dimension, as C lays an array out. */
export function packedStrides(shape: readonly number[], itemBytes: number): number[] {
  const strides: number[] = [];
  let bytes = itemBytes;
  for (let i = shape.length - 1; i >= 0; i--) {
    strides.unshift(bytes);
    bytes *= shape[i] ?? 1;
  }
  return strides;
}

function checkInterface(value: unknown): CudaArrayInterface {
  const array = value as Partial<CudaArrayInterface> | null;
  if (typeof array !== 'object' || array === null) {
    throw new TypeError(`cudaArrayInterface must be an object, got ${nameOf(value)}`);
  }
  const { version, shape, typestr, data, strides, stream } = array;
  if (version !== 2 && version !== 3)
    throw new TypeError(`cudaArrayInterface: version must be 2 or 3, got ${nameOf(version)}`);
  if (!isSizes(shape, 0)) throw new TypeError('cudaArrayInterface: shape must be an array of sizes');
  if (typeof typestr !== 'string' || !/^[<>|][a-zA-Z]\d+$/.test(typestr)) {
    throw new TypeError(`cudaArrayInterface: typestr must be like '<f4', got ${nameOf(typestr)}`);
  }
  if (!Array.isArray(data) || !isAddress(data[0]))
    throw new TypeError('cudaArrayInterface: data must be [address, readOnly]');
  if (strides !== undefined && strides !== null && (!isSizes(strides, -Infinity) || strides.length !== shape.length)) {
    throw new TypeError(`cudaArrayInterface: strides must be ${shape.length} numbers of bytes`);
  }
  if (stream !== undefined && stream !== null && (!isAddress(stream) || BigInt(stream) === 0n)) {
    throw new TypeError(
      'cudaArrayInterface: stream must be 1, 2 or a handle; 0 would not say which default stream is meant',
    );
  }
  return array as CudaArrayInterface;
}

function isSizes(value: unknown, least: number): value is readonly number[] {
  return (
    Array.isArray(value) &&
    [...(value as unknown[])].every((item: unknown) => Number.isSafeInteger(item) && (item as number) >= least)
  );
}

function isAddress(value: unknown): value is number | bigint {
  if (typeof value === 'bigint') return value >= 0n && value < 1n << 64n;
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
