import type { Known } from '../../core/typed/element.ts';
import { arrayDTypes, type ArrayDType } from '../../array/dtype.ts';
import { memoryOf, NDArray as AnyNDArray } from '../../array/ndarray.ts';
import { shapeText } from '../../array/shape.ts';
import type { Context } from '../device/context.ts';
import { ArrayPlace, brandArrays, type DeviceArray } from '../memory/array-place.ts';
import { Buffer } from '../memory/buffer.ts';
import { handleOf } from '../../core/resource.ts';
import type { OwnMemory } from './memory.ts';

/**
 * An array in a buffer of an OpenCL context. One without gaps is a kernel's argument, an end of `enqueueCopy` and the target of
 * `enqueueFill` as it stands; such commands come after the work that has used the array, on whichever queue.
 */
export class NDArray<D extends ArrayDType = ArrayDType> extends AnyNDArray<D> implements DeviceArray {
  /** What it holds, for the type checker alone: no value has the property. */
  declare readonly '~elements': Known<D>;
  /** The part of the buffer, of a view that does not begin with it. */
  #part: ArrayPlace | undefined;

  /** The context of its memory. */
  get context(): Context {
    return this.#memory.engine.context;
  }

  /** OpenCL has no addresses. */
  override get ptr(): never {
    this.use('ptr');
    throw new TypeError('An array of OpenCL has no address; pass the array itself to a kernel or a command');
  }

  /**
   * Where it lies, for a command.
   *
   * @throws TypeError the elements do not follow each other, or the device allows no part of a buffer to begin there
   */
  #place(what: string): ArrayPlace {
    this.use(what);
    if (!this.isFlat) {
      throw new TypeError(
        `${what}: the array's elements must follow each other in memory, got shape ${shapeText(this.shape)} with strides ${shapeText(this.strides)}; pass .contiguous()`,
      );
    }
    const { place } = this.#memory;
    return this.offset === 0 || this.size === 0 ? place : (this.#part ??= this.#makePart(place, what));
  }

  /** Release it; the memory goes with the last array over it. */
  override close(): void {
    super.close();
    this.#part?.buffer.close();
    this.#part = undefined;
  }

  get #memory(): OwnMemory {
    return memoryOf(this) as OwnMemory;
  }

  #makePart({ buffer, reads, writes }: ArrayPlace, what: string): ArrayPlace {
    const start = this.offset * arrayDTypes[this.dtype].size;
    const alignment = Math.min(...buffer.context.devices.map(({ limits }) => limits.subBufferAlignment));
    if ((buffer.offset + start) % alignment !== 0) {
      throw new TypeError(
        `${what}: the array must begin at a multiple of ${alignment} bytes of its memory on this device, got ${start}; pass .copy()`,
      );
    }
    using made = buffer.subRegion(start, this.nbytes);
    const { context, root, offset, byteLength, flags } = made;
    const handle = handleOf(made, what).retain();
    // As the array itself, it may be left to the collector.
    const part = new Buffer(context, { root, offset, handle, byteLength, flags, isQuiet: true });
    return new ArrayPlace(part, reads, writes);
  }

  static {
    brandArrays(NDArray, (array, what) => {
      if (#part in array) return array.#place(what);
      throw new TypeError(`${what} must be given an array that xp.array() or a function like it has made`);
    });
  }
}
