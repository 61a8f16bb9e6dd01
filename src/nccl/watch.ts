import type { Handle } from '../core/handle.ts';
import { attemptRelaxed, callError, callQuickly } from '../cuda/call.ts';
import { recording } from '../cuda/captures.ts';
import { destroyIn, inContext } from '../cuda/device/context.ts';
import { captureStatus } from '../cuda/lifetime/hold-on-stream.ts';
import { isDefaultStream } from '../cuda/lifetime/default-stream.ts';
import { createPoint } from '../cuda/lifetime/stream-point.ts';
import { workCount, workSince } from '../cuda/stream-work.ts';
import { isEmbedded } from '../cuda/selection.ts';
import { CaptureStatus, status } from '../cuda/sys/enums.ts';
import { NULL, type Opaque } from '../ffi/ctype.ts';
import { MAX_ENTRIES, type FlightRecord } from './flight-record.ts';

type CUcontext = Opaque<'CUcontext'>;
type CUevent = Opaque<'CUevent'>;
type CUstream = Opaque<'CUstream'>;

/** Calls that went to NCCL together, and the event behind them. */
interface Batch {
  /** NULL for calls that are captured: they do not run now. */
  event: CUevent;
  /** How many calls the record had at its end. */
  count: number;
  /** How much work streams had been given. */
  work: number;
  sinceMs: number;
  timeoutMs: number;
}

/** What is told of calls that take long. */
export interface WatchListener {
  /** Whether the communicator must stay, even if the program has dropped it: nothing else would tell of its calls. */
  readonly keep: (isKept: boolean) => void;
  /** The first call that is not finished has used half of its time. */
  readonly near: () => void;
  /** Calls have finished. */
  readonly passed: () => void;
  /** It has used all of it. */
  readonly late: (timeoutMs: number) => void;
  /** A rank that they need has gone. */
  readonly broken: () => void;
  /** The device does not finish them: its context is lost. */
  readonly lost: (error: Error) => void;
  /** It is asked from time to time whether NCCL has failed in the background. */
  readonly check: () => void;
}

const [SUCCESS] = status.CUDA_SUCCESS;
const [NOT_READY] = status.CUDA_ERROR_NOT_READY;
const SWEEP_MS = 100;
/** Below the length of the ring, so that the first call that is not finished stays on the record. */
const MAX_FLIGHTS = MAX_ENTRIES - 100;
/**
 * How much work may be behind a call that is not finished before there is another. A driver holds about a thousand pieces, the
 * embedded device 512, and blocks the thread when it has them: a program that goes on behind a call that hangs would never hear of it.
 */
const MAX_WORK = 400;
/** How much there may be before the thread waits here instead. */
const OVERLOAD = { gpu: 880, embedded: 440 } as const;
/** What NCCL gives to streams for a call: its kernel, and waits. */
const CALL_WORK = 3;
/** How many calls may be ahead where the device does not come on: far more than the time between two turns of a waiting event loop. */
const FEW_BATCHES = 4;
const AHEAD_MS = 20;

const watches = new Set<Watch>();
let timer: NodeJS.Timeout | undefined;

/**
 * Watches the calls of one communicator on the device, by an event behind each: NCCL itself does not tell that a peer does
 * not come. Events are used again, so that a call makes nothing.
 */
export class Watch {
  readonly #context: Handle<CUcontext>;
  readonly #record: FlightRecord;
  readonly #listener: WatchListener;
  readonly #free: CUevent[] = [];
  #batches: Batch[] = [];
  #spare: Batch[] = [];
  #lastDoneMs = 0;
  #isLost = false;
  /** Whether the timer looks at it. */
  #isSwept = false;
  #isKept = false;
  #mayKeep = true;

  constructor(context: Handle<CUcontext>, record: FlightRecord, listener: WatchListener) {
    this.#context = context;
    this.#record = record;
    this.#listener = listener;
  }

