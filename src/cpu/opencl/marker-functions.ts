import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { CommandType } from '../../opencl/sys/enums.ts';
import { Code } from './code.ts';
import type { Command } from './event.ts';
import type { OpenCLState } from './state.ts';

type Names =
  | 'clEnqueueMarkerWithWaitList'
  | 'clEnqueueBarrierWithWaitList'
  | 'clEnqueueMarker'
  | 'clEnqueueBarrier'
  | 'clEnqueueWaitForEvents'
  | 'clEnqueueNativeKernel';

const NOTHING: Command = {};

/** Commands that only wait. */
export function markerFunctions(state: OpenCLState): Pick<OpenCLTable, Names> {
  const { MARKER, BARRIER } = CommandType;
  const nothing = (): Command => NOTHING;
  return {
    clEnqueueMarkerWithWaitList: (queue, count, list, out) => state.enqueue(queue, MARKER, count, list, out, nothing),
    clEnqueueBarrierWithWaitList: (queue, count, list, out) => state.enqueue(queue, BARRIER, count, list, out, nothing),
    clEnqueueMarker: (queue, out) =>
      out === 0n ? Code.INVALID_VALUE : state.enqueue(queue, MARKER, 0, 0n, out, nothing),
    clEnqueueBarrier: (queue) => state.enqueue(queue, BARRIER, 0, 0n, 0n, nothing),
    clEnqueueWaitForEvents: (queue, count, list) => {
      if (count === 0 || list === 0n) return Code.INVALID_VALUE;
      const status = state.enqueue(queue, BARRIER, count, list, 0n, nothing);
      return status === Code.INVALID_EVENT_WAIT_LIST ? Code.INVALID_EVENT : status;
    },
    // The device says that it runs none.
    clEnqueueNativeKernel: (queue) => (state.queues.find(queue) ? Code.INVALID_OPERATION : Code.INVALID_COMMAND_QUEUE),
  };
}
