import { checkInteger, checkOptions } from '../core/check.ts';
import { callerTrace } from '../core/host-place.ts';
import { describeFacts } from '../core/public-object.ts';
import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { whenDone } from '../core/poll.ts';
import { Resource } from '../core/resource.ts';
import type { Context } from '../cuda/device/context.ts';
import type { Device } from '../cuda/device/device.ts';
import type { Opaque } from '../ffi/ctype.ts';
import type { NcclBuffer } from './buffer.ts';
import { begin } from './call.ts';
import { submit } from './call-queue.ts';
import * as collectives from './collectives.ts';
import type { CommunicatorState } from './communicator-state.ts';
import { isContextFault } from './context-fault.ts';
import type { NcclDType } from './elements.ts';
import { NcclError, statusName } from './errors.ts';
import type { OperationName } from './flight-record.ts';
import { fromEnvironment, type EnvironmentOptions } from './from-environment.ts';
import { enqueue, isGrouping } from './group.ts';
import { abort, beLate } from './hang.ts';
import { initAll, initRank, type InitAllOptions, type InitOptions } from './init.ts';
import { operationOf, type Operation, type Read } from './operation.ts';
import { createPreMulSum } from './pre-mul-sum.ts';
import type { PreMulSum } from './reduction.ts';
import {
  registerBuffer,
  registerWindow,
  type RegisteredBuffer,
  type RegisteredWindow,
  type WindowOptions,
} from './registration.ts';
import { shrink, split, type ShrinkOptions, type SplitOptions } from './split.ts';
import { status } from './sys/enums.ts';
import { withTimeLimit } from './time-limit.ts';
import type {
  OutOptions,
  ReduceOptions,
  ReduceToRootOptions,
  RootOptions,
  TransferOptions,
} from './transfer-options.ts';

const [INVALID_USAGE] = status.ncclInvalidUsage;
const DEFAULT_ABORT_MS = 10_000;

/**
 * One rank's end of a group of GPUs that work together, one GPU a rank, in one process or in many.
 *
 * Each call is given to NCCL in the order of the program, and returns a promise of NCCL having taken it: the operation is then in
 * its stream's order, and an event or `stream.done()` tells of its end, as of a kernel's. Calls need not be awaited one by one.
 * All ranks must make the same calls in the same order. A call whose time limit is over rejects with {@link NcclTimeoutError},
 * which says what differs between the ranks.
 *
 * A communicator stays in the thread that made it.
 *
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import * as xp from 'rawkernel/cuda/array';
 * import { Communicator, UniqueId } from 'rawkernel/nccl';
 *
 * using communicator = await Communicator.init({ rank: 0, size: 1, id: UniqueId.create() });
 * const x = xp.ones(1024);
 * await communicator.allReduce(x);
 * console.log(x.item(0)); // 1: there is one rank
 * ```
 * @see {@link https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/communicators.html | Communicators}
 */
export class Communicator extends Resource<Opaque<'ncclComm_t'>> implements AsyncDisposable {
  /** This rank, 0 to size - 1. */
  readonly rank: number;
  /** The number of ranks. */
  readonly size: number;
  /** The GPU of this rank. */
  readonly device: Device;
  /** The primary context of the device: arrays of this rank are made while it is current. */
  readonly context: Context;
  /** The name in NCCL's log and in reports. */
  readonly name: string | undefined;
  readonly #state: CommunicatorState;

  /** @internal */
  constructor(maker: Maker, state: CommunicatorState) {
    checkMade(maker === MAKER, 'Communicator', 'call Communicator.init(), initAll() or fromEnvironment()');
    super(state.handle);
    const { rank, size, context, name } = state.facts;
    this.rank = rank;
    this.size = size;
    this.context = context;
    this.device = context.device;
    this.name = name;
    this.#state = state;
  }

