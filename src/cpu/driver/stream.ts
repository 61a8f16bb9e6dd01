import type { DriverTable } from '../../cuda/sys/tables.ts';
import { EventFlags } from '../../cuda/sys/enums.ts';
import { milliseconds } from '../runtime/clock.ts';
import { Status } from '../abi/status.ts';
import { putFloat, putInt, putWide, type Out } from '../abi/out.ts';
import type { CpuEvent, CpuStream, DriverState } from './state.ts';

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

/** Streams and events. One queue holds the work of all streams, so that whoever came first is never waited for late. */
export function streamFunctions(state: DriverState): Pick<DriverTable, Names> {
  const find = (handle: bigint): CpuStream | undefined => state.streamOf(Number(handle));
  const event = (handle: bigint): CpuEvent | undefined => state.events.get(Number(handle));

  const create = (out: Out, flags: number): number => {
    const context = state.current;
    const refused = state.refuse();
    if (!context || refused !== 0) return refused;
    if (flags !== 0 && flags !== 1) return Status.INVALID_VALUE;
    const handle = state.newHandle();
    const stream: CpuStream = { handle, context, flags, priority: 0, last: undefined };
    state.streams.set(handle, stream);
    context.streams.add(stream);
    return putWide(out, handle);
  };

  /** The latest work that a stream's own waits count: the legacy one counts that of all blocking streams. */
  const latest = (stream: CpuStream): number | undefined =>
    stream === stream.context.legacy ? stream.context.lastBlocking : stream.last;

  const withStream = (handle: bigint, run: (stream: CpuStream) => number): number => {
    const stream = find(handle);
    if (!stream) return state.refuse() || Status.INVALID_HANDLE;
    return state.refusal(stream.context) || run(stream);
  };

  const withEvent = (handle: bigint, run: (event: CpuEvent) => number): number => {
    const found = event(handle);
    if (!found) return state.refuse() || Status.INVALID_HANDLE;
    return state.refusal(found.context) || run(found);
  };

  const record = (to: CpuEvent, stream: CpuStream): number => {
    if (to.context !== stream.context) return Status.INVALID_HANDLE;
    const { engine } = state;
    if (engine.queue.idle) {
      state.memory.view.setFloat64(to.cell, milliseconds(), true);
      to.last = undefined;
    } else {
      const status = engine.stamp(stream.context.index, to.cell);
      if (status !== Status.SUCCESS) return status;
      state.enqueued(stream);
      to.last = stream.last;
    }
    to.recorded = true;
    return Status.SUCCESS;
  };

  const elapsed = (out: Out, start: CpuEvent, end: CpuEvent): number => {
    if (!start.timed || !end.timed || !start.recorded || !end.recorded) return Status.INVALID_HANDLE;
    if (start.context !== end.context) return Status.INVALID_HANDLE;
    if (!state.finished(start.last) || !state.finished(end.last)) {
      return state.refusal(start.context) || Status.NOT_READY;
    }
    const { view } = state.memory;
    return putFloat(out, view.getFloat64(end.cell, true) - view.getFloat64(start.cell, true));
  };

  return {
    cuStreamCreate: create,
    cuStreamCreateWithPriority: (out, flags) => create(out, flags),
    cuStreamDestroy: (handle) => {
      const stream = state.streams.get(Number(handle));
      if (!stream) return state.refuse() || Status.INVALID_HANDLE;
      state.streams.delete(stream.handle);
      stream.context.streams.delete(stream);
      return state.refusal(stream.context);
    },
    cuStreamQuery: (handle) =>
      withStream(handle, (stream) =>
        state.finished(latest(stream)) ? state.refusal(stream.context) : Status.NOT_READY,
      ),
    cuStreamSynchronize: (handle) => withStream(handle, (stream) => state.finish(stream.context, latest(stream))),
    // The event's record is before whatever comes now.
    cuStreamWaitEvent: (handle, raw, flags) =>
      withStream(handle, () => withEvent(raw, () => (flags > 1 ? Status.INVALID_VALUE : Status.SUCCESS))),
    cuStreamGetFlags: (handle, out) => withStream(handle, ({ flags }) => putInt(out, flags)),
    cuStreamGetPriority: (handle, out) => withStream(handle, ({ priority }) => putInt(out, priority)),
    cuStreamGetCtx: (handle, out) => withStream(handle, ({ context }) => putWide(out, context.handle)),

    cuEventCreate: (out, flags) => {
      const context = state.current;
      const refused = state.refuse();
      if (!context || refused !== 0) return refused;
      if ((flags & EventFlags.INTERPROCESS) !== 0) return Status.NOT_SUPPORTED;
      if ((flags & ~3) !== 0) return Status.INVALID_VALUE;
      const cell = state.takeCell();
      if (cell === undefined) return Status.OUT_OF_MEMORY;
      const handle = state.newHandle();
      const timed = (flags & EventFlags.DISABLE_TIMING) === 0;
      state.events.set(handle, { context, timed, cell, recorded: false, last: undefined });
      context.events.add(handle);
      return putWide(out, handle);
    },
    cuEventRecord: (raw, handle) => withEvent(raw, (to) => withStream(handle, (stream) => record(to, stream))),
    cuEventQuery: (raw) =>
      withEvent(raw, ({ last, context }) => (state.finished(last) ? state.refusal(context) : Status.NOT_READY)),
    cuEventSynchronize: (raw) => withEvent(raw, ({ last, context }) => state.finish(context, last)),
    cuEventDestroy: (raw) => {
      const found = event(raw);
      if (!found) return state.refuse() || Status.INVALID_HANDLE;
      state.forgetEvent(Number(raw));
      return state.refusal(found.context);
    },
    cuEventElapsedTime: (out, start, end) =>
      withEvent(start, (first) => withEvent(end, (second) => elapsed(out, first, second))),
  };
}
