import { Handle } from '../core/handle.ts';
import { warn } from '../core/errors.ts';
import type { Engine } from '../array/engine.ts';
import { currentEngine } from '../cuda/array/engine.ts';
import { Context, inContext } from '../cuda/device/context.ts';
import type { Stream } from '../cuda/stream/stream.ts';
import { take } from '../ffi/slot.ts';
import type { Opaque } from '../ffi/ctype.ts';
import { abortOnWorker } from './abort.ts';
import { attempt, cleanup, lastError } from './call.ts';
import type { ConfigBytes } from './config.ts';
import { contextFault, isContextFault } from './context-fault.ts';
import { queueOf, type DeviceQueue } from './device-queue.ts';
import { NcclError, ncclError, NcclTimeoutError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { FlightRecord } from './flight-record.ts';
import { slotOf } from './slots.ts';
import { status } from './sys/enums.ts';
import { Watch, type WatchListener } from './watch.ts';

type CUcontext = Opaque<'CUcontext'>;
type NcclComm = Opaque<'ncclComm_t'>;

/**
 * What happens after a time-out, once the promises have been rejected: abort, so that the GPU is free again; write the report to
 * stderr, abort and end the process within 2 seconds, so that the launcher ends the job; or nothing more, so that the program can
 * `shrink({ exclude, abort: true })`.
 */
export type OnTimeout = 'abort' | 'exit' | 'report';

/** What is known of a communicator before NCCL has made it. */
export interface CommunicatorFacts {
  readonly rank: number;
  readonly size: number;
  readonly name: string | undefined;
  readonly timeoutMs: number;
  readonly onTimeout: OnTimeout;
  readonly context: Context;
  readonly contextHandle: Handle<CUcontext>;
  /** Whether the context goes with the communicator. */
  readonly ownsContext: boolean;
  /** NCCL reads it for as long as it lives. */
  readonly config: ConfigBytes | undefined;
}

/** A call that is not an operation. */
export interface Waiting {
  /** With the line of the program, where it is known: `split (train.ts:12)`. */
  readonly text: string;
  /** NCCL's function. */
  readonly routine: string;
}

const [IN_PROGRESS] = status.ncclInProgress;
const [REMOTE_ERROR] = status.ncclRemoteError;
const [UNHANDLED_CUDA_ERROR] = status.ncclUnhandledCudaError;
const errorSlot = slotOf('ncclResult_t');

/** The record of one rank's communicator, which its object, calls and registrations share. */
export class CommunicatorState {
  readonly facts: CommunicatorFacts;
  readonly handle: Handle<NcclComm>;
  readonly record: FlightRecord;
  readonly watch: Watch;
  /** What waits for its device. */
  readonly queue: DeviceQueue;
  /** Itself, for calls that are for no other one. */
  readonly alone: readonly [CommunicatorState] = [this];
  exchange: Exchange | undefined;
  /** A call that is waited for and is not on the record. */
  waiting: Waiting | undefined;
  /** Why NCCL takes no more calls. */
  failure: Error | undefined;
  isFinalized = false;
  /** NCCL has freed it. */
  isAborted = false;
  /** How many promises would tell of a failure. */
  pending = 0;
  /** How many calls NCCL has not taken. */
  unfinished = 0;
  /** Streams of its context that calls have named: a stream stays in its context. */
  readonly streams: WeakSet<Stream> = new WeakSet();
  readonly #engines = new WeakSet();
  #blocks = 0;
  readonly #listener: WatchListener;
  /** How many communicators were made of it, which tells their ranks which ones belong together. */
  children = 0;

  constructor(
    raw: NcclComm,
    facts: CommunicatorFacts,
    listenerOf: (state: CommunicatorState) => WatchListener,
    gone: () => void,
  ) {
    this.facts = facts;
    this.record = new FlightRecord(facts.size);
    this.queue = queueOf(facts.contextHandle);
    this.#listener = listenerOf(this);
    this.watch = new Watch(facts.contextHandle, this.record, this.#listener);
    this.handle = new Handle(
      'Communicator',
      raw,
      () => {
        gone();
        this.#end();
      },
      [facts.contextHandle],
    );
  }

  get raw(): NcclComm {
    return this.handle.value;
  }

  /** `rank 1 of 4`, and the name where there is one. */
  get title(): string {
    const { name, rank, size } = this.facts;
    return `rank ${rank} of ${size}${name === undefined ? '' : ` of '${name}'`}`;
  }

  /** Whether a rank has gone, so that no call will finish. */
  get isBroken(): boolean {
    return this.exchange?.isBroken === true;
  }

  /** Whether something else than a time limit, which the ranks know of, has ended its calls. */
  get hasFailed(): boolean {
    return this.failure !== undefined && !(this.failure instanceof NcclTimeoutError);
  }

  /** Whether the program waits for the device in a call, and the event loop stands still. */
  get isBlocked(): boolean {
    return this.#blocks > 0;
  }

  /** The program begins to wait so. What fails now is told by that call. */
  block(): void {
    this.#blocks++;
    this.pending++;
    this.exchange?.block();
  }

  unblock(): void {
    this.#blocks--;
    this.pending--;
    this.exchange?.unblock();
  }

  /** What the event loop would do from time to time. */
  look(): void {
    this.exchange?.look();
    if (this.failure === undefined) this.watch.look();
  }

  /** Take part in what the ranks tell each other, for as long as it lives. */
  join(exchange: Exchange): void {
    this.exchange = exchange;
    exchange.follow(this.record, () => (this.hasFailed ? this.failure?.message.split('\n')[0] : undefined));
  }

  /** Run something with its device's context current. */
  inContext<T>(run: () => T): T {
    return inContext(this.facts.contextHandle, run);
  }

  /** Whether an array's memory lies on its device. */
  owns(engine: Engine): boolean {
    if (this.#engines.has(engine)) return true;
    const isOwn = this.inContext(() => currentEngine() === engine);
    if (isOwn) this.#engines.add(engine);
    return isOwn;
  }

  /**
   * Whether NCCL still works on an earlier call.
   *
   * @throws {@link NcclError} the call has failed
   */
  isBusy(routine: string): boolean {
    if (this.failure !== undefined) throw this.failure;
    const code = this.asyncStatus();
    if (code === 0) return false;
    if (code === IN_PROGRESS || this.#isExplained(code)) return true;
    throw this.fail(this.errorOf(routine, code));
  }

  /** What NCCL says of its work in the background. */
  asyncStatus(): number {
    const code = attempt('ncclCommGetAsyncError', this.raw, errorSlot);
    return code === 0 ? take(errorSlot) : code;
  }

  /** What NCCL says of a rank that has gone; undefined: it has noticed nothing. */
  get remoteError(): string | undefined {
    if (this.isAborted || this.asyncStatus() !== REMOTE_ERROR) return undefined;
    return lastError() ?? 'ncclRemoteError';
  }

  /** Notice what has failed in NCCL's threads while no call is waited for. */
  checkBackground(): void {
    if (this.failure !== undefined || this.isAborted || this.unfinished > 0) return;
    const code = this.asyncStatus();
    if (code === 0 || code === IN_PROGRESS || this.#isExplained(code)) return;
    this.lose(this.errorOf('ncclCommGetAsyncError', code));
  }

  /** The error of a status: that of the kernel, where one has failed before. */
  errorOf(routine: string, code: number): Error {
    const fault = code === UNHANDLED_CUDA_ERROR ? this.inContext(() => contextFault(routine)) : undefined;
    return fault ?? ncclError(routine, code, { said: lastError(), facts: { of: this.title } });
  }

  /** NCCL says only that another rank has gone. Where the ranks tell each other more, that becomes the reason, soon. */
  #isExplained(code: number): boolean {
    if (code !== REMOTE_ERROR || this.exchange === undefined) return false;
    this.#listener.broken();
    return true;
  }

  /** Note why calls that NCCL has taken do not finish. */
  lose(error: Error): void {
    if (this.failure !== undefined) return;
    const isTold = this.pending > 0;
    this.fail(error);
    // No promise tells of it: as an error that nothing has caught.
    if (!isTold) void Promise.reject(error);
  }

  /** Note why NCCL takes no more calls; the first reason stays. */
  fail(error: Error): Error {
    this.failure ??= error;
    return this.failure;
  }

  /**
   * What has failed rejects the promises of later calls: their callers have done nothing wrong.
   *
   * @throws TypeError it is finalized
   */
  checkUsable(method: string): void {
    if (!this.isFinalized) return;
    throw new TypeError(`Communicator.${method}: this communicator is finalized; it takes no more calls, close it`);
  }

  /** Note the error of a call, if NCCL takes no more calls since. Returns what is to be told. */
  noteRefusal(error: Error): Error {
    if (this.failure !== undefined || this.isAborted) return this.failure ?? error;
    const fault = this.#faultOf(error);
    const code = this.asyncStatus();
    if (fault !== undefined || (code !== 0 && code !== IN_PROGRESS)) this.failure = fault ?? error;
    return fault ?? error;
  }

  /** The fault of a kernel that is why a call has failed: a call of CUDA says so itself, NCCL says only that one has failed. */
  #faultOf(error: Error): Error | undefined {
    if (isContextFault(error)) return error;
    const isCuda = error instanceof NcclError && error.status === UNHANDLED_CUDA_ERROR;
    return isCuda ? this.inContext(() => contextFault(error.routine)) : undefined;
  }

  #end(): void {
    this.watch.close();
    this.exchange?.close(this.failure === undefined ? 'closed' : this.hasFailed ? 'failed' : undefined);
    if (!this.isAborted) this.#destroy();
    if (this.facts.ownsContext) closeContext(this.facts.context);
  }

  /** NCCL refuses to destroy what has failed: it leaves its own group open then, and that ends all that follow. */
  #destroy(): void {
    if (this.failure === undefined && this.asyncStatus() === 0) {
      this.inContext(() => cleanup('ncclCommDestroy', this.raw));
      return;
    }
    this.isAborted = true;
    abortOnWorker(this.raw).catch((error: unknown) => {
      warn(`ncclCommAbort failed: ${String(error)}`, 'RAWKERNEL_CLEANUP');
    });
  }
}

/** Another object of the same primary context may be current: it stays so. */
function closeContext(context: Context): void {
  const { current } = Context;
  context.close();
  if (current !== undefined && !current.closed) current.makeCurrent();
}
