import { isNameIn } from '../../core/choice.ts';
import { tagOn, tags, type ElementTag, type Tagged } from '../../core/element-tag.ts';
import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import type { AddressHolder } from '../../core/struct.ts';
import { MemoryPart } from '../lifetime/memory-part.ts';
import { attempt, cleanup, cu } from '../call.ts';
import {
  cudaArrayOf,
  extentOf,
  packedStrides,
  producerOf,
  type CudaArrayInterface,
  type CudaArrayLike,
} from '../memory/cuda-array.ts';
import { deviceRange, type DeviceMemory, type DevicePointer } from '../memory/device-pointer.ts';
import { streamHandle, type Stream } from '../stream/stream.ts';
import { EventFlags } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

/** The element types of tensors. `bf16` has no name in the CUDA array interface, DLPack has one. */
export type TensorDType = keyof typeof TENSOR_TYPES;

/** How device memory is an array. */
export interface TensorOptions {
  /** Elements along each dimension. */
  readonly shape: readonly number[];
  readonly dtype: TensorDType;
  /** Bytes from one element to the next along each dimension; without gaps, as in C, by default. */
  readonly strides?: readonly number[];
  /** Where the first element lies, from the start of the memory. */
  readonly byteOffset?: number;
  readonly readOnly?: boolean;
  /** The stream that writes the array, which consumers have to wait for. */
  readonly stream?: Stream | null;
}

/** Typestr of the array interface, DLPack's type code, bytes. */
export const TENSOR_TYPES = {
  i8: ['|i1', 0, 1],
  i16: ['<i2', 0, 2],
  i32: ['<i4', 0, 4],
  i64: ['<i8', 0, 8],
  u8: ['|u1', 1, 1],
  u16: ['<u2', 1, 2],
  u32: ['<u4', 1, 4],
  u64: ['<u8', 1, 8],
  f16: ['<f2', 2, 2],
  f32: ['<f4', 2, 4],
  f64: ['<f8', 2, 8],
  bf16: ['', 4, 2],
  c64: ['<c8', 5, 8],
  c128: ['<c16', 5, 16],
  bool: ['|b1', 6, 1],
} as const;

const LEGACY = 1n;
const slot = slotOf('CUevent');

/** The stream that writes a tensor. */
export let streamOf: (tensor: TensorView) => Stream | null;

/**
 * Device memory as an array that other libraries understand: shape, strides, element type. It owns nothing, and goes
 * wherever device memory does.
 *
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { memAlloc, TensorView } from 'rawkernel/cuda';
 *
 * using memory = memAlloc(4 * 6);
 * const matrix = new TensorView(memory, { shape: [2, 3], dtype: 'f32' });
 * matrix.cudaArrayInterface.typestr; // '<f4'
 * ```
 */
export class TensorView extends MemoryPart implements AddressHolder, CudaArrayLike {
  readonly shape: readonly number[];
  readonly dtype: TensorDType;
  /** Bytes from one element to the next along each dimension. */
  readonly strides: readonly number[];
  readonly readOnly: boolean;
  /** Bytes from the first element to behind the last. */
  readonly byteLength: number;
  readonly #memory: DeviceMemory;
  readonly #byteOffset: number;
  readonly #stream: Stream | null;

