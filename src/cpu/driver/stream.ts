import type { DriverTable } from '../../cuda/sys/tables.ts';
import { EventFlags } from '../../cuda/sys/enums.ts';
import { milliseconds } from '../runtime/clock.ts';
import { Status } from '../abi/status.ts';
import type { SharedEvent } from '../ipc/shared-event.ts';
import { putFloat, putInt, putWide, type Out } from '../abi/out.ts';
import type { CpuEvent, CpuStream } from './objects.ts';
import type { DriverState } from './state.ts';
import type { Rows } from '../abi/rows.ts';
import { pending, sweep } from './stream-order.ts';

type Names =
  | 'cuStreamCreate'
  | 'cuStreamCreateWithPriority'
  | 'cuStreamDestroy'
  | 'cuStreamQuery'
  | 'cuStreamSynchronize'
  | 'cuStreamWaitEvent'
  | 'cuStreamGetFlags'
  | 'cuStreamGetPriority'
  | 'cuStreamGetCtx'
  | 'cuEventCreate'
  | 'cuEventRecord'
  | 'cuEventQuery'
  | 'cuEventSynchronize'
  | 'cuEventDestroy'
  | 'cuEventElapsedTime';

const ALL_FLAGS = EventFlags.BLOCKING_SYNC | EventFlags.DISABLE_TIMING | EventFlags.INTERPROCESS;

/** Streams and events. */
export const streamFunctions: Rows<DriverState, DriverTable, Names> = {
  cuStreamCreate: create,
  cuStreamCreateWithPriority: (state, out, flags) => create(state, out, flags),
  cuStreamDestroy: (state, handle) => {
    const stream = state.streams.get(Number(handle));
    if (!stream) return state.refuse() || Status.INVALID_HANDLE;
    state.streams.delete(stream.handle);
    stream.context.streams.delete(stream);
    return state.refusal(stream.context);
  },
  cuStreamQuery: (state, handle) =>
    withStream(state, handle, (stream) =>
      pending(stream).every((sequence) => state.finished(sequence)) ? state.refusal(stream.context) : Status.NOT_READY,
    ),
  cuStreamSynchronize: (state, handle) =>
    withStream(state, handle, (stream) => state.finish(stream.context, pending(stream))),
  cuStreamWaitEvent: (state, handle, raw, flags) =>
    withStream(state, handle, (stream) =>
      withEvent(state, raw, ({ last, shared }) => {
        if (flags > 1) return Status.INVALID_VALUE;
        if (shared?.isElsewhere === true) return awaitOther(state, stream, shared);
        if (last !== undefined) state.await(stream, last);
        return Status.SUCCESS;
      }),
    ),
  cuStreamGetFlags: (state, handle, out) => withStream(state, handle, ({ flags }) => putInt(out, flags)),
  cuStreamGetPriority: (state, handle, out) => withStream(state, handle, ({ priority }) => putInt(out, priority)),
  cuStreamGetCtx: (state, handle, out) => withStream(state, handle, ({ context }) => putWide(out, context.handle)),

  cuEventCreate: (state, out, flags) => {
    const context = state.current;
    const refused = state.refuse();
    if (!context || refused !== 0) return refused;
    const timed = (flags & EventFlags.DISABLE_TIMING) === 0;
    const isShared = (flags & EventFlags.INTERPROCESS) !== 0;
    if (flags > ALL_FLAGS || (isShared && timed)) return Status.INVALID_VALUE;
    const shared = isShared ? state.ipc.newEvent() : undefined;
    if (isShared && !shared) return Status.NOT_SUPPORTED;
    const cell = shared ? 0 : state.takeCell();
    if (cell === undefined) return Status.OUT_OF_MEMORY;
    return putWide(out, state.addEvent({ context, timed, cell, shared, recorded: false, last: undefined }));
  },
  cuEventRecord: (state, raw, handle) =>
    withEvent(state, raw, (to) => withStream(state, handle, (stream) => record(state, to, stream))),
  cuEventQuery: (state, raw) =>
    withEvent(state, raw, ({ last, context, shared }) => {
      const isPast = shared?.isElsewhere === true ? shared.isPast : state.finished(last);
      return isPast ? state.refusal(context) : Status.NOT_READY;
    }),
  cuEventSynchronize: (state, raw) =>
    withEvent(state, raw, ({ last, context, shared }) => {
      const isElsewhere = shared?.isElsewhere === true;
      if (isElsewhere) shared.wait();
      return state.finish(context, isElsewhere || last === undefined ? [] : [last]);
    }),
  cuEventDestroy: (state, raw) => {
    const found = event(state, raw);
    if (!found) return state.refuse() || Status.INVALID_HANDLE;
    state.forgetEvent(Number(raw));
    return state.refusal(found.context);
  },
  cuEventElapsedTime: (state, out, start, end) =>
    withEvent(state, start, (first) => withEvent(state, end, (second) => elapsed(state, out, first, second))),
};

