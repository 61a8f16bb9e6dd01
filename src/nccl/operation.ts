import type { HostTrace } from '../core/host-place.ts';
import type { AnyHandle } from '../core/handle.ts';
import { handleOf } from '../core/resource.ts';
import { attempt as attemptCuda } from '../cuda/call.ts';
import { slotOf } from '../cuda/slots.ts';
import { isDefaultStream } from '../cuda/lifetime/default-stream.ts';
import { streamHandle, type Stream } from '../cuda/stream/stream.ts';
import type { Opaque } from '../ffi/ctype.ts';
import { take } from '../ffi/slot.ts';
import type { Buffer } from './buffer.ts';
import { begin, requireRoutine } from './call.ts';
import type { CallArguments } from './call-arguments.ts';
import type { CommunicatorState } from './communicator-state.ts';
import type { ElementRow } from './elements.ts';
import type { NewEntry, OperationName } from './flight-record.ts';
import type { ReadReduction } from './reduction.ts';
import { ROUTINES } from './routines.ts';

type CUstream = Opaque<'CUstream'>;

/** What an operation does, with its arguments checked. */
export interface OperationParts {
  /** What it reads; undefined where this rank sends nothing. */
  readonly send: Buffer | undefined;
  /** What it writes; undefined where this rank gets nothing. */
  readonly recv: Buffer | undefined;
  /** Elements of each rank. */
  readonly count: number;
  readonly element: ElementRow;
  readonly reduction?: ReadReduction | undefined;
  /** The root or the peer; -1: neither. */
  readonly peer?: number | undefined;
}

const contextSlot = slotOf('CUcontext');

/** One call of NCCL that is checked, noted and not yet made. Memory, streams and operators of it stay until it is over. */
export class Operation implements NewEntry {
  readonly state: CommunicatorState;
  readonly name: OperationName;
  readonly dtype: string;
  readonly count: number;
  readonly op: string | undefined;
  readonly peer: number;
  /** Where the program calls: noted before it goes on. */
  trace: HostTrace | undefined;
  readonly timeoutMs: number;
  readonly raw: CUstream;
  readonly #parts: OperationParts;
  readonly #stream: Stream | null;
  readonly #kept: AnyHandle[] = [];

  constructor(args: CallArguments, parts: OperationParts) {
    const { state, name, timeoutMs, options, what } = args;
    requireRoutine(ROUTINES[name]);
    this.state = state;
    this.name = name;
    this.timeoutMs = timeoutMs;
    this.dtype = parts.element.name;
    this.count = parts.count;
    this.op = parts.reduction?.name;
    this.peer = parts.peer ?? -1;
    this.#parts = parts;
    const stream = options['stream'] as Stream | null | undefined;
    this.#stream = stream === undefined ? ((parts.recv ?? parts.send)?.stream ?? null) : stream;
    this.raw = streamHandle(this.#stream, what);
    if (this.#stream !== null) checkStream(this.#stream, this.raw, state, what);
    const { send, recv, reduction } = parts;
    if (this.#stream !== null) this.#keep(handleOf(this.#stream, what));
    this.#keep(reduction?.handle);
    for (const buffer of new Set([send, recv])) {
      const kept = buffer?.retain();
      if (kept) this.#kept.push(kept);
    }
  }

  /** Give it to NCCL alone. */
  startAlone(): void {
    this.state.inContext(() => {
      this.#use();
      this.#start();
    });
  }

  /** Have its stream wait for earlier work on the memory. What can fail besides NCCL fails here. */
  prepare(): void {
    this.state.inContext(() => this.#use());
  }

  /** Give it to NCCL in a group. */
  start(): void {
    this.state.inContext(() => this.#start());
  }

  /** Release what it has kept. */
  end(): void {
    for (const handle of this.#kept.splice(0)) handle.release();
  }

  #use(): void {
    const { send, recv } = this.#parts;
    if (send !== undefined && send !== recv) send.use(this.#stream, this.raw, false);
    recv?.use(this.#stream, this.raw, true);
  }

  #start(): void {
    this.state.record.note(this);
    this.#call();
  }

  #keep(handle: AnyHandle | undefined): void {
    if (handle === undefined) return;
    handle.retain();
    this.#kept.push(handle);
  }

  #call(): void {
    const { element, reduction, send, recv } = this.#parts;
    const { name, peer } = this;
    const comm = this.state.raw;
    const stream = this.raw as bigint as Opaque<'cudaStream_t'>;
    const count = this.count * element.parts;
    const from = send?.address ?? 0n;
    // NCCL wants an address where it writes nothing, too.
    const to = recv?.address ?? from;
    const { type } = element;
    const op = reduction?.value ?? 0;
    switch (name) {
      case 'allReduce':
      case 'reduceScatter':
        begin(ROUTINES[name], from, to, count, type, op, comm, stream);
        return;
      case 'reduce':
        begin(ROUTINES[name], from, to, count, type, op, peer, comm, stream);
        return;
      case 'broadcast':
      case 'gather':
      case 'scatter':
        begin(ROUTINES[name], send === undefined ? to : from, to, count, type, peer, comm, stream);
        return;
      case 'allGather':
      case 'allToAll':
        begin(ROUTINES[name], from, to, count, type, comm, stream);
        return;
      case 'send':
        begin(ROUTINES[name], from, count, type, peer, comm, stream);
        return;
      case 'recv':
        begin(ROUTINES[name], to, count, type, peer, comm, stream);
        return;
      default:
        name satisfies never;
    }
  }
}

/** A stream of another device would let NCCL wait for ever. */
function checkStream(stream: Stream, raw: CUstream, state: CommunicatorState, what: string): void {
  if (isDefaultStream(raw) || state.streams.has(stream)) return;
  if (attemptCuda('cuStreamGetCtx', raw, contextSlot) !== 0) return;
  const found: bigint = take(contextSlot);
  if (found === state.facts.contextHandle.value) {
    state.streams.add(stream);
    return;
  }
  throw new TypeError(
    `${what}: stream must be one of the communicator's context (device ${state.facts.context.device.ordinal}), got a stream of another context`,
  );
}
