import { noteCopied } from '../../core/element-tag.ts';
import type { Dims } from '../../core/dims.ts';
import { Handle, type AnyHandle } from '../../core/handle.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import { type HostMemory } from '../../core/host-memory.ts';
import { holdUntil } from '../../core/in-flight.ts';
import { MAKER } from '../../core/maker.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import type { Value } from '../../core/value.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cl, cleanup, withReclaim } from '../call.ts';
import type { Context } from '../device/context.ts';
import { readInfo, type InfoKind, type InfoKinds, type InfoOf, type InfoValue } from '../info.ts';
import type { AnyShape, Shape } from '../../core/typed/kernels.ts';
import type { CallArguments } from '../kernel/typed-arguments.ts';
import { kernelHandle } from '../kernel/kernel-base.ts';
import type { KernelCallOptions } from '../kernel/call-options.ts';
import { Kernel } from '../kernel/kernel.ts';
import { checkBuffer, type Buffer } from '../memory/buffer.ts';
import { planCopy, type LinearOptions } from '../memory/copy-linear.ts';
import type { SVMMemory } from '../memory/svm-memory.ts';
import { planFill } from '../memory/fill.ts';
import type { EnqueueOptions } from '../queue/enqueue.ts';
import { checkEvents, listOf, refuseToHang, type Event } from '../queue/event.ts';
import { waitIgnoringFailure } from '../queue/hold-for-event.ts';
import { checkQueue, eventsOf, submit, type CommandQueue } from '../queue/queue.ts';
import type { UseRecord } from '../queue/uses.ts';
import { CommandBufferInfo } from '../sys/enums.ts';
import { createBuffer, recorderOf, type RawCommandBuffer, type Recorder } from './recorder.ts';
import { pointNumbers, SyncPoint } from './sync-point.ts';

/** How a {@link CommandBuffer} is made. */
export interface CommandBufferOptions {
  /** Let replays run at the same time, where queues allow it. Default: each waits for the replay before it */
  readonly overlap?: boolean;
}

/** The options of every recorded command. */
export interface RecordOptions {
  /** The command starts when these have ended. Commands of an in-order queue keep their order anyway. */
  readonly waitFor?: readonly SyncPoint[];
}

/** The options of a recorded launch, after its arguments. */
export type RecordedCallOptions = RecordOptions & Pick<KernelCallOptions, 'offset'>;

/** Which bytes a recorded copy copies. */
export interface RecordedCopyOptions extends RecordOptions, LinearOptions {}

/** Which bytes a recorded fill fills. */
export interface RecordedFillOptions extends RecordOptions {
  /** Bytes from the buffer's start. Default: 0 */
  readonly offset?: number;
  /** Bytes. Default: up to the buffer's end */
  readonly byteLength?: number;
}

/** How a {@link CommandBuffer} is replayed. */
export interface ReplayOptions extends EnqueueOptions {
  /** A queue of the same device and kind as the recording's queue. Default: the recording's queue */
  readonly queue?: CommandQueue;
}

/** The objects that a command buffer keeps alive, and its state. */
interface Recording {
  readonly recorder: Recorder;
  readonly held: AnyHandle[];
  readonly shared: Set<SVMMemory>;
  /** The records of all memory that the commands use. */
  readonly uses: Set<UseRecord>;
  /** Replays that may still run. */
  running: Event[];
  finalized: boolean;
  commands: number;
}

/**
 * Commands that are recorded once and enqueued as one, any number of times. They are checked, packed and handed to the driver
 * when they are recorded. Arguments are those of the recording; contents of memory are those of the replay. The objects of
 * the commands stay alive until the buffer is closed and its last replay has ended. Needs `cl_khr_command_buffer`.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx);
 * using prg = new cl.Program(ctx, '__kernel void add(__global int *a, int n) { a[get_global_id(0)] += n; }').build();
 * using a = new cl.Buffer(ctx, cl.MemFlags.READ_WRITE, 400);
 * if (cl.CommandBuffer.isPossible(queue)) {
 *   using commands = new cl.CommandBuffer(queue);
 *   commands.fill(a, cl.int32(1));
 *   commands.kernel(prg.kernel('add'), 100, null, a, 2);
 *   commands.finalize();
 *   for (let i = 0; i < 10; i++) commands.enqueue();
 * }
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCreateCommandBufferKHR.html | clCreateCommandBufferKHR}
 */
