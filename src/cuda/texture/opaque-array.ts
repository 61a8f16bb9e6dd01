import { Handle } from '../../core/handle.ts';
import { checkInteger, nameOf } from '../../core/check.ts';
import { handleOf, closeOnce, Resource } from '../../core/resource.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import {
  byteLengthOf,
  describeShape,
  levelShape,
  limitOf,
  readShape,
  type ArrayDType,
  type ArrayOptions,
  type ArrayShape,
} from './array-shape.ts';
import { attempt, cu } from '../call.ts';
import { requireContext } from '../device/context.ts';
import { destroyIdle } from '../lifetime/launch-object.ts';
import { allocate } from '../memory/memory.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type CUarray = Opaque<'CUarray'>;
type CUmipmappedArray = Opaque<'CUmipmappedArray'>;

const arraySlot = slotOf('CUarray');
const mipmappedArraySlot = slotOf('CUmipmappedArray');

let readOwnShape: (array: OpaqueArray | MipmappedArray) => ArrayShape;

/** What arrays with and without levels have in common. */
abstract class Shaped<T> extends Resource<T> {
  /** Elements of a row. */
  readonly width: number;
  /** Rows; 0 for an array of one dimension. */
  readonly height: number;
  /** Planes; 0 for an array of one or two dimensions. */
  readonly depth: number;
  /** Arrays of one or two dimensions, or cubemaps, on top of each other; 0 for an array that is not layered. */
  readonly layers: number;
  readonly cubemap: boolean;
  readonly dtype: ArrayDType;
  /** How many numbers an element has. */
  readonly channels: 1 | 2 | 4;
  /** Bytes of one element. */
  readonly elementBytes: number;
  readonly #shape: ArrayShape;

  /** @internal */
  constructor(handle: Handle<T>, shape: ArrayShape) {
    super(handle);
    this.#shape = shape;
    this.width = shape.width;
    this.height = shape.height;
    this.depth = shape.depth;
    this.layers = shape.layers;
    this.cubemap = shape.cubemap;
    this.dtype = shape.dtype;
    this.channels = shape.channels;
    this.elementBytes = shape.elementBytes;
  }

  static {
    readOwnShape = (array) => array.#shape;
  }
}

/** The shape of an array, as it was checked: copies and textures are measured by it. */
export function shapeOf(array: OpaqueArray | MipmappedArray): ArrayShape {
  return readOwnShape(array);
}

/**
 * Memory of the device in an order that only the hardware knows, made for reads through a {@link Texture} and writes through a
 * {@link Surface}. It has no address: copy with {@link memcpyHtoA} and similar functions, with {@link Memcpy2D} or {@link Memcpy3D}.
 *
 * @example
 * ```typescript
 * using image = new OpaqueArray({ width: 640, height: 480, dtype: 'u8', channels: 4 });
 * memcpyHtoA(image, new Uint8Array(image.byteLength));
 * using texture = new Texture(image);
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuArray3DCreate}
 */
export class OpaqueArray extends Shaped<CUarray> {
  /** The size of its content in bytes, without gaps. */
  readonly byteLength: number;

  /**
   * Allocate an array in the current context: of one dimension, of two with a `height`, of three with a `depth`; layered with
   * `layers`; a cubemap.
   *
   * Host: may block.
   *
   * @throws TypeError an option is unknown or missing, or two do not fit each other
   * @throws RangeError a size is not what the device can do
   * @throws {@link CudaMemoryError} CUDA_ERROR_OUT_OF_MEMORY
   */
  constructor(options: ArrayOptions);
  /** @internal */
  constructor(shape: ArrayShape, handle: Handle<CUarray>);
  constructor(options: ArrayOptions, handle?: Handle<CUarray>) {
    const shape = handle ? (options as ArrayShape) : readShape(options, 'OpaqueArray');
    super(handle ?? create(shape), shape);
    this.byteLength = byteLengthOf(shape);
  }

  /**
   * Give the memory back, once no texture or surface of it is left.
   *
   * Host: blocks until the device is idle.
   *
   * @throws {@link ClosedError} it was freed before
   */
  free(): void {
    closeOnce(this, 'free');
  }

  /** The driver's `CUarray`, borrowed: good until {@link OpaqueArray.free}. */
  get handle(): CUarray {
    return this.use('handle');
  }
}

/** What a mipmapped array is to be. */
export interface MipmappedArrayOptions extends ArrayOptions {
  /** How many levels; by default as many as there can be, down to one element. */
  readonly levels?: number;
}

