import { readChoice, readFlag } from '../../core/choice.ts';
import { Handle } from '../../core/handle.ts';
import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import { whenDone } from '../../core/poll.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import { NULL, type Opaque } from '../../ffi/ctype.ts';
import { cu } from '../call.ts';
import { requireContext, destroyIn } from '../device/context.ts';
import type { DeviceMemory } from '../memory/device-pointer.ts';
import { adoptGraph, type Graph } from '../graph/graph.ts';
import { eventOf, type EventLike } from '../lifetime/resource-kind.ts';
import { abandonRecording, finishCapture, startRecording } from '../lifetime/recording.ts';
import {
  batchParams,
  waitOperation,
  writeOperation,
  type BatchMemOp,
  type WaitValueOptions,
  type WriteValueOptions,
} from './stream-values.ts';
import { PER_THREAD } from '../lifetime/default-stream.ts';
import { bornIn, inBirth } from './birth.ts';
import { beginStream, endStream } from '../lifetime/hold-on-stream.ts';
import { setStreamAttributes, streamAttributes, type StreamAttributes } from './stream-attributes.ts';
import { CaptureMode, CaptureStatus, StreamFlags } from '../sys/enums.ts';
import { take } from '../../ffi/slot.ts';
import { slotOf } from '../slots.ts';

type CUstream = Opaque<'CUstream'>;

/** How a stream is made. */
export interface StreamOptions {
  /** Do not wait for the legacy default stream, nor it for this one. */
  readonly nonBlocking?: boolean;
  /** Lower goes first; see {@link Context.streamPriorityRange}. */
  readonly priority?: number;
}

/** What a capture refuses; see {@link Stream.beginCapture}. */
export type CaptureModeName = 'global' | 'threadLocal' | 'relaxed';

/** The capture that a stream is in. */
export interface CaptureInfo {
  readonly status: 'none' | 'active' | 'invalidated';
  readonly id: bigint | undefined;
}

const MODES = {
  global: CaptureMode.GLOBAL,
  threadLocal: CaptureMode.THREAD_LOCAL,
  relaxed: CaptureMode.RELAXED,
} as const;
const STATUSES = ['none', 'active', 'invalidated'] as const;
const wideSlot = slotOf('cuuint64_t');
const ulongSlot = slotOf('unsigned long long');
const streamSlot = slotOf('CUstream');
const captureSlot = slotOf('CUstreamCaptureStatus');
const intSlot = slotOf('int');

let isStream: (value: unknown) => value is Stream;

/**
 * A queue of work on the device: what is enqueued on one stream runs in order.
 *
 * Where a `stream` is optional, leaving it out (or `null`) means the legacy default stream.
 *
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { Stream } from 'rawkernel/cuda';
 *
 * using stream = new Stream({ nonBlocking: true });
 * await stream.done();
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html | Stream management}
 */
export class Stream extends Resource<CUstream> implements AsyncDisposable {
  /** A capture was begun by this object, and not ended. */
  #capturing = false;

  static {
    isStream = (value): value is Stream => typeof value === 'object' && value !== null && #capturing in value;
  }

  /**
   * Create a stream in the current context.
   *
   * @throws RangeError the priority is not an integer
   * @throws {@link CudaLogicError} no context is current
   */
  constructor(options?: StreamOptions);
  /** @internal */
  // eslint-disable-next-line @typescript-eslint/unified-signatures -- the second one is not public
  constructor(options: StreamOptions, adopted: Handle<CUstream>);
  constructor(options: StreamOptions = {}, adopted?: Handle<CUstream>) {
    super(adopted ?? create(options));
  }

