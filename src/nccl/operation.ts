import type { HostTrace } from '../core/host-place.ts';
import type { AnyHandle } from '../core/handle.ts';
import { handleOf } from '../core/resource.ts';
import { attempt as attemptCuda } from '../cuda/call.ts';
import { slotOf } from '../cuda/slots.ts';
import { isDefaultStream } from '../cuda/lifetime/default-stream.ts';
import { streamHandle, type Stream } from '../cuda/stream/stream.ts';
import { NULL, type Opaque } from '../ffi/ctype.ts';
import { take } from '../ffi/slot.ts';
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
 * One call of NCCL that is checked, noted and not yet made. It is its own submission where it is alone, and keeps nothing where NCCL
 * takes it at once: between two calls each microsecond counts twice, since NCCL's thread falls asleep.
 */
export class Operation implements SubmissionParts {
  readonly state: CommunicatorState;
  readonly raw: CUstream;
  readonly #call: CheckedCall;
  readonly #stream: Stream | null;
  #trace: HostTrace | undefined;
  #isNoted = false;
  #kept: AnyHandle[] | undefined;

  /** @param given - the stream that the program names; that of the last work on the memory by default */
  constructor(state: CommunicatorState, call: CheckedCall, given: Stream | null | undefined) {
    this.state = state;
    this.#call = call;
    const { entry, parts } = call;
    const stream = given === undefined ? ((parts.recv ?? parts.send)?.stream ?? null) : given;
    this.#stream = stream;
    this.raw = stream === null ? NULL : checkedStream(stream, state, entry);
  }

  get states(): readonly CommunicatorState[] {
    return this.state.alone;
  }

  get routine(): string {
    return ROUTINES[this.#call.entry.name];
  }

  get timeoutMs(): number {
    return this.#call.timeoutMs;
  }

  /** Note where the program makes it. */
  place(trace: HostTrace): void {
    this.#trace = trace;
    if (this.#isNoted) this.state.record.traceLast(trace);
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

  /** Memory, streams and operators of it stay until its end. */
  hold(): void {
    const { send, recv, reduction } = this.#call.parts;
    this.#kept = [];
    if (this.#stream !== null) this.#keep(handleOf(this.#stream, this.routine).retain());
    this.#keep(reduction?.handle?.retain());
    this.#keep(send?.retain());
    if (recv !== send) this.#keep(recv?.retain());
  }

  /** Release what it has kept. */
  end(): void {
    if (this.#kept === undefined) return;
    for (const handle of this.#kept) handle.release();
    this.#kept = undefined;
  }

  #use(): void {
    const { send, recv } = this.#call.parts;
    if (send !== undefined && send !== recv) send.use(this.#stream, this.raw, false);
    recv?.use(this.#stream, this.raw, true);
  }

  #start(): void {
    this.#isNoted = true;
    this.state.record.note(this.#call.entry, this.#trace);
    this.#begin();
  }

  #keep(retained: AnyHandle | undefined): void {
    if (retained) this.#kept?.push(retained);
  }

  #begin(): void {
    const { entry, parts } = this.#call;
    const { element, reduction, send, recv } = parts;
    const { name, peer } = entry;
    const comm = this.state.raw;
    const stream = this.raw as bigint as Opaque<'cudaStream_t'>;
    const count = entry.count * element.parts;
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
  const known = findCall(state, name, x, options);
  if (known !== undefined) return new Operation(state, known, options?.stream);
  const call = checkCall(new CallArguments(state, name, options), read);
  noteCall(state, call, x, options);
  return new Operation(state, call, options?.stream);
}

function checkCall(args: CallArguments, read: Read): CheckedCall {
  const { name, timeoutMs } = args;
  const parts = read(args);
  requireRoutine(ROUTINES[name]);
  const { element, count, reduction, peer = -1 } = parts;
  return { entry: { name, dtype: element.name, count, op: reduction?.name, peer }, timeoutMs, parts };
}

/** The stream of a call. One of another device would let NCCL wait for ever. */
function checkedStream(stream: Stream, state: CommunicatorState, { name }: NewEntry): CUstream {
  const what = `Communicator.${name}`;
  const raw = streamHandle(stream, what);
  if (isDefaultStream(raw) || state.streams.has(stream)) return raw;
  if (attemptCuda('cuStreamGetCtx', raw, contextSlot) !== 0) return raw;
  const found: bigint = take(contextSlot);
  if (found === state.facts.contextHandle.value) {
    state.streams.add(stream);
    return raw;
  }
  throw new TypeError(
    `${what}: stream must be one of the communicator's context (device ${state.facts.context.device.ordinal}), got a stream of another context`,
  );
}
