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
import { CallArguments } from './call-arguments.ts';
import type { SubmissionParts } from './call-queue.ts';
import type { CheckedCall, OperationParts } from './checked-call.ts';
import type { CommunicatorState } from './communicator-state.ts';
import type { NewEntry, OperationName } from './flight-record.ts';
import { beLate } from './hang.ts';
import { findCall, noteCall } from './known-calls.ts';
import { ROUTINES } from './routines.ts';
import type { TransferOptions } from './transfer-options.ts';

type CUstream = Opaque<'CUstream'>;

/** Reads and checks what a call is given. */
export type Read = (args: CallArguments) => OperationParts;

const contextSlot = slotOf('CUcontext');

/**
 * One call of NCCL that is checked, noted and not yet made. Memory, streams and operators of it stay until it is over. It is its own
 * submission where it is alone: between two calls each microsecond counts twice, since NCCL's thread falls asleep.
 */
export class Operation implements NewEntry, SubmissionParts {
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

  /** @param given - the stream that the program names; that of the last work on the memory by default */
  constructor(state: CommunicatorState, { name, timeoutMs, parts }: CheckedCall, given: Stream | null | undefined) {
    const what = `Communicator.${name}`;
    requireRoutine(ROUTINES[name]);
    this.state = state;
    this.name = name;
    this.timeoutMs = timeoutMs;
    this.dtype = parts.element.name;
    this.count = parts.count;
    this.op = parts.reduction?.name;
    this.peer = parts.peer ?? -1;
    this.#parts = parts;
    this.#stream = given === undefined ? ((parts.recv ?? parts.send)?.stream ?? null) : given;
    this.raw = streamHandle(this.#stream, what);
    if (this.#stream !== null) checkStream(this.#stream, this.raw, state, what);
    const { send, recv, reduction } = parts;
    if (this.#stream !== null) this.#keep(handleOf(this.#stream, what));
    this.#keep(reduction?.handle);
    this.#keepMemory(send);
    if (recv !== send) this.#keepMemory(recv);
  }

  get states(): readonly CommunicatorState[] {
    return this.state.alone;
  }

  get routine(): string {
    return ROUTINES[this.name];
  }

  /** Give it to NCCL alone. */
  start(): void {
    this.state.inContext(() => {
      this.#use();
      this.#start();
    });
  }

  /** NCCL has taken it, alone. */
  taken(): void {
    this.state.watch.mark(this.raw, this.timeoutMs);
  }

  late(timeoutMs: number | undefined): void {
    beLate(this.state, timeoutMs);
  }

  /** Have its stream wait for earlier work on the memory. What can fail besides NCCL fails here. */
  prepare(): void {
    this.state.inContext(() => this.#use());
  }

  /** Give it to NCCL in a group. */
  startInGroup(): void {
    this.state.inContext(() => this.#start());
  }

  /** Release what it has kept. */
  end(): void {
    for (const handle of this.#kept) handle.release();
    this.#kept.length = 0;
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

  #keepMemory(buffer: Buffer | undefined): void {
    const kept = buffer?.retain();
    if (kept) this.#kept.push(kept);
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

/** The operation of a call, which is checked unless it was before. */
export function operationOf(
  state: CommunicatorState,
  name: OperationName,
  x: unknown,
  options: TransferOptions | undefined,
  read: Read,
): Operation {
  let call = findCall(state, name, x, options);
  if (call === undefined) {
    const args = new CallArguments(state, name, options);
    call = { name, timeoutMs: args.timeoutMs, parts: read(args) };
    noteCall(state, call, x, options);
  }
  return new Operation(state, call, options?.stream);
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
