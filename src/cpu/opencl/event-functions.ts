import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { CommandExecutionStatus, CommandType, EventInfo, ProfilingInfo } from '../../opencl/sys/enums.ts';
import { infoQuery, created } from './answer.ts';
import { Code } from './code.ts';
import { ClEvent } from './event.ts';
import { EventCallbacks } from './event-callbacks.ts';
import { addressAt } from './pointer.ts';
import type { OpenCLState } from './state.ts';

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

/** Events: waiting, asking, setting, profiling. */
export function eventFunctions(state: OpenCLState): Pick<OpenCLTable, Names> {
  const { scheduler } = state;
  const callbacks = new EventCallbacks(state);
  scheduler.listener = callbacks;

  const ask = infoQuery<typeof EventInfo, ClEvent>(EventInfo, {
    COMMAND_QUEUE: ({ queue }) => queue?.handle ?? 0n,
    COMMAND_TYPE: ({ type }) => type,
    REFERENCE_COUNT: ({ references }) => references,
    COMMAND_EXECUTION_STATUS: (event) => scheduler.statusOf(event),
    CONTEXT: ({ context }) => context.handle,
  });
  /** Recorded commands that are one begin with the first of them. */
  const firstOf = (event: ClEvent): ClEvent => {
    const { since = event } = event;
    return scheduler.settle(since) ? since : event;
  };
  const time = infoQuery<typeof ProfilingInfo, ClEvent>(ProfilingInfo, {
    QUEUED: (event) => nanoseconds(firstOf(event).queued),
    SUBMIT: (event) => nanoseconds(firstOf(event).submitted),
    START: (event) => nanoseconds(firstOf(event).started),
    END: ({ ended }) => nanoseconds(ended),
    COMPLETE: ({ ended }) => nanoseconds(ended),
  });

  const withEvent = (handle: bigint, run: (event: ClEvent) => number): number => {
    const event = state.events.find(handle);
    return event ? run(event) : Code.INVALID_EVENT;
  };

  return {
    clWaitForEvents: (count, list) => {
      if (count === 0 || list === 0n) return Code.INVALID_VALUE;
      const events = state.eventsAt(count, list);
      if (typeof events === 'number') return events === Code.INVALID_CONTEXT ? events : Code.INVALID_EVENT;
      let status: number = Code.SUCCESS;
      for (const event of events) {
        if (!scheduler.wait(event)) return Code.INVALID_OPERATION;
        if (event.status < 0) status = Code.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
      }
      return status;
    },
    clGetEventInfo: (handle, param, size, value, sizeOut) => {
      const event = state.events.find(handle);
      if (!event) return Code.INVALID_EVENT;
      // The question that polling asks.
      if (param === EventInfo.COMMAND_EXECUTION_STATUS[0] && sizeOut === 0n && value instanceof Int32Array) {
        if (Number(size) < 4) return Code.INVALID_VALUE;
        value[0] = scheduler.statusOf(event);
        return Code.SUCCESS;
      }
      return ask(event, param, size, value, sizeOut);
    },
    clCreateUserEvent: (handle, errcode) => {
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
    clRetainEvent: (handle) =>
      withEvent(handle, (event) => {
        event.retain();
        return Code.SUCCESS;
      }),
    clReleaseEvent: (handle) =>
      withEvent(handle, (event) => {
        event.release();
        return Code.SUCCESS;
      }),
    clSetUserEventStatus: (handle, status) =>
      withEvent(handle, (event) => {
        if (event.queue) return Code.INVALID_EVENT;
        if (status > COMPLETE) return Code.INVALID_VALUE;
        if (event.over) return Code.INVALID_OPERATION;
        scheduler.end(event, status);
        return Code.SUCCESS;
      }),
    clSetEventCallback: (handle, type, notify, data) =>
      withEvent(handle, (event) => {
        if (notify === 0n || type < COMPLETE || type > SUBMITTED) return Code.INVALID_VALUE;
        callbacks.add(event, type, { notify, data: addressAt(data) });
        return Code.SUCCESS;
      }),
    clGetEventProfilingInfo: (handle, param, size, value, sizeOut) =>
      withEvent(handle, (event) => {
        const told = event.queue?.profiling === true && scheduler.settle(event) && event.status === COMPLETE;
        return told ? time(event, param, size, value, sizeOut) : Code.PROFILING_INFO_NOT_AVAILABLE;
      }),
  };
}

function nanoseconds(milliseconds: number): bigint {
  return BigInt(Math.round(milliseconds * 1e6));
}
