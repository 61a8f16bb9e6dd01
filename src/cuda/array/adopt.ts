import { nameOf } from '../../core/check.ts';
import { tagOn, tags, type ElementTag } from '../../core/element-tag.ts';
import type { AnyHandle } from '../../core/handle.ts';
import { readMember, readPointer } from '../../core/read-pointer.ts';
import { describeMemory, elementStrides } from '../../array/adopted.ts';
import type { Adopted, AdoptOptions } from '../../array/engine.ts';
import { arrayDTypes, type ArrayDType } from '../../array/dtype.ts';
import { contiguous, extentOf, type Layout } from '../../array/layout.ts';
import { npyElement } from '../../array/npy.ts';
import { sizeOf } from '../../array/shape.ts';
import { classDTypes, classOf } from '../../array/typed-class.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { DLPackExport } from '../interop/dlpack.ts';
import { streamOf, TensorView } from '../interop/tensor-view.ts';
import { managedOwner } from '../managed/managed-memory.ts';
import { cudaArrayOf, producerOf, type CudaArrayInterface } from '../memory/cuda-array.ts';
import { roomOf } from '../memory/device-pointer.ts';
import { streamHandle } from '../stream/stream.ts';
import { ownerOf } from '../lifetime/recording.ts';
import type { CudaMemory } from './memory.ts';

/** Where borrowed memory lies, and what keeps it. */
export interface Borrowed {
  /** The address of its first byte. */
  readonly address: bigint;
  readonly byteLength: number;
  /** The record of the owner, if it has one of this package. */
  readonly owner: AnyHandle | undefined;
  /** What has to stay referenced. */
  readonly kept: unknown;
  /** The stream of another library that has written it. */
  readonly producer: Opaque<'CUstream'> | undefined;
  /** The line of the caller. */
  readonly lane: AdoptOptions['lane'];
}

/** Make the memory of an array over what something else owns. */
export type Borrow = (borrowed: Borrowed, what: string) => CudaMemory;

const PYTHON = '__cuda_array_interface__';

/** The dtypes of memory that remembers what was copied into it. */
const BY_TAG: ReadonlyMap<ElementTag, ArrayDType> = new Map(
  Object.entries(tags).flatMap(([name, tag]) => (tag === 0 ? [] : [[tag, name as ArrayDType]])),
);

/**
 * Device memory of other objects as an array, without a copy: what describes itself by the CUDA array interface, tensors,
 * allocations and parts of them, managed arrays, anything with an address in `ptr`.
 *
 * @returns undefined for a value without device memory
 * @throws TypeError a description that is wrong, or memory of which nobody says what it holds
 * @throws RangeError an array that does not fit in the memory, or strides that are no multiples of an element's bytes
 */
export function adopt(value: unknown, options: AdoptOptions, what: string, borrow: Borrow): Adopted | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if (value instanceof DLPackExport) return adopt(value.tensor, options, what, borrow);
  // The interface has no name for bf16; a tensor has one.
  if (value instanceof TensorView && value.dtype === 'bf16') return ofTensor(value, options, what, borrow);
  const described = descriptionOf(value);
  if (described !== undefined) return ofInterface(value, described, options, what, borrow);
  return typeof readPointer(value) === 'bigint' ? ofAddress(value, options, what, borrow) : undefined;
}

function descriptionOf(value: object): CudaArrayInterface | undefined {
  if (ArrayBuffer.isView(value)) return undefined;
  const named = (value as Readonly<Record<string, unknown>>)[PYTHON];
  if (named !== undefined) return cudaArrayOf({ cudaArrayInterface: named });
  return readMember(value, 'cudaArrayInterface') === undefined ? undefined : cudaArrayOf(value);
}

function ofInterface(
  value: object,
  described: CudaArrayInterface,
  options: AdoptOptions,
  what: string,
  borrow: Borrow,
): Adopted {
  const { shape, strides, data } = described;
  const dtype = dtypeOf(described, options, what);
  return over(
    value,
    BigInt(data[0]),
    dtype,
    layoutOf(shape, strides ?? undefined, dtype, what),
    { lane: options.lane, producer: producerOf(described) },
    what,
    borrow,
  );
}

function ofTensor(tensor: TensorView, options: AdoptOptions, what: string, borrow: Borrow): Adopted {
  const { shape, strides, dtype, ptr } = tensor;
  const layout = layoutOf(shape, strides, dtype, what);
  const stream = streamOf(tensor);
  const producer = stream === null ? undefined : streamHandle(stream, what);
  return over(tensor, ptr, dtype, layout, { lane: options.lane, producer }, what, borrow);
}

function ofAddress(value: object, options: AdoptOptions, what: string, borrow: Borrow): Adopted {
  const known = BY_TAG.get(tagOn(value) ?? 0) ?? classDTypes[classOf(value)];
  const { dtype, layout } = describeMemory(value, roomOf(value), options, known, what);
  const address = readPointer(value) as bigint;
  return over(value, address, dtype, layout, { lane: options.lane, producer: undefined }, what, borrow);
}

/** The dtype of a type string: little-endian, and one that arrays have. */
function dtypeOf({ typestr }: CudaArrayInterface, { dtype: asked }: AdoptOptions, what: string): ArrayDType {
  const element = npyElement(typestr);
  // Two bytes without a meaning are what ml_dtypes writes for bfloat16.
  if (element?.isSwapped === false && (element.dtype !== 'bf16' || asked === 'bf16')) return element.dtype;
  const names = Object.values(arrayDTypes).map((info) => info.typestr);
  const advice = element?.dtype === 'bf16' ? `; pass { dtype: 'bf16' } if it is bfloat16` : '';
  throw new TypeError(
    `${what}: typestr must be one of ${[...new Set(names)].filter((name) => name !== '<V2').join(', ')}, got '${typestr}'${advice}`,
  );
}

function layoutOf(
  shape: readonly number[],
  strides: readonly number[] | undefined,
  dtype: ArrayDType,
  what: string,
): Layout {
  if (strides === undefined || sizeOf(shape) === 0) return contiguous(shape);
  return { shape: [...shape], strides: elementStrides(strides, dtype, what), offset: 0 };
}

/** An array whose first element is at an address: its memory begins at the lowest one. */
function over(
  value: object,
  first: bigint,
  dtype: ArrayDType,
  layout: Layout,
  { lane, producer }: Pick<Borrowed, 'lane' | 'producer'>,
  what: string,
  borrow: Borrow,
): Adopted {
  const { size, part } = arrayDTypes[dtype];
  const [lowest, highest] = extentOf(layout) ?? [0, -1];
  const alignment = BigInt(arrayDTypes[part].size);
  if (sizeOf(layout.shape) > 0 && (first === 0n || first % alignment !== 0n)) {
    throw new RangeError(
      `${what}: the address must be a multiple of ${alignment} for elements of ${dtype}, and not 0, got 0x${first.toString(16)} of ${nameOf(value)}`,
    );
  }
  const borrowed: Borrowed = {
    address: first + BigInt(lowest * size),
    byteLength: Math.max(highest - lowest + 1, 0) * size,
    owner: ArrayBuffer.isView(value) ? managedOwner(value) : ownerOf(value, what),
    kept: value,
    producer,
    lane,
  };
  return { memory: borrow(borrowed, what), dtype, layout: { ...layout, offset: -lowest + 0 } };
}
