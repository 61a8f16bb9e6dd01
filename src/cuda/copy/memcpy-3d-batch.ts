import { readChoice } from '../../core/choice.ts';
import { SymbolNotFoundError } from '../../core/errors.ts';
import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import { NULL } from '../../ffi/ctype.ts';
import { attempt, callError, cu } from '../call.ts';
import { keepAllOnStream } from '../lifetime/hold-on-stream.ts';
import { streamHandle, type Stream } from '../stream/stream.ts';
import { Memcpy3DOperandType, MemoryType, status as statuses } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';
import { checkEnds, elementBytesOf, hostArraysOf } from './box-copy.ts';
import { describeBox, Memcpy3D, Memcpy3DPeer } from './memcpy-3d.ts';
import { SOURCE_ORDERS, type BatchOptions } from './memcpy-batch.ts';

const MAX = 1 << 16;
const NOT_SUPPORTED = statuses.CUDA_ERROR_NOT_SUPPORTED[0];
const box = structs.CUDA_MEMCPY3D.fields;
const { size, fields } = structs.CUDA_MEMCPY3D_BATCH_OP;

/**
 * Enqueue many copies of boxes with one call of the driver, which may run them in any order and at once. Where the driver
 * cannot (before CUDA 13, on the embedded CPU device, or on the legacy default stream), they are enqueued one by one.
 *
 * Host: does not block for pinned memory. Stream: ordered before and after, not among each other. Host arrays are kept
 * alive until the copies have finished.
 *
 * @param copies - 1 to 65,536 of them, with both ends set; they may not overlap
 * @param stream - the legacy default stream where none is given
 * @throws RangeError a box does not fit an end
 * @throws TypeError one is no {@link Memcpy3D}, or an end of it is not set
 * @throws {@link ClosedError} device memory was freed
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { memAlloc, Memcpy3D, memcpy3DBatchAsync, Stream } from 'rawkernel/cuda';
 *
 * using stream = new Stream();
 * using memory = memAlloc(2 * 64);
 * const copies = [0, 1].map((i) => {
 *   const copy = new Memcpy3D().setSrcHost(new Uint8Array(64).fill(i)).setDstDevice(memory.slice(64 * i, 64));
 *   return Object.assign(copy, { widthInBytes: 4, height: 4, depth: 4 });
 * });
 * memcpy3DBatchAsync(copies, stream);
 * await stream.done();
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemcpy3DBatchAsync}
 */
export function memcpy3DBatchAsync(
  copies: readonly Memcpy3D[],
  stream: Stream | null = null,
  options: BatchOptions = {},
): void {
  const what = 'memcpy3DBatchAsync';
  if (!Array.isArray(copies)) throw new TypeError(`${what} takes an array of Memcpy3D, got ${nameOf(copies)}`);
  checkInteger(copies.length, `${what}: the number of copies`, 1, MAX);
  checkOptions(options, ['sourceOrder'], what);
  const order = readChoice(options.sourceOrder ?? 'stream', SOURCE_ORDERS, `${what}: sourceOrder`);
  const queue = streamHandle(stream, what);
  const operations = new DataView(new ArrayBuffer(size * copies.length));
  // All are looked at before the first one is enqueued.
  const boxes = Array.from(copies, (copy: unknown, i) => describe(copy, `${what}: copy ${i}`));
  const fit = copies.every((copy: Memcpy3D, i) =>
    encode(operations, size * i, boxes[i] as DataView, elementBytesOf(copy), order),
  );
  const kept = (copies as readonly Memcpy3D[]).flatMap(hostArraysOf);
  (copies as readonly Memcpy3D[]).forEach((copy, i) => {
    checkEnds(copy, `${what}: copy ${i}`);
  });
  try {
    if (queue === NULL || !fit || !batch(operations, copies.length, queue)) {
      for (const description of boxes) cu.cuMemcpy3DAsync(description, queue);
      // The sources may change after this call.
      if (options.sourceOrder === 'call') cu.cuStreamSynchronize(queue);
    }
  } finally {
    // Where one was refused, those before it are under way.
    keepAllOnStream(queue, kept);
  }
}

/** False where the driver has no such function. */
function batch(operations: DataView, count: number, queue: ReturnType<typeof streamHandle>): boolean {
  try {
    const status = attempt('cuMemcpy3DBatchAsync', count, operations, 0, queue);
    if (status === 0) return true;
    if (status === NOT_SUPPORTED) return false;
    throw callError('cuMemcpy3DBatchAsync', status);
  } catch (error) {
    if (error instanceof SymbolNotFoundError) return false;
    throw error;
  }
}

function describe(copy: unknown, what: string): DataView {
  if (!(copy instanceof Memcpy3D)) throw new TypeError(`${what} must be a Memcpy3D, got ${nameOf(copy)}`);
  if (copy instanceof Memcpy3DPeer) throw new TypeError(`${what} is a Memcpy3DPeer, which a batch does not take`);
  return describeBox(copy, what);
}

/**
 * Write a CUDA_MEMCPY3D as a CUDA_MEMCPY3D_BATCH_OP, which counts elements: bytes, but for arrays theirs.
 *
 * @returns false where a pitch is not a whole number of elements, or two arrays have different ones
 */
function encode(view: DataView, at: number, copy: DataView, element: number | undefined, order: number): boolean {
  if (element === undefined) return false;
  const get = (field: keyof typeof box): bigint => copy.getBigUint64(box[field], true);
  const set = (field: keyof typeof fields, value: bigint): void => {
    view.setBigUint64(at + fields[field], value, true);
  };
  const unit = BigInt(element);
  for (const end of ['src', 'dst'] as const) {
    const kind = copy.getInt32(box[`${end}MemoryType`], true);
    const [x, y, z] = [get(`${end}XInBytes`), get(`${end}Y`), get(`${end}Z`)];
    if (kind === MemoryType.ARRAY) {
      view.setInt32(at + fields[`${end}.type`], Memcpy3DOperandType.ARRAY, true);
      set(`${end}.op.array.array`, get(`${end}Array`));
      set(`${end}.op.array.offset.x`, x / unit);
      set(`${end}.op.array.offset.y`, y);
      set(`${end}.op.array.offset.z`, z);
      continue;
    }
    const [pitch, rows] = [get(`${end}Pitch`), get(`${end}Height`)];
    if (pitch % unit !== 0n) return false;
    const base = get(kind === MemoryType.HOST ? `${end}Host` : `${end}Device`);
    view.setInt32(at + fields[`${end}.type`], Memcpy3DOperandType.POINTER, true);
    set(`${end}.op.ptr.ptr`, base + (z * rows + y) * pitch + x);
    set(`${end}.op.ptr.rowLength`, pitch / unit);
    set(`${end}.op.ptr.layerHeight`, rows);
  }
  set('extent.width', get('WidthInBytes') / unit);
  set('extent.height', get('Height'));
  set('extent.depth', get('Depth'));
  view.setInt32(at + fields.srcAccessOrder, order, true);
  return true;
}
