import { checkOptions } from '../../core/check.ts';
import { BoxCopy, checkEnds, holdEnds, writeEnd } from './box-copy.ts';
import { checkExtent } from './copy-place.ts';
import { cu } from '../call.ts';
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
export class Memcpy2D extends BoxCopy {
  /** Begin with nothing set. */
  constructor() {
    super('Memcpy2D');
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
   * Enqueue the copy; host arrays are kept where they are until it has finished ({@link memcpyHtoDAsync}).
   *
   * Host: does not block for pinned memory. Stream: ordered.
   *
   * @param stream - the legacy default stream where none is given
   * @throws TypeError the buffer of a host array is resizable
   * @throws what {@link Memcpy2D.run} throws
   */
  runAsync(stream: Stream | null = null): void {
    const queue = streamHandle(stream, 'Memcpy2D.runAsync');
    checkEnds(this, 'Memcpy2D.runAsync');
    cu.cuMemcpy2DAsync(this.#describe('Memcpy2D.runAsync'), queue);
    holdEnds(this, queue);
  }

  #describe(what: string): DataView {
    const extent = checkExtent(this.widthInBytes, this.height, 1, what);
    const view = new DataView(new ArrayBuffer(size));
    for (const end of ['src', 'dst'] as const) writeEnd(this, end, { z: 0, rows: 0 }, extent, view, fields, what);
    view.setBigUint64(fields.WidthInBytes, BigInt(extent.width), true);
    view.setBigUint64(fields.Height, BigInt(extent.height), true);
    return view;
  }
}