  /** Whether the device still works on calls: on those of a lost context it never does. */
  get isBusy(): boolean {
    if (this.#batches.length > 0) this.#pass();
    return this.#batches.length > 0;
  }

  /** Whether the device has finished all calls that NCCL has taken. */
  get isEmpty(): boolean {
    return !this.isBusy && !this.#isLost;
  }

  /** Whether no more calls may be made before some have finished. */
  get isFull(): boolean {
    if (!this.isAhead) return false;
    this.#pass();
    return this.isAhead;
  }

  /** The same as far as is known, without a look at the device. */
  get isAhead(): boolean {
    const [first] = this.#batches;
    if (first === undefined) return false;
    const { length } = this.#batches;
    if (this.#workBehind(first) > MAX_WORK) return true;
    if (this.#record.noted - this.#record.done >= MAX_FLIGHTS) return true;
    if (length < FEW_BATCHES) return false;
    return performance.now() - Math.max(first.sinceMs, this.#lastDoneMs) > AHEAD_MS;
  }

  /** Whether there is so much work behind a call that is not finished that more of it would block the thread. */
  get isOverloaded(): boolean {
    const max = isEmbedded() ? OVERLOAD.embedded : OVERLOAD.gpu;
    const isMuch = (): boolean => this.#workBehind(this.#batches[0]) > max;
    if (!isMuch()) return false;
    this.#pass();
    return isMuch();
  }

  #workBehind(batch: Batch | undefined): number {
    return batch === undefined ? 0 : workSince(batch.work) + CALL_WORK * this.#batches.length;
  }

  /** NCCL has put all calls of the record on their streams, one of which is this. */
  mark(stream: CUstream, timeoutMs: number): void {
    this.#record.markTaken();
    const batch = this.#spare.pop() ?? { event: NULL, count: 0, work: 0, sinceMs: 0, timeoutMs };
    batch.event = this.#eventOn(stream);
    batch.count = this.#record.noted;
    batch.work = workCount();
    batch.sinceMs = performance.now();
    batch.timeoutMs = timeoutMs;
    this.#batches.push(batch);
    this.#keep(this.#mayKeep);
    if (!this.#isSwept) this.#beSwept();
  }

  /** Be looked at from time to time. */
  #beSwept(): void {
    this.#isSwept = true;
    watches.add(this);
    timer ??= setInterval(sweep, SWEEP_MS).unref();
  }

  /** The program closes the communicator: that does not wait for its calls. */
  letGo(): void {
    this.#mayKeep = false;
    this.#keep(false);
  }

  /** Forget all calls, and destroy the events. */
  close(): void {
    this.rest();
    const events = [...this.#batches.map(({ event }) => event), ...this.#free.splice(0)];
    this.#batches = [];
    this.#spare = [];
    for (const event of events) if (event !== NULL) destroyIn(this.#context, 'cuEventDestroy', event);
    this.#keep(false);
  }

  /** Be looked at no more, until there is another call. */
  rest(): void {
    this.#isSwept = false;
    watches.delete(this);
  }

  /** Look at what has finished, and tell of what takes too long. */
  look(): void {
    this.#pass();
    const [first] = this.#batches;
    if (first === undefined) return;
    this.#listener.check();
    const usedMs = performance.now() - Math.max(first.sinceMs, this.#lastDoneMs);
    if (usedMs > first.timeoutMs) this.#listener.late(first.timeoutMs);
    else if (usedMs > first.timeoutMs / 2) this.#listener.near();
  }

  /** In a capture nothing runs, and the event would be a part of the graph. */
  #eventOn(stream: CUstream): CUevent {
    if (recording.active > 0 && captureStatus(stream) === CaptureStatus.ACTIVE) return NULL;
    const known = this.#free.pop();
    if (known !== undefined && !isDefaultStream(stream)) {
      callQuickly('cuEventRecord', known, stream);
      return known;
    }
    // Events are made, and the driver's own streams taken, in the current context.
    return inContext(this.#context, () => {
      const event = known ?? createPoint();
      // A failed creation means that the context is lost: the stream itself says so.
      if (event === undefined) return NULL;
      callQuickly('cuEventRecord', event, stream);
      return event;
    });
  }

  /** What is behind a fault of the context never runs. */
  #lose(code: number): void {
    this.#isLost = true;
    const error = inContext(this.#context, () => callError('cuEventQuery', code));
    // Before it is let go, which may end it: the other ranks are to hear why.
    this.#listener.lost(error);
    this.close();
  }

  /** Calls finish in their order: NCCL puts those of one communicator one after another. */
  #pass(): void {
    const passed = this.#countPassed();
    if (passed === 0) return;
    for (const batch of this.#batches.splice(0, passed)) {
      if (batch.event !== NULL) this.#free.push(batch.event);
      batch.event = NULL;
      this.#record.markDone(batch.count);
      this.#spare.push(batch);
    }
    this.#lastDoneMs = performance.now();
    this.#listener.passed();
    if (this.#batches.length === 0) this.#keep(false);
  }

  #keep(isKept: boolean): void {
    if (isKept === this.#isKept) return;
    this.#isKept = isKept;
    this.#listener.keep(isKept);
  }

  /** How many have finished: since they do so in their order, few of them are asked. */
  #countPassed(): number {
    let passed = 0;
    let end = this.#batches.length;
    while (passed < end) {
      const middle = (passed + end) >> 1;
      const at = this.#withEvent(passed, middle);
      const code = at < passed ? SUCCESS : attemptRelaxed('cuEventQuery', (this.#batches[at] as Batch).event);
      if (code === SUCCESS) passed = middle + 1;
      else if (code === NOT_READY) end = at;
      else {
        this.#lose(code);
        return 0;
      }
    }
    return passed;
  }

  /** The last batch with an event from a first one up to another; what is captured has none. */
  #withEvent(from: number, to: number): number {
    let at = to;
    while (at >= from && this.#batches[at]?.event === NULL) at--;
    return at;
  }
}

function sweep(): void {
  for (const watch of [...watches]) {
    watch.look();
    if (watch.isEmpty) watch.rest();
  }
  if (watches.size > 0 || timer === undefined) return;
  clearInterval(timer);
  timer = undefined;
}