export class CommandBuffer extends Resource<RawCommandBuffer> {
  readonly context: Context;
  /** The queue of the recording. */
  readonly queue: CommandQueue;
  /** Whether replays may run at the same time. */
  readonly overlap: boolean;
  readonly #recording: Recording;

  /**
   * An empty buffer.
   *
   * @param queue - the queue of the commands
   * @throws Error the device does not have the extension
   * @throws TypeError `overlap` where the device has no simultaneous use; a kind of queue that the device does not accept
   */
  constructor(queue: CommandQueue, options: CommandBufferOptions = {}) {
    checkQueue(queue, 'CommandBuffer');
    checkOptions(options, ['overlap'], 'CommandBuffer');
    const owner = handleOf(queue, 'CommandBuffer');
    const recorder = recorderOf(queue.device);
    const overlap = options.overlap === true;
    if (overlap && !recorder.canOverlap) {
      throw new TypeError(`CommandBuffer: overlap needs simultaneous use, which ${queue.device.name} does not have`);
    }
    const raw = withReclaim(() => createBuffer(recorder, queue, owner.value));
    const held = [owner.retain()];
    const recording = {
      recorder,
      held,
      shared: new Set<SVMMemory>(),
      uses: new Set<UseRecord>(),
      running: [],
      finalized: false,
      commands: 0,
    };
    super(new Handle('CommandBuffer', raw, destroyer(recording)));
    this.context = queue.context;
    this.queue = queue;
    this.overlap = overlap;
    this.#recording = recording;
  }

  /** Whether a queue's device has command buffers. */
  static isPossible(queue: CommandQueue): boolean {
    checkQueue(queue, 'CommandBuffer.isPossible');
    return queue.device.hasExtension('cl_khr_command_buffer');
  }

