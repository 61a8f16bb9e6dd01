import { noteCopied } from '../../core/element-tag.ts';
import { SymbolNotFoundError } from '../../core/errors.ts';
import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import { hostByteLength, trueByteLength, type HostMemory } from '../../core/host-memory.ts';
import { checkFixed } from '../../core/pin.ts';
import { NULL } from '../../ffi/ctype.ts';
import { addressOf } from '../../ffi/memory.ts';
import { cu } from '../call.ts';
import { deviceAddress, deviceRange, roomOf, type DeviceMemory } from '../memory/device-pointer.ts';
import { keepAllOnStream } from '../lifetime/hold-on-stream.ts';
import { streamHandle, type Stream } from '../stream/stream.ts';
import { MemcpySourceOrder, status as statuses } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';

/** One copy of a batch. */
export interface BatchCopy {
  /** A host array or device memory. */
  readonly dst: HostMemory | DeviceMemory;
  /** A host array or device memory; one of the two is the device's. */
  readonly src: HostMemory | DeviceMemory;
  /** In bytes; the host array's size by default, or the source's. */
  readonly byteLength?: number;
}

/** How a batch is copied. */
export interface BatchOptions {
  /**
   * When sources may be read: in stream order (by default), during the call, so that they may change after it, or at any
   * time, for sources that never change.
   */
  readonly sourceOrder?: 'stream' | 'call' | 'any';
}

/** The driver's numbers for when sources may be read. */
export const SOURCE_ORDERS: Readonly<Record<'stream' | 'call' | 'any', number>> = {
  stream: MemcpySourceOrder.STREAM,
  call: MemcpySourceOrder.DURING_API_CALL,
  any: MemcpySourceOrder.ANY,
};
const MAX = 1 << 16;
const NOT_SUPPORTED = statuses.CUDA_ERROR_NOT_SUPPORTED[0];

interface Checked {
  readonly to: bigint;
  readonly from: bigint;
  readonly bytes: number;
  readonly kind: 'HtoD' | 'DtoH' | 'DtoD';
  readonly arrays: readonly HostMemory[];
}

/**
 * Enqueue many copies with one call of the driver, which may run them in any order and at once. Where the driver cannot
 * (before CUDA 13, on the embedded CPU device, or on the legacy default stream), they are enqueued one by one.
 *
 * Host: does not block for pinned memory. Stream: ordered before and after, not among each other. Host arrays are kept
 * alive until the copies have finished.
 *
 * @param copies - 1 to 65,536 of them; they may not overlap
 * @param stream - the legacy default stream where none is given
 * @throws RangeError a copy is larger than its memory
 * @throws TypeError an end is not memory, or both are the host's
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { memAlloc, memcpyBatchAsync, Stream } from 'rawkernel/cuda';
 *
 * using stream = new Stream();
 * using memory = memAlloc(8192);
 * memcpyBatchAsync(
 *   [
 *     { dst: memory.slice(0, 4096), src: new Uint8Array(4096).fill(1) },
 *     { dst: memory.slice(4096), src: new Uint8Array(4096).fill(2) },
 *   ],
 *   stream,
 * );
 * await stream.done();
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html | cuMemcpyBatchAsync}
 */
export function memcpyBatchAsync(
  copies: readonly BatchCopy[],
  stream: Stream | null = null,
  options: BatchOptions = {},
): void {
  if (!Array.isArray(copies)) throw new TypeError(`memcpyBatchAsync takes an array of copies, got ${nameOf(copies)}`);
  checkInteger(copies.length, 'memcpyBatchAsync: the number of copies', 1, MAX);
  checkOptions(options, ['sourceOrder'], 'memcpyBatchAsync');
  const { sourceOrder = 'stream' } = options;
  if (typeof sourceOrder !== 'string' || !Object.hasOwn(SOURCE_ORDERS, sourceOrder)) {
    throw new TypeError(`memcpyBatchAsync: sourceOrder must be 'stream', 'call' or 'any', got ${nameOf(sourceOrder)}`);
  }
  const queue = streamHandle(stream, 'memcpyBatchAsync');
  const checked = Array.from(copies, (copy: unknown, i) => check(copy, `memcpyBatchAsync: copy ${i}`));
  const kept = checked.flatMap(({ arrays }) => arrays);
  try {
    if (queue === NULL || !batch(checked, SOURCE_ORDERS[sourceOrder], queue)) {
      oneByOne(checked, queue);
      // The sources may change after this call.
      if (sourceOrder === 'call') cu.cuStreamSynchronize(queue);
    }
  } finally {
    // Where one was refused, those before it are under way.
    keepAllOnStream(queue, kept);
  }
}