function find(state: DriverState, handle: bigint): CpuStream | undefined {
  return state.streamOf(Number(handle));
}

function event(state: DriverState, handle: bigint): CpuEvent | undefined {
  return state.events.get(Number(handle));
}

function create(state: DriverState, out: Out, flags: number): number {
  const context = state.current;
  const refused = state.refuse();
  if (!context || refused !== 0) return refused;
  if (flags !== 0 && flags !== 1) return Status.INVALID_VALUE;
  const handle = state.newHandle();
  const stream: CpuStream = { handle, context, flags, priority: 0, tails: [], listed: false };
  sweep(context, (sequence) => state.engine.queue.done(sequence));
  state.streams.set(handle, stream);
  context.streams.add(stream);
  return putWide(out, handle);
}

function withStream(state: DriverState, handle: bigint, run: (stream: CpuStream) => number): number {
  const stream = find(state, handle);
  if (!stream) return state.refuse() || Status.INVALID_HANDLE;
  return state.refusal(stream.context) || run(stream);
}

function withEvent(state: DriverState, handle: bigint, run: (event: CpuEvent) => number): number {
  const found = event(state, handle);
  if (!found) return state.refuse() || Status.INVALID_HANDLE;
  return state.refusal(found.context) || run(found);
}

function record(state: DriverState, to: CpuEvent, stream: CpuStream): number {
  if (to.context !== stream.context) return Status.INVALID_HANDLE;
  const { engine } = state;
  const cell = to.shared?.begin() ?? to.cell;
  if (state.isFree(stream)) {
    state.memory.view.setFloat64(cell, milliseconds(), true);
    to.last = undefined;
  } else {
    const status = engine.stamp(stream.context.index, cell);
    if (status !== Status.SUCCESS) return status;
    state.enqueued(stream);
    to.last = stream.context.last;
  }
  to.recorded = true;
  return Status.SUCCESS;
}

/** Let a stream wait for what another process has recorded. */
function awaitOther(state: DriverState, stream: CpuStream, event: SharedEvent): number {
  if (event.isPast) return Status.SUCCESS;
  const { context } = stream;
  const gate = state.engine.gate([], context.index, true);
  if (gate === undefined) return Status.OUT_OF_MEMORY;
  context.last = gate;
  state.await(stream, gate);
  state.ipc.openAfter(state.engine, event, gate, context.index);
  return Status.SUCCESS;
}

function elapsed(state: DriverState, out: Out, start: CpuEvent, end: CpuEvent): number {
  if (!start.timed || !end.timed || !start.recorded || !end.recorded) return Status.INVALID_HANDLE;
  if (start.context !== end.context) return Status.INVALID_HANDLE;
  if (!state.finished(start.last) || !state.finished(end.last)) {
    return state.refusal(start.context) || Status.NOT_READY;
  }
  const { view } = state.memory;
  return putFloat(out, view.getFloat64(end.cell, true) - view.getFloat64(start.cell, true));
}