  /**
   * Describe memory.
   *
   * @throws RangeError the array does not lie inside the memory
   * @throws TypeError no device memory, or an option of the wrong kind
   */
  constructor(memory: DeviceMemory, options: TensorOptions) {
    super(memory);
    if ((options as unknown) === undefined) throw new TypeError('TensorView takes options: { shape, dtype }');
    checkOptions(options, ['shape', 'dtype', 'strides', 'byteOffset', 'readOnly', 'stream'], 'TensorView');
    const { shape, dtype, strides, byteOffset = 0, readOnly = false, stream = null } = options;
    if (!isNameIn(TENSOR_TYPES, dtype)) {
      throw new TypeError(`dtype must be one of ${Object.keys(TENSOR_TYPES).join(', ')}, got ${nameOf(dtype)}`);
    }
    if (!Array.isArray(shape)) throw new TypeError(`shape must be an array of sizes, got ${nameOf(shape)}`);
    const [, , item] = TENSOR_TYPES[dtype];
    this.shape = Array.from(shape, (size, i) => checkInteger(size, `shape[${i}]`));
    if (strides !== undefined && (!Array.isArray(strides) || strides.length !== shape.length)) {
      throw new TypeError(`strides must be ${shape.length} numbers of bytes`);
    }
    this.strides =
      strides?.map((step: number, i) => checkInteger(step, `strides[${i}]`)) ?? packedStrides(this.shape, item);
    this.dtype = dtype;
    this.readOnly = readOnly;
    this.byteLength = extentOf({
      version: 3,
      shape: this.shape,
      strides: this.strides,
      typestr: `<x${item}`,
      data: [0, false],
    });
    this.#memory = memory;
    this.#byteOffset = checkInteger(byteOffset, 'byteOffset');
    this.#stream = stream;
    streamHandle(stream, 'TensorView');
    deviceRange(memory, this.#byteOffset + this.byteLength, 'The memory of a tensor');
  }

  /**
   * Take over an array that another library describes. What its stream has still to do is waited for on `stream`, by an
   * event: the host does not block.
   *
   * @param stream - where it will be used; the legacy default stream by default
   * @throws TypeError it carries no description, a wrong one, or one of a type that {@link TensorDType} does not have
   */
  static from(array: CudaArrayLike, stream: Stream | null = null): TensorView {
    const described = cudaArrayOf(array);
    if (!described)
      throw new TypeError(`TensorView.from takes an object with cudaArrayInterface, got ${nameOf(array)}`);
    const { shape, typestr, strides, data } = described;
    const found = Object.entries(TENSOR_TYPES).find(([, [name]]) => name === typestr);
    if (!found) throw new TypeError(`TensorView.from: no element type is called ${typestr} here`);
    const producer = producerOf(described);
    if (producer !== undefined) order(producer, streamHandle(stream, 'TensorView.from'));
    // The object itself keeps the memory alive.
    const memory = { ptr: BigInt(data[0]), owner: array };
    const options = { shape, dtype: found[0] as TensorDType, readOnly: data[1] };
    return new TensorView(memory, strides ? { ...options, strides } : options);
  }

  /** @internal */
  get elementTag(): ElementTag {
    return tags[this.dtype];
  }

  /** @internal */
  set elementTag(tag: ElementTag) {
    if (tagOn(this.#memory) !== undefined) (this.#memory as AddressHolder & Tagged).elementTag = tag;
  }

  /** The address of the first element, borrowed: good until the memory is freed. */
  get ptr(): DevicePointer {
    const base = this.#memory;
    // An array that was taken over without a stream, or waited for by now.
    return (deviceRange(base, 0, 'The memory of a tensor') + BigInt(this.#byteOffset)) as DevicePointer;
  }

  /**
   * The description for other libraries, borrowed like {@link TensorView.ptr}.
   *
   * @throws TypeError `bf16`, which it cannot say
   */
  get cudaArrayInterface(): CudaArrayInterface {
    const [typestr] = TENSOR_TYPES[this.dtype];
    if (typestr === '') throw new TypeError(`The CUDA array interface has no name for ${this.dtype}; DLPack has one`);
    const stream = this.#stream && streamHandle(this.#stream, 'cudaArrayInterface');
    return {
      version: 3,
      shape: this.shape,
      typestr,
      data: [this.ptr, this.readOnly],
      strides: this.strides,
      stream: stream === null ? null : stream === 0n ? LEGACY : stream,
    };
  }

  static {
    streamOf = (tensor) => tensor.#stream;
  }
}

/** Let later work on one stream wait for the work that is now on another. */
function order(producer: Parameters<typeof cu.cuStreamSynchronize>[0], consumer: typeof producer): void {
  if (producer === consumer) return;
  cu.cuEventCreate(slot, EventFlags.DISABLE_TIMING);
  const event = take(slot);
  try {
    cu.cuEventRecord(event, producer);
    if (attempt('cuStreamWaitEvent', consumer, event, 0) !== 0) cu.cuStreamSynchronize(producer);
  } finally {
    cleanup('cuEventDestroy', event);
  }
}
