import type { Handle } from '../core/handle.ts';
import type { Opaque } from '../ffi/ctype.ts';

/** Work for NCCL that waits its turn. */
export interface Queued {
  /** Those of its devices. */
  readonly queues: readonly DeviceQueue[];
  readonly isStarted: boolean;
  /** Give it to NCCL, and wait for NCCL's thread for a moment. Whether it is over. */
  start(): boolean;
  /** See what has become of it since. Whether it is over. */
  advance(): boolean;
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
