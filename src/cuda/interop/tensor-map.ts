import { isNameIn } from '../../core/choice.ts';
import { checkGiven, checkInteger, nameOf } from '../../core/check.ts';
import { checkMade, MAKER, type Maker } from '../../core/maker.ts';
import { Value } from '../../core/value.ts';
import { addressOf } from '../../ffi/memory.ts';
import { cu } from '../call.ts';
import { deviceRange, type DeviceMemory } from '../memory/device-pointer.ts';
import {
  TensorMapDataType,
  TensorMapInterleave,
  TensorMapL2Promotion,
  TensorMapOobFill,
  TensorMapSwizzle,
} from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';

/** The element types that tensor maps know. */
export type TensorMapType = 'u8' | 'u16' | 'u32' | 'i32' | 'u64' | 'i64' | 'f16' | 'bf16' | 'f32' | 'tf32' | 'f64';

/** What a tensor map describes. Lists are in C's order: the last dimension is the one that lies together in memory. */
export interface TensorMapOptions {
  readonly dtype: TensorMapType;
  /** Elements along each of 1 to 5 dimensions. */
  readonly shape: readonly number[];
  /** Elements of the box that one copy moves, along each dimension: 1 to 256. */
  readonly box: readonly number[];
  /** Bytes from one element to the next along each dimension but the last; as in C without gaps by default. */
  readonly strides?: readonly number[];
  /** Steps in elements within the box, 1 to 8; 1 by default. */
  readonly elementStrides?: readonly number[];
  readonly interleave?: keyof typeof TensorMapInterleave;
  /** How shared memory is permuted against bank conflicts. */
  readonly swizzle?: keyof typeof TensorMapSwizzle;
  readonly l2Promotion?: keyof typeof TensorMapL2Promotion;
  /** What lies outside: zeros, or NaNs that multiply-adds take for zeros. */
  readonly fill?: 'zero' | 'nan';
}

/** What {@link tensorMapIm2col} needs beside. The pixel box is in the order of the tensor's spatial dimensions. */
export interface Im2colOptions extends Omit<TensorMapOptions, 'box'> {
  readonly lowerCorner: readonly number[];
  readonly upperCorner: readonly number[];
  readonly channelsPerPixel: number;
  readonly pixelsPerColumn: number;
}

const TYPES: Readonly<Record<TensorMapType, readonly [type: TensorMapDataType, bytes: number]>> = {
  u8: [TensorMapDataType.UINT8, 1],
  u16: [TensorMapDataType.UINT16, 2],
  u32: [TensorMapDataType.UINT32, 4],
  i32: [TensorMapDataType.INT32, 4],
  u64: [TensorMapDataType.UINT64, 8],
  i64: [TensorMapDataType.INT64, 8],
  f16: [TensorMapDataType.FLOAT16, 2],
  bf16: [TensorMapDataType.BFLOAT16, 2],
  f32: [TensorMapDataType.FLOAT32, 4],
  tf32: [TensorMapDataType.TFLOAT32, 4],
  f64: [TensorMapDataType.FLOAT64, 8],
};
const BYTES = structs.CUtensorMap.size;
const ALIGNMENT = 64;
const MAX = 2 ** 32;
const COMMON = ['dtype', 'shape', 'strides', 'elementStrides', 'interleave', 'swizzle', 'l2Promotion', 'fill'];

/** A tensor map, by value: a kernel takes it as `const __grid_constant__ CUtensorMap`. Made by {@link tensorMap}. */
export class TensorMap extends Value {
  readonly typeName = 'CUtensorMap';
  readonly byteLength: number = BYTES;
  readonly alignment: number = ALIGNMENT;
  readonly #tensorBytes: number;
  #bytes: Uint8Array<ArrayBuffer>;
  #memory: DeviceMemory;

  /** @internal */
  constructor(maker: Maker, bytes: Uint8Array<ArrayBuffer>, memory: DeviceMemory, tensorBytes: number) {
    checkMade(maker === MAKER, 'TensorMap', 'write tensorMap(memory, options)');
    super();
    this.#bytes = bytes;
    this.#memory = memory;
    this.#tensorBytes = tensorBytes;
  }

  /** What it describes: keep that alive as long as kernels use the map. */
  get memory(): DeviceMemory {
    return this.#memory;
  }

