import { SymbolNotFoundError } from '../core/errors.ts';
import { timelineNow, type TimelineFile, type TimelineRow } from '../core/timeline.ts';
import { parsePrototype, type Bound, type Prototype } from '../ffi/prototype.ts';
import { kernelTitle } from './kernel-title.ts';
import { readLaunchConfig } from './launch-config.ts';
import type { functions } from './sys/driver.ts';
import { EventFlags, status as statuses } from './sys/enums.ts';
import { take } from '../ffi/slot.ts';
import { slotOf } from './slots.ts';

type DriverTable = Bound<typeof functions>;
type Callable = (...args: unknown[]) => unknown;
type Handle<Name extends keyof DriverTable> = Parameters<DriverTable[Name]>[0];
type CUevent = Handle<'cuEventQuery'>;
type CUstream = Handle<'cuStreamQuery'>;
type CUcontext = Handle<'cuCtxSetCurrent'>;

/** Work of a stream that has been enqueued, and not been seen to have ended. */
interface Pending {
  readonly name: string;
  readonly category: string;
  readonly row: TimelineRow;
  readonly args: Readonly<Record<string, unknown>>;
  readonly start: CUevent;
  readonly end: CUevent;
  readonly arrow: number;
}

/** What is known of a context: a moment that both clocks know, and what runs. */
interface Watched {
  readonly handle: CUcontext;
  readonly device: number;
  anchor: CUevent;
  anchorTime: number;
  pending: Pending[];
  readonly free: CUevent[];
}

const STREAM_WORK =
  /^cu(?:Launch\w*|GraphLaunch|Memcpy\w*|Memset\w*|Mem(?:Alloc|Free)Async|MemPrefetchAsync|StreamWait\w*|StreamWrite\w*)$/;
const HOST_WORK =
  /Synchronize$|^cu(?:Module|Library)Load|^cuLink(?:Add|Complete)|^cuMem(?:Alloc|Free|HostAlloc|FreeHost)/;
const NAMING = /^cu(?:ModuleGetFunction|LibraryGetKernel)$/;
const ENDING = /^cu(?:CtxDestroy|DevicePrimaryCtx(?:Release|Reset))$/;
const DRAIN_AT = 512;
const PATIENCE_MS = 2000;
const REBASE_MS = 5000;
const DEVICE_PID = 0x1000_0000;

/**
 * Watches a driver's calls for the timeline: each piece of a stream's work is put between two events, whose times say
 * later when it ran. What fails here is left out: it must not change what the program sees.
 */
export class DriverTimeline {
  readonly #driver: DriverTable;
  readonly #file: TimelineFile;
  readonly #contexts = new Map<bigint, Watched>();
  readonly #names = new Map<bigint, string>();
  readonly #rows = new Map<string, TimelineRow>();
  readonly #event = slotOf('CUevent');
  readonly #context = slotOf('CUcontext');
  readonly #device = slotOf('CUdevice');
  readonly #capture = slotOf('CUstreamCaptureStatus');
  readonly #milliseconds = slotOf('float');
  #arrow = 0;
  /** Whether this driver knows captures. */
  #captures = true;

  /** @param driver - the table itself, whose calls are not watched */
  constructor(driver: DriverTable, file: TimelineFile) {
    this.#driver = driver;
    this.#file = file;
  }

  /** A function of the table as the program is to call it. */
  watch(name: string, text: string, call: Callable): Callable {
    if (STREAM_WORK.test(name)) return this.#streamWork(name, parsePrototype(text), call);
    if (NAMING.test(name)) return this.#naming(call);
    if (ENDING.test(name)) {
      return (...args) => {
        this.finish();
        return call(...args);
      };
    }
    return HOST_WORK.test(name) ? this.#hostWork(name, call) : call;
  }