/** False where the driver has no such function. */
function batch(copies: readonly Checked[], order: number, queue: ReturnType<typeof streamHandle>): boolean {
  const { size, fields } = structs.CUmemcpyAttributes;
  const attributes = new DataView(new ArrayBuffer(size));
  attributes.setInt32(fields.srcAccessOrder, order, true);
  const to = BigUint64Array.from(copies, (copy) => copy.to);
  const from = BigUint64Array.from(copies, (copy) => copy.from);
  const sizes = BigUint64Array.from(copies, ({ bytes }) => BigInt(bytes));
  try {
    cu.cuMemcpyBatchAsync(to, from, sizes, copies.length, attributes, new BigUint64Array(1), 1, queue);
    return true;
  } catch (error) {
    if (error instanceof SymbolNotFoundError || (error as { status?: unknown }).status === NOT_SUPPORTED) return false;
    throw error;
  }
}

function oneByOne(copies: readonly Checked[], queue: ReturnType<typeof streamHandle>): void {
  for (const { to, from, bytes, kind } of copies) {
    if (kind === 'HtoD') cu.cuMemcpyHtoDAsync(to as never, from, bytes, queue);
    else if (kind === 'DtoH') cu.cuMemcpyDtoHAsync(to, from as never, bytes, queue);
    else cu.cuMemcpyDtoDAsync(to as never, from as never, bytes, queue);
  }
}

function check(copy: unknown, what: string): Checked {
  if (typeof copy !== 'object' || copy === null)
    throw new TypeError(`${what} must be { dst, src }, got ${nameOf(copy)}`);
  checkOptions(copy, ['dst', 'src', 'byteLength'], what);
  const { dst, src, byteLength } = copy as BatchCopy;
  const toDevice = deviceAddress(dst) !== undefined;
  const fromDevice = deviceAddress(src) !== undefined;
  if (!toDevice) hostByteLength(dst, `${what}: dst`);
  if (!fromDevice) hostByteLength(src, `${what}: src`);
  if (!toDevice && !fromDevice) throw new TypeError(`${what} has two host arrays; use TypedArray.set`);
  const room = byteLength === undefined ? roomOf(toDevice ? src : dst) : byteLength;
  if (room === undefined) throw new TypeError(`${what}: a raw address has no size; give byteLength`);
  const bytes = checkInteger(room, `${what}: byteLength`, 1);
  noteCopied(dst, src);
  return {
    to: toDevice ? deviceRange(dst, bytes, `${what}: dst`) : hostAddress(dst as HostMemory, bytes, `${what}: dst`),
    from: fromDevice ? deviceRange(src, bytes, `${what}: src`) : hostAddress(src as HostMemory, bytes, `${what}: src`),
    bytes,
    kind: toDevice ? (fromDevice ? 'DtoD' : 'HtoD') : 'DtoH',
    arrays: [...(toDevice ? [] : [dst as HostMemory]), ...(fromDevice ? [] : [src as HostMemory])],
  };
}

function hostAddress(array: HostMemory, bytes: number, what: string): bigint {
  const room = trueByteLength(array);
  checkFixed(array, what);
  if (bytes > room) throw new RangeError(`${what} has ${room} bytes; ${bytes} were asked for`);
  return addressOf(array);
}
