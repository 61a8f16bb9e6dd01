import { checkOptions } from '../../core/check.ts';
import { cl } from '../call.ts';
import type { Event } from './event.ts';
import { checkQueue, issueMarker, submit, type CommandQueue, type Issue } from './queue.ts';
import { CommandType } from '../sys/enums.ts';

/** The options of every enqueue. */
export interface EnqueueOptions {
  /** The command starts when these have ended. */
  readonly waitFor?: readonly Event[];
}

/**
 * Enqueue a marker: an event that ends when the given events, or else all earlier commands, have ended.
 *
 * Host: does not block. Queue: ordered; on an out-of-order queue later commands do not wait for it.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx);
 * await cl.enqueueMarker(queue).done();
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueMarkerWithWaitList.html | clEnqueueMarkerWithWaitList}
 */
export function enqueueMarker(queue: CommandQueue, options: EnqueueOptions = {}): Event {
  checkQueue(queue, 'enqueueMarker');
  checkOptions(options, ['waitFor'], 'enqueueMarker');
  return submit(queue, 'enqueueMarker', options.waitFor, [], issueMarker, CommandType.MARKER);
}

/**
 * Enqueue a barrier: later commands start only when the given events, or else all earlier commands, have ended.
 *
 * Host: does not block. Queue: ordered.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using queue = new cl.CommandQueue(ctx, { outOfOrder: true });
 * cl.enqueueBarrier(queue);
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clEnqueueBarrierWithWaitList.html | clEnqueueBarrierWithWaitList}
 */
export function enqueueBarrier(queue: CommandQueue, options: EnqueueOptions = {}): Event {
  checkQueue(queue, 'enqueueBarrier');
  checkOptions(options, ['waitFor'], 'enqueueBarrier');
  return submit(queue, 'enqueueBarrier', options.waitFor, [], issueBarrier, CommandType.BARRIER);
}

const issueBarrier: Issue = (queue, count, list, event) => cl.clEnqueueBarrierWithWaitList(queue, count, list, event);
