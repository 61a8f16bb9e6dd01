import { nameOf } from '../../core/check.ts';
import { BoxCopy, checkEnds, holdEnds, writeEnd } from './box-copy.ts';
import { checkExtent } from './copy-place.ts';
import { cu } from '../call.ts';
import { requireContext, Context } from '../device/context.ts';
import { streamHandle, type Stream } from '../stream/stream.ts';
import { structs } from '../sys/structs.ts';

const { size, fields } = structs.CUDA_MEMCPY3D;

/**
 * A copy of a box between host memory, device memory and arrays, in which rows and layers may lie apart. Set both ends and
 * the sizes, then run it, as often as you like.
 *
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { memAlloc, Memcpy3D } from 'rawkernel/cuda';
 *
 * // The middle of a volume of 8 × 8 × 8 bytes.
 * const volume = new Uint8Array(512).map((_, i) => i);
 * using memory = memAlloc(64);
 * const copy = new Memcpy3D().setSrcHost(volume).setDstDevice(memory);
 * Object.assign(copy, { srcXInBytes: 2, srcY: 2, srcZ: 2, srcPitch: 8, srcHeight: 8 });
 * Object.assign(copy, { widthInBytes: 4, height: 4, depth: 4 });
 * copy.run();
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemcpy3D}
 */
export class Memcpy3D extends BoxCopy {
  /** The first layer of the source. */
  srcZ = 0;
  /** Rows from one layer of the source to the next; 0 for layers that touch. An array has its own. */
  srcHeight = 0;
  /** The first layer of the destination. */
  dstZ = 0;
  /** Rows from one layer of the destination to the next; 0 for layers that touch. An array has its own. */
  dstHeight = 0;
  /** Layers. */
  depth = 1;

  /** Begin with nothing set. */
  constructor() {
    super('Memcpy3D');
  }

  /**
   * Copy.
   *
   * Host: blocks, but for copies within the device. Stream: ordered by the legacy default stream.
   *
   * @throws RangeError the box does not fit an end
   * @throws TypeError an end is not set, or its array is detached
   * @throws {@link ClosedError} device memory was freed
   */
  run(): void {
    cu.cuMemcpy3D(describeBox(this, 'Memcpy3D.run'));
  }

  /**
   * Enqueue the copy; host arrays are kept where they are until it has finished ({@link memcpyHtoDAsync}).
   *
   * Host: does not block for pinned memory. Stream: ordered.
   *
   * @param stream - the legacy default stream where none is given
   * @throws TypeError the buffer of a host array is resizable
   * @throws what {@link Memcpy3D.run} throws
   */
  runAsync(stream: Stream | null = null): void {
    const queue = streamHandle(stream, 'Memcpy3D.runAsync');
    checkEnds(this, 'Memcpy3D.runAsync');
    cu.cuMemcpy3DAsync(describeBox(this, 'Memcpy3D.runAsync'), queue);
    holdEnds(this, queue);
  }
}

/** The driver's description of a copy. */
export function describeBox(copy: Memcpy3D, what: string): DataView {
  const extent = checkExtent(copy.widthInBytes, copy.height, copy.depth, what);
  const view = new DataView(new ArrayBuffer(size));
  for (const end of ['src', 'dst'] as const) {
    const z = copy[`${end}Z`];
    const rows = writeEnd(copy, end, { z, rows: copy[`${end}Height`] }, extent, view, fields, what);
    view.setBigUint64(fields[`${end}Z`], BigInt(z), true);
    view.setBigUint64(fields[`${end}Height`], BigInt(rows), true);
  }
  view.setBigUint64(fields.WidthInBytes, BigInt(extent.width), true);
  view.setBigUint64(fields.Height, BigInt(extent.height), true);
  view.setBigUint64(fields.Depth, BigInt(extent.depth), true);
  return view;
}

const peerFields = structs.CUDA_MEMCPY3D_PEER.fields;

/**
 * A {@link Memcpy3D} between the memories of two contexts, as of two devices. An end whose context is not set is in the
 * current one.
 *
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemcpy3DPeer}
 */
export class Memcpy3DPeer extends Memcpy3D {
  #sourceContext: Context | undefined;
  #targetContext: Context | undefined;

  /** Name the context of the source. */
  setSrcContext(context: Context): this {
    this.#sourceContext = checkContext(context, 'Memcpy3DPeer.setSrcContext');
    return this;
  }

  /** Name the context of the destination. */
  setDstContext(context: Context): this {
    this.#targetContext = checkContext(context, 'Memcpy3DPeer.setDstContext');
    return this;
  }

  override run(): void {
    cu.cuMemcpy3DPeer(this.#describePeer('Memcpy3DPeer.run'));
  }

  override runAsync(stream: Stream | null = null): void {
    const queue = streamHandle(stream, 'Memcpy3DPeer.runAsync');
    checkEnds(this, 'Memcpy3DPeer.runAsync');
    cu.cuMemcpy3DPeerAsync(this.#describePeer('Memcpy3DPeer.runAsync'), queue);
    holdEnds(this, queue);
  }

  #describePeer(what: string): DataView {
    const view = describeBox(this, what);
    view.setBigUint64(peerFields.srcContext, this.#sourceContext?.use(what) ?? requireContext(what).value, true);
    view.setBigUint64(peerFields.dstContext, this.#targetContext?.use(what) ?? requireContext(what).value, true);
    return view;
  }
}

function checkContext(context: unknown, what: string): Context {
  if (!(context instanceof Context)) throw new TypeError(`${what} takes a Context, got ${nameOf(context)}`);
  context.use(what);
  return context;
}
