import type { ElementName } from '../../core/element-table.ts';
import type { ElementTag } from '../../core/element-tag.ts';
import { Handle } from '../../core/handle.ts';
import { handleOf } from '../../core/resource.ts';
import type { AnyElement, Holds } from '../../core/typed/element.ts';
import type { UseRecord } from '../queue/uses.ts';
import { Buffer } from './buffer.ts';

/** Where an array lies, for commands: the buffer, and the records of the commands that read and write it. */
export class ArrayPlace {
  /** It begins with the array's first element; it may be longer. */
  readonly buffer: Buffer;
  /** For commands that only read the array: they come after its last writer. */
  readonly reads: UseRecord;
  /** For commands that may write: they come after all that use the array. */
  readonly writes: UseRecord;

  constructor(buffer: Buffer, reads: UseRecord, writes: UseRecord) {
    this.buffer = buffer;
    this.reads = reads;
    this.writes = writes;
  }
}

/**
 * An array in the memory of a context: an `NDArray` of `rawkernel/opencl/array`. One without gaps is a kernel's argument, an
 * end of copies and the target of fills; such commands come after the work that has used the array.
 */
export interface DeviceArray<E extends ElementName = AnyElement> extends Holds<E> {
  readonly dtype: string;
  /** Bytes of all elements. */
  readonly nbytes: number;
  /** @internal */
  readonly elementTag: ElementTag;
}

const BRAND = Symbol('array');

let findPlace: (array: DeviceArray, what: string) => ArrayPlace;

/** Make the instances of a class known as such arrays. */
export function brandArrays(type: { readonly prototype: object }, find: typeof findPlace): void {
  Object.defineProperty(type.prototype, BRAND, { value: true });
  findPlace = find;
}

/**
 * Where an array lies.
 *
 * @throws TypeError its elements do not follow each other
 */
export function placeOf(array: DeviceArray, what: string): ArrayPlace {
  return findPlace(array, what);
}

/** Whether a value is such an array. */
export function isDeviceArray(value: unknown): value is DeviceArray {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** A buffer of exactly an array's bytes, for one command; it is to be closed. */
export function bufferOfArray(array: DeviceArray, use: 'reads' | 'writes', what: string): Buffer {
  return new BufferOfArray(array, placeOf(array, what), use, what);
}

class BufferOfArray extends Buffer {
  readonly #tag: ElementTag;

  constructor(array: DeviceArray, place: ArrayPlace, use: 'reads' | 'writes', what: string) {
    const { root, offset, flags, context } = place.buffer;
    // Nothing to destroy: the array has the memory.
    const handle = new Handle('Buffer', handleOf(place.buffer, what).value, undefined);
    super(context, { root, offset, handle, byteLength: array.nbytes, flags, uses: place[use] });
    this.#tag = array.elementTag;
  }

  override get elementTag(): ElementTag {
    return this.#tag;
  }

  override set elementTag(_tag: ElementTag) {
    // An array keeps its dtype, whatever is copied into it.
  }
}
