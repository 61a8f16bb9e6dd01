import type { Handle } from '../core/handle.ts';
import type { Opaque } from '../ffi/ctype.ts';

/** Work for NCCL that waits its turn. */
export interface Queued {
  /** Those of its devices. */
  readonly queues: readonly DeviceQueue[];
  readonly isStarted: boolean;
  /** Give it to NCCL, whose thread works from now on. Whether it is over at once. */
  start(): boolean;
  /** Wait for NCCL's thread, a moment at once. Whether it is over. */
  finish(): boolean;
}

/** What waits for a device, the first of which NCCL works on: it wants calls in one order on each device. */
export type DeviceQueue = Queued[];

const queues = new WeakMap<object, DeviceQueue>();

/** That of a context's device. */
export function queueOf(context: Handle<Opaque<'CUcontext'>>): DeviceQueue {
  let queue = queues.get(context);
  if (queue === undefined) queues.set(context, (queue = []));
  return queue;
}
