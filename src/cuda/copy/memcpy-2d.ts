import type { HostMemory } from '../../core/host-memory.ts';
import { checkOptions } from '../../core/host-memory.ts';
import {
  arrayPlace,
  checkExtent,
  describeEnd,
  devicePlace,
  hostArrays,
  hostPlace,
  unifiedPlace,
  type CopyPlace,
} from './box-copy.ts';
import { cu } from '../call.ts';
import type { DeviceMemory } from '../memory/device-pointer.ts';
import type { OpaqueArray } from '../texture/opaque-array.ts';
import { holdOnStream } from '../stream/hold-on-stream.ts';
import { streamHandle, type Stream } from '../stream/stream.ts';
import { structs } from '../sys/structs.ts';

const { size, fields } = structs.CUDA_MEMCPY2D;

/**
 * A copy of a rectangle between host memory, device memory and arrays, in which rows may lie apart. Set both ends and the sizes, then
 * run it, as often as you like.
 *
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { memAllocPitch, Memcpy2D } from 'rawkernel/cuda';
 *
 * const image = new Uint8Array(640 * 480).fill(9);
 * const { memory, pitch } = memAllocPitch(640, 480);
 * const copy = new Memcpy2D().setSrcHost(image).setDstDevice(memory);
 * Object.assign(copy, { srcPitch: 640, dstPitch: pitch, widthInBytes: 640, height: 480 });
 * copy.run();
 * memory.free();
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemcpy2D}
 */
export class Memcpy2D {
  /** Where the rectangle begins in a row of the source, in bytes. */
  srcXInBytes = 0;
  /** The first row of the source. */
  srcY = 0;
  /** Bytes from one row of the source to the next; 0 for rows that touch. */
  srcPitch = 0;
  /** Where the rectangle begins in a row of the destination, in bytes. */
  dstXInBytes = 0;
  /** The first row of the destination. */
  dstY = 0;
  /** Bytes from one row of the destination to the next; 0 for rows that touch. */
  dstPitch = 0;
  /** Bytes of each row. */
  widthInBytes = 0;
  /** Rows. */
  height = 1;
  #source: CopyPlace | undefined;
  #target: CopyPlace | undefined;

  /** Copy from a host array. */
  setSrcHost(array: HostMemory): this {
    return this.setPlace('src', hostPlace(array, 'Memcpy2D.setSrcHost: the array'));
  }

  /** Copy from device memory. */
  setSrcDevice(memory: DeviceMemory): this {
    return this.setPlace('src', devicePlace(memory, 'Memcpy2D.setSrcDevice: the memory'));
  }

  /** Copy from an array; `srcPitch` is not read. */
  setSrcArray(array: OpaqueArray): this {
    return this.setPlace('src', arrayPlace(array, 'Memcpy2D.setSrcArray: the array'));
  }

  /** Copy from memory of which the driver finds out whose it is. */
  setSrcUnified(memory: HostMemory | DeviceMemory): this {
    return this.setPlace('src', unifiedPlace(memory, 'Memcpy2D.setSrcUnified: the memory'));
  }

  /** Copy to a host array. */
  setDstHost(array: HostMemory): this {
    return this.setPlace('dst', hostPlace(array, 'Memcpy2D.setDstHost: the array'));
  }

  /** Copy to device memory. */
  setDstDevice(memory: DeviceMemory): this {
    return this.setPlace('dst', devicePlace(memory, 'Memcpy2D.setDstDevice: the memory'));
  }

  /** Copy to an array; `dstPitch` is not read. */
  setDstArray(array: OpaqueArray): this {
    return this.setPlace('dst', arrayPlace(array, 'Memcpy2D.setDstArray: the array'));
  }

  /** Copy to memory of which the driver finds out whose it is. */
  setDstUnified(memory: HostMemory | DeviceMemory): this {
    return this.setPlace('dst', unifiedPlace(memory, 'Memcpy2D.setDstUnified: the memory'));
  }

  /**
   * Copy.
   *
   * Host: blocks, but for copies within the device. Stream: ordered by the legacy default stream.
   *
   * @param options - `aligned`: the pitches are {@link memAllocPitch}'s, which may be faster
   * @throws RangeError the rectangle does not fit an end
   * @throws TypeError an end is not set, or its array is detached
   * @throws {@link ClosedError} device memory was freed
   */
  run(options: { readonly aligned?: boolean } = {}): void {
    checkOptions(options, ['aligned'], 'Memcpy2D.run');
    const description = this.#describe('Memcpy2D.run');
    if (options.aligned) cu.cuMemcpy2D(description);
    else cu.cuMemcpy2DUnaligned(description);
  }

  /**
   * Enqueue the copy; host arrays are kept alive until it has finished.
   *
   * Host: does not block for pinned memory. Stream: ordered.
   *
   * @param stream - the legacy default stream where none is given
   * @throws what {@link Memcpy2D.run} throws
   */
  runAsync(stream: Stream | null = null): void {
    const queue = streamHandle(stream, 'Memcpy2D.runAsync');
    cu.cuMemcpy2DAsync(this.#describe('Memcpy2D.runAsync'), queue);
    const kept = hostArrays(this.#source, this.#target);
    holdOnStream(queue, () => {
      kept.length = 0;
    });
  }

  /**
   * Set an end of whatever kind.
   * @internal
   */
  setPlace(end: 'src' | 'dst', place: CopyPlace): this {
    if (end === 'src') this.#source = place;
    else this.#target = place;
    return this;
  }

  #describe(what: string): DataView {
    const extent = checkExtent(this.widthInBytes, this.height, 1, what);
    const view = new DataView(new ArrayBuffer(size));
    for (const end of ['src', 'dst'] as const) {
      const origin = { x: this[`${end}XInBytes`], y: this[`${end}Y`], z: 0, pitch: this[`${end}Pitch`], rows: 0 };
      const place = end === 'src' ? this.#source : this.#target;
      const { kind, host, device, array, pitch } = describeEnd(place, origin, extent, what, end);
      view.setBigUint64(fields[`${end}XInBytes`], BigInt(origin.x), true);
      view.setBigUint64(fields[`${end}Y`], BigInt(origin.y), true);
      view.setInt32(fields[`${end}MemoryType`], kind, true);
      view.setBigUint64(fields[`${end}Host`], host, true);
      view.setBigUint64(fields[`${end}Device`], device, true);
      view.setBigUint64(fields[`${end}Array`], array, true);
      view.setBigUint64(fields[`${end}Pitch`], BigInt(pitch), true);
    }
    view.setBigUint64(fields.WidthInBytes, BigInt(extent.width), true);
    view.setBigUint64(fields.Height, BigInt(extent.height), true);
    return view;
  }
}
