import type { HostMemory } from '../../core/host-memory.ts';
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
import { holdOnStream } from '../stream/hold-on-stream.ts';
import type { streamHandle } from '../stream/stream.ts';

/** An end of a copy. */
export type CopyEndName = 'src' | 'dst';

type EndField = 'XInBytes' | 'Y' | 'MemoryType' | 'Host' | 'Device' | 'Array' | 'Pitch';

/** Where a description of the driver has what both of its ends have. */
export type EndFields = Readonly<Record<`${CopyEndName}${EndField}`, number>>;

/** What the copies of rectangles and of boxes have in common: two ends, each with rows that may lie apart. */
export abstract class BoxCopy {
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
  #source: CopyPlace | undefined;
  #target: CopyPlace | undefined;

  /** @internal */
  constructor(title: string) {
    this.#title = title;
  }

  /** Copy from a host array. */
  setSrcHost(array: HostMemory): this {
    return this.setPlace('src', hostPlace(array, `${this.#title}.setSrcHost: the array`));
  }

  /** Copy from device memory. */
  setSrcDevice(memory: DeviceMemory): this {
    return this.setPlace('src', devicePlace(memory, `${this.#title}.setSrcDevice: the memory`));
  }

  /** Copy from an array. */
  setSrcArray(array: OpaqueArray): this {
    return this.setPlace('src', arrayPlace(array, `${this.#title}.setSrcArray: the array`));
  }

  /** Copy from memory of which the driver finds out whose it is. */
  setSrcUnified(memory: HostMemory | DeviceMemory): this {
    return this.setPlace('src', unifiedPlace(memory, `${this.#title}.setSrcUnified: the memory`));
  }

  /** Copy to a host array. */
  setDstHost(array: HostMemory): this {
    return this.setPlace('dst', hostPlace(array, `${this.#title}.setDstHost: the array`));
  }

  /** Copy to device memory. */
  setDstDevice(memory: DeviceMemory): this {
    return this.setPlace('dst', devicePlace(memory, `${this.#title}.setDstDevice: the memory`));
  }

  /** Copy to an array. */
  setDstArray(array: OpaqueArray): this {
    return this.setPlace('dst', arrayPlace(array, `${this.#title}.setDstArray: the array`));
  }

  /** Copy to memory of which the driver finds out whose it is. */
  setDstUnified(memory: HostMemory | DeviceMemory): this {
    return this.setPlace('dst', unifiedPlace(memory, `${this.#title}.setDstUnified: the memory`));
  }

  /**
   * Set an end of whatever kind.
   * @internal
   */
  setPlace(end: CopyEndName, place: CopyPlace): this {
    if (end === 'src') this.#source = place;
    else this.#target = place;
    return this;
  }

  /**
   * Keep the host arrays until a stream has passed this point.
   * @internal
   */
  hold(queue: ReturnType<typeof streamHandle>): void {
    const kept = this.hostArrays;
    holdOnStream(queue, () => {
      kept.length = 0;
    });
  }

  /**
   * The host arrays at its ends.
   * @internal
   */
  get hostArrays(): HostMemory[] {
    return hostArrays(this.#source, this.#target);
  }

  /**
   * Bytes of the elements in which the driver counts: an array's, or 1. Undefined for two arrays with different ones.
   * @internal
   */
  get elementBytes(): number | undefined {
    const arrays = [this.#source?.memory, this.#target?.memory].filter((memory) => memory instanceof OpaqueArray);
    const [first = 1, second = first] = arrays.map(({ elementBytes }) => elementBytes);
    return first === second ? first : undefined;
  }

  /**
   * Write what the driver is told of one end.
   *
   * @returns the rows from one layer of that end to the next
   * @internal
   */
  writeEnd(
    end: CopyEndName,
    layers: { readonly z: number; readonly rows: number },
    extent: CopyExtent,
    description: DataView,
    fields: EndFields,
    what: string,
  ): number {
    const origin = { x: this[`${end}XInBytes`], y: this[`${end}Y`], pitch: this[`${end}Pitch`], ...layers };
    const place = end === 'src' ? this.#source : this.#target;
    const { kind, host, device, array, pitch, rows } = describeEnd(place, origin, extent, what, end);
    description.setBigUint64(fields[`${end}XInBytes`], BigInt(origin.x), true);
    description.setBigUint64(fields[`${end}Y`], BigInt(origin.y), true);
    description.setInt32(fields[`${end}MemoryType`], kind, true);
    description.setBigUint64(fields[`${end}Host`], host, true);
    description.setBigUint64(fields[`${end}Device`], device, true);
    description.setBigUint64(fields[`${end}Array`], array, true);
    description.setBigUint64(fields[`${end}Pitch`], BigInt(pitch), true);
    return rows;
  }
}