  /**
   * Come together with the other ranks, which have the same id. One rank a GPU; ranks may be processes, or worker threads.
   *
   * Host: does not block while it waits; NCCL's own start takes some 10 ms.
   *
   * @throws {@link LibraryNotFoundError} NCCL is not installed
   * @throws {@link NcclTimeoutError} a rank did not come in time
   * @throws {@link NcclError} ncclInvalidUsage: two ranks have one GPU; ncclSystemError: the network cannot be used
   */
  static async init(options: InitOptions): Promise<Communicator> {
    return new Communicator(MAKER, await initRank(withTimeLimit(options)));
  }

  /**
   * Make a communicator of several GPUs of this thread: one object a GPU, in their order. Calls of all of them go into one
   * {@link group}.
   *
   * @param devices - devices or their numbers, whose primary contexts are used, or such contexts
   * @throws RangeError a device twice
   */
  static async initAll(
    devices: readonly (Device | Context | number)[],
    options: InitAllOptions = {},
  ): Promise<Communicator[]> {
    return (await initAll(devices, withTimeLimit(options))).map((state) => new Communicator(MAKER, state));
  }

  /**
   * Come together with the other processes of the job that a launcher has started: `npx rawkernel launch`, torchrun, srun,
   * mpirun. Rank 0 makes the id, and the others read it from the job's store. The GPU is the one of the local rank; its primary
   * context is current afterwards.
   *
   * @throws {@link LauncherError} this process is not part of a job
   * @throws {@link NcclTimeoutError} a rank did not come in time: the message names it
   */
  static async fromEnvironment(options: EnvironmentOptions = {}): Promise<Communicator> {
    return new Communicator(MAKER, await fromEnvironment(withTimeLimit(options)));
  }

  /** What NCCL does in the background: `'ncclInProgress'`, or why it has failed; undefined: nothing. */
  get asyncError(): string | undefined {
    this.use('asyncError');
    if (this.#state.failure !== undefined) {
      const { code } = this.#state.failure as { readonly code?: string };
      return code ?? this.#state.failure.name;
    }
    const code = this.#state.asyncStatus();
    return code === 0 ? undefined : statusName(code);
  }

  /** Each rank gets the reduction of all ranks' elements, in place without `out`. Host: does not block. Stream: ordered. */
  allReduce(x: NcclBuffer, options?: ReduceOptions): Promise<void> {
    return this.#enqueue('allReduce', x, options, (args) => collectives.allReduceParts(args, x));
  }

  /** The root gets the reduction of all ranks' elements, in place without `out`. Host: does not block. Stream: ordered. */
  reduce(x: NcclBuffer, options?: ReduceToRootOptions): Promise<void> {
    return this.#enqueue('reduce', x, options, (args) => collectives.reduceParts(args, x));
  }

  /** Each rank gets the root's elements, in place without `out`. Host: does not block. Stream: ordered. */
  broadcast(x: NcclBuffer, options?: RootOptions): Promise<void> {
    return this.#enqueue('broadcast', x, options, (args) => collectives.broadcastParts(args, x));
  }

  /**
   * Each rank gets the elements of all ranks, in their order, in `out`. In place: x is rank's part of `out`.
   *
   * Host: does not block. Stream: ordered.
   */
  allGather(x: NcclBuffer, options: OutOptions): Promise<void> {
    return this.#enqueue('allGather', x, options, (args) => collectives.allGatherParts(args, x));
  }

  /**
   * Each rank gets its part of the reduction of all ranks' elements in `out`. In place: `out` is rank's part of x.
   *
   * Host: does not block. Stream: ordered.
   */
  reduceScatter(x: NcclBuffer, options: ReduceOptions): Promise<void> {
    return this.#enqueue('reduceScatter', x, options, (args) => collectives.reduceScatterParts(args, x));
  }

  /** Each rank sends part i of x to rank i; part i of `out` is rank i's. NCCL 2.28. Host: does not block. Stream: ordered. */
  allToAll(x: NcclBuffer, options: OutOptions): Promise<void> {
    return this.#enqueue('allToAll', x, options, (args) => collectives.allToAllParts(args, x));
  }