/**
 * An array in several sizes, each half as large as the one before it: a {@link Texture} over it reads from the size that fits
 * the distance of what is looked at.
 *
 * @example
 * ```typescript
 * using image = new MipmappedArray({ width: 256, height: 256, dtype: 'f32' });
 * for (let i = 0; i < image.levels; i++) {
 *   using level = image.level(i);
 *   memcpyHtoA(level, new Float32Array(level.byteLength / 4));
 * }
 * using texture = new Texture(image, { normalizedCoords: true, mipmapFilterMode: 'linear' });
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMipmappedArrayCreate}
 */
export class MipmappedArray extends Shaped<CUmipmappedArray> {
  readonly levels: number;

  /**
   * Allocate an array with all its levels in the current context. See {@link OpaqueArray}.
   *
   * @throws RangeError a size is not what the device can do, or there cannot be so many levels
   */
  constructor(options: MipmappedArrayOptions) {
    const shape = readShape(options, 'MipmappedArray', ['levels']);
    checkMipmapped(shape);
    const most = 1 + Math.floor(Math.log2(Math.max(shape.width, shape.height, shape.depth)));
    const levels = checkInteger(options.levels ?? most, 'MipmappedArray: levels', 1, most);
    super(createMipmapped(shape, levels), shape);
    this.levels = levels;
  }

  /**
   * One level, for copies and surfaces. It is a part of this array: closing it only forgets it.
   *
   * @param index - 0 is the largest
   */
  level(index: number): OpaqueArray {
    const which = checkInteger(index, 'MipmappedArray.level', 0, this.levels - 1);
    const owner = handleOf(this, 'level');
    cu.cuMipmappedArrayGetLevel(arraySlot, owner.value, which);
    const handle = new Handle('OpaqueArray', take(arraySlot), undefined, [owner]);
    return new OpaqueArray(levelShape(shapeOf(this), which), handle);
  }

  /**
   * Give the memory back, once no texture, surface or level of it is left.
   *
   * Host: blocks until the device is idle.
   *
   * @throws {@link ClosedError} it was freed before
   */
  free(): void {
    closeOnce(this, 'free');
  }

  /** The driver's `CUmipmappedArray`, borrowed: good until {@link MipmappedArray.free}. */
  get handle(): CUmipmappedArray {
    return this.use('handle');
  }
}

/** The record of an array in an argument's place. */
export function arrayHandle(value: unknown, what: string): Handle<CUarray> {
  if (!(value instanceof OpaqueArray)) throw new TypeError(`${what} must be an OpaqueArray, got ${nameOf(value)}`);
  return handleOf(value, what);
}

function checkMipmapped(shape: ArrayShape): void {
  if (shape.layers > 0 || shape.cubemap || shape.depth > 0) return;
  const family = `MAXIMUM_TEXTURE${shape.height > 0 ? 2 : 1}D_MIPMAPPED`;
  for (const name of ['width', 'height'] as const) {
    const most = limitOf(`${family}_${name.toUpperCase()}`);
    if (most > 0 && shape[name] > most) {
      throw new RangeError(`MipmappedArray: ${name} is ${shape[name]}; the device allows ${most}`);
    }
  }
}

function create(shape: ArrayShape): Handle<CUarray> {
  const context = requireContext('cuArray3DCreate');
  const description = describeShape(shape);
  allocate('cuArray3DCreate', byteLengthOf(shape), () => attempt('cuArray3DCreate', arraySlot, description));
  const destroy = (array: CUarray): void => {
    destroyIdle(context, [], 'cuArrayDestroy', array);
  };
  return new Handle('OpaqueArray', take(arraySlot), destroy, [context]);
}

function createMipmapped(shape: ArrayShape, levels: number): Handle<CUmipmappedArray> {
  const context = requireContext('cuMipmappedArrayCreate');
  const description = describeShape(shape);
  const bytes = Array.from({ length: levels }, (_, i) => byteLengthOf(levelShape(shape, i)));
  const total = bytes.reduce((sum, each) => sum + each, 0);
  allocate('cuMipmappedArrayCreate', total, () =>
    attempt('cuMipmappedArrayCreate', mipmappedArraySlot, description, levels),
  );
  const destroy = (array: CUmipmappedArray): void => {
    destroyIdle(context, [], 'cuMipmappedArrayDestroy', array);
  };
  return new Handle('MipmappedArray', take(mipmappedArraySlot), destroy, [context]);
}