  /**
   * Record a launch.
   *
   * @param kernel - checked, and its arguments packed, as if it were called
   * @param global - work-items, `[x, y, z]` or a number
   * @param local - work-items of a group; null lets the driver choose
   * @param args - one for each parameter; then, if you like, an object of {@link RecordedCallOptions}
   */
  kernel<S extends Shape = AnyShape>(
    kernel: Kernel<S>,
    global: Dims,
    local: Dims | null,
    ...args: CallArguments<S, RecordedCallOptions>
  ): SyncPoint {
    const what = 'CommandBuffer.kernel';
    if (!(kernel instanceof Kernel)) throw new TypeError(`${what} takes a Kernel first, got ${nameOf(kernel)}`);
    const { recorder, shared, held } = this.#open('kernel');
    const buffer = this.use('kernel');
    let point: SyncPoint | undefined;
    kernel.record(this.queue, global, local, args, (launch) => {
      const { dimensions, offset, global: size, local: group } = launch;
      const own = this.#ownKernel(launch.kernel);
      try {
        point = this.#add(launch.waitFor, what, launch.uses, (count, waits, out) =>
          recorder.calls.clCommandNDRangeKernelKHR(
            ...([buffer, NO_QUEUE, 0n, own.value, dimensions, offset, size, group, count, waits, out, 0n] as const),
          ),
        );
      } catch (error) {
        own.release();
        throw error;
      }
      held.push(own);
      for (const memory of launch.shared) shared.add(memory);
    });
    this.#keep([kernel, ...args]);
    return point as unknown as SyncPoint;
  }

  /**
   * Record a copy between buffers; without options, of all bytes that fit.
   *
   * @throws RangeError the part does not lie within both ends
   */
  copy(dest: Buffer, src: Buffer, options: RecordedCopyOptions = {}): SyncPoint {
    const what = 'CommandBuffer.copy';
    const { recorder } = this.#open('copy');
    checkOptions(options, ['dstOffset', 'srcOffset', 'byteLength', 'waitFor'], what);
    checkBuffer(dest, this.context, `${what}: dest`);
    checkBuffer(src, this.context, `${what}: src`);
    const { to, from, dstOffset, srcOffset, byteLength } = planCopy(dest, src, options, what);
    const point = this.#add(options.waitFor, what, [dest.uses, src.uses], (...tail) =>
      recorder.copy(this.use('copy'), from, to, [srcOffset, dstOffset, byteLength], ...tail),
    );
    noteCopied(dest, src);
    this.#keep([dest, src]);
    return point;
  }

  /**
   * Record a fill.
   *
   * @param pattern - a typed value (`float32(1)`, `int4(…)`), a host array of 1, 2, 4 … 128 bytes, or 0
   * @throws RangeError the part does not lie within the buffer, or the pattern does not divide it
   */
  fill(buffer: Buffer, pattern: Value | HostMemory | 0, options: RecordedFillOptions = {}): SyncPoint {
    const what = 'CommandBuffer.fill';
    const { recorder } = this.#open('fill');
    checkOptions(options, ['offset', 'byteLength', 'waitFor'], what);
    const { memory, uses, bytes, offset, byteLength } = planFill(this.queue, buffer, pattern, options, what);
    const point = this.#add(options.waitFor, what, [uses], (...tail) =>
      recorder.fill(this.use('fill'), memory, bytes, [offset, byteLength], ...tail),
    );
    this.#keep([buffer]);
    return point;
  }

  /** Record a barrier: later commands start when the given points, or else all earlier commands, have ended. */
  barrier(options: RecordOptions = {}): SyncPoint {
    const { recorder } = this.#open('barrier');
    checkOptions(options, ['waitFor'], 'CommandBuffer.barrier');
    return this.#add(options.waitFor, 'CommandBuffer.barrier', [], (...tail) =>
      recorder.barrier(this.use('barrier'), ...tail),
    );
  }

  /**
   * End the recording: from now on the buffer can be enqueued.
   *
   * Host: does not block. The driver may do work here that each launch does elsewhere.
   */
  finalize(): this {
    const recording = this.#open('finalize');
    recording.recorder.calls.clFinalizeCommandBufferKHR(this.use('finalize'));
    recording.finalized = true;
    return this;
  }

  /**
   * Enqueue all commands as one.
   *
   * Host: does not block; where the device has no simultaneous use it waits for the replay before. Queue: ordered.
   *
   * @returns an event that ends with the last of them
   * @throws Error the recording is not finalized
   * @throws TypeError a queue of another device or kind
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueCommandBufferKHR.html | clEnqueueCommandBufferKHR}
   */
  enqueue(options: ReplayOptions = {}): Event {
    const what = 'CommandBuffer.enqueue';
    const buffer = this.use('enqueue');
    checkOptions(options, ['queue', 'waitFor'], what);
    const { queue = this.queue, waitFor = [] } = options;
    const recording = this.#recording;
    if (!recording.finalized) throw new Error(`${what}: the recording is not finalized; call finalize() first`);
    this.#checkQueue(queue, what);
    checkEvents(waitFor, `${what}: waitFor`);
    for (const memory of recording.shared) memory.pointer(this.context, what);
    const waits = [...waitFor, ...this.#before(queue, what)];
    const queues = BigUint64Array.of(queue.use(what));
    const event = submit(queue, what, waits, recording.uses, (_, count, list, out) =>
      recording.recorder.calls.clEnqueueCommandBufferKHR(1, queues, buffer, count, list, out),
    );
    recording.running.push(event);
    return event;
  }

  /** Whether {@link CommandBuffer.finalize} was called. */
  get finalized(): boolean {
    return this.#recording.finalized;
  }

  /** How many commands were recorded. */
  get length(): number {
    return this.#recording.commands;
  }

  /** Ask the driver for a property, by its name or by any number with the kind of the answer. */
  getInfo<Name extends CommandBufferInfo>(name: Name): InfoOf<typeof CommandBufferInfo, Name>;
  getInfo<Kind extends InfoKind>(param: number, kind: Kind): InfoKinds[Kind];
  getInfo(name: CommandBufferInfo | number, kind?: InfoKind): InfoValue {
    const { calls } = this.#recording.recorder;
    const query = calls.clGetCommandBufferInfoKHR.bind(undefined, this.use('getInfo'));
    return readInfo(CommandBufferInfo, query, name, kind, 'CommandBuffer');
  }

  /** The driver's count of references. For tests: it may be stale when it is read. */
  get referenceCount(): number {
    return this.getInfo('REFERENCE_COUNT');
  }

  #open(method: string): Recording {
    this.use(method);
    if (!this.#recording.finalized) return this.#recording;
    throw new Error(`CommandBuffer.${method}: the recording is finalized; make a new CommandBuffer`);
  }

  #add(
    waitFor: unknown,
    what: string,
    uses: Iterable<UseRecord | undefined>,
    issue: (count: number, waits: Uint32Array | bigint, point: Uint32Array) => unknown,
  ): SyncPoint {
    const recording = this.#recording;
    const waits = pointNumbers(waitFor, recording, what);
    const out = new Uint32Array(1);
    withReclaim(() => issue(waits?.length ?? 0, waits ?? 0n, out));
    recording.commands++;
    for (const record of uses) if (record !== undefined) recording.uses.add(record);
    return new SyncPoint(MAKER, recording, out[0] ?? 0);
  }

  /** A kernel object with the present arguments: PoCL 3.1 reads a kernel's arguments when it replays it. */
  #ownKernel(kernel: Opaque<'cl_kernel'>): Handle<Opaque<'cl_kernel'>> {
    if (!this.context.platform.atLeast(2, 1)) return new Handle('Kernel', kernel, undefined);
    const clone = withReclaim(() => cl.clCloneKernel(kernel));
    return new Handle('Kernel', clone, (raw) => cleanup('Kernel', () => cl.clReleaseKernel(raw)));
  }

  /** Keep the objects of a command alive. */
  #keep(used: readonly unknown[]): void {
    for (const one of used) {
      if (one instanceof Kernel) this.#recording.held.push(kernelHandle(one, 'record').retain());
      if (one instanceof Resource) this.#recording.held.push(handleOf(one as Resource<unknown>, 'record').retain());
    }
  }

  #checkQueue(queue: unknown, what: string): void {
    const { queue: own } = this;
    checkQueue(queue, what);
    if (queue === own) return;
    if (queue.context.identity !== own.context.identity)
      throw new TypeError(`${what}: the queue is of another context`);
    const same =
      queue.device === own.device && queue.outOfOrder === own.outOfOrder && queue.profiling === own.profiling;
    if (!same) {
      throw new TypeError(`${what}: the queue must have the device, outOfOrder and profiling of the recording's queue`);
    }
  }

  /** The replays that the next one has to wait for, unless its queue or the host does. */
  #before(queue: CommandQueue, what: string): readonly Event[] {
    const recording = this.#recording;
    recording.running = recording.running.filter((event) => !event.settle());
    const { running, recorder } = recording;
    if (this.overlap || running.length === 0) return [];
    const others = running.filter((event) => queue.outOfOrder || listOf(event) !== eventsOf(queue));
    const late = recorder.canOverlap ? others.filter((event) => event.closed) : running;
    for (const event of late) {
      refuseToHang(what, event.blockers);
      waitIgnoringFailure(event);
    }
    return recorder.canOverlap ? others.filter((event) => !event.closed) : [];
  }
}

const NO_QUEUE = 0n as never;

/** Not a closure of the constructor, which would keep the buffer alive. Commands in flight may need the held objects. */
function destroyer(recording: Recording): (raw: RawCommandBuffer) => void {
  const hasEnded = (): boolean => recording.running.every((event) => event.settle());
  return (raw) => {
    const free = (): void => {
      cleanup('CommandBuffer', () => recording.recorder.calls.clReleaseCommandBufferKHR(raw));
      for (const handle of recording.held) handle.release();
      recording.shared.clear();
      recording.uses.clear();
    };
    if (hasEnded()) free();
    else holdUntil(hasEnded, free);
  };
}