  /** The root gets the elements of all ranks, in their order, in `out`. NCCL 2.28. Host: does not block. Stream: ordered. */
  gather(x: NcclBuffer, options?: RootOptions): Promise<void> {
    return this.#enqueue('gather', x, options, (args) => collectives.gatherParts(args, x));
  }

  /**
   * Each rank gets its part of the root's elements in `out`. NCCL 2.28. Host: does not block. Stream: ordered.
   *
   * @param x - the root's elements; other ranks give null
   */
  scatter(x: NcclBuffer | null, options: RootOptions): Promise<void> {
    return this.#enqueue('scatter', x, options, (args) => collectives.scatterParts(args, x));
  }

  /**
   * Send elements to a rank, which gets them by {@link Communicator.recv}. The stream waits until they are there: ranks that
   * send to each other put send and recv into one {@link group}.
   *
   * Host: does not block. Stream: ordered.
   */
  send(x: NcclBuffer, to: number, options?: TransferOptions): Promise<void> {
    return this.#enqueue('send', x, options, (args) => collectives.sendParts(args, x, to, isGrouping()));
  }

  /** Get the elements that a rank sends, in x. Host: does not block. Stream: ordered. */
  recv(x: NcclBuffer, from: number, options?: TransferOptions): Promise<void> {
    return this.#enqueue('recv', x, options, (args) => collectives.recvParts(args, x, from, isGrouping()));
  }

  /**
   * Make communicators of parts of this one: ranks with one color belong together. All ranks must call it.
   *
   * @throws RangeError the color is negative
   */
  split(options: SplitOptions & { readonly color: number }): Promise<Communicator>;
  /** The same; undefined for a rank that joins none. */
  split(options: SplitOptions): Promise<Communicator | undefined>;
  async split(options: SplitOptions): Promise<Communicator | undefined> {
    const state = await split(
      this.#usable('split'),
      options,
      callerTrace(Reflect.get(Communicator.prototype, 'split')),
    );
    return state && new Communicator(MAKER, state);
  }