  /**
   * Use a stream that another library made, or one of the driver's own.
   *
   * @param handle - the `CUstream` as an integer
   * @param options - `own`: destroy it on close; without it, close only forgets it
   */
  static fromHandle(handle: bigint, options: { readonly own?: boolean } = {}): Stream {
    checkOptions(options, ['own'], 'Stream.fromHandle');
    if (typeof handle !== 'bigint') throw new TypeError(`A stream handle must be a bigint, got ${nameOf(handle)}`);
    if (handle < 0n || handle >= 1n << 64n) throw new RangeError(`${handle} is not a stream handle`);
    const context = requireContext('Stream.fromHandle');
    const record = new Handle(
      'Stream',
      handle as CUstream,
      options.own
        ? (stream) => {
            abandonRecording(stream);
            destroyIn(context, 'cuStreamDestroy', stream);
          }
        : undefined,
      [context],
    );
    return new Stream({}, bornIn(context, record));
  }

  /** The default stream of this thread, which does not wait for the legacy one. */
  static perThread(): Stream {
    return Stream.fromHandle(PER_THREAD);
  }

  /**
   * Wait until everything enqueued so far has finished.
   *
   * Host: blocks.
   *
   * @throws {@link CudaLaunchError} a kernel that ran before has failed
   */
  synchronize(): void {
    cu.cuStreamSynchronize(this.use('synchronize'));
  }

  /**
   * Resolve when everything enqueued so far has finished. Polls; the process stays alive meanwhile.
   *
   * Host: does not block.
   */
  done(): Promise<void> {
    const stream = handleOf(this, 'done').retain();
    return whenDone(() => cu.cuStreamQuery(stream.value) === 0).finally(() => {
      stream.release();
    });
  }

  /** Whether everything enqueued so far has finished. Host: does not block. */
  isDone(): boolean {
    return cu.cuStreamQuery(this.use('isDone')) === 0;
  }

  /** Let later work on this stream wait for an event of any stream. Host: does not block. */
  waitForEvent(event: EventLike): void {
    cu.cuStreamWaitEvent(this.use('waitForEvent'), eventOf(event, 'Stream.waitForEvent'), 0);
  }

  /**
   * Record what is enqueued on this stream from now on in a graph, instead of running it. Streams that wait for an event of
   * this one join in; this one has to wait for them again before the end.
   *
   * What is used meanwhile is kept alive by the graph: kernels' modules, device memory, arrays of copies.
   *
   * @param mode - what other work is refused until the end, since it could wait for work that never runs: 'global' (calls
   * such as an allocation, on every thread), 'threadLocal' (on this thread), 'relaxed' (nothing). 'relaxed' by default: the
   * garbage collector may free memory at any time
   * @throws {@link CudaLogicError} the stream is being captured already, or it is the legacy default stream
   * @example
   * ```ts
   * import 'rawkernel/cuda/autoinit';
   * import { memAlloc, memsetD32Async, Stream } from 'rawkernel/cuda';
   *
   * using stream = new Stream({ nonBlocking: true });
   * using memory = memAlloc(1024);
   * stream.beginCapture();
   * memsetD32Async(memory, 7, 256, stream);
   * using graph = stream.endCapture();
   * using exec = graph.instantiate();
   * exec.launch(stream);
   * ```
   * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html | cuStreamBeginCapture}
   */
  beginCapture(mode: CaptureModeName = 'relaxed'): void {
    const stream = this.use('beginCapture');
    const number = readChoice(mode, MODES, 'The capture mode');
    cu.cuStreamBeginCapture(stream, number);
    this.#capturing = true;
    startRecording(stream);
  }

  /**
   * End the capture.
   *
   * @returns what was recorded
   * @throws {@link CudaLogicError} the capture has failed, by a call that cannot be recorded or a stream that did not come
   * back; nothing is left of it
   */
  endCapture(): Graph {
    const stream = this.use('endCapture');
    this.#capturing = false;
    const { graph, use } = finishCapture(stream);
    return adoptGraph(graph, use);
  }

  /** Whether what is enqueued on this stream is recorded. Host: does not block. */
  get isCapturing(): boolean {
    cu.cuStreamIsCapturing(this.use('isCapturing'), captureSlot);
    return take(captureSlot) === CaptureStatus.ACTIVE;
  }

