import { noteCopied } from '../../core/element-tag.ts';
import { PublicObject } from '../../core/public-object.ts';
import type { HostMemory } from '../../core/host-memory.ts';
import { checkMade } from '../../core/maker.ts';
import { checkFixed } from '../../core/pin.ts';
import {
  arrayPlace,
  describeEnd,
  devicePlace,
  hostArrays,
  hostPlace,
  unifiedPlace,
  type CopyExtent,
  type CopyPlace,
} from './copy-place.ts';
import type { DeviceMemory } from '../memory/device-pointer.ts';
import { OpaqueArray } from '../texture/opaque-array.ts';
import { keepAllOnStream } from '../lifetime/hold-on-stream.ts';
import type { streamHandle } from '../stream/stream.ts';

/** An end of a copy. */
export type CopyEndName = 'src' | 'dst';

type EndField = 'XInBytes' | 'Y' | 'MemoryType' | 'Host' | 'Device' | 'Array' | 'Pitch';

/** Where a description of the driver has what both of its ends have. */
export type EndFields = Readonly<Record<`${CopyEndName}${EndField}`, number>>;

type Ends = Record<CopyEndName, CopyPlace | undefined>;

let endsOf: (copy: BoxCopy) => Ends;

/** What the copies of rectangles and of boxes have in common: two ends, each with rows that may lie apart. */
export abstract class BoxCopy extends PublicObject {
  /** Where the box begins in a row of the source, in bytes. */
  srcXInBytes = 0;
  /** The first row of the source. */
  srcY = 0;
  /** Bytes from one row of the source to the next; 0 for rows that touch. An array has its own. */
  srcPitch = 0;
  /** Where the box begins in a row of the destination, in bytes. */
  dstXInBytes = 0;
  /** The first row of the destination. */
  dstY = 0;
  /** Bytes from one row of the destination to the next; 0 for rows that touch. An array has its own. */
  dstPitch = 0;
  /** Bytes of each row. */
  widthInBytes = 0;
  /** Rows, of each layer where there are several. */
  height = 1;
  readonly #title: string;
  readonly #ends: Ends = { src: undefined, dst: undefined };

  /** @internal */
  constructor(title: string) {
    super();
    checkMade(new.target !== BoxCopy, 'BoxCopy', 'write new Memcpy2D() or new Memcpy3D()');
    this.#title = title;
  }

  /** Copy from a host array. */
  setSrcHost(array: HostMemory): this {
    return this.#set('src', hostPlace(array, `${this.#title}.setSrcHost: the array`));
  }

  /** Copy from device memory. */
  setSrcDevice(memory: DeviceMemory): this {
    return this.#set('src', devicePlace(memory, `${this.#title}.setSrcDevice: the memory`));
  }

  /** Copy from an array. */
  setSrcArray(array: OpaqueArray): this {
    return this.#set('src', arrayPlace(array, `${this.#title}.setSrcArray: the array`));
  }

  /** Copy from memory of which the driver finds out whose it is. */
  setSrcUnified(memory: HostMemory | DeviceMemory): this {
    return this.#set('src', unifiedPlace(memory, `${this.#title}.setSrcUnified: the memory`));
  }

  /** Copy to a host array. */
  setDstHost(array: HostMemory): this {
    return this.#set('dst', hostPlace(array, `${this.#title}.setDstHost: the array`));
  }

  /** Copy to device memory. */
  setDstDevice(memory: DeviceMemory): this {
    return this.#set('dst', devicePlace(memory, `${this.#title}.setDstDevice: the memory`));
  }

  /** Copy to an array. */
  setDstArray(array: OpaqueArray): this {
    return this.#set('dst', arrayPlace(array, `${this.#title}.setDstArray: the array`));
  }

  /** Copy to memory of which the driver finds out whose it is. */
  setDstUnified(memory: HostMemory | DeviceMemory): this {
    return this.#set('dst', unifiedPlace(memory, `${this.#title}.setDstUnified: the memory`));
  }

  #set(end: CopyEndName, place: CopyPlace): this {
    this.#ends[end] = place;
    return this;
  }

  static {
    endsOf = (copy) => copy.#ends;
  }
}

/** Set an end of any kind. */
export function setPlace(copy: BoxCopy, end: CopyEndName, place: CopyPlace): void {
  endsOf(copy)[end] = place;
}

/** The host arrays at its ends. */
export function hostArraysOf(copy: BoxCopy): HostMemory[] {
  const { src, dst } = endsOf(copy);
  return hostArrays(src, dst);
}

/**
 * Refuse host arrays that can shrink while the copy runs.
 *
 * @throws TypeError the buffer of one is resizable
 */
export function checkEnds(copy: BoxCopy, what: string): void {
  for (const array of hostArraysOf(copy)) checkFixed(array, `${what}: the host array`);
}

/** Keep the host arrays of a copy until a stream has passed this point. */
export function holdEnds(copy: BoxCopy, queue: ReturnType<typeof streamHandle>): void {
  keepAllOnStream(queue, hostArraysOf(copy));
}

/** Bytes of the elements in which the driver counts: an array's, or 1. Undefined for two arrays with different ones. */
export function elementBytesOf(copy: BoxCopy): number | undefined {
  const { src, dst } = endsOf(copy);
  const arrays = [src?.memory, dst?.memory].filter((memory) => memory instanceof OpaqueArray);
  const [first = 1, second = first] = arrays.map(({ elementBytes }) => elementBytes);
  return first === second ? first : undefined;
}

/**
 * Write what the driver is told of one end.
 *
 * @returns the rows from one layer of that end to the next
 */
export function writeEnd(
  copy: BoxCopy,
  end: CopyEndName,
  layers: { readonly z: number; readonly rows: number },
  extent: CopyExtent,
  description: DataView,
  fields: EndFields,
  what: string,
): number {
  const origin = { x: copy[`${end}XInBytes`], y: copy[`${end}Y`], pitch: copy[`${end}Pitch`], ...layers };
  const { src, dst } = endsOf(copy);
  const { kind, host, device, array, pitch, rows } = describeEnd(end === 'src' ? src : dst, origin, extent, what, end);
  if (end === 'dst') noteCopied(dst?.memory, src?.memory);
  description.setBigUint64(fields[`${end}XInBytes`], BigInt(origin.x), true);
  description.setBigUint64(fields[`${end}Y`], BigInt(origin.y), true);
  description.setInt32(fields[`${end}MemoryType`], kind, true);
  description.setBigUint64(fields[`${end}Host`], host, true);
  description.setBigUint64(fields[`${end}Device`], device, true);
  description.setBigUint64(fields[`${end}Array`], array, true);
  description.setBigUint64(fields[`${end}Pitch`], BigInt(pitch), true);
  return rows;
}
