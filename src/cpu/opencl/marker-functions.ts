import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { CommandType } from '../../opencl/sys/enums.ts';
import { Code } from './code.ts';
import { NO_EVENT_ARGUMENTS, type Command } from './event.ts';
import type { OpenCLState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'clEnqueueMarkerWithWaitList'
  | 'clEnqueueBarrierWithWaitList'
  | 'clEnqueueMarker'
  | 'clEnqueueBarrier'
  | 'clEnqueueWaitForEvents'
  | 'clEnqueueNativeKernel';

const NOTHING: Command = {};

const { MARKER, BARRIER } = CommandType;

/** Commands that only wait. */
export const markerFunctions: Rows<OpenCLState, OpenCLTable, Names> = {
  clEnqueueMarkerWithWaitList: (state, queue, count, list, out) =>
    state.enqueue(queue, MARKER, { count, list, out }, nothing),
  clEnqueueBarrierWithWaitList: (state, queue, count, list, out) =>
    state.enqueue(queue, BARRIER, { count, list, out }, nothing),
  clEnqueueMarker: (state, queue, out) =>
    out === 0n ? Code.INVALID_VALUE : state.enqueue(queue, MARKER, { ...NO_EVENT_ARGUMENTS, out }, nothing),
  clEnqueueBarrier: (state, queue) => state.enqueue(queue, BARRIER, NO_EVENT_ARGUMENTS, nothing),
  clEnqueueWaitForEvents: (state, queue, count, list) => {
    if (count === 0 || list === 0n) return Code.INVALID_VALUE;
    const status = state.enqueue(queue, BARRIER, { count, list, out: 0n }, nothing);
    return status === Code.INVALID_EVENT_WAIT_LIST ? Code.INVALID_EVENT : status;
  },
  // The device does not report native kernels as a capability.
  clEnqueueNativeKernel: (state, queue) =>
    state.queues.find(queue) ? Code.INVALID_OPERATION : Code.INVALID_COMMAND_QUEUE,
};

function nothing(): Command {
  return NOTHING;
}