  /** The state of the capture that this stream is in, and a number that no other capture has. */
  get captureInfo(): CaptureInfo {
    const stream = this.use('captureInfo');
    wideSlot[0] = 0n;
    cu.cuStreamGetCaptureInfo(stream, captureSlot, wideSlot, NULL, NULL, NULL);
    const status = STATUSES[take(captureSlot)] ?? 'invalidated';
    return status === 'none' ? { status, id: undefined } : { status, id: take(wideSlot) };
  }

  /** Release the stream. A capture that this object began is abandoned. */
  override close(): void {
    if (!this.closed && this.#capturing) abandonRecording(this.use('close'));
    super.close();
  }

  /**
   * Let later work on this stream wait until a word of device memory, or of mapped host memory, has a value, written by
   * another stream, a kernel or the host.
   *
   * Host: does not block. Stream: ordered. On the embedded CPU device the value has to be there already.
   *
   * @param memory - at least `bits` / 8 bytes, aligned to as much
   * @param value - from 0 to 2^bits - 1
   * @throws RangeError the value or the memory does not fit
   * @throws {@link CudaLogicError} CUDA_ERROR_NOT_SUPPORTED: the device cannot compare so
   * @example
   * ```ts
   * import 'rawkernel/cuda/autoinit';
   * import { memAlloc, Stream } from 'rawkernel/cuda';
   *
   * using first = new Stream({ nonBlocking: true });
   * using second = new Stream({ nonBlocking: true });
   * using flag = memAlloc(4);
   * first.writeValue(flag, 1);
   * second.waitValue(flag, 1, { compare: 'eq' });
   * ```
   * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html | Stream memory operations}
   */
  waitValue(memory: DeviceMemory, value: number | bigint, options: WaitValueOptions = {}): void {
    const stream = this.use('waitValue');
    const { address, wide, value: whole, flags } = waitOperation(memory, value, options);
    if (wide) cu.cuStreamWaitValue64(stream, address, whole, flags);
    else cu.cuStreamWaitValue32(stream, address, Number(whole), flags);
  }

  /** Write a word of device memory, or of mapped host memory. Host: does not block. Stream: ordered. See {@link Stream.waitValue}. */
  writeValue(memory: DeviceMemory, value: number | bigint, options: WriteValueOptions = {}): void {
    const stream = this.use('writeValue');
    const { address, wide, value: whole, flags } = writeOperation(memory, value, options);
    if (wide) cu.cuStreamWriteValue64(stream, address, whole, flags);
    else cu.cuStreamWriteValue32(stream, address, Number(whole), flags);
  }

  /**
   * Several waits and writes, in their order, by one call: cheaper than one by one.
   *
   * Host: does not block. Stream: ordered.
   *
   * @param operations - 1 to 255 of them, with the options of {@link Stream.waitValue} and {@link Stream.writeValue}
   * @throws TypeError one is neither a wait nor a write
   * @throws RangeError a value or a memory does not fit
   * @example
   * ```ts
   * import 'rawkernel/cuda/autoinit';
   * import { memAlloc, Stream } from 'rawkernel/cuda';
   *
   * using stream = new Stream({ nonBlocking: true });
   * using flags = memAlloc(8);
   * stream.batchMemOp([
   *   { write: flags, value: 1 },
   *   { write: flags.slice(4), value: 2 },
   *   { wait: flags, value: 1, compare: 'eq' },
   * ]);
   * ```
   * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEMOP.html | cuStreamBatchMemOp}
   */
  batchMemOp(operations: readonly BatchMemOp[]): void {
    const stream = this.use('batchMemOp');
    const params = batchParams(operations);
    cu.cuStreamBatchMemOp(stream, operations.length, params, 0);
  }

  /** The stream's priority; lower goes first. */
  get priority(): number {
    cu.cuStreamGetPriority(this.use('priority'), intSlot);
    return take(intSlot);
  }

  /** Its {@link StreamFlags}. */
  get flags(): number {
    const flags = new Uint32Array(intSlot.buffer);
    cu.cuStreamGetFlags(this.use('flags'), flags);
    return flags[0] ?? 0;
  }

  /** A number that no other stream of the process has or had, for logs. Needs a driver of CUDA 12.0. */
  get id(): bigint {
    cu.cuStreamGetId(this.use('id'), ulongSlot);
    return take(ulongSlot);
  }

  /**
   * Set attributes for what is launched on this stream from now on. Those that are not given stay as they are.
   *
   * Host: does not block.
   *
   * @throws TypeError, RangeError a value is wrong; none is set then
   * @throws {@link CudaLogicError} the driver or the device does not know one; those before it are set
   * @example
   * ```ts
   * import 'rawkernel/cuda/autoinit';
   * import { memAlloc, Stream } from 'rawkernel/cuda';
   *
   * using stream = new Stream();
   * using table = memAlloc(1 << 20);
   * // Kernels of this stream read the table again and again: it stays in the L2 cache.
   * stream.setAttributes({ accessPolicy: { memory: table }, synchronizationPolicy: 'blockingSync' });
   * stream.getAttributes().synchronizationPolicy; // 'blockingSync'
   * stream.setAttributes({ accessPolicy: null });
   * ```
   * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html | cuStreamSetAttribute}
   */
  setAttributes(attributes: StreamAttributes): void {
    inBirth(handleOf(this, 'setAttributes'), 'cuStreamSetAttribute', (stream) => {
      setStreamAttributes(stream, attributes);
    });
  }

  /** The attributes that the driver knows. The memory of an access policy is its address. Host: does not block. */
  getAttributes(): StreamAttributes {
    return inBirth(handleOf(this, 'getAttributes'), 'cuStreamGetAttribute', streamAttributes);
  }

  /**
   * Take over the attributes of another stream.
   *
   * @param from - a stream of the same context
   * @throws TypeError it is not a stream
   * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html | cuStreamCopyAttributes}
   */
  copyAttributes(from: Stream): void {
    inBirth(handleOf(this, 'copyAttributes'), 'cuStreamCopyAttributes', (stream) => {
      if (!(from instanceof Stream)) throw new TypeError(`Stream.copyAttributes takes a Stream, got ${nameOf(from)}`);
      cu.cuStreamCopyAttributes(stream, from.use('copyAttributes'));
    });
  }

  /** The driver's `CUstream`, borrowed: good until {@link Stream.close}. */
  get handle(): CUstream {
    return this.use('handle');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.closed) await this.done();
    this.close();
  }
}

function create(options: StreamOptions): Handle<CUstream> {
  checkOptions(options, ['nonBlocking', 'priority'], 'Stream');
  const { nonBlocking = false, priority = 0 } = options;
  const flags = readFlag(nonBlocking, 'Stream: nonBlocking') ? StreamFlags.NON_BLOCKING : StreamFlags.DEFAULT;
  checkInteger(priority, 'The stream priority', -0x8000_0000, 0x7fff_ffff);
  const context = requireContext('cuStreamCreateWithPriority');
  cu.cuStreamCreateWithPriority(streamSlot, flags, priority);
  const raw = take(streamSlot);
  beginStream(raw);
  const destroy = (stream: CUstream): void => {
    abandonRecording(stream);
    endStream(stream);
    destroyIn(context, 'cuStreamDestroy', stream);
  };
  return bornIn(context, new Handle('Stream', raw, destroy, [context]));
}

/** The raw stream of an optional argument: none means the legacy default stream. */
export function streamHandle(stream: Stream | null | undefined, method: string): CUstream {
  if (stream === null || stream === undefined) return NULL;
  if (!isStream(stream)) {
    throw new TypeError(`${method}: stream must be a Stream or null, got ${nameOf(stream)}`);
  }
  return stream.use(method);
}