  /**
   * Make a communicator without some ranks, which do not call it. NCCL 2.27.
   *
   * @throws RangeError this rank is among them
   */
  async shrink(options: ShrinkOptions): Promise<Communicator> {
    this.use('shrink');
    this.#checkAlone('shrink');
    return new Communicator(
      MAKER,
      await shrink(this.#state, options, callerTrace(Reflect.get(Communicator.prototype, 'shrink'))),
    );
  }

  /**
   * Have NCCL know memory, so that collectives on it need no copy. Close what it gives before the memory.
   *
   * @throws {@link NcclError} NCCL refuses it
   */
  registerBuffer(x: NcclBuffer): Promise<RegisteredBuffer> {
    return registerBuffer(this.#usable('registerBuffer'), x);
  }

  /**
   * Have the ranks know each other's memory. All ranks must call it, with the same size. The memory begins at a multiple of
   * 4096 bytes, as that of {@link memAlloc} does. NCCL 2.27.
   */
  registerWindow(x: NcclBuffer, options: WindowOptions = {}): Promise<RegisteredWindow> {
    return registerWindow(this.#usable('registerWindow'), x, options);
  }

  /**
   * Make a reduction that multiplies each rank's elements by a number of that rank, and adds: `{ op }`.
   *
   * @param scalar - the number, or device memory with one element, which is read when the collective runs
   * @param dtype - of the elements that are reduced
   */
  createPreMulSum(scalar: number | bigint | NcclBuffer, dtype: NcclDType): Promise<PreMulSum> {
    return createPreMulSum(this.#usable('createPreMulSum'), scalar, dtype);
  }

  /** NCCL's `ncclComm_t`, borrowed, for `rawkernel/nccl/sys`: good until it is closed. Calls made with it are not watched. */
  get handle(): Opaque<'ncclComm_t'> {
    return this.use('handle');
  }

  /**
   * Resolve when all calls that were made so far are finished on the device. Rejects as those that fail, also with
   * {@link NcclTimeoutError}. The process stays alive meanwhile. Host: does not block.
   */
  async done(): Promise<void> {
    this.use('done');
    const state = this.#state;
    const handle = state.handle.retain();
    state.pending++;
    try {
      await whenDone(() => {
        if (state.failure !== undefined) throw state.failure;
        return state.unfinished === 0 && state.watch.isEmpty;
      });
    } finally {
      state.pending--;
      handle.release();
    }
  }

  /** Wait for all calls, on all ranks: none may be made afterwards. All ranks must call it. Host: does not block. */
  async finalize(): Promise<void> {
    const state = this.#usable('finalize');
    state.isFinalized = true;
    await submit({
      states: [state],
      routine: 'ncclCommFinalize',
      timeoutMs: state.facts.timeoutMs,
      start: () => state.inContext(() => begin('ncclCommFinalize', state.raw)),
      late: (timeoutMs) => beLate(state, timeoutMs),
    });
  }

  /**
   * End all calls at once, also those that wait for a rank that does not come: what they write is undefined. Promises of theirs
   * reject. The communicator is closed afterwards. NCCL does this on a thread of its own.
   *
   * @throws {@link NcclError} NCCL did not come to an end within the time limit, 10 s by default: only the end of the process
   * helps then
   */
  async abort(options: { readonly timeoutMs?: number | undefined } = {}): Promise<void> {
    checkOptions(options, ['timeoutMs'], 'Communicator.abort');
    const timeoutMs = checkInteger(
      options.timeoutMs ?? DEFAULT_ABORT_MS,
      'Communicator.abort: timeoutMs',
      1,
      2 ** 31 - 1,
    );
    if (this.closed) return;
    const state = this.#state;
    state.fail(
      new NcclError(
        `The communicator (${state.title}) was aborted`,
        'ncclInvalidUsage',
        INVALID_USAGE,
        'ncclCommAbort',
      ),
    );
    state.exchange?.close('aborted');
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, timeoutMs, 'late')));
    try {
      if ((await Promise.race([abort(state), limit])) !== 'late') return;
      const reason = `NCCL did not abort within ${timeoutMs} ms: a stream that it waits for is busy; end the process`;
      throw new NcclError(reason, 'ncclTimeout', status.ncclTimeout[0], 'ncclCommAbort');
    } finally {
      clearTimeout(timer);
      this.close();
    }
  }

  /**
   * Release the communicator. Calls that were made are carried out before NCCL frees it, and so on a rank of one process all
   * ranks must close theirs. A second call does nothing.
   */
  override close(): void {
    if (!this.closed) this.#state.watch.letGo();
    super.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.closed && this.#state.failure === undefined && !this.#state.isFinalized) await this.finalize();
    this.close();
  }

  #usable(method: string): CommunicatorState {
    this.use(method);
    this.#checkAlone(method);
    this.#state.checkUsable(method);
    return this.#state;
  }

  #checkAlone(method: string): void {
    if (!isGrouping()) return;
    throw new TypeError(
      `Communicator.${method} must not be called inside of group(): a group has transfers alone; call it outside`,
    );
  }

  #enqueue(name: OperationName, x: unknown, options: TransferOptions | undefined, read: Read): Promise<void> {
    this.use(name);
    const state = this.#state;
    state.checkUsable(name);
    let operation: Operation;
    try {
      operation = operationOf(state, name, x, options, read);
    } catch (error) {
      // A kernel has failed before: that is not a mistake of this call.
      if (isGrouping() || !isContextFault(error)) throw error;
      return Promise.reject(this.#state.fail(error));
    }
    return enqueue(operation, () => operation.place(callerTrace(Reflect.get(Communicator.prototype, name))));
  }
}

describeFacts(Communicator, ({ name, rank, size, device }) => ({ name, rank, size, device: device.ordinal }));