  /**
   * Describe a tensor of the same type, shape and strides in other memory. What was launched or added to a graph before keeps
   * the map that it was given.
   *
   * Host: does not block.
   *
   * @param memory - 16-byte aligned device memory
   * @throws RangeError the memory is not aligned, or smaller than the tensor
   * @throws {@link SymbolNotFoundError} a driver before CUDA 12.0
   * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TENSOR__MEMORY.html | cuTensorMapReplaceAddress}
   */
  replaceAddress(memory: DeviceMemory): void {
    const address = tensorAddress(memory, this.#tensorBytes);
    this.#bytes = aligned((map) => cu.cuTensorMapReplaceAddress(map, address), this.#bytes);
    this.#memory = memory;
  }

  /** @internal */
  override writeTo(view: DataView, byteOffset: number): void {
    // Freed memory is an error here, and would be a fault on the device.
    deviceRange(this.#memory, 0, 'The memory of a tensor map');
    new Uint8Array(view.buffer, view.byteOffset + byteOffset, BYTES).set(this.#bytes);
  }
}

/**
 * Describe a tensor in device memory for the tensor memory accelerator, which copies boxes of it to and from shared
 * memory. Devices of compute capability 9.0 and newer have one.
 *
 * Host: does not block.
 *
 * @param memory - 16-byte aligned device memory
 * @throws RangeError a size, a stride or the alignment is not what the hardware takes, or the memory is smaller
 * @throws TypeError an option is unknown or of the wrong kind
 * @throws {@link CudaLogicError} CUDA_ERROR_NOT_SUPPORTED: on the embedded CPU device
 * @example
 * ```typescript
 * const map = tensorMap(memory, { dtype: 'f32', shape: [128, 256], box: [16, 64] });
 * kernel(map, out, { block: 128, grid: [4, 8] });
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TENSOR__MEMORY.html | cuTensorMapEncodeTiled}
 */
export function tensorMap(memory: DeviceMemory, options: TensorMapOptions): TensorMap {
  checkGiven(options, [...COMMON, 'box'], 'tensorMap');
  const plan = planOf(memory, options, 1);
  const { type, itemBytes, rank, dims, strides, steps, interleave, swizzle, promotion, fill } = plan;
  const box = numbers(options.box, 'box', rank, 1, 256);
  const innerBytes = (box[rank - 1] ?? 0) * itemBytes;
  if (interleave === TensorMapInterleave.NONE && innerBytes % 16 !== 0) {
    throw new RangeError(`The box's last dimension has ${innerBytes} bytes; it must be a multiple of 16`);
  }
  const boxDims = Uint32Array.from(box).reverse();
  const bytes = aligned((out) =>
    cu.cuTensorMapEncodeTiled(
      out,
      type,
      rank,
      plan.address,
      dims,
      strides,
      boxDims,
      steps,
      interleave,
      swizzle,
      promotion,
      fill,
    ),
  );
  return new TensorMap(MAKER, bytes, memory, plan.bytes);
}

/**
 * Describe an image tensor (3 to 5 dimensions, channels last) of which the accelerator copies columns of pixels, as
 * convolutions read them. See {@link tensorMap}.
 */
export function tensorMapIm2col(memory: DeviceMemory, options: Im2colOptions): TensorMap {
  const own = ['lowerCorner', 'upperCorner', 'channelsPerPixel', 'pixelsPerColumn'];
  checkGiven(options, [...COMMON, ...own], 'tensorMapIm2col');
  const plan = planOf(memory, options, 3);
  const { type, rank, dims, strides, steps, interleave, swizzle, promotion, fill } = plan;
  const lower = Int32Array.from(numbers(options.lowerCorner, 'lowerCorner', rank - 2, -32768, 32767)).reverse();
  const upper = Int32Array.from(numbers(options.upperCorner, 'upperCorner', rank - 2, -32768, 32767)).reverse();
  const channels = checkInteger(options.channelsPerPixel, 'channelsPerPixel', 1, 256);
  const pixels = checkInteger(options.pixelsPerColumn, 'pixelsPerColumn', 1, 1024);
  const bytes = aligned((out) =>
    cu.cuTensorMapEncodeIm2col(
      out,
      type,
      rank,
      plan.address,
      dims,
      strides,
      lower,
      upper,
      channels,
      pixels,
      steps,
      interleave,
      swizzle,
      promotion,
      fill,
    ),
  );
  return new TensorMap(MAKER, bytes, memory, plan.bytes);
}

function planOf(memory: DeviceMemory, options: Omit<TensorMapOptions, 'box'>, leastRank: number) {
  const { dtype, shape, strides, elementStrides } = options;
  if (!isNameIn(TYPES, dtype)) {
    throw new TypeError(`dtype must be one of ${Object.keys(TYPES).join(', ')}, got ${nameOf(dtype)}`);
  }
  const [type, itemBytes] = TYPES[dtype];
  const extents = numbers(shape, 'shape', undefined, 1, MAX);
  const rank = extents.length;
  if (rank < leastRank || rank > 5)
    throw new RangeError(`shape has ${rank} dimensions; ${leastRank} to 5 are possible`);
  const rows =
    strides === undefined ? packed(extents, itemBytes) : numbers(strides, 'strides', rank - 1, 16, 2 ** 40 - 1);
  for (const stride of rows) {
    if (stride % 16 !== 0) throw new RangeError(`A stride is ${stride} bytes; it must be a multiple of 16`);
  }
  const bytes = extents.reduce((sum, extent, i) => sum + (extent - 1) * (rows[i] ?? itemBytes), itemBytes);
  const address = tensorAddress(memory, bytes);
  const steps =
    elementStrides === undefined ? extents.map(() => 1) : numbers(elementStrides, 'elementStrides', rank, 1, 8);
  return {
    type,
    itemBytes,
    rank,
    bytes,
    address,
    dims: BigUint64Array.from(extents, BigInt).reverse(),
    // The driver reads no stride of a tensor of one dimension, and takes no empty array.
    strides: rank === 1 ? new BigUint64Array(1) : BigUint64Array.from(rows, BigInt).reverse(),
    steps: Uint32Array.from(steps).reverse(),
    interleave: pick(TensorMapInterleave, options.interleave, 'interleave'),
    swizzle: pick(TensorMapSwizzle, options.swizzle, 'swizzle'),
    promotion: pick(TensorMapL2Promotion, options.l2Promotion, 'l2Promotion'),
    fill: pick(
      { zero: TensorMapOobFill.NONE, nan: TensorMapOobFill.NAN_REQUEST_ZERO_FMA },
      options.fill,
      'fill',
      'zero',
    ),
  };
}

/** Bytes from one element to the next along each dimension but the last, without gaps. */
function packed(shape: readonly number[], itemBytes: number): number[] {
  const strides: number[] = [];
  let bytes = itemBytes;
  for (let i = shape.length - 1; i > 0; i--) strides.unshift((bytes *= shape[i] ?? 1));
  return strides;
}

function numbers(value: unknown, what: string, count: number | undefined, min: number, max: number): number[] {
  if (!Array.isArray(value)) throw new TypeError(`${what} must be an array of numbers, got ${nameOf(value)}`);
  if (count !== undefined && value.length !== count) {
    throw new RangeError(`${what} must have ${count} numbers, got ${value.length}`);
  }
  return Array.from(value, (item: unknown, i) => checkInteger(item, `${what}[${i}]`, min, max));
}

function pick(table: Readonly<Record<string, number>>, name: string | undefined, what: string, usual = 'NONE'): number {
  const key = name ?? usual;
  const value = typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;
  if (value === undefined)
    throw new TypeError(`${what} must be one of ${Object.keys(table).join(', ')}, got ${nameOf(name)}`);
  return value;
}

function tensorAddress(memory: DeviceMemory, bytes: number): bigint {
  const address: bigint = deviceRange(memory, bytes, 'The memory of a tensor map');
  if (address % 16n === 0n) return address;
  throw new RangeError(`The memory begins at 0x${address.toString(16)}; it must be 16-byte aligned`);
}

/** The driver writes a map to a multiple of 64 bytes only. */
function aligned(write: (map: bigint) => unknown, before?: Uint8Array): Uint8Array<ArrayBuffer> {
  const room = new Uint8Array(BYTES + ALIGNMENT);
  const start = addressOf(room);
  const offset = Number(-start & BigInt(ALIGNMENT - 1));
  if (before) room.set(before, offset);
  write(start + BigInt(offset));
  return room.slice(offset, offset + BYTES);
}