  /** Write down all that has run, wait a little for running work, and release every event. */
  finish(): void {
    for (const context of this.#contexts.values()) {
      this.#inside(context, () => {
        this.#drain(context, PATIENCE_MS);
        const unfinished = context.pending.flatMap(({ start, end }) => [start, end]);
        for (const event of [...context.free, ...unfinished, context.anchor]) this.#driver.cuEventDestroy(event);
      });
    }
    this.#contexts.clear();
  }

  #hostWork(name: string, call: Callable): Callable {
    return (...args) => {
      const start = timelineNow();
      const result = call(...args);
      this.#onHost(name, name.endsWith('Synchronize') ? 'wait' : 'call', start);
      return result;
    };
  }

  #onHost(name: string, category: string, start: number, leaves?: number): void {
    const duration = timelineNow() - start;
    const arrow = leaves === undefined ? {} : { leaves };
    this.#file.slice({ name, category, row: this.#file.hostRow, start, duration, ...arrow });
  }

  #naming(call: Callable): Callable {
    return (...args) => {
      const result = call(...args);
      const [out, , name] = args;
      if (result === 0 && out instanceof BigUint64Array) this.#names.set(out[0] ?? 0n, String(name));
      return result;
    };
  }

  #streamWork(name: string, prototype: Prototype, call: Callable): Callable {
    const describe = describer(name, prototype, (handle) => this.#names.get(handle));
    return (...args) => {
      const { stream, title, category, details } = describe(args);
      const context = this.#current(stream);
      const before = context && this.#mark(context, stream);
      const start = timelineNow();
      const result = call(...args);
      const after = result === 0 && context && before !== undefined ? this.#mark(context, stream) : undefined;
      const arrow = after === undefined ? undefined : ++this.#arrow;
      this.#onHost(name, category, start, arrow);
      if (!context || before === undefined) return result;
      if (after === undefined || arrow === undefined) {
        context.free.push(before);
        return result;
      }
      const row = this.#rowOf(context, stream);
      context.pending.push({ name: title, category, row, args: details, start: before, end: after, arrow });
      if (context.pending.length >= DRAIN_AT) this.#drain(context, 0);
      return result;
    };
  }

  /** An event recorded now; undefined where the stream takes none, as one that is being captured. */
  #mark(context: Watched, stream: CUstream): CUevent | undefined {
    if (this.#capturing(stream)) return undefined;
    const event = context.free.pop() ?? this.#newEvent();
    if (event === undefined) return undefined;
    if (this.#driver.cuEventRecord(event, stream) === 0) return event;
    context.free.push(event);
    return undefined;
  }

  #newEvent(): CUevent | undefined {
    return this.#driver.cuEventCreate(this.#event, EventFlags.DEFAULT) === 0 ? take(this.#event) : undefined;
  }

  /** An event that is recorded in a capture is part of the graph, and has no time. */
  #capturing(stream: CUstream): boolean {
    if (!this.#captures) return false;
    try {
      const status = this.#driver.cuStreamIsCapturing(stream, this.#capture);
      if (status !== NOT_SUPPORTED) return status !== 0 || take(this.#capture) !== 0;
    } catch (error) {
      if (!(error instanceof SymbolNotFoundError)) throw error;
    }
    return (this.#captures = false);
  }

  /** The current context, with a moment that both clocks know. */
  #current(stream: CUstream): Watched | undefined {
    const { cuCtxGetCurrent, cuCtxGetDevice, cuEventRecord, cuEventSynchronize } = this.#driver;
    if (cuCtxGetCurrent(this.#context) !== 0 || take(this.#context) === 0n) return undefined;
    const handle = take(this.#context);
    const known = this.#contexts.get(handle);
    if (known) return known;
    if (this.#capturing(stream) || cuCtxGetDevice(this.#device) !== 0) return undefined;
    const device = take(this.#device);
    const anchor = this.#newEvent();
    if (anchor === undefined) return undefined;
    if (cuEventRecord(anchor, stream) !== 0 || cuEventSynchronize(anchor) !== 0) {
      this.#driver.cuEventDestroy(anchor);
      return undefined;
    }
    const made: Watched = { handle, device, anchor, anchorTime: timelineNow(), pending: [], free: [] };
    this.#contexts.set(handle, made);
    return made;
  }

  #rowOf(context: Watched, stream: CUstream): TimelineRow {
    const key = `${context.handle} ${stream}`;
    const known = this.#rows.get(key);
    if (known) return known;
    const row = { pid: DEVICE_PID + context.device, tid: this.#rows.size + 1 };
    this.#rows.set(key, row);
    const special = stream < 2n ? ' (default)' : stream === 2n ? ' (per-thread default)' : ` 0x${stream.toString(16)}`;
    this.#file.name(row, `CUDA device ${context.device}`, `stream${special}`);
    return row;
  }

  #inside(context: Watched, run: () => void): void {
    const { cuCtxPushCurrent, cuCtxPopCurrent } = this.#driver;
    if (cuCtxPushCurrent(context.handle) !== 0) return;
    run();
    cuCtxPopCurrent(this.#context);
  }

  /** Write down what has ended, the oldest first; what still runs is waited for so long. */
  #drain(context: Watched, patience: number): void {
    const deadline = performance.now() + patience;
    const left: Pending[] = [];
    for (const work of context.pending) {
      if (this.#ended(work.end, deadline)) this.#write(context, work);
      else left.push(work);
    }
    context.pending = left;
  }

  #ended(event: CUevent, deadline: number): boolean {
    while (this.#driver.cuEventQuery(event) === NOT_READY) {
      if (performance.now() >= deadline) return false;
      Atomics.wait(pause, 0, 0, 1);
    }
    return true;
  }

  #write(context: Watched, { name, category, row, args, start, end, arrow }: Pending): void {
    const { free } = context;
    const at = this.#between(context.anchor, start);
    const length = this.#between(start, end);
    if (at !== undefined && length !== undefined) {
      const from = context.anchorTime + 1000 * at;
      const duration = 1000 * length;
      this.#file.slice({ name, category, row, start: from, duration, args, arrives: arrow });
      if (at > REBASE_MS) {
        // The driver's milliseconds are of 24 bits: far from the anchor they grow coarse.
        free.push(context.anchor, end);
        context.anchor = start;
        context.anchorTime = from;
        return;
      }
    }
    free.push(start, end);
  }

  #between(start: CUevent, end: CUevent): number | undefined {
    return this.#driver.cuEventElapsedTime(this.#milliseconds, start, end) === 0 ? take(this.#milliseconds) : undefined;
  }
}

const NOT_READY = statuses.CUDA_ERROR_NOT_READY[0];
const NOT_SUPPORTED = statuses.CUDA_ERROR_NOT_SUPPORTED[0];
const pause = new Int32Array(new SharedArrayBuffer(4));

interface Description {
  readonly stream: CUstream;
  readonly title: string;
  readonly category: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** How the work of a function is read from its arguments: by its prototype, so that new functions need nothing. */
function describer(
  name: string,
  { params }: Prototype,
  nameOf: (handle: bigint) => string | undefined,
): (args: readonly unknown[]) => Description {
  const place = (wanted: string): number =>
    params.findIndex(({ name: own, type }) => own === wanted || type === wanted);
  const streamAt = place('CUstream');
  const functionAt = place('CUfunction');
  const configAt = place('CUlaunchConfig');
  const gridAt = place('gridDimX');
  const bytesFrom = params.findIndex(({ name: own }) => /^(?:ByteCount|bytesize|N)$/.test(own));
  const shape = (words: ArrayLike<unknown>, at: number): readonly unknown[] => [
    words[at],
    words[at + 1],
    words[at + 2],
  ];
  const category =
    functionAt >= 0 ? 'kernel' : /Wait/.test(name) ? 'wait' : name === 'cuGraphLaunch' ? 'graph' : 'copy';
  const plain = name.replace(/^cu/, '').replace(/Async$/, '');
  return (args) => {
    const title = functionAt < 0 ? plain : kernelTitle(nameOf(args[functionAt] as bigint) ?? plain);
    const config = args[configAt];
    if (typeof config === 'bigint' && config !== 0n) {
      const { stream, ...details } = readLaunchConfig(config);
      return { stream: stream as CUstream, title, category, details };
    }
    // What names no stream is of the legacy default one.
    const stream = (streamAt < 0 ? 0n : args[streamAt]) as CUstream;
    const details =
      gridAt >= 0
        ? { grid: shape(args, gridAt), block: shape(args, gridAt + 3), shared: args[gridAt + 6] }
        : bytesFrom >= 0
          ? { [params[bytesFrom]?.name === 'N' ? 'elements' : 'bytes']: Number(args[bytesFrom]) }
          : {};
    return { stream, title, category, details };
  };
}
