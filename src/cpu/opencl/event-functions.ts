import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { CommandExecutionStatus, CommandType, EventInfo, ProfilingInfo } from '../../opencl/sys/enums.ts';
import { infoQuery, created } from './answer.ts';
import { Code } from './code.ts';
import { ClEvent } from './event.ts';
import { addressAt } from './pointer.ts';
import type { OpenCLState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'clWaitForEvents'
  | 'clGetEventInfo'
  | 'clCreateUserEvent'
  | 'clRetainEvent'
  | 'clReleaseEvent'
  | 'clSetUserEventStatus'
  | 'clSetEventCallback'
  | 'clGetEventProfilingInfo';

const { COMPLETE, SUBMITTED } = CommandExecutionStatus;

/** The subject of a query. */
interface EventSubject {
  readonly state: OpenCLState;
  readonly event: ClEvent;
}

const ask = infoQuery<typeof EventInfo, EventSubject>(EventInfo, {
  COMMAND_QUEUE: ({ event }) => event.queue?.handle ?? 0n,
  COMMAND_TYPE: ({ event }) => event.type,
  REFERENCE_COUNT: ({ event }) => event.references,
  COMMAND_EXECUTION_STATUS: ({ state, event }) => state.scheduler.statusOf(event),
  CONTEXT: ({ event }) => event.context.handle,
});

const askTime = infoQuery<typeof ProfilingInfo, EventSubject>(ProfilingInfo, {
  QUEUED: (subject) => nanoseconds(firstOf(subject).queued),
  SUBMIT: (subject) => nanoseconds(firstOf(subject).submitted),
  START: (subject) => nanoseconds(firstOf(subject).started),
  END: ({ event }) => nanoseconds(event.ended),
  COMPLETE: ({ event }) => nanoseconds(event.ended),
});

/** Events: waiting, asking, setting, profiling. */
export const eventFunctions: Rows<OpenCLState, OpenCLTable, Names> = {
  clWaitForEvents: (state, count, list) => {
    if (count === 0 || list === 0n) return Code.INVALID_VALUE;
    const events = state.eventsAt({ count, list });
    if (typeof events === 'number') return events === Code.INVALID_CONTEXT ? events : Code.INVALID_EVENT;
    let status: number = Code.SUCCESS;
    for (const event of events) {
      if (!state.scheduler.wait(event)) return Code.INVALID_OPERATION;
      if (event.status < 0) status = Code.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
    return status;
  },
  clGetEventInfo: (state, handle, param, size, value, sizeOut) => {
    const event = state.events.find(handle);
    if (!event) return Code.INVALID_EVENT;
    // The query that polling makes: answered without an allocation.
    if (param === EventInfo.COMMAND_EXECUTION_STATUS[0] && sizeOut === 0n && value instanceof Int32Array) {
      if (Number(size) < 4) return Code.INVALID_VALUE;
      value[0] = state.scheduler.statusOf(event);
      return Code.SUCCESS;
    }
    return ask({ state, event }, param, size, value, sizeOut);
  },
  clCreateUserEvent: (state, handle, errcode) => {
    const context = state.contexts.find(handle);
    if (!context) return created(Code.INVALID_CONTEXT, errcode);
    context.retain();
    const event = new ClEvent(context, undefined, CommandType.USER, (gone) => {
      state.events.remove(gone);
      context.release();
    });
    event.status = SUBMITTED;
    return created(state.events.add(event), errcode);
  },
  clRetainEvent: (state, handle) =>
    withEvent(state, handle, (event) => {
      event.retain();
      return Code.SUCCESS;
    }),
  clReleaseEvent: (state, handle) =>
    withEvent(state, handle, (event) => {
      event.release();
      return Code.SUCCESS;
    }),
  clSetUserEventStatus: (state, handle, status) =>
    withEvent(state, handle, (event) => {
      if (event.queue) return Code.INVALID_EVENT;
      if (status > COMPLETE) return Code.INVALID_VALUE;
      if (event.over) return Code.INVALID_OPERATION;
      state.scheduler.end(event, status);
      return Code.SUCCESS;
    }),
  clSetEventCallback: (state, handle, type, notify, data) =>
    withEvent(state, handle, (event) => {
      if (notify === 0n || type < COMPLETE || type > SUBMITTED) return Code.INVALID_VALUE;
      state.eventCallbacks.add(event, type, { notify, data: addressAt(data) });
      return Code.SUCCESS;
    }),
  clGetEventProfilingInfo: (state, handle, param, size, value, sizeOut) =>
    withEvent(state, handle, (event) => {
      const told = event.queue?.profiling === true && state.scheduler.settle(event) && event.status === COMPLETE;
      return told ? askTime({ state, event }, param, size, value, sizeOut) : Code.PROFILING_INFO_NOT_AVAILABLE;
    }),
};

/** The start of recorded commands that share an event is the start of the first one. */
function firstOf({ state, event }: EventSubject): ClEvent {
  const { since = event } = event;
  return state.scheduler.settle(since) ? since : event;
}

function withEvent(state: OpenCLState, handle: bigint, run: (event: ClEvent) => number): number {
  const event = state.events.find(handle);
  return event ? run(event) : Code.INVALID_EVENT;
}

function nanoseconds(milliseconds: number): bigint {
  return BigInt(Math.round(milliseconds * 1e6));
}
